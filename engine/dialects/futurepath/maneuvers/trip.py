"""Trip: an unarmed touch, an opposed check, and one of the two may lie prone (futurepath.trip.*)."""

from typing import Final

from affray.engine.dialects.futurepath.attacks.attack_roll import refuse_hopeless
from affray.engine.dialects.futurepath.maneuvers.provoking import (
    gives_openings_to_all,
    provoke_by_maneuver,
    rules_of_table,
    those_provoked,
)
from affray.engine.dialects.futurepath.maneuvers.sizes import refuse_unfit
from affray.engine.dialects.futurepath.maneuvers.strength_checks import (
    Check,
    check_of_attacker,
    check_of_target,
    oppose_strength,
)
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt, Substitute
from affray.engine.rules.conditions.condition_rules import falls_prone, powerless
from affray.engine.rules.gear.held_weapons import held_weapons, is_armed
from affray.engine.rules.gear.let_go import lose
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.maneuvers.attempts import melee_attempt, still_possible
from affray.engine.rules.maneuvers.harmless_touch import touch
from affray.engine.rules.maneuvers.special_attacks import can_trip
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.interruption import attack_is_lost
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

TOUCH: Final = "futurepath.trip.touch-and-provoke"
WITH_WEAPON: Final = "futurepath.trip.with-weapon"
CHECK: Final = Check("futurepath.trip.opposed-check", "futurepath.trip.modifiers")
REPLACES: Final = "futurepath.action.disarm-grapple-trip-replace-attack"
#: What becomes of a trip: the target lies, the tripper lies, or neither.
TRIPPED, FELLED, NEITHER = "tripped", "felled", "neither"


def trip_opponent(fight: Fight, act: acts.Trip) -> Steps[None]:
    """Trip an opponent with an attack action (futurepath.trip.attempt)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    attempt = trip_attempt(fight, actor, target, act.weapon, "", "attack")
    yield spending(fight, actor, "standard", "trip", *fight.rules("futurepath.trip.attempt", REPLACES))
    yield from knock_down(fight, attempt)


def trip_attempt(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to trip. Refuses a target that is too big, out of reach or down already."""
    refuse_unfit(fight, attacker, target, "trip")
    if "prone" in target.conditions:
        raise Refusal(f"{target.id} is prone already", fight.rule("futurepath.trip.prone-result"))
    return Attempt(tripping_blow(fight, attacker, target, weapon, kind), name=fight.declaration)


def tripping_blow(fight: Fight, attacker: Combatant, target: Combatant, weapon: str, kind: str) -> Blow:
    """Return the touch with which a trip begins. Refuses what trips nobody, or is out of reach."""
    blow = melee_attempt(fight, attacker, target, tripper(fight, attacker, weapon), kind, fight.rule(TOUCH))
    refuse_hopeless(fight, blow)
    return blow


def tripper(fight: Fight, combatant: Combatant, name: str) -> Weapon:
    """Return what to trip with: the weapon named, one in hand that is made for it, or the bare hand."""
    if not name:
        made_for_it = (weapon for weapon in held_weapons(combatant) if "trip" in weapon.traits)
        return next(made_for_it, None) or unarmed(fight, combatant)
    weapon = find_weapon(fight, combatant, name, can_trip)
    if not can_trip(weapon):
        raise Refusal(f"the {weapon.name} is no weapon to trip with", fight.rule(WITH_WEAPON))
    return weapon


