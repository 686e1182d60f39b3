"""The module for Foundry VTT keeps documents in step: forth, back, and when the past changes; nothing fires twice.

Played in node against a stand-in that takes no update of which the published types have no field. A wider run,
of 1,000 places in each of many fights: tests/campaigns/foundry.py.
"""

import json
import random
import time
from pathlib import Path
from typing import Any

import pytest

from affray.events.sqlite import SqliteStore
from affray.replay.serve.access import Access
from tests.serve.foundry.playing import NODE, Foundry, foundry, in_step, played
from tests.serve.served import Served, server, small_fight

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")


def changed(served: Served, path: str, **body: Any) -> None:
    """Have the game master change the main line."""
    answer = served.post(served.master, path, **body)
    assert answer.status == 200, answer.text


@pytest.mark.parametrize("dialect", ["srd35", "woa"])
def test_documents_follow(dialect: str, tmp_path: Path) -> None:
    """At each place they are as the log says: at random ones, after an undo, another line, and back."""
    log = tmp_path / "fight.db"
    played(log, dialect)
    dice = random.Random(dialect)
    with SqliteStore(log) as store, server(log) as served, foundry(store) as world:

        def stands(at: int) -> None:
            in_step(world("dump"), store, at)

        def end() -> int:
            return store.head(store.main_line()).seq

        def seeks(count: int) -> None:
            for _ in range(count):
                at = dice.randint(1, end())
                assert world("seek", at=at) == at
                stands(at)
            world("live")
            stands(end())

        world.loaded(served)
        world.caught_up(served)
        world("bind", guess=True)
        world.caught_up(served)
        stands(end())
        made = world("dump")["counts"]["create"]["ChatMessage"]
        seeks(8)
        assert world("dump")["counts"]["create"]["ChatMessage"] == made
        main, seq = store.main_line(), end()
        changed(served, "/undo", count=3)
        world.caught_up(served)
        stands(end())
        changed(served, "/redo")
        world.caught_up(served)
        assert end() >= seq
        stands(end())
        changed(served, "/forks", at=str(seq // 2), name="other")
        changed(served, "/promotions", branch="other")
        world.caught_up(served)
        stands(end())
        seeks(3)
        changed(served, "/promotions", branch=main)
        world.caught_up(served)
        stands(end())
        counts = world("dump")["counts"]
        assert counts["create"]["ChatMessage"] == made, "an outcome has fired twice"
        # The browser is loaded anew: it goes on where the documents are, and tells nothing again.
        world.loaded(served)
        world.caught_up(served)
        stands(end())
        assert world("dump")["counts"] == counts


def test_turns_are_stepped_through(tmp_path: Path) -> None:
    """By the buttons of the list of turns, which end no turn; at the end they say where that is done."""
    log = tmp_path / "fight.db"
    played(log, "srd35")
    with SqliteStore(log) as store, server(log) as served, foundry(store) as world:
        world.loaded(served)
        world.caught_up(served)

        def place() -> tuple[int, int]:
            (combat,) = world("dump")["combats"]
            return combat["round"], combat["turn"]

        begun = {event.seq for event in store.read("main") if event.type == "turn.began"}
        where = [place()]
        for _ in range(6):
            world("previous")
            where.append(place())
        assert [round for round, _ in where] == sorted((round for round, _ in where), reverse=True)
        assert where[-1] < where[0]
        for _ in range(8):
            world("next")
        assert place() == where[0]
        assert begun
        world("live")
        world("next")
        assert place() == where[0]
        assert "this is what happens now" in world("dump")["told"][-1]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Return the log of a small fight, in which it is the hero's turn."""
    small_fight(tmp_path / "fight.db")
    return tmp_path / "fight.db"


def until(world: Foundry, served: Served, position: str) -> None:
    """Wait until the fight has gone on from a position, and the documents with it."""
    for _ in range(200):
        if served.get(served.master, "/session")["position"] != position:
            break
        time.sleep(0.01)
    world.caught_up(served)


def test_moves_are_declared(small: Path) -> None:
    """A token that is dragged goes where the fight lets it; what is refused is told, and it stays."""
    with SqliteStore(small) as store, server(small) as served, foundry(store) as world:
        world.loaded(served, moves=True)
        world.caught_up(served)
        world("bind", guess=True)
        world.caught_up(served)
        before = served.get(served.master, "/session")["position"]
        world("drag", name="Hero", x=300, y=400)  # square 1,3 of ours: the friend stands there
        until(world, served, before)
        assert "Hero" in world("dump")["told"][-1]
        in_step(world("dump"), store, store.head("main").seq)
        before = served.get(served.master, "/session")["position"]
        world("drag", name="Hero", x=300, y=500)
        until(world, served, before)
        assert served.get(served.master, "/state")["combatants"]["hero"]["at"] == [1, 4]
        in_step(world("dump"), store, store.head("main").seq)
        assert world("move", name="Orc", x=300, y=300) != ""  # it is not its turn
        in_step(world("dump"), store, store.head("main").seq)
        world("seek", at=5)
        before = served.get(served.master, "/session")["position"]
        world("drag", name="Hero", x=400, y=500)
        assert "not what happens now" in world("dump")["told"][-1]
        assert served.get(served.master, "/session")["position"] == before


def test_only_if_that_is_wanted(small: Path) -> None:
    """Otherwise a token may be dragged, and is put back with the next thing that happens."""
    with SqliteStore(small) as store, server(small) as served, foundry(store) as world:
        world.loaded(served)
        world.caught_up(served)
        world("bind", guess=True)
        world.caught_up(served)
        before = store.head("main").seq
        world("drag", name="Hero", x=900, y=500)
        assert store.head("main").seq == before
        served.declare(served.master, "end-turn", actor="hero")
        world.caught_up(served)
        in_step(world("dump"), store, store.head("main").seq)


def test_of_the_hidden_nobody_is_told(small: Path) -> None:
    """Their tokens and places in the order are hidden; what is said of them, masters alone read, without a roll."""
    with SqliteStore(small) as store, server(small) as served, foundry(store) as world:
        served.access.hide("imp")
        world.loaded(served)
        world.caught_up(served)
        world("bind", guess=True)
        world.caught_up(served)
        in_step(world("dump"), store, store.head("main").seq, frozenset({"imp"}))
        for id in ("hero", "friend", "orc"):
            served.declare(served.master, "end-turn", actor=id)
        served.declare(served.master, "attack", actor="imp", target="hero")
        world.caught_up(served)
        documents = world("dump")
        mine = [one for one in documents["messages"] if "Vexlord" in json.dumps(one)]
        assert mine
        assert all(one["whisper"] == ["MASTER0000000000"] and not one["rolls"] for one in mine)
        served.access.unhide("imp")
        served.declare(served.master, "end-turn", actor="imp")
        world.caught_up(served)
        in_step(world("dump"), store, store.head("main").seq)


def test_numbers_of_others(small: Path) -> None:
    """Sides without a player's actor roll for masters alone; of others' defense nothing is told to all."""
    with SqliteStore(small) as store, server(small) as served, foundry(store) as world:
        world.loaded(served)
        world.caught_up(served)
        world("bind", guess=True)
        world.caught_up(served)
        served.declare(served.master, "move", actor="hero", path=[[2, 1], [3, 2]])
        served.declare(served.master, "attack", actor="hero", target="imp")
        for id in ("hero", "friend"):
            served.declare(served.master, "end-turn", actor=id)
        served.declare(served.master, "move", actor="orc", path=[[4, 2]])
        served.declare(served.master, "attack", actor="orc", target="hero")
        world.caught_up(served)
        attacks = [one for one in world("dump")["messages"] if "club" in one["content"]]
        by = {one["speaker"]["alias"]: one for one in attacks}
        assert by["Hero"]["whisper"] == []
        assert by["Hero"]["rolls"]
        assert "armor class" not in by["Hero"]["content"]
        assert by["Orc"]["whisper"] == ["MASTER0000000000"]
        assert by["Orc"]["rolls"]


def test_a_players_link_is_not_enough(small: Path) -> None:
    """The world belongs to the game master: with another link nothing is changed."""
    with SqliteStore(small) as store, server(small) as served, foundry(store) as world:
        player = Access.open(small).invite("player", ["hero"])
        world.loaded(served, token=player.token)
        for _ in range(200):
            if told := world("dump")["told"]:
                break
            time.sleep(0.01)
        assert "not the game master's" in told[0]
        assert world("dump")["combats"] == []
