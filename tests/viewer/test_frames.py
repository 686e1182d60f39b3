"""The frames: what they say of the state is what the fold says."""

import random
from typing import Any

import msgspec
import pytest

from affray.engine.table.scenario import packaged, play
from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.envelope import Entry
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet, Spell
from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite import SqliteStore
from affray.projections.audit import explain
from affray.projections.fold import fold
from affray.replay.chance.luck import luck
from affray.replay.log.branches import fork
from affray.replay.log.declarations import group_of
from affray.replay.log.playhead import Playhead
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.viewer.frames import (
    Frame,
    Own,
    everybody,
    frames,
    make_combatant_view,
    make_encounter_view,
)
from tests.house.fights import DIALECTS, opened, play_wildly
from tests.relatives import RELATIVES


def plain(value: Any) -> Any:
    """Return a value as JSON knows it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def wild(dialect: str, seed: int) -> MemoryStore:
    """Return the log of a wild fight with a branch in the middle of a declaration."""
    store = MemoryStore()
    table = opened(dialect, store, seed)
    table.declare(acts.Begin())
    play_wildly(table, random.Random(seed), 60)
    fork(store, str(store.head("main").seq // 2), "side")
    return store


def line_of(lines: list[Own], name: str) -> list[Frame]:
    """Return the frames of a whole line, those of its parent first."""
    own = next(line for line in lines if line.name == name)
    return [*(line_of(lines, own.parent)[: own.at] if own.parent else []), *own.frames]


def states(line: list[Frame]) -> Any:
    """Yield the state after each frame, as the page folds it."""
    encounter: dict[str, Any] = {}
    people: dict[str, dict[str, Any]] = {}
    for frame in plain(line):
        change = frame[2] if len(frame) > 2 and frame[2] else {}
        encounter.update(change.get("g", {}))
        for id, fields in change.get("c", {}).items():
            people.setdefault(id, {}).update(fields)
        yield encounter, people


@pytest.mark.parametrize("dialect", DIALECTS)
def test_changes_add_up_to_the_state(dialect: str) -> None:
    """After every event of a wild fight, the changes so far give what the folded state shows."""
    store = wild(dialect, 7)
    made, cast = frames(store, "main"), everybody(store)
    playhead = Playhead(store, "main")
    for encounter, people in states(line_of(made.lines, "main")):
        playhead.step()
        fight = make_fight_context(playhead.state, None)
        assert encounter == plain(make_encounter_view(playhead.state, cast, fight))
        assert list(people) == list(playhead.state.combatants)
        for one in playhead.state.combatants.values():
            wanted = plain(make_combatant_view(one, cast, people[one.id]["threat"], fight))
            assert people[one.id] == wanted
    assert playhead.seq == playhead.last


def test_a_branch_goes_on_from_the_state_of_its_parent(log: SqliteStore) -> None:
    """The changes of a branch, applied after its parent's, lead to the branch's own end."""
    made, cast = frames(log, "missed"), everybody(log)
    *_, (encounter, people) = states(line_of(made.lines, "missed"))
    end = fold(log.read("missed"))
    assert encounter == plain(make_encounter_view(end, cast, make_fight_context(end, None)))
    assert people["sorcerer"]["hp"] == end.combatants["sorcerer"].hp > 0
    assert made.show == "missed"


@pytest.mark.parametrize("name", ["main", "missed"])
def test_chains_are_those_of_why(log: SqliteStore, name: str) -> None:
    """What led to an event is what `affray why` gives, also on a branch."""
    line = line_of(frames(log, "main").lines, name)
    for seq in range(1, len(line) + 1):
        links = [link.seq for link in explain(group_of(log, name, seq), seq).chain]
        assert [*line[seq - 1].chain, seq] == links


def test_a_branch_in_the_middle_of_a_declaration_knows_its_beginning() -> None:
    """Events that a branch adds to a declaration begun on its parent lead back to it."""
    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    store.fork("side", "main", 50)
    rest = store.read("main", after=50, upto=58)
    store.append(
        "side", [Entry(e.type, e.version, e.round, e.turn, e.actor, e.cause, e.data) for e in rest], 50
    )
    made = frames(store, "side")
    main, side = line_of(made.lines, "main"), line_of(made.lines, "side")
    assert main[51].chain == (43, 48, 49, 50, 51)
    assert [frame.chain for frame in side] == [frame.chain for frame in main[:58]]
    assert plain(side[54]) == plain(main[54])


def test_cover_is_shown_with_the_lines_that_decide_it(log: SqliteStore) -> None:
    """The ogre's strike past the goblin: soft cover from it, two of the four lines stopped."""
    sight = line_of(frames(log, "main").lines, "main")[153].sight
    assert sight is not None
    assert (sight.kind, sight.creatures) == ("soft", ("goblin",))
    assert [line[-1] for line in sight.lines].count(1) == 2