def knock_down(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Carry out a trip; return whether the target lies."""
    if not (yield from still_possible(fight, attempt)):
        return False
    return (yield from touch_and_contend(fight, attempt)) == TRIPPED


def touch_and_contend(fight: Fight, attempt: Attempt) -> Steps[str]:
    """Provoke, touch, oppose Strength with Strength or Dexterity; who loses may be tripped in return.

    futurepath.trip.opposed-check, futurepath.trip.prone-result.
    """
    blow = attempt.blow
    attacker, target = blow.attacker, blow.target
    if not (yield from leave_opening(fight, attempt)):
        return NEITHER
    if "prone" in target.conditions and blow.intent.kind != "overrun":
        lies = Refusal(f"{target.id} is prone already", fight.rule("futurepath.trip.prone-result"))
        yield attack_is_lost(attacker, lies, "the attempt")
        return NEITHER
    by = TOUCH if blow.weapon.wield == "unarmed" else WITH_WEAPON
    if (yield from touch(fight, blow, *fight.rules("futurepath.trip.attempt", by))) is None:
        return NEITHER
    margin = yield from oppose_strength(
        fight,
        "trip",
        check_of_attacker(fight, attacker, target, CHECK),
        check_of_target(fight, target, attacker, CHECK, True),
        CHECK,
    )
    if margin > 0:
        cites = fight.rules("futurepath.trip.opposed-check", "futurepath.trip.prone-result")
        yield from falls_prone(target, f"tripped by {attacker.id}", cites)
        return TRIPPED
    return FELLED if (yield from trip_in_return(fight, target, attacker, blow.weapon)) else NEITHER


def leave_opening(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Let those strike to whom a trip gives an opening; return whether it goes on.

    trip_provokes: the bare hand gives one, as in any unarmed attack; a weapon that trips does not, or does
    too, or nothing does. By the new table of actions the trained fist does as well
    (futurepath.trip.with-weapon, futurepath.trip.touch-and-provoke).
    """
    blow, how = attempt.blow, fight.option("trip_provokes")
    armed = blow.weapon.wield != "unarmed"
    trained = is_armed(blow.attacker, blow.weapon) and not gives_openings_to_all(fight, blow)
    cites = fight.rules(WITH_WEAPON if armed else TOUCH)
    if how == "never" or (how == "unless-trip-weapon" and (armed or trained)):
        for enemy in those_provoked(fight, blow):
            what = f"the trip does not provoke from {enemy.id} (trip_provokes: {how})"
            yield RuleApplied(who=blow.attacker.id, what=what, cites=cites)
        return True
    reason, name = f"trips (trip_provokes: {how})", f"trip:{attempt.name}"
    by_table = rules_of_table(fight, blow.intent.kind, "trip an opponent", bare=not armed)
    opening = yield from provoke_by_maneuver(fight, attempt, reason, name, *cites, *by_table)
    return opening.goes_on


def trip_in_return(fight: Fight, combatant: Combatant, tripped: Combatant, weapon: Weapon) -> Steps[bool]:
    """Let the one who kept its feet try to trip the tripper; return whether that one lies.

    The tripper may drop the weapon that it tripped with instead (futurepath.trip.counter, .with-weapon).
    """
    rule = fight.rule("futurepath.trip.counter")
    still = "pinned" in combatant.conditions or powerless(fight, combatant)
    if still or "prone" in tripped.conditions:
        return False
    question = f"{tripped.id} failed to trip {combatant.id}: does {combatant.id} try to trip {tripped.id}?"
    if (yield Choice(combatant.id, "counter-trip", question, ("try", "decline"), rule)) != "try":
        return False
    margin = yield from oppose_strength(
        fight,
        "counter-trip",
        check_of_attacker(fight, combatant, tripped, CHECK),
        check_of_target(fight, tripped, combatant, CHECK, True),
        CHECK,
        rule,
    )
    if margin <= 0:
        return False
    if "trip" in weapon.traits and weapon.name in tripped.held:
        drop = fight.rule(WITH_WEAPON)
        question = f"does {tripped.id} drop the {weapon.name} to keep its feet?"
        if (yield Choice(tripped.id, "drop", question, ("drop", "fall"), drop)) == "drop":
            yield from lose(fight, tripped, weapon.name, "dropped", (drop,))
            return False
    cites = (rule, fight.rule("futurepath.trip.prone-result"))
    yield from falls_prone(tripped, f"tripped by {combatant.id}", cites)
    return True


TRIP = Substitute(trip_attempt, knock_down)
