"""What fights remember together is what each would find out by itself, whichever came before it."""

import gc
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from msgspec import json

from affray.engine.dialects import load
from affray.engine.fight import lasting
from affray.engine.fight.fight import Fight
from affray.engine.steps import Roll
from affray.engine.table.collecting import SELDOM, collecting_seldom
from affray.engine.table.scenario import packaged, set_up
from affray.engine.table.tactics import next_act, play_on
from affray.events import MemoryStore
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.combat import Until
from affray.events.facts.flow import RoundEnded
from affray.projections.state import Condition, Encounter, duplicate, freeze
from affray.replay.fight_over import fight_over
from affray.replay.odds import Scratch
from tests.house.fights import DIALECTS, opened
from tests.house.wild import wild_act


@pytest.fixture(autouse=True)
def nothing_lent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin with nothing that other tests have left behind."""
    monkeypatch.setattr(lasting, "_FREE", {})


def free() -> list[lasting.Lasting]:
    """Return what no fight has just now."""
    return [one for some in lasting._FREE.values() for one in some]


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
        found = told(fight_over(duplicate(state), None), range(1))
        # The next one begins as that one began, and finds the scenes that it left.
        found += told(fight_over(duplicate(state), None), range(1, 3))
        assert found == told(alone, range(3))
    assert len(free()) == 1
    assert free()[0].meetings


def started() -> Encounter:
    """Return the state at the beginning of the packaged fight."""
    table = set_up(packaged("demo_srd35"), MemoryStore(), seed=b"lasting")
    table.declare(acts.Begin())
    return table.state


def test_what_is_remembered_is_one_fights_at_a_time() -> None:
    """Nobody else has it before the fight and its state are gone; the next one finds it all there."""
    start = started()
    one, other = (Scratch(fight_over(duplicate(start), None)) for _ in range(2))
    for each in (one, other):
        each.again(b"x")
    assert one.fight.memory.meetings is not other.fight.memory.meetings
    play_on(one, 3)
    meetings, state = one.fight.memory.meetings, one.state
    del one, each
    assert not free()  # somebody still looks at the state, whose records the next fight would take over
    before = freeze(state)
    assert freeze(state) == before
    del state
    assert [found.meetings for found in free()] == [meetings]
    third = Scratch(fight_over(duplicate(start), None))
    third.again(b"x")
    assert third.fight.memory.meetings is meetings
    assert not free()


def test_scenes_of_other_beginnings_are_other_scenes() -> None:
    """Who stands as somebody stood in another fight, but is under another condition, finds another scene."""
    scenes = []
    for condition in ("prone", "blinded", "prone"):
        state = started()
        one = next(iter(state.combatants.values()))
        one.conditions[condition] = Condition("x", Until())
        scratch = Scratch(fight_over(state, None))
        for _ in range(2):
            scratch.again(b"x")
        scratch.state.combatants[one.id].at = (0, 0)
        scratch.fight.memory.touch_places()
        scenes.append(scratch.fight.memory.scene)
        del state, scratch
    assert scenes[0] is scenes[2]
    assert scenes[0] is not scenes[1]


def test_other_options_and_maps_remember_apart() -> None:
    """What holds on one map, or under one reading, is asked of no other."""
    start = started()
    elsewhere = duplicate(start)
    elsewhere.terrain = tuple(row.replace("#", ".") for row in start.terrain)
    under = duplicate(start)
    under.options = {**start.options, "soft_cover": "none"}
    for state in (start, elsewhere, under):
        Scratch(fight_over(duplicate(state), None)).again(b"x")
    assert len(free()) == 3


def test_only_so_much_is_remembered() -> None:
    """Of the rules and maps that were played on the latest are remembered."""
    start = started()
    for number in range(lasting.MOST_RULES + 3):
        state = duplicate(start)
        state.terrain = (*start.terrain, "." * (number + 1))
        Scratch(fight_over(state, None)).again(b"x")
        del state
    assert len(free()) <= lasting.MOST_RULES + 1


def test_where_nobody_is_told_no_digest_is_worked_out() -> None:
    """A round then ends without one, and the state comes out the same."""
    facts: list[object] = []
    heard, unheard = Scratch(fight_over(started(), None), facts.append), Scratch(fight_over(started(), None))
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
    with suppress(KeyError), collecting_seldom():
        assert gc.get_threshold() == SELDOM
        with collecting_seldom():
            pass
        assert gc.get_threshold() == SELDOM
        raise KeyError
    assert gc.get_threshold() == SELDOM
    gc.collect()
    assert gc.get_threshold() == before
    with collecting_seldom():
        gc.set_threshold(900, 9, 9)  # what somebody else wants meanwhile stays
    gc.collect()
    assert gc.get_threshold() == (900, 9, 9)
    gc.set_threshold(*before)


def test_a_fight_that_begins_as_another_one_began_finds_its_scenes() -> None:
    """They are the same where all stand as they stood there; of fights in other orders none are kept."""
    scenes = []
    for initiative in (0, 0, 0, 1):
        state = started()
        one = next(iter(state.combatants.values()))
        one.initiative += initiative
        scratch = Scratch(fight_over(state, None))
        scratch.again(b"x")
        scratch.state.combatants[one.id].at = (0, 0)
        scratch.fight.memory.touch_places()
        scenes.append(scratch.fight.memory.scene)
        del state, scratch
    assert scenes[1] is scenes[2]
    assert scenes[0] is not scenes[1]
    assert scenes[3] is not scenes[1]
