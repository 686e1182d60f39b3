"""Staying in the saddle: consequences for the partner when rider or mount is struck down (srd35.mount.*)."""

from functools import partial
from typing import Any, Final

from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.fight.memory import per_company
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.places import height_of
from affray.engine.record.blow import Harm
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.classes.checks import check
from affray.engine.rules.classes.sheets import has_trait
from affray.engine.rules.damage.injury import state_of
from affray.engine.rules.mounted.mounted_combat import refuse_ride_on
from affray.engine.rules.mounted.riding import (
    MILITARY_SADDLE,
    SLUMPED,
    find_rider,
    guides,
    mount_of,
    release_mount,
    ride_parts,
    separate_from_mount,
)
from affray.engine.rules.movement.movement import (
    find_unseen_at_end,
    is_stopped,
    moved,
    refuse_after_step,
    refuse_crooked,
    refuse_crowded,
    run_into,
    speed,
)
from affray.engine.rules.movement.skills import BORNE, can_stand_in, feet_of_leap
from affray.engine.rules.position.places import occupants
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import NOTHING, Refusal, Roll, Steps, answered
from affray.events.facts.combat import ConditionGained, ConditionLost, HitPointsChanged, Moved
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

KNOCKED_OUT = frozenset({"unconscious", "dying", "dead"})


