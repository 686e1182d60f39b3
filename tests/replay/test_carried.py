"""A combatant enters the next fight as it left the one before, and the log says from where it comes."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import fields, replace

from affray.engine.dialects import load
from affray.engine.kernel.arrival import state_code
from affray.engine.record.chapters import known_conditions
from affray.engine.table.scenario_parts import packaged_sheets
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events import MemoryStore
from affray.events.codec import encode
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Until
from affray.events.facts.sheet import (
    Carried,
    LastingAffliction,
    LastingCondition,
    LastingEffect,
    Modifier,
    Origin,
    Rider,
)
from affray.projections.fold import apply
from affray.projections.state import Combatant
from affray.replay import Between, CannotCarry, Journey, carry, verify
from affray.replay.campaign.carry import STAYS, departure
from affray.replay.campaign.origins import arrivals, identity
from tests.relatives import RELATIVES
from tests.replay.carried import all_carried, differences, fought, next_fight

FIGHTS = 1
"""Random fights of each dialect in the suite; `python tests/campaigns/carrying.py` plays any number."""


@pytest.mark.parametrize("dialect", RELATIVES)
def test_everybody_is_what_it_was(dialect: str) -> None:
    """After a random fight every field of everybody goes along, or what stays is told."""
    for seed in range(FIGHTS):
        store = fought(dialect, seed, declarations=24)
        for between in (Between(after=0), Between()):
            former, following, made = all_carried(store, between)
            for one in made:
                assert one.outcome.refused is None
                assert differences(former.state, following.state, one) == []
        assert verify(following.store).ok


@pytest.mark.parametrize("dialect", RELATIVES)
def test_who_was_carried_fights_on(dialect: str) -> None:
    """The next fight is played on from there, and is decided so again."""
    store = fought(dialect, 1, declarations=12)
    _, following, _ = all_carried(store, Between(after=0))
    following.declare(acts.Begin())
    for _ in range(6):
        if following.waiting is not None:
            following.choose(following.waiting.options[0] if following.waiting.options else "roll")
        elif (act := next_act(following)) is not None:
            following.declare(act)
        else:
            following.declare(acts.EndTurn(actor=following.state.active or "nobody"))
    assert verify(following.store).ok


def test_every_field_goes_along_or_has_a_reason() -> None:
    """No field of a combatant is forgotten: it stands in what is carried, or in the table of what stays."""
    elsewhere = {"sheet", "unusable", "side", "policy"}  # said of the entry itself, and found anew there
    other_names = {"resources": "used"}
    known = {other_names.get(one.name, one.name) for one in fields(Combatant)}
    brought = {one.name for one in fields(Carried)}
    assert known == brought | set(STAYS) | elsewhere
    assert not brought & set(STAYS)


@pytest.mark.parametrize("dialect", RELATIVES)
def test_local_conditions_are_the_dialects_own(dialect: str) -> None:
    """What nobody takes along are conditions that the dialect knows."""
    rules = load(dialect)
    assert rules.conditions.local
    assert rules.conditions.local <= known_conditions(rules)


# What is brought along of a state made by hand.

GROUND = ("." * 12,) * 8


def met(dialect: str = "srd35", sheet: str = "fighter", **entry: Any) -> Table:
    """Return a fight of a fighter and an ogre that has begun."""
    table = Table.create(
        MemoryStore(), dialect=dialect, terrain=("." * 12,) * 8, name="the ford", seed=b"f" * 32
    )
    sheets = packaged_sheets(dialect)
    table.declare(acts.Enter(id="fighter", side="heroes", sheet=sheets[sheet], at=(1, 1), **entry))
    table.declare(acts.Enter(id="ogre", side="monsters", sheet=sheets["ogre"], at=(8, 3)))
    table.declare(acts.Begin())
    return table


def lasting(table: Table, *facts: Any) -> Any:
    """Return the state of a fight with some facts more."""
    state = table.fight.apart().state
    for fact in facts:
        apply(state, fact)
    return state


HASTE = EffectGained(
    who="fighter", id="haste:d9", stat="attack", modifier=Modifier(1, "untyped", "haste", "srd35.spell"),
    until=Until("turn-start", "ogre", 7),
)  # fmt: skip


def test_rounds_are_over_unless_time_is_told() -> None:
    """What lasts some rounds is over; with the time that went by the rest of it goes along."""
    state = lasting(met(), HASTE)
    over = departure(state, "fighter", Between())
    assert over.carried.effects == ()
    assert [str(one) for one in over.left] == [
        "haste: it lasts some rounds, and the elapsed time is not given"
    ]
    kept = departure(state, "fighter", Between(after=2))
    assert [one.until.round for one in kept.carried.effects] == [7 - state.round - 2]
    gone = departure(state, "fighter", Between(after=60))
    assert [str(one) for one in gone.left] == ["haste: its time is over"]


def test_the_bearer_counts_where_the_other_is_not_along() -> None:
    """What lasts until somebody's turn who is not along lasts until the bearer's own."""
    state = lasting(met(), HASTE)
    alone = departure(state, "fighter", Between(after=0, known={"fighter": "rolf"}))
    both = departure(state, "fighter", Between(after=0, known={"fighter": "rolf", "ogre": "gruk"}))
    assert [one.until.who for one in (*alone.carried.effects, *both.carried.effects)] == ["rolf", "gruk"]


def test_what_is_against_somebody_elsewhere_stays() -> None:
    """A modifier against one opponent is worth nothing where that one is not."""
    state = lasting(met(), replace(HASTE, against="ogre"))
    alone = departure(state, "fighter", Between(after=0))
    assert alone.carried.effects == ()
    assert [str(one) for one in alone.left] == ["haste against ogre: ogre is not in the next fight"]


def test_a_source_elsewhere_is_nobody_here() -> None:
    """Somebody else of the id of one who is not along has no part in what that one has brought about."""
    gained = ConditionGained(who="fighter", condition="shaken", source="ogre")
    found = departure(lasting(met(), gained), "fighter", Between())
    assert [one.source for one in found.carried.conditions] == ["ogre (elsewhere)"]


@pytest.mark.parametrize("condition", ["grappling", "in water", "flat-footed", "concentrating"])
def test_what_is_of_the_place_stays(condition: str) -> None:
    """Holds, surroundings and what is kept up stay where they were, and that is told."""
    state = lasting(met(), ConditionGained(who="fighter", condition=condition, source="x"))
    found = departure(state, "fighter", Between(after=0))
    assert condition not in {one.condition for one in found.carried.conditions}
    assert condition in {one.what for one in found.left}


def test_ropes_go_along() -> None:
    """Whoever is tied up comes so into the next fight, where the ropes hold as they did."""
    former = met("pf1")
    gained = ConditionGained(who="fighter", condition="tied up", source="rope 27")
    found = departure(lasting(former, gained), "fighter", Between(after=0))
    assert [(one.condition, one.source) for one in found.carried.conditions] == [("tied up", "rope 27")]
    assert not found.left
    entry = coming(former, lambda one: replace(one, conditions=found.carried.conditions))
    assert next_fight(former).declare(entry).refused is None
    by_somebody = replace(found.carried.conditions[0], source="ogre")
    untied = coming(former, lambda one: replace(one, conditions=(by_somebody,)))
    refused = next_fight(former).declare(untied).refused
    assert refused is not None
    assert refused.reason == "fighter: no combatant brings along being tied up"


def test_uses_come_back_where_that_is_said() -> None:
    """Spent uses stay spent, but for those that are said to be renewed."""
    state = met("srd35", "sorcerer").fight.apart().state
    spell = "scorching ray"
    state.combatants["fighter"].resources = {spell: 1, "damage to buckler": 2}
    assert dict(departure(state, "fighter", Between()).carried.used) == {spell: 1, "damage to buckler": 2}
    for renewed in ((spell,), ("all",)):
        found = departure(state, "fighter", Between(renewed=renewed)).carried.used
        assert dict(found) == {"damage to buckler": 2}
    with pytest.raises(CannotCarry, match="has no 'wish' to renew"):
        departure(state, "fighter", Between(renewed=("wish",)))


def test_what_lies_about_is_gathered_up_or_left() -> None:
    """A dropped weapon is gone, and where it lies is told, unless it is gathered up."""
    table = met(held=("longsword",))
    table.declare(
        acts.Drop(actor=table.state.active, item=table.state.combatants[table.state.active].held[0])
    )
    who, item = table.state.active, next(iter(table.state.combatants[table.state.active].lying))
    left = departure(table.state, who, Between())
    x, y = table.state.combatants[who].at
    assert dict(left.carried.items) == {item: "gone"}
    assert [str(one) for one in left.left] == [f"{item}: it is on the ground where it fell, at {x},{y}"]
    gathered = departure(table.state, who, Between(gathered=True))
    assert dict(gathered.carried.items) == {item: "stowed"}
    assert gathered.left == ()


# Who can be carried.


def test_nobody_comes_where_it_cannot() -> None:
    """Who is not there, dead, here already, of another dialect, or of this very log is not carried."""
    former = met()
    store, following = former.store, next_fight(former)
    with pytest.raises(CannotCarry, match=r"no combatant 'figter'.*fighter"):
        carry(store, ["figter"], following.store)
    with pytest.raises(CannotCarry, match="into its own fight"):
        carry(store, ["fighter"], store)
    with pytest.raises(CannotCarry, match="that fight uses srd35, this one woa"):
        carry(store, ["fighter"], met("woa").store)
    made = carry(store, ["fighter"], following.store, journey=Journey(names={"fighter": "rolf"}))
    assert [one.outcome.refused for one in made] == [None]
    with pytest.raises(CannotCarry, match="is already in this one, as rolf"):
        carry(store, ["fighter"], following.store)
    former.declare(acts.Hazard(target="ogre", damage="300d6"))
    with pytest.raises(CannotCarry, match="is dead"):
        carry(store, ["ogre"], following.store)
    assert carry(store, ["ogre"], following.store, journey=Journey(dead=True))[0].leaving.dead
    following.store.close()


def test_nobody_leaves_in_the_middle_of_a_declaration() -> None:
    """Between a declaration and its end nobody is anything yet."""
    former = met()
    middle = next(
        event.seq
        for event in former.store.read("main")
        if event.type == "declared" and b"begin" in event.data
    )
    with pytest.raises(
        CannotCarry, match=f"in the middle of a declaration, which begins with event {middle}"
    ):
        carry(former.store, ["fighter"], next_fight(former).store, at=middle)


def test_a_rider_comes_in_the_saddle() -> None:
    """Rider and mount that go along together are that again, in whatever order they are named."""
    former = Table.create(MemoryStore(), dialect="srd35", terrain=GROUND, seed=b"r" * 32)
    sheets = packaged_sheets("srd35")
    horse = {**sheets["ogre"], "name": "Horse"}
    former.declare(acts.Enter(id="horse", side="a", sheet=horse, at=(3, 3)))
    entered = acts.Enter(id="rider", side="a", sheet=sheets["fighter"], at=(3, 3), riding="horse")
    assert former.declare(entered).refused is None
    following = next_fight(former)
    made = carry(former.store, ["rider", "horse"], following.store, journey=Journey(names={"horse": "nag"}))
    assert [(one.id, one.outcome.refused, one.leaving.left) for one in made] == [
        ("nag", None, ()),
        ("rider", None, ()),
    ]
    assert Table(following.store).state.combatants["rider"].mount == "nag"
    alone = carry(former.store, ["rider"], next_fight(former, seed=b"s" * 32).store)
    assert [str(one) for one in alone[0].leaving.left] == ["riding horse: horse is not in the next fight"]


# What the log says.


def test_the_entry_says_from_where_it_comes() -> None:
    """Log, line, event and its digest, and the digest of what was brought along, stand in the declaration."""
    former = met()
    following = next_fight(former)
    carry(former.store, ["fighter"], following.store)
    (one,) = arrivals(following.store.read("main"))
    last = list(former.store.read("main"))[-1]
    origin = one.origin
    assert (origin.log, origin.branch, origin.seq) == (identity(former.store), "main", last.seq)
    assert (origin.digest, origin.id, origin.fight) == (last.digest.hex(), "fighter", "the ford")
    assert origin.state == state_code(one.sheet, one.carried)


def test_other_entries_are_the_bytes_that_they_were() -> None:
    """An entry of one who comes from no other fight says nothing of that, byte for byte."""
    data = encode(acts.Enter(id="a", side="x"))
    assert b"origin" not in data
    assert b"carried" not in data
    assert acts.Enter().origin is UNSET


Change = Callable[[Carried], Carried]


def coming(former: Table, change: Change = lambda one: one, **origin: Any) -> acts.Enter:
    """Return the entry of the fighter as it has left a fight, with something changed."""
    found = departure(former.state, "fighter", Between())
    carried = change(found.carried)
    made = Origin("a" * 64, "main", 9, "b" * 64, "fighter", state_code(found.sheet, carried))
    return acts.Enter(
        id="fighter",
        side="heroes",
        sheet=found.sheet,
        at=(1, 1),
        origin=replace(made, **origin),
        carried=carried,
    )


ODD: dict[str, Change] = {
    "hit points of": lambda one: replace(one, hp=one.max_hp + 1),
    "cannot be negative": lambda one: replace(one, nonlethal=-1),
    "for its own side": lambda one: replace(one, own_side="heroes"),
    "no item can be 'lost'": lambda one: replace(one, items=(("longsword", "lost"),)),
    "'longsword' is listed twice": lambda one: replace(one, held=("longsword", "longsword")),
    "in hand and not": lambda one: replace(one, held=("a",), items=(("a", "gone"),)),
    "not out of hand": lambda one: replace(one, unloaded=("bow",)),
    "no combatant loses": lambda one: replace(one, losses=(("luck", 3),)),
    "need printable names": lambda one: replace(
        one, afflictions=(LastingAffliction("a", Rider(""), "x", 1),)
    ),
    "knows no condition": lambda one: replace(one, conditions=(LastingCondition("odd", "x"),)),
    "no combatant brings along": lambda one: replace(one, conditions=(LastingCondition("grappling", "x"),)),
    "'prone' is listed twice": lambda one: replace(one, conditions=(LastingCondition("prone", "x"),) * 2),
    "no rounds are left": lambda one: replace(
        one, conditions=(LastingCondition("prone", "x", Until("turn-end", "", -1)),)
    ),
    "nothing is left of": lambda one: replace(
        one, effects=(LastingEffect("e", "attack", Modifier(1, "", "", ""), uses=-1),)
    ),
}  # fmt: skip


@pytest.mark.parametrize("reason", ODD)
def test_what_nobody_can_bring_along_is_refused(reason: str) -> None:
    """A state that no combatant can have left with is refused."""
    former = met()
    outcome = next_fight(former).declare(coming(former, ODD[reason]))
    assert outcome.refused is not None
    assert reason in outcome.refused.reason


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"log": "x"}, "the log of its origin must be a digest"),
        ({"digest": "B" * 64}, "the digest of its origin must be a digest"),
        ({"state": "c" * 64}, "does not match the digest in its origin"),
        ({"seq": 0}, "its origin must name an event"),
        ({"id": ""}, "its origin must name an event"),
    ],
)
def test_an_origin_names_log_and_event(change: dict[str, Any], reason: str) -> None:
    """Where somebody comes from is said by digests, and what it brings along has the one that is given."""
    former = met()
    outcome = next_fight(former).declare(coming(former, **change))
    assert outcome.refused is not None
    assert reason in outcome.refused.reason


@pytest.mark.parametrize(
    "change", [{"hp": 3}, {"conditions": ("prone",)}, {"used": (("rage", 1),)}, {"origin": UNSET}]
)
def test_nothing_is_said_beside_it(change: dict[str, Any]) -> None:
    """Of whoever comes as it left another fight nothing else is said, and origin and state go together."""
    former = met()
    outcome = next_fight(former).declare(replace(coming(former), **change))
    assert outcome.refused is not None
    assert "'carried'" in outcome.refused.reason
