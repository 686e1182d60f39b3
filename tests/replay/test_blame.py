"""Blame: every part of the state is traced to the very events that made it what it is."""

import random
import time
from pathlib import Path
from statistics import median

import msgspec
import pytest

from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.stores.memory import MemoryStore
from affray.projections.fold import fold
from affray.replay.explain.blame import Blame, plain, sum_blamed
from affray.replay.explain.why import why
from affray.replay.log.playhead import state_at
from affray.replay.names import UnknownPath, paths
from tests.cli.conftest import Run, copy, played, run  # noqa: F401
from tests.house.fights import DIALECTS, opened, play_wildly
from tests.timing import undisturbed

SECONDS = 0.005


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_path_is_what_the_state_says(dialect: str, seed: int) -> None:
    """In random fights: the value of each path is that of the state, and its latest maker made it that."""
    table = wild(dialect, seed)
    found = Blame(table.store)
    state = state_at(table.store, "main", table.seq)
    known = dict(paths(state))
    for path, value in known.items():
        blamed = found.of(path)
        assert blamed.value == plain(value) or (value in ((), {}) and not blamed.value), path
        if blamed.makers:
            assert blamed.makers[0].value == blamed.value, path
    assert {path for path in found.paths() if found.value(path) is not None} <= known.keys()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_makers_are_all_the_events_that_changed_it(dialect: str) -> None:
    """Brute force: the state is folded event by event, and each change of each path is in its list."""
    table = wild(dialect, 3)
    events = list(table.store.read("main"))
    found, state, before = Blame(table.store), fold(()), dict[str, object]()
    changed: dict[str, list[int]] = {}
    for event in events:
        fold((event,), state)
        after = {path: plain(value) for path, value in paths(state)}
        for path in before.keys() | after.keys():
            if before.get(path) != after.get(path):
                if after.get(path) is None and path not in after:
                    changed[path] = []  # from here on it may come to be again
                else:
                    changed.setdefault(path, []).append(event.seq)
        before = after
    for path in before:
        told = [seq for seq, _ in found.changes(path)]
        wanted = changed.get(path, [])
        assert told[-len(wanted) :] == wanted if wanted else True, path


def test_a_path_costs_little() -> None:
    """Once the line is folded, each path takes less than 5 ms."""
    table = wild("srd35", 4)
    found = Blame(table.store)
    took = []
    with undisturbed():
        for path in list(found.paths()):
            begun = time.thread_time()
            found.of(path)
            took.append(time.thread_time() - begun)
    assert median(took) < SECONDS / 5
    assert sorted(took)[int(len(took) * 0.99)] < SECONDS


def test_parts_and_rules_are_those_of_why() -> None:
    """What a maker tells of modifiers and rules is what the explanation of that event tells."""
    table = wild("srd35", 5)
    found = Blame(table.store)
    for id in table.state.combatants:
        for maker in found.of(f"{id}.hp").makers:
            explained = why(table.store, "", maker.seq).explanation
            assert list(maker.parts) == explained.parts
            assert set(maker.rules) == set(explained.rules)
            assert maker.way == tuple(link.seq for link in explained.chain if link.seq != maker.seq)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_sums_are_those_of_the_next_blow(dialect: str) -> None:
    """A defense and an attack, part by part, are those with which the blow is resolved that comes next."""
    tried = 0
    for seed in range(6):
        table = wild(dialect, seed, 60)
        for event in table.store.read("main"):
            if event.type != "attack.resolved" or tried >= 6:
                continue
            fact = decode(event)
            before = Blame(table.store, "main", event.cause - 1)
            try:
                defense = sum_blamed(before, fact.target, "defense", fact.attacker, fact.weapon)
                attack = sum_blamed(before, fact.attacker, "attack", fact.target, fact.weapon)
            except AffrayError:
                continue
            if plain_blow(table, event.cause):
                tried += 1
                assert [one.modifier for one in defense.parts] == list(fact.defense)
                assert [one.modifier for one in attack.parts] == list(fact.attack)
                assert all(one.makers for one in (*defense.parts, *attack.parts))
    assert tried


def test_an_unknown_path_is_said_so() -> None:
    """A misspelt path names the nearest, one without parts says so."""
    found = Blame(wild("srd35", 6).store)
    someone = next(iter(found.state.combatants))
    with pytest.raises(UnknownPath, match="did you mean hp"):
        found.of(f"{someone}.hpp")
    with pytest.raises(UnknownPath, match="no parts"):
        found.of(f"{someone}.hp.now")
    with pytest.raises(UnknownPath):
        found.of("nothing")


def test_the_command_tells_it(run: Run, played: Path) -> None:  # noqa: F811
    """In words and as JSON; a path is wanted, and both sides of a sum."""
    told = run("blame", played, "ysolde.hp")
    assert told.exit_code == 0
    assert "greatclub" in told.stdout
    assert "enters for heroes" in told.stdout
    raw = msgspec.json.decode(run("blame", played, "ysolde.hp", "--json").stdout)
    assert raw["makers"][-1]["type"] == "combatant.entered"
    assert "ogre.hp = " in run("blame", played, "--paths").stdout
    assert run("blame", played).exit_code == 2
    assert run("blame", played, "ysolde.hp", "--against", "gharm").exit_code == 2
    summed = run("blame", played, "ysolde.defense", "--against", "gharm", "--at", "50")
    assert "mage armor" in summed.stdout
    assert "#5" in summed.stdout


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("skit.conditions.prone", "source dying"),
        ("skit.conditions", "dying, prone"),
        ("skit.items", "morningstar dropped"),
        ("skit.sheet", "name, hp, size, tall, kind"),
    ],
)
def test_the_command_tells_a_value_in_a_few_words(run: Run, played: Path, path: str, told: str) -> None:  # noqa: F811
    """A condition says where it comes from, not of which parts it consists; a long record says these."""
    found = run("blame", played, path)
    assert found.stdout.startswith(f"goblin.{path.removeprefix('skit.')} = {told}"), found.stdout


def plain_blow(table: Table, cause: int) -> bool:
    """Say whether a declaration is an attack and nothing else, and the first blow of it its own."""
    event = next(iter(table.store.read("main", cause - 1, cause)))
    act = decode(event).act
    tag = act.__struct_config__.tag
    plainly = {"act", "actor", "target", "weapon"}
    said = {name for name in act.__struct_fields__ if getattr(act, name) not in ("", (), None, False, 0)}
    following = [one for one in table.store.read("main", cause, cause + 6)]
    return tag == "attack" and said <= plainly and all(one.type != "reaction.spent" for one in following)


def wild(dialect: str, seed: int, turns: int = 12) -> Table:
    """Return a random fight."""
    dice = random.Random(seed)
    table = opened(dialect, MemoryStore(), seed)
    play_wildly(table, dice, turns)
    return table
