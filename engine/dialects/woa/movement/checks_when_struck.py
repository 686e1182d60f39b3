"""What being attacked or hurt does to those who swim, fly or ride: a check on the spot."""

from functools import partial
from typing import Any

from affray.engine.dialects.woa.defense.cover import BARRIER
from affray.engine.dialects.woa.environment import swim_and_drown
from affray.engine.dialects.woa.grapple import grab_strength_checks
from affray.engine.dialects.woa.grapple.grab_state import GRABBING
from affray.engine.dialects.woa.mounted import riding, stay_mounted
from affray.engine.dialects.woa.movement import aloft, fly
from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.record.blow import Blow
from affray.engine.rules.mounted.stay_mounted import part_if_driven_off
from affray.engine.steps import Steps, answered
from affray.events.facts.combat import ConditionGained, HitPointsChanged, Moved
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

#: How it is told that somebody was subject to a maneuver.
TRIED = {"grab": "grabbed at", "trip": "tripped", "push": "pushed", "overrun": "overrun"}


#: When an attack as such means more to its target than its damage.
CONCERNED = "target.mount or target.rider or target.riderless or target.conditions"


def check_after_unhurt(fight: Fight, blow: Blow) -> Steps[None]:
    """After an attack without damage, make the checks that it asks of those who swim, fly or ride."""
    return check_swimmer_and_flyer(fight, blow, 0)


def check_after_hit(
    fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool, following: Steps[None]
) -> Steps[None]:
    """After all else that follows from a hit, make the checks that any attack asks of its target.

    How much the target has lost is that of the hit, whatever else comes of it.
    """
    target = blow.target
    lost = before[0] + before[2] - target.hp - target.temporary
    yield from following
    if is_concerned(target):
        yield from check_swimmer_and_flyer(fight, blow, lost)


def upset_flyer(fight: Fight, blow: Blow) -> Steps[None]:
    """Let a flyer that is grabbed at, tripped, pushed or overrun lose its balance, or fall.

    Whether or not it came to anything (woa.fly.buoyant.hazard, .powered.hazard).
    """
    target = blow.target
    upsetting = f"{blow.intent.maneuver} attempt" in fight.figure("woa.fly.buoyant.hazard", "triggers")
    if aloft.is_flying(target) and upsetting and not how_warded_off(blow):
        yield from fly.upset_flyer(fight, target, f"{TRIED[blow.intent.maneuver]} in the air")


def is_concerned(target: Combatant) -> bool:
    """Say whether any attack may ask a check of this target: it rides, is ridden, or has a condition."""
    return bool(target.mount or target.rider or target.riderless or target.conditions)


def check_swimmer_and_flyer(fight: Fight, blow: Blow, lost: int) -> Steps[None]:
    """Let a swimmer keep up and a flyer that warded off the blow keep its balance.

    A flyer that was hurt has checked already (see `consequences_of_fact`); woa.fly.*.hazard,
    woa.water.swimming.attacked-check.
    """
    target = blow.target
    if "dead" in target.conditions:
        return
    if target.mount:
        yield from stay_mounted.check_attacked_rider(fight, target, lost)
    yield from riding.remember_attacker(fight, target, blow.attacker)
    yield from swim_and_drown.check_attacked_swimmer(fight, target)
    if aloft.is_flying(target) and not lost and (why := how_warded_off(blow)):
        yield from fly.upset_flyer(fight, target, why)


def how_warded_off(blow: Blow) -> str:
    """Return how the target of a blow warded it off, "" if it did not."""
    if blow.damage.blocked:
        return "blocking in the air"
    dodged = any(part.kind == "dodge" for part in blow.defense_extra)
    return "dodging in the air" if dodged else ""


def watch_consequences(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Go through steps; after each fact come its consequences for flyers, riders, mounts and holders."""
    if any(one.mount or (one.conditions and flies_or_holds(one)) for one in fight.state.combatants.values()):
        return answered(steps, partial(consequences_of_fact, fight))
    return steps


def flies_or_holds(mover: Combatant) -> bool:
    """Say whether somebody flies or holds somebody."""
    return aloft.FLYING in mover.conditions or GRABBING in mover.conditions


def consequences_of_fact(fight: Fight, step: Any) -> Steps[None]:
    """Go through what a fact brings about for a flyer, a seat or a hold: damage, falls, pushes."""
    kind = type(step)
    if kind is HitPointsChanged and step.change < 0:
        mover = fight.state.combatants[step.who]
        yield from fly.upset_flyer(fight, mover, "hurt in the air")
        yield from stay_mounted.mount_hurt(fight, mover)
    elif kind is Moved and fight.state.combatants[step.who].mount:
        yield from part_if_driven_off(fight, fight.state.combatants[step.who])
    elif kind is ConditionGained and step.condition == "prone":
        yield from stay_mounted.on_condition(fight, step)
    elif kind is ConditionGained and rule_of(fight, step.condition).down:
        yield from stay_mounted.on_condition(fight, step)
        mover = fight.state.combatants[step.who]
        yield from fly.upset_flyer(fight, mover, "knocked out in the air")
        yield from grab_strength_checks.falls_off(fight, mover)


def break_cover(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Say that a thing in the way is broken and exposes who is behind it (woa.cover.total.break-through)."""
    target = blow.target
    if BARRIER in target.sheet.traits and standing and is_down(fight, target):
        yield RuleApplied(
            who=target.id,
            what="is broken through and covers nobody any more",
            cites=fight.rules("woa.cover.total.break-through"),
        )
