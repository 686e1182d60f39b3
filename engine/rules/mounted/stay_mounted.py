"""Staying in the saddle: what follows for the other when rider or mount is struck down (srd35.mount.*)."""

from functools import partial
from typing import Any

from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.fight.memory import per_company
from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Harm
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.damage.injury import state_of
from affray.engine.rules.mounted.rider_and_mount import guides, mount_of, rider_of
from affray.engine.rules.mounted.riding import (
    MILITARY_SADDLE,
    SLUMPED,
    come_off,
    release_mount,
    ride_parts,
)
from affray.engine.rules.movement.fly import BORNE
from affray.engine.rules.position.place import height_of
from affray.engine.steps import NOTHING, Roll, Steps, answered
from affray.events.facts.combat import ConditionGained, ConditionLost, HitPointsChanged, Moved
from affray.projections.state import Combatant

KNOCKED_OUT = frozenset({"unconscious", "dying", "dead"})


def watch_seats(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Go through steps and add, right after each fact, what it does to the seat of a rider."""
    return (
        answered(steps, partial(what_fact_does_to_seat, fight))
        if fight.memory.company[is_anybody_mounted]
        else steps
    )


@per_company()
def is_anybody_mounted(fight: Fight) -> bool:
    """Say whether anybody rides."""
    return any([one.mount for one in fight.state.combatants.values()])


def what_fact_does_to_seat(fight: Fight, step: Any) -> Steps[None]:
    """Return the steps that a fact brings about for the seat of a rider; None for nothing."""
    kind = type(step)
    if kind is ConditionGained:
        return on_condition(fight, step)
    if kind is HitPointsChanged and step.change < 0:
        return on_wound(fight, fight.state.combatants[step.who])
    if kind is Moved and fight.state.combatants[step.who].mount:
        return part_if_driven_off(fight, fight.state.combatants[step.who])
    return NOTHING


def on_condition(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Answer a condition: the mount falls, the rider is knocked out, or is brought to the ground."""
    combatant = fight.state.combatants[fact.who]
    down = fact.condition == "prone" or rule_of(fight, fact.condition).down
    if not down:
        return
    rider, steed = rider_of(fight, combatant), mount_of(fight, combatant)
    if rider is not None:
        yield from fall_with(fight, rider, combatant)
    elif steed is not None and fact.condition in KNOCKED_OUT and SLUMPED not in combatant.conditions:
        yield from keep_seat(fight, combatant, steed)
    elif steed is not None and fact.condition == "prone":
        pulled = fight.rule("trip.prone") in fact.cites
        cites = fight.rules("trip.mounted") if pulled else fact.cites
        yield from come_off_in_the_air(
            fight, combatant, steed, "is pulled" if pulled else "comes down", *cites
        )


def fall_with(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Let a rider whose mount falls come down with it, softly or hard (srd35.mount.falls, pf1.mount.fall)."""
    if is_down(fight, rider):
        if not (yield from come_off_in_the_air(fight, rider, steed, "falls", fight.rule("mount.falls"))):
            yield from land_hard(fight, rider)
        return
    yield from fall_off_mount(fight, rider, steed, fight.rule("mount.falls"))


def fall_off_mount(
    fight: Fight, rider: Combatant, steed: Combatant, *cites: str, to: Square | None = None
) -> Steps[None]:
    """Come off the mount: a Ride check makes it a soft fall, on one's feet and without damage.

    Not in the air, where it is a long way down.
    """
    if height_of(rider):
        yield from come_off_in_the_air(fight, rider, steed, "falls", *cites, to=to)
        return
    rule = fight.rule("mount.falls")
    dc = fight.figure("mount.falls", "ride_dc")
    parts = ride_parts(fight, rider, steed, rule)
    soft = yield from check(fight, rider, "ride", parts, dc, rule, why="to fall softly")
    yield from come_off(fight, rider, steed, "falls softly" if soft else "falls", *cites, to=to)
    if not soft:
        yield from land_hard(fight, rider)


def land_hard(fight: Fight, rider: Combatant, topic: str = "mount.falls") -> Steps[None]:
    """Take the damage of a fall from the saddle, and lie where one fell."""
    rule = fight.rule(topic)
    if "dead" not in rider.conditions:
        rolled = yield Roll(rider.id, "fall", fight.figure(topic, "damage"))
        harm = Harm(rider, rolled.total, "", "the fall")
        harm.amount, _ = fight.dialect.damage.reduce(fight, harm)
        harm.cites = (rule, *harm.reduced_by)
        yield from fight.dialect.damage.suffer(fight, harm)
    if "prone" not in rider.conditions:
        yield ConditionGained(who=rider.id, condition="prone", source="the fall", cites=(rule,))


def keep_seat(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Let a rider who is knocked out stay in the saddle or fall from it (srd35.mount.rider-unconscious)."""
    topic = "mount.rider-unconscious"
    rule = fight.rule(topic)
    military = has_trait(steed, MILITARY_SADDLE)
    percent = fight.figure(topic, "stay_percent_military_saddle" if military else "stay_percent")
    aloft = height_of(rider)
    if not (yield from stays_or_slumps(fight, rider, steed, percent, rule)) and not aloft:
        yield from land_hard(fight, rider, topic)


def on_wound(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let a rider who is wounded and stays up keep its seat by a Ride check (srd35.skill.ride-table)."""
    steed = mount_of(fight, combatant)
    if (
        steed is None
        or not guides(fight, combatant)
        or state_of(fight, combatant)[0] in ("stable", *KNOCKED_OUT)
    ):
        return
    rule = fight.rule("skill.ride-table")
    dc = fight.figure("skill.ride-table", "saddle")
    parts = ride_parts(fight, combatant, steed, rule, staying=True)
    if not (yield from check(fight, combatant, "ride", parts, dc, rule, why="to stay in the saddle")):
        yield from fall_off_mount(fight, combatant, steed, rule)


def part_if_driven_off(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Part a rider from its mount when it was moved away from it (srd35.mount.space)."""
    steed = fight.state.combatants[combatant.mount]
    if combatant.at != steed.at:
        yield from come_off_in_the_air(
            fight, combatant, steed, "is driven", fight.rule("mount.space"), to=combatant.at
        )


def come_off_in_the_air(
    fight: Fight, rider: Combatant, steed: Combatant, how: str, *cites: str, to: Square | None = None
) -> Steps[bool]:
    """Come off a mount, and in the air fall from there; return whether that was so (srd35.falling.damage)."""
    feet = height_of(rider)
    yield from come_off(fight, rider, steed, how, *cites, to=to)
    if BORNE in rider.conditions:
        rules = fight.rules("falling.damage")
        yield ConditionLost(who=rider.id, condition=BORNE, why="out of the saddle", cites=rules)
        yield from fight.dialect.movement.fall(fight, rider, feet)
    return feet > 0


def stays_or_slumps(fight: Fight, rider: Combatant, steed: Combatant, percent: int, rule: str) -> Steps[bool]:
    """Have a rider slump in the saddle by so many percent, or fall out of it; return whether it stays."""
    stays = yield from percent_roll(rider, "stay mounted", percent, f"{percent}% to stay mounted", rule)
    if stays:
        yield ConditionGained(who=rider.id, condition=SLUMPED, source=steed.id, cites=(rule,))
        yield from release_mount(fight, rider, steed)
    else:
        yield from come_off_in_the_air(fight, rider, steed, "falls", rule)
    return stays