def watch_seats(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Run steps and add, right after each fact, its effect on a rider's seat."""
    return (
        answered(steps, partial(what_fact_does_to_seat, fight))
        if fight.memory.company[is_anybody_mounted]
        else steps
    )


@per_company()
def is_anybody_mounted(fight: Fight) -> bool:
    """Return whether any combatant rides."""
    return any([one.mount for one in fight.state.combatants.values()])


def what_fact_does_to_seat(fight: Fight, step: Any) -> Steps[None]:
    """Return the effect of a fact on a rider's seat; None for nothing."""
    kind = type(step)
    if kind is ConditionGained:
        return on_condition(fight, step)
    if kind is HitPointsChanged and step.change < 0:
        return check_seat_when_wounded(fight, fight.state.combatants[step.who])
    if kind is Moved and fight.state.combatants[step.who].mount:
        return part_if_driven_off(fight, fight.state.combatants[step.who])
    return NOTHING


def on_condition(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """React to a condition: the mount falls, the rider is knocked out, or is brought to the ground."""
    combatant = fight.state.combatants[fact.who]
    down = fact.condition == "prone" or rule_of(fight, fact.condition).down
    if not down:
        return
    rider, steed = find_rider(fight, combatant), mount_of(fight, combatant)
    if rider is not None:
        yield from fall_with(fight, rider, combatant)
    elif steed is not None and fact.condition in KNOCKED_OUT and SLUMPED not in combatant.conditions:
        yield from keep_seat(fight, combatant, steed)
    elif steed is not None and fact.condition == "prone":
        pulled = fight.rule("trip.prone") in fact.cites
        cites = fight.rules("trip.mounted") if pulled else fact.cites
        yield from fall_from_mount_in_air(
            fight, combatant, steed, "is pulled" if pulled else "comes down", *cites
        )


def fall_with(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Let a rider whose mount falls come down with it, softly or hard (srd35.mount.falls, pf1.mount.fall)."""
    if is_down(fight, rider):
        if not (yield from fall_from_mount_in_air(fight, rider, steed, "falls", fight.rule("mount.falls"))):
            yield from land_hard(fight, rider)
        return
    yield from fall_off_mount(fight, rider, steed, fight.rule("mount.falls"))


def fall_off_mount(
    fight: Fight, rider: Combatant, steed: Combatant, *cites: str, to: Square | None = None
) -> Steps[None]:
    """Come off the mount: a Ride check makes it a soft fall, on the feet and without damage.

    Not in the air, where the fall is deep.
    """
    if height_of(rider):
        yield from fall_from_mount_in_air(fight, rider, steed, "falls", *cites, to=to)
        return
    rule = fight.rule("mount.falls")
    dc = fight.figure("mount.falls", "ride_dc")
    parts = ride_parts(fight, rider, steed, rule)
    soft = yield from check(fight, rider, "ride", parts, dc, rule, why="to fall softly")
    yield from separate_from_mount(fight, rider, steed, "falls softly" if soft else "falls", *cites, to=to)
    if not soft:
        yield from land_hard(fight, rider)


def land_hard(fight: Fight, rider: Combatant, topic: str = "mount.falls") -> Steps[None]:
    """Take the damage of a fall from the saddle, and lie there."""
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


def check_seat_when_wounded(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Make a wounded rider that stays up keep its seat by a Ride check (srd35.skill.ride-table)."""
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
    """Separate a rider from its mount if it was moved away from it (srd35.mount.space)."""
    steed = fight.state.combatants[combatant.mount]
    if combatant.at != steed.at:
        yield from fall_from_mount_in_air(
            fight, combatant, steed, "is driven", fight.rule("mount.space"), to=combatant.at
        )


def fall_from_mount_in_air(
    fight: Fight, rider: Combatant, steed: Combatant, how: str, *cites: str, to: Square | None = None
) -> Steps[bool]:
    """Come off a mount, and in the air fall from there; return whether it was in the air
    (srd35.falling.damage).
    """
    feet = height_of(rider)
    yield from separate_from_mount(fight, rider, steed, how, *cites, to=to)
    if BORNE in rider.conditions:
        rules = fight.rules("falling.damage")
        yield ConditionLost(who=rider.id, condition=BORNE, why="out of the saddle", cites=rules)
        yield from fight.dialect.movement.fall(fight, rider, feet)
    return feet > 0


def stays_or_slumps(fight: Fight, rider: Combatant, steed: Combatant, percent: int, rule: str) -> Steps[bool]:
    """Roll whether a rider slumps in the saddle (`percent`) or falls out of it; return whether it stays."""
    stays = yield from percent_roll(rider, "stay mounted", percent, f"{percent}% to stay mounted", rule)
    if stays:
        yield ConditionGained(who=rider.id, condition=SLUMPED, source=steed.id, cites=(rule,))
        yield from release_mount(fight, rider, steed)
    else:
        yield from fall_from_mount_in_air(fight, rider, steed, "falls", rule)
    return stays


# --- Leaping from the saddle: the mount jumps over an obstacle with its rider

JUMP: Final = "skill.jump"


def leap_from_saddle(
    fight: Fight,
    rider: Combatant,
    steed: Combatant,
    path: tuple[Square, ...],
    skill: str,
    jumping: list[Modifier],
) -> Steps[None]:
    """Have the mount leap straight along the path, as part of its movement.

    A Ride check keeps the rider in the saddle, otherwise it falls hard. The length of the leap is a check of
    its jumping `skill` with the lower of the rider's Ride and the mount's parts of `jumping`, against the
    feet of the leap, more without a run-up; short of that it balks.

    srd35.skill.ride-table, srd35.skill.ride-details, srd35.skill.jump, pf1.skill.ride, pf1.skill.jump.
    """
    rules = fight.rules("skill.ride-table", "skill.ride-details")
    refuse_mounts_leap(fight, rider, steed, path)
    feet = feet_of_leap(fight, steed, (steed.at, *path))
    run_up = steed.spent.get("feet", 0) >= fight.figure(JUMP, "run_up_ft")
    yield spending(fight, steed, "move", "leap", rules[-1])
    dc = fight.figure("skill.ride-table", "leap")
    riding = ride_parts(fight, rider, steed, rules[0])
    seated = yield from check(fight, rider, "ride", riding, dc, *rules, why="to stay on a leaping mount")
    cites = (rules[-1], fight.rule(JUMP))
    goal = feet if run_up else fight.figure(JUMP, "no_run_up") * feet
    lower = min(riding, jumping, key=lambda parts: sum(part.value for part in parts))
    done = yield from check(fight, steed, skill, lower, goal, *cites)
    if not done:
        yield RuleApplied(who=steed.id, what="balks at the leap", cites=cites)
    if not seated:
        yield from separate_from_mount(fight, rider, steed, "falls", *rules)
        yield from land_hard(fight, rider)
    if not done:
        return
    start = steed.at
    opportunity = fight.dialect.opportunity.opportunity_name(fight, steed)
    enemies = fight.dialect.movement.leaving(fight, steed, start, path[0], "leap")
    cite = fight.rule("aoo.triggers")
    yield from fight.dialect.opportunity.provoke(
        fight, steed, enemies, "leaves a threatened square", opportunity, cite
    )
    if steed.rider:
        yield from fight.dialect.mounted.left_squares(fight, steed, enemies)
    if (yield from is_stopped(fight, steed, start, "leap")):
        return
    met = find_unseen_at_end(fight, steed, path[-1], occupants(fight, steed, path[-1]))
    if met is not None:
        path = free_part_of_leap(fight, steed, path)
        feet = feet_of_leap(fight, steed, (start, *path))
    if path:
        yield from land_leap(fight, steed, path, feet, cites)
    if met is not None:
        yield from run_into(fight, steed, met, "leap")


def free_part_of_leap(fight: Fight, steed: Combatant, path: tuple[Square, ...]) -> tuple[Square, ...]:
    """Return as much of a leap as ends in a free place, unseen occupants included; () if there is none."""
    while path and not can_stand_in(fight, steed, path[-1]):
        path = path[:-1]
    return path


def land_leap(
    fight: Fight, steed: Combatant, path: tuple[Square, ...], feet: int, cites: tuple[str, ...]
) -> Steps[None]:
    """Come down at the end of a leap."""
    start = steed.at
    diagonal = path[0][0] != start[0] and path[0][1] != start[1]
    yield moved(steed, path[-1:], feet, "leap", *cites, diagonals=len(path) if diagonal else 0)
    yield from fight.dialect.movement.after_movement(fight, steed)


def refuse_mounts_leap(fight: Fight, rider: Combatant, steed: Combatant, path: tuple[Square, ...]) -> None:
    """Refuse a leap that is no straight line to a free place within the mount's speed."""
    rule = fight.rule("skill.ride-details")
    refuse_after_step(fight, steed)
    if not path:
        raise Refusal("a leap needs a path", rule)
    steps = [max(abs(b[0] - a[0]), abs(b[1] - a[1])) for a, b in zip((steed.at, *path), path, strict=False)]
    if any(one != 1 for one in steps):
        raise Refusal("a leap goes from square to square", rule)
    refuse_crooked(steed, path, rule)
    if feet_of_leap(fight, steed, (steed.at, *path)) > speed(fight, steed):
        far = feet_of_leap(fight, steed, (steed.at, *path))
        raise Refusal(f"the leap takes {far} ft., {steed.id} has {speed(fight, steed)} ft.", rule)
    if any(not fight.field.holds(square, steed.space) for square in path):
        raise Refusal("a leap does not leave the map", rule)
    walled = {"#", "T"}
    held = [(x + dx, y + dy) for x, y in path for dx in range(steed.space) for dy in range(steed.space)]
    if any(fight.field.at(square) in walled for square in held) or not fight.field.passable(
        path[-1], steed.space
    ):
        raise Refusal(f"{steed.id} cannot land there", rule)
    refuse_crowded(fight, steed, path[-1], True)
    refuse_ride_on(fight, rider, steed, len(path), False)
