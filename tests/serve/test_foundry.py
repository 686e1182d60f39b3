"""The module for Foundry VTT keeps documents in step: forth, back, on another past; nothing fires twice.

Played in node against a stand-in that takes no update of which the published types have no field. A wider
run, of 1,000 places in fights of every dialect: tests/campaigns/foundry.py.
"""

import json
import random
import time
from pathlib import Path
from typing import Any

import pytest

from affray.engine.dialects import load
from affray.engine.table.scenario import parse_scenario, set_up
from affray.events.facts import acts
from affray.events.stores.sqlite import SqliteStore
from affray.replay.serve.access import Access
from tests.serve.foundry.playing import NODE, Foundry, foundry, in_step, played
from tests.serve.served import Served, server, small_fight

pytestmark = [pytest.mark.slow, pytest.mark.skipif(NODE is None, reason="node is not installed")]


def changed(served: Served, path: str, **body: Any) -> None:
    """Have the game master change the main line, or declare."""
    answer = served.post(served.master, path, **body)
    assert answer.status == 200, answer.text


def test_documents_follow(tmp_path: Path) -> None:
    """At each place they are as the log says: at random ones, after an undo, another line, and back."""
    log = tmp_path / "fight.db"
    played(log, "woa")
    dice = random.Random(3)
    with SqliteStore(log) as store, server(log) as served, foundry(store) as world:

        def end() -> int:
            return store.head(store.main_line()).seq

        def follows() -> None:
            world.caught_up(served)
            in_step(world("dump"), store, end())

        def seeks(count: int) -> None:
            for at in (dice.randint(1, end()) for _ in range(count)):
                assert world("seek", at=at) == at
                in_step(world("dump"), store, at)

        world.begun(served)
        follows()
        first = world("dump")["counts"]["create"]["ChatMessage"]
        seeks(3)
        # The place that it was stepped back to is no more after that: it goes on with what happens.
        world("seek", at=end() - 1)
        changed(served, "/undo", count=2)
        follows()
        changed(served, "/redo")
        follows()
        assert world("dump")["counts"]["create"]["ChatMessage"] == first, "an outcome has fired twice"
        main, seq = store.main_line(), end()
        changed(served, "/forks", at=str(3 * seq // 4), name="other")
        changed(served, "/promotions", branch="other")
        follows()
        # On the new line it goes on otherwise, past where the old one stood.
        while end() <= seq:
            changed(served, "/declarations", act={"act": "end-turn", "actor": active(served)})
        follows()
        made = world("dump")["counts"]["create"]["ChatMessage"]
        seeks(2)
        changed(served, "/promotions", branch=main)
        world("live")
        follows()
        counts = world("dump")["counts"]
        assert counts["create"]["ChatMessage"] == made, "an outcome has fired twice"
        # The browser is loaded anew: it goes on where the documents are, and tells nothing again.
        world.loaded(served)
        follows()
        assert world("dump")["counts"] == counts
        assert "the rest" not in json.dumps(world("dump")["messages"]), (
            "a roll has a term that nothing explains"
        )
        steps_through(world)


def active(served: Served) -> str:
    """Return who is on turn."""
    return str(served.get(served.master, "/state")["encounter"]["active"])


def steps_through(world: Foundry) -> None:
    """Assert that the buttons of the list of turns step through the fight, and end no turn."""

    def place() -> tuple[int, int]:
        (combat,) = world("dump")["combats"]
        return combat["round"], -1 if combat["turn"] is None else combat["turn"]

    where = [place()]
    for _ in range(5):
        world("previous")
        where.append(place())
    assert where == sorted(where, reverse=True)
    assert where[-1][0] < where[0][0]
    for _ in range(6):
        world("next")
    assert place() == where[0]
    world("live")
    world("next")
    assert place() == where[0]
    assert "this is the current turn" in world("dump")["told"][-1]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Return the log of a small fight, in which it is the hero's turn."""
    small_fight(tmp_path / "fight.db")
    return tmp_path / "fight.db"


def test_moves_are_declared_where_that_is_wanted(small: Path) -> None:
    """Then a token goes where the fight lets it; what is refused is told. Otherwise it is put back."""
    with SqliteStore(small) as store, server(small) as served, foundry(store) as world:

        def follows() -> None:
            world.caught_up(served)
            in_step(world("dump"), store, store.head(store.main_line()).seq)

        def drags(x: int, y: int) -> None:
            """Drag the hero's token, and wait until the fight has gone on."""
            before = store.head(store.main_line()).seq
            world("drag", name="Hero", x=x, y=y)
            for _ in range(300):
                if store.head(store.main_line()).seq > before:
                    break
                time.sleep(0.01)
            follows()

        world.begun(served)
        # One client alone brings the world on: that of the active game master.
        world("lead", mine=False)
        documents = world("dump")
        changed(served, "/declarations", act={"act": "delay", "actor": "hero"})
        time.sleep(0.1)
        assert world("dump") == documents
        changed(served, "/undo")
        world("lead", mine=True)
        follows()
        before = store.head(store.main_line()).seq
        world("drag", name="Hero", x=900, y=500)
        assert store.head(store.main_line()).seq == before
        world("set", key="moves", value=True)
        drags(300, 400)  # square 1,3 of ours, where the friend stands
        assert world("dump")["told"][-1].startswith("Affray: Hero: ")
        drags(300, 500)
        assert served.get(served.master, "/state")["combatants"]["hero"]["at"] == [1, 4]
        assert world("move", name="Orc", x=300, y=300) != ""  # it is not its turn
        follows()
        world("seek", at=5)
        before = store.head(store.main_line()).seq
        world("drag", name="Hero", x=400, y=500)
        assert "this is a past state" in world("dump")["told"][-1]
        assert store.head(store.main_line()).seq == before


def test_who_may_read_what(small: Path) -> None:
    """Sides without a player's actor roll for masters alone; of the hidden nobody hears that they roll."""
    master = ["MASTER0000000000"]
    with SqliteStore(small) as store, server(small) as served, foundry(store) as world:
        # The world belongs to the game master: with another link nothing is changed.
        world.loaded(served, token=Access.open(small).invite("onlooker").token)
        for _ in range(200):
            if told := world("dump")["told"]:
                break
            time.sleep(0.01)
        assert "not the game master's" in told[0]
        assert world("dump")["combats"] == []
        world.begun(served)

        def does(actor: str, *steps: list[int], target: str = "hero") -> dict[str, Any]:
            """Let somebody move, attack, and end its turn; return the message of the attack."""
            changed(served, "/declarations", act={"act": "move", "actor": actor, "path": steps})
            changed(served, "/declarations", act={"act": "attack", "actor": actor, "target": target})
            changed(served, "/declarations", act={"act": "end-turn", "actor": actor})
            world.caught_up(served)
            log = {event.digest.hex(): event for event in store.read(store.main_line())}
            told = [
                one
                for one in world("dump")["messages"]
                if one["speaker"]["alias"].lower() in (actor, "vexlord")
            ]
            return next(
                one
                for one in reversed(told)
                if log[one["flags"]["affray"]["digest"]].type == "attack.resolved"
            )

        # Stepped back: what happens meanwhile waits, and what is taken back of it is never told.
        created = world("dump")["counts"]["create"]["ChatMessage"]
        world("seek", at=9)
        changed(served, "/declarations", act={"act": "move", "actor": "hero", "path": [[2, 2], [3, 2]]})
        changed(served, "/declarations", act={"act": "attack", "actor": "hero", "target": "imp"})
        world.caught_up(served)
        in_step(world("dump"), store, 9)
        changed(served, "/undo", count=2)
        world.caught_up(served)
        world("live")
        assert world("dump")["counts"]["create"]["ChatMessage"] == created
        message = does("hero", [2, 2], [3, 2], target="imp")
        assert (message["whisper"], len(message["rolls"])) == ([], 1)
        assert "Hero attacks Vexlord" in message["content"]
        assert " AC " not in message["content"]
        # What Foundry would not take is brought with what happens next; nothing of it is lost.
        changed(served, "/declarations", act={"act": "end-turn", "actor": "friend"})
        world("fail")
        message = does("orc", [4, 2])
        assert (message["whisper"], len(message["rolls"])) == (master, 1)
        assert sum("another module does not like that" in one for one in world("dump")["told"]) == 1
        assert " AC " in message["content"]
        served.access.hide("imp")
        message = does("imp", [2, 1])
        assert (message["whisper"], message["rolls"]) == (master, [])
        assert "1d20" in message["content"]
        in_step(world("dump"), store, store.head(store.main_line()).seq, frozenset({"imp"}))
        served.access.unhide("imp")
        changed(served, "/declarations", act={"act": "end-turn", "actor": "hero"})
        world.caught_up(served)
        in_step(world("dump"), store, store.head(store.main_line()).seq)


FIFTH_EDITION: dict[str, Any] = {
    "attributes": {
        "hp": {"value": 1, "temp": 0, "max": None},
        "death": {"success": 0, "failure": 0},
        "exhaustion": 0,
        "inspiration": False,
    },
    "spells": {"spell1": {"value": 0}, "spell2": {"value": 0}},
}


def test_fifth_edition_keeps_its_own_numbers(tmp_path: Path) -> None:
    """Death saves, Exhaustion, Heroic Inspiration and slots are where dnd5e has them."""
    log = tmp_path / "fight.db"
    with SqliteStore(log) as store:
        table = set_up(parse_scenario(NIGHT), store)
        game = load("srd52")
        boon, cast = game.own_acts["srd52.boon"], game.own_acts["srd52.cast"]
        for act in (
            acts.Begin(),
            boon(target="neria", inspiration=True, temporary="4", source="a song"),
            acts.Fiat(target="neria", gains=("exhaustion",), text="a long night"),
            cast(actor="neria", spell="mage armor", targets=("neria",)),
            acts.EndTurn(actor="neria"),
        ):
            assert table.declare(game.recorded(act)).refused is None
    statuses = ("dead", "unconscious", "prone", "exhaustion")
    with (
        SqliteStore(log) as store,
        server(log) as served,
        foundry(store, system="dnd5e", data=FIFTH_EDITION, statuses=statuses) as world,
    ):
        world.begun(served)
        neria, maera, _ = world("dump")["actors"]
        attributes = neria["system"]["attributes"]
        assert attributes["hp"] == {"value": 32, "temp": 4, "max": None}
        assert (attributes["exhaustion"], attributes["inspiration"]) == (1, True)
        assert neria["system"]["spells"] == {"spell1": {"value": 3}, "spell2": {"value": 3}}
        assert neria["effects"] == [], "dnd5e shows Exhaustion by its level"
        assert sum(maera["system"]["attributes"]["death"].values()) in (1, 2)
        assert [one["statuses"] for one in maera["effects"]] == [["unconscious"], ["prone"]]
        world("seek", at=3)
        assert world("dump")["actors"][0]["system"]["attributes"]["inspiration"] is False


NIGHT = """
dialect = "srd52"
seed = "night"
map = ["........", "........"]
combatants = [
  {id = "neria", side = "heroes", use = "wizard", at = [0, 0], initiative = 20},
  {id = "maera", side = "heroes", use = "fighter", at = [1, 0], hp = 0, initiative = 10},
  {id = "ogre", side = "foes", use = "ogre", at = [6, 0], initiative = 1},
]
"""
