"""Trip: a touch, an opposed check, and the target or the tripper lies prone."""

from affray.engine.dialects.srd35.maneuvers.opposed_checks import beats_opposed, refuse_too_big, strength_of
from affray.engine.dialects.srd35.maneuvers.touch_attack import touch_attack
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import WHIRLWIND
from affray.engine.record.maneuvers import Attempt, Substitute
from affray.engine.rules.attacks import swarm_prohibitions
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.conditions.condition_rules import powerless
from affray.engine.rules.gear.chosen_weapon import choose_weapon
from affray.engine.rules.gear.held_weapons import held_weapons, is_armed
from affray.engine.rules.gear.let_go import lose
from affray.engine.rules.gear.thrown_weapons import leave_hand
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.maneuvers.attempts import (
    attempt_goes_on,
    melee_attempt,
    provoke_from_target,
    still_possible,
)
from affray.engine.rules.maneuvers.special_attacks import can_trip
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.interruption import attack_is_lost, footing
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ResourceSpent
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def trip(fight: Fight, act: acts.Trip) -> Steps[None]:
    """Trip an opponent as a standard action, in place of an attack (srd35.trip.*)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    attempt = plan_trip(fight, actor, target, act.weapon, "", "attack")
    yield spending(
        fight, actor, "standard", "trip", *fight.rules("srd35.trip.attack", "srd35.aoo.substitutes")
    )
    yield from carry_out_trip(fight, attempt)


def plan_trip(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to trip. Refuses a target that is too big, out of reach or down already."""
    refuse_too_big(fight, attacker, target, "srd35.trip.attack", "srd35.trip.size-limit")
    swarm_prohibitions.refuse_hold(fight, attacker, target, "trip")
    if "prone" in target.conditions:
        raise Refusal(f"{target.id} is prone already", fight.rule("srd35.trip.prone"))
    with_ = tripping_weapon(fight, attacker, weapon)
    if thrown_trip(with_):
        blow = fight.dialect.attacks.prepare(fight, attacker, target, with_, kind, thrown=True)
    else:
        blow = melee_attempt(fight, attacker, target, with_, kind, fight.rule("srd35.trip.touch"))
    return Attempt(blow, name=fight.declaration)


def thrown_trip(weapon: Weapon) -> bool:
    """Say whether a weapon trips from afar, where nobody can trip in return: bolas."""
    return "ranged trip" in weapon.traits


def trips(weapon: Weapon) -> bool:
    """Say whether a weapon trips, close by or from afar."""
    return can_trip(weapon) or thrown_trip(weapon)


def tripping_weapon(fight: Fight, combatant: Combatant, name: str) -> Weapon:
    """Return the weapon to trip with: the one named, one in hand that trips, or the bare hand."""
    if not name:
        made_for_it = (weapon for weapon in held_weapons(combatant) if "trip" in weapon.traits)
        return next(made_for_it, None) or unarmed(fight, combatant)
    weapon = find_weapon(fight, combatant, name, trips)
    if not trips(weapon):
        raise Refusal(f"the {weapon.name} is no weapon to trip with", fight.rule("srd35.trip.weapon"))
    return weapon