def test_the_area_of_a_spell_is_shown() -> None:
    """What a cone or a burst covers, as far as it lies on the map; nothing where no direction is meant."""
    store = MemoryStore()
    spells = (
        Spell("blaze", range=60, area="cone", area_feet=10, damage="1d6"),
        Spell("flash", range=60, area="burst", area_feet=5, damage="1d6"),
    )
    table = Table.create(store, dialect="srd35", terrain=("....#.", "......"), name="t", seed=b"s")
    table.declare(acts.Enter(id="mage", side="a", sheet=Sheet("Mage", hp=9, spells=spells), at=(1, 1)))
    table.declare(acts.Begin())
    for spell, at in (("blaze", (2, 1)), ("blaze", (1, 1)), ("flash", (4, 1)), ("flash", (9, 9))):
        table.declare(acts.Cast(actor="mage", spell=spell, at=at))
        table.declare(acts.EndTurn(actor="mage"))
    shown = [frame.area for frame in line_of(frames(store, "main").lines, "main") if frame.area is not None]
    assert shown == [
        ((2, 0), (2, 1), (3, 0), (3, 1)),
        ((3, 0), (3, 1), (4, 1)),
    ]


def test_rules_are_worded_once_and_all_of_them(log: SqliteStore) -> None:
    """Every cited rule has its wording, and nothing is said of rules that had no part."""
    made = frames(log, "main")
    cited = set()
    for name in ("main", "missed"):
        for event in log.read(name):
            cited |= set(msgspec.json.decode(event.data).get("cites", ()))
    assert cited <= set(made.rules)
    assert len(made.rules) < 150
    assert all(rule.text for rule in made.rules.values())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_event_is_told_in_a_sentence(dialect: str) -> None:
    """No event of a wild fight has to be told by the names of its fields."""
    store = wild(dialect, 11)
    line = line_of(frames(store, "main").lines, "main")
    for event, frame in zip(store.read("main"), line, strict=True):
        # A refusal begins with that word by right.
        assert event.type == "refused" or not frame.text.startswith(f"{event.type}:"), frame.text


def test_frames_hold_changes_and_not_states(log: SqliteStore) -> None:
    """What a frame adds to its event is shorter than the event, so that long fights stay small."""
    line = line_of(frames(log, "main").lines, "main")
    events = sum(len(event.data) for event in log.read("main"))
    assert len(msgspec.json.encode(line)) < events


def test_threatened_squares_are_the_engines() -> None:
    """An ogre's shape holds the squares 10 feet around its four, the second diagonal too."""
    store = wild("srd35", 1)
    assert (3, 3) in frames(store, "main").shapes["2/0/10"]
    assert (-2, -2) in frames(store, "main").shapes["2/0/10"]
    assert (4, 0) not in frames(store, "main").shapes["2/0/10"]


@pytest.mark.parametrize("dialect", RELATIVES)
def test_chances_add_up_to_the_luck(dialect: str) -> None:
    """What the page adds up along the line, on a branch too, is what the audit says of everybody."""
    store = wild(dialect, 11)
    made = frames(store, "main")
    for own in made.lines:
        told = {one.who: [0, 0, 0] for one in own.luck.combatants}
        for event, frame in zip(store.read(own.name), line_of(made.lines, own.name), strict=True):
            if frame.chance is not None:
                fact = decode(event)
                mine = told[fact.attacker]
                told[fact.attacker] = [mine[0] + 1, mine[1] + (fact.result != "miss"), mine[2] + frame.chance]
        assert told == {
            one.who: [one.attacks, one.hits, round(one.expected_hits * 100)] for one in own.luck.combatants
        }
        assert own.luck == luck(store, own.name)
