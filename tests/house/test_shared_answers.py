"""What fights of the same rules remember together is what each would find out by itself."""

import gc
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from msgspec import json

from affray.engine.dialects import load
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import MOST_MAPS, MOST_RULES, AnswerCache, rules_memory
from affray.engine.steps import Roll
from affray.engine.table.scenario import packaged, set_up
from affray.engine.table.tactics import SELDOM, next_act, play_on, reduced_garbage_collection
from affray.events import MemoryStore
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.flow import RoundEnded
from affray.projections.state import Encounter, duplicate, freeze
from affray.replay.chance.odds import Scratch
from affray.replay.log.rules_for_fight import make_fight_context
from tests.house.fights import DIALECTS, opened
from tests.house.wild import wild_act

pytestmark = pytest.mark.slow


def told(fight: Fight, seeds: range) -> list[bytes]:
    """Return all facts of a fight played on with several dice, and the states in which it ends."""
    heard: list[bytes] = []

    def hear(step: Any) -> None:
        said = (step.who, step.purpose, step.notation) if type(step) is Roll else step
        heard.append(json.encode(said))

    scratch = Scratch(fight, hear)
    for number in seeds:
        scratch.again(b"lasting %d" % number)
        with suppress(AffrayError):
            play_on(scratch, 2)
        heard.append(freeze(scratch.state))
    return heard


def moments(dialect: str) -> Iterator[Encounter]:
    """Yield states of a fight in which sensible and senseless things are done."""
    dice = random.Random(dialect)
    table = opened(dialect, MemoryStore(), 3)
    table.declare(acts.Begin())
    for number in range(36):
        if table.waiting is not None:
            table.choose(dice.choice(table.waiting.options))
            continue
        act: Any = next_act(table) if dice.random() < 0.7 else wild_act(dice, table.fight)
        if act is None:
            return
        table.declare(act)
        if number % 9 == 0 and table.waiting is None:
            yield duplicate(table.state)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_fights_that_remember_together_are_those_that_remember_nothing(dialect: str) -> None:
    """Every fact comes out byte for byte the same, from one moment of a fight after the other."""
    for state in moments(dialect):
        alone = Fight(duplicate(state), load(state.dialect), memory=False)
        found = told(make_fight_context(duplicate(state), None), range(1))
        # The next one finds what that one has found out of sheets, sums and the map.
        found += told(make_fight_context(duplicate(state), None), range(1, 3))
        assert found == told(alone, range(3))


def started() -> Encounter:
    """Return the state at the beginning of the packaged fight."""
    table = set_up(packaged("demo_srd35"), MemoryStore(), seed=b"lasting")
    table.declare(acts.Begin())
    return table.state


def test_other_rules_options_and_maps_remember_apart() -> None:
    """What holds on one map, or under one reading, is asked of no other."""
    load("srd35").memories.clear()
    start = started()
    elsewhere, under, same = duplicate(start), duplicate(start), duplicate(start)
    elsewhere.terrain = tuple(row.replace("#", ".") for row in start.terrain)
    under.options = {**start.options, "soft_cover": "none"}
    known = [make_fight_context(state, None).memory for state in (start, elsewhere, under, same)]
    maps, sheets = [id(one.map) for one in known], [id(one.fight) for one in known]
    assert len(set(maps)) == 3
    assert maps[0] == maps[3]
    assert len(set(sheets)) == 2
    assert sheets[0] == sheets[1] == sheets[3]


def test_only_so_much_is_remembered() -> None:
    """Of many rules and maps the latest are remembered."""
    start = started()
    dialect = load("srd35")
    for number in range(max(MOST_RULES, MOST_MAPS) + 3):
        state = duplicate(start)
        state.terrain = ("." * (number + 1),)
        state.options = {**start.options, "made up": str(number)}
        memory = rules_memory(Fight(state, dialect), AnswerCache)
        for more in range(MOST_MAPS + 3):
            state.terrain = ("." * (more + 1),)
            memory.map_of(state)
        assert len(memory._maps) <= MOST_MAPS
    assert len(dialect.memories) <= MOST_RULES


def test_where_nobody_is_told_no_digest_is_worked_out() -> None:
    """A round then ends without one, and the state comes out the same."""
    facts: list[object] = []
    heard, unheard = (
        Scratch(make_fight_context(started(), None), facts.append),
        Scratch(make_fight_context(started(), None)),
    )
    for each in (heard, unheard):
        each.again(b"x")
        play_on(each, 4)
    assert freeze(heard.state) == freeze(unheard.state)
    digests = [fact.state for fact in facts if type(fact) is RoundEnded]
    assert digests
    assert all(digests)
    assert unheard.fight.digest(unheard.state) == ""


def test_equal_sheets_are_one_object() -> None:
    """Who enters with the same sheet twice has one, whichever log it is read from."""
    one, other = started(), started()
    assert one is not other
    for id, combatant in one.combatants.items():
        assert combatant.sheet is other.combatants[id].sheet


def test_python_looks_for_circles_seldom_only_while_fights_are_played_on() -> None:
    """Whatever ends the play, and however many play at once; as often as before from the next look on."""
    gc.collect()  # others have played
    before = gc.get_threshold()
    assert before != SELDOM
    with suppress(KeyError), reduced_garbage_collection():
        assert gc.get_threshold() == SELDOM
        with reduced_garbage_collection():
            pass
        assert gc.get_threshold() == SELDOM
        raise KeyError
    assert gc.get_threshold() == SELDOM
    gc.collect()
    assert gc.get_threshold() == before
    with reduced_garbage_collection():
        gc.set_threshold(900, 9, 9)  # what somebody else wants meanwhile stays
    gc.collect()
    assert gc.get_threshold() == (900, 9, 9)
    gc.set_threshold(*before)