def carry_out_trip(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Touch, then oppose Strength with Strength or Dexterity; who loses may be tripped in return.

    A win knocks the target prone; with Improved Trip a blow follows at once.
    """
    blow = attempt.blow
    attacker, target, weapon = blow.attacker, blow.target, blow.weapon
    if not (yield from still_possible(fight, attempt)):
        return False
    armed = weapon.wield != "unarmed"
    if not armed and not has_feat(attacker, "improved trip") and not is_armed(attacker, weapon):
        opening = yield from provoke_from_target(
            fight,
            attempt,
            "trips unarmed",
            f"trip:{attempt.name}",
            fight.rule("srd35.trip.touch"),
            *fight.dialect.turns.table_rules(fight, "varies", "Trip an opponent"),
        )
        if not opening.goes_on:
            return False
    if thrown_trip(weapon):
        before = footing(fight, attacker, target)
        shot, rule = f"shot:{attempt.name}", fight.rule("srd35.attack-action.ranged")
        yield from fight.dialect.opportunity.provoke(
            fight, attacker, threatening(fight, attacker), "throws while threatened", shot, rule
        )
        if not (yield from attempt_goes_on(fight, before, attempt)):
            return False
    if "prone" in target.conditions:
        lies = Refusal(f"{target.id} is prone already", fight.rule("srd35.trip.prone"))
        yield attack_is_lost(attacker, lies, "the attempt")
        return False
    practised = has_feat(attacker, "improved trip")
    bare = ("srd35.trip.touch", "srd35.trip.no-aoo") if practised else ("srd35.trip.touch",)
    by = ("srd35.trip.weapon", "srd35.trip.no-aoo") if armed else bare
    if fight.state.things_lie and thrown_trip(weapon) and weapon.ammunition is not None:
        cites = fight.rules("weapon.ammunition")
        yield ResourceSpent(who=attacker.id, resource=weapon.name, amount=1, cites=cites)
    touched = yield from touch_attack(fight, blow, *fight.rules(*by))
    if thrown_trip(weapon):
        yield from leave_hand(fight, blow, touched)
    if not touched:
        return False
    feat = fight.rules("srd35.feat.improved-trip") if has_feat(attacker, "improved trip") else ()
    contest = yield from beats_opposed(
        fight,
        "trip",
        strength_of(fight, attacker, "srd35.trip.opposed-check", feat="improved trip"),
        fight.dialect.maneuvers.tripped_footing(fight, target, "srd35.trip.opposed-check", True),
        fight.rule("srd35.trip.opposed-check"),
        *feat,
    )
    if contest.won:
        cites = fight.rules("srd35.trip.opposed-check", "srd35.trip.prone")
        yield ConditionGained(
            who=target.id, condition="prone", source=f"tripped by {attacker.id}", cites=cites
        )
        yield from follow_up(fight, attempt)
        return True
    if thrown_trip(weapon):
        cites = fight.rules("srd35.weapons.table-exotic-ranged")
        yield RuleApplied(who=target.id, what=f"cannot trip in return over the {weapon.name}", cites=cites)
    else:
        yield from trip_back(fight, target, attacker, weapon)
    return False


def trip_back(fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon) -> Steps[None]:
    """Let the one who kept its feet try to trip the tripper, who may drop the weapon instead of falling.

    Nobody trips a tripper that lies already. Which modifiers count is contested: option
    `trip_counter_modifiers` (srd35.trip.counter).
    """
    rule = fight.rule("srd35.trip.counter")
    if powerless(fight, attacker) or "prone" in target.conditions:
        return
    question = (
        f"{target.id} failed to trip {attacker.id}: does {attacker.id} try to trip {target.id} in return?"
    )
    if (yield Choice(attacker.id, "counter-trip", question, ("try", "decline"), rule)) != "try":
        return
    whole = fight.option("trip_counter_modifiers") == "full"
    as_in = fight.rule("srd35.trip.opposed-check" if whole else "srd35.overrun.lose-counter")
    contest = yield from beats_opposed(
        fight,
        "counter-trip",
        strength_of(fight, attacker, "srd35.trip.opposed-check", whole=whole),
        fight.dialect.maneuvers.tripped_footing(fight, target, "srd35.trip.opposed-check", whole),
        rule,
        as_in,
    )
    if not contest.won:
        return
    if "trip" in weapon.traits and weapon.name in target.held:
        drop = fight.rule("srd35.trip.weapon-drop")
        question = f"does {target.id} drop the {weapon.name} to keep its feet?"
        if (yield Choice(target.id, "drop", question, ("drop", "fall"), drop)) == "drop":
            yield from lose(fight, target, weapon.name, "dropped", (drop,))
            return
    cites = (rule, fight.rule("srd35.trip.prone"))
    yield ConditionGained(who=target.id, condition="prone", source=f"tripped by {attacker.id}", cites=cites)


def follow_up(fight: Fight, attempt: Attempt) -> Steps[None]:
    """Strike the one who was tripped, as if the trip had cost no attack; in a Whirlwind Attack not.

    srd35.feat.improved-trip, srd35.feat.whirlwind-attack.
    """
    attacker, target = attempt.blow.attacker, attempt.blow.target
    if attempt.blow.intent.kind == WHIRLWIND:
        return
    ready = fight.dialect.opportunity.weapons_at(fight, attacker, target)
    if not has_feat(attacker, "improved trip") or not ready:
        return
    rule = fight.rule("srd35.feat.improved-trip")
    question = f"with which weapon does {attacker.id} strike at {target.id}?"
    weapon = yield from choose_weapon(attacker.id, question, ready, rule)
    blow = fight.dialect.attacks.prepare(fight, attacker, target, weapon, attempt.blow.intent.kind)
    blow.attack_extra.extend(attempt.blow.attack_extra)
    blow.cites.append(rule)
    yield from fight.dialect.attacks.deliver(fight, blow, f"{attempt.name}#follow-up")


TRIP = Substitute(plan_trip, carry_out_trip)
