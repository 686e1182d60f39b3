"""What a monster's hit lets it try besides: a trip, a pull, a push, all free (pf1.monster-trip).

Natural weapons have the traits "trip", "pull 5" and "push 10": how many feet the target is moved.
"""

from typing import Final

from affray.engine.dialects.pf1.defense.incorporeal import goes_through, refuse_to_handle
from affray.engine.dialects.pf1.maneuvers.maneuver_check import MODES, roll_maneuver
from affray.engine.dialects.pf1.maneuvers.trip import against_a_trip, bring_down, refuse_untrippable
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.blow import Blow, Intent
from affray.engine.record.maneuvers import Attempt
from affray.engine.record.sheet_names import details_of
from affray.engine.rules.attacks import swarm_prohibitions
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.maneuvers.bull_rush import is_walled_off, straight_on
from affray.engine.rules.movement.brink import fall_over, falls_at
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.position.occupants import occupants
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

TOPIC: Final = "pf1.monster-trip"
TRIP: Final = "trip"
#: The ways of moving a target, and whether it goes away from its attacker.
SHOVES: Final = {"pull": False, "push": True}


def trip_with_hit(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Let a hit with a natural weapon of the trait "trip" try to trip, free and without an opening.

    A failure never trips the attacker (pf1.monster-trip).
    """
    attacker, target, rule = blow.attacker, blow.target, fight.rule(TOPIC)
    try:
        refuse_untrippable(fight, target)
        swarm_prohibitions.refuse_hold(fight, attacker, target, TRIP)
        refuse_to_handle(fight, attacker, target, blow.weapon)
    except Refusal:
        return
    most = fight.figure(MODES, f"maneuver={TRIP}", "max_size")
    if "dead" in target.conditions or size_step(target) - size_step(attacker) > int(most):
        return
    question = f"the {blow.weapon.name} has hit: does {attacker.id} trip {target.id}?"
    if (yield Choice(attacker.id, TRIP, question, (TRIP, "decline"), rule)) != TRIP:
        return
    yield ActionSpent(who=attacker.id, kind="free", what=TRIP, cites=(rule,))
    tripping = carried_by(blow, TRIP)
    tripping.defense_extra += against_a_trip(fight, target)
    if (yield from roll_maneuver(fight, tripping, TOPIC, "pf1.trip")).won:
        yield from bring_down(fight, Attempt(tripping, name=fight.declaration))


def carried_by(blow: Blow, name: str) -> Blow:
    """Return the blow of a free maneuver that follows a hit."""
    intent = Intent("follow-up", maneuver=name, against=f"CMD against {name}")
    return Blow(blow.attacker, blow.target, blow.weapon, True, blow.distance, intent)


def feet_moved(blow: Blow, name: str) -> int:
    """Return how many feet a weapon pulls or pushes, 0 for not at all."""
    told = next((detail for detail in details_of(name, blow.weapon.traits) if detail.isdecimal()), "0")
    return int(told)


def shove_with_hit(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Let a hit with a weapon that pulls or pushes move a target of the attacker's size or smaller.

    It goes straight on, as far as nothing is in the way, and provokes from nobody (pf1.monster-trip).
    """
    for name, away in SHOVES.items():
        feet = feet_moved(blow, name)
        attacker, target = blow.attacker, blow.target
        if feet < SQUARE_FT or "dead" in target.conditions or size_step(target) > size_step(attacker):
            continue
        if goes_through(fight, attacker, target, blow.weapon):
            continue
        rule = fight.rule(TOPIC)
        question = f"the {blow.weapon.name} has hit: does {attacker.id} {name} {target.id}?"
        if (yield Choice(attacker.id, "shove", question, (name, "decline"), rule)) != name:
            continue
        yield ActionSpent(who=attacker.id, kind="free", what=name, cites=(rule,))
        if (yield from roll_maneuver(fight, carried_by(blow, name), TOPIC)).won:
            yield from shove(fight, attacker, target, feet, name, away)


def shove(
    fight: Fight, attacker: Combatant, target: Combatant, feet: int, name: str, away: bool
) -> Steps[None]:
    """Move the target straight to the attacker or away from it, as far as nothing stops it."""
    rule = fight.rule(TOPIC)
    dx, dy = straight_on(attacker.at, attacker, target)
    way = (dx, dy) if away else (-dx, -dy)
    for _ in range(feet // SQUARE_FT):
        there = (target.at[0] + way[0], target.at[1] + way[1])
        if not any(way) or is_walled_off(fight, target, there) or occupants(fight, target, there):
            what = f"the {name} ends: something is in the way of {target.id}"
            yield RuleApplied(who=target.id, what=what, cites=(rule,))
            break
        if falls_at(fight, target, target.at, there):
            yield from fall_over(fight, target, there, name, rule)
            return
        yield displaced(target, (there,), name, rule)
    yield from fight.dialect.grapple.parted(fight, target)
