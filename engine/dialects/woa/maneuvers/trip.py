"""Trip: an opponent knocked to the ground, a rider out of the saddle (woa.maneuver.trip.*)."""

from functools import partial

from affray.engine.dialects.woa.maneuvers.maneuver_check import (
    at_mercy,
    attempt_maneuver,
    gives_opening,
    maneuver_blow,
    provoke_by_failure,
    refuse_by_size,
    spend_maneuver_action,
)
from affray.engine.dialects.woa.maneuvers.maneuvers_as_attacks import refuse_instead
from affray.engine.dialects.woa.maneuvers.stability import cannot_fall, stability
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import FELLED
from affray.engine.fight.fight import Fight
from affray.engine.modifiers import Tally
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.classes.ability_modifiers import has_feat, has_trait
from affray.engine.rules.classes.saves_and_checks import check_parts, skill_parts
from affray.engine.rules.gear.held_weapons import held_weapons
from affray.engine.rules.gear.let_go import lose
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.maneuvers.special_attacks import can_trip
from affray.engine.rules.mounted.riding import come_off
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

DEFENSE = "woa.maneuver.trip.unhorse-ride-defense"
#: Traits of a mount that say how it is saddled, with the row of the rule; any other saddle is ordinary.
SADDLES = {"bareback": "none", "military saddle": "military"}


def trip(fight: Fight, act: acts.Trip) -> Steps[None]:
    """Trip an opponent as a standard action (woa.maneuver.trip.action-cost)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "standard")
    attempt_ = plan_trip(fight, actor, target, act.weapon, "", "attack")
    yield spend_maneuver_action(
        fight, actor, "trip", "woa.maneuver.trip.action-cost", "woa.maneuver.trip.definition"
    )
    yield from carry_out_trip(fight, attempt_)


def plan_trip(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to trip. Refuses who is too big or small, has nothing to stand on, or lies already.

    woa.maneuver.trip.size-limits, .immune-creatures, .stability-bonus.
    """
    refuse_by_size(fight, attacker, target, "trip")
    refuse_instead(fight, attacker, target, "trip", kind, "woa.maneuver.trip.action-cost")
    refuse_fallen(fight, target)
    blow = maneuver_blow(
        fight, attacker, target, "trip", weapon=tripping_weapon(fight, attacker, weapon), kind=kind
    )
    blow.defense_extra += stability(fight, target, "woa.maneuver.trip.stability-bonus")
    return Attempt(blow, name=fight.declaration)


def refuse_fallen(fight: Fight, target: Combatant) -> None:
    """Refuse to trip who has nothing to stand on, or lies already."""
    if cannot_fall(target):
        raise Refusal(f"{target.id} cannot be tripped", fight.rule("woa.maneuver.trip.immune-creatures"))
    if "prone" in target.conditions:
        raise Refusal(f"{target.id} is prone already", fight.rule("woa.maneuver.trip.success"))


def tripping_weapon(fight: Fight, combatant: Combatant, name: str) -> Weapon:
    """Return the weapon to trip with: the one named, one in hand that trips, or the bare hand.

    Refuses a weapon that is no trip weapon (woa.maneuver.trip.trip-weapons).
    """
    if not name:
        return next((one for one in held_weapons(combatant) if "trip" in one.traits), None) or unarmed(
            fight, combatant
        )
    weapon = find_weapon(fight, combatant, name, can_trip)
    if not can_trip(weapon):
        reason = f"the {weapon.name} is no trip weapon"
        raise Refusal(reason, fight.rule("woa.maneuver.trip.trip-weapons"))
    return weapon


def carry_out_trip(fight: Fight, attempt_: Attempt) -> Steps[bool]:
    """Make the check; the target falls, or strikes back unless the weapon is dropped."""
    blow = attempt_.blow
    topics = ["woa.maneuver.trip.attack-bonus"]
    if blow.weapon.wield != "unarmed":
        topics.append("woa.maneuver.trip.trip-weapons")
    again = partial(refuse_fallen, fight, blow.target)
    if blow.target.mount:
        seat = yield from seated_firmly(fight, blow)
        opening = "woa.maneuver.trip.unhorse-unarmed-aoo"
        check = yield from attempt_maneuver(
            fight, blow, *topics, "woa.maneuver.trip.unhorse", opening=opening, against=seat, again=again
        )
    else:
        check = yield from attempt_maneuver(fight, blow, *topics, again=again)
    if check is None:
        return False
    if check.won:
        yield from fall_tripped(fight, blow)
        return True
    if not (yield from drops_weapon(fight, attempt_)):
        yield from provoke_by_failure(fight, blow, "woa.maneuver.trip.failure")
    return False


def fall_tripped(fight: Fight, blow: Blow) -> Steps[None]:
    """Bring the target down, out of its saddle if it rides; with Improved Trip it is struck at too.

    woa.maneuver.trip.success, .improved-trip, .unhorse.
    """
    attacker, target = blow.attacker, blow.target
    source = f"tripped by {attacker.id}"
    cites = fight.rules("woa.maneuver.trip.success")
    if target.mount:
        steed = fight.state.combatants[target.mount]
        pulled = fight.rules("woa.maneuver.trip.unhorse", "woa.mount.combat.unhorsing")
        yield from come_off(fight, target, steed, "is pulled", *pulled)
        cites = (*cites, pulled[0])
    yield ConditionGained(who=target.id, condition="prone", source=source, cites=cites)
    yield from fight.dialect.attacks.after_maneuver(fight, blow)
    if has_feat(attacker, "improved trip") and threatens(fight, attacker, target):
        rule = fight.rule("woa.maneuver.trip.improved-trip")
        opportunity = f"{FELLED}:{fight.declaration}:{fight.scope}"
        yield from fight.dialect.opportunity.provoke(
            fight, target, [attacker], f"is tripped by {attacker.id}", opportunity, rule
        )


def drops_weapon(fight: Fight, attempt_: Attempt) -> Steps[bool]:
    """Ask who failed with a weapon whether to drop it rather than be struck at.

    woa.maneuver.trip.drop-weapon.
    """
    blow = attempt_.blow
    attacker, target, weapon = blow.attacker, blow.target, blow.weapon
    if weapon.name not in attacker.held or not gives_opening(fight, blow):
        return False
    rule = fight.rule("woa.maneuver.trip.drop-weapon")
    question = f"{attacker.id} failed to trip {target.id}: does it drop the {weapon.name} to give no opening?"
    if (yield Choice(attacker.id, "drop", question, ("keep", "drop"), rule)) != "drop":
        return False
    yield from lose(fight, attacker, weapon.name, "dropped", (rule,))
    return True


def seated_firmly(fight: Fight, blow: Blow) -> Steps[Tally | None]:
    """Let the rider put a Ride check in the place of its AC; return that check, None for the AC.

    The saddle counts with either (woa.maneuver.trip.unhorse-ride-defense, .unhorse-saddle-modifier).
    """
    rider = blow.target
    steed = fight.state.combatants[rider.mount]
    saddle = saddle_parts(fight, steed)
    rule = fight.rule(DEFENSE)
    question = f"{blow.attacker.id} tries to unhorse {rider.id}: does it trust its riding or its AC?"
    asking = Choice(rider.id, "seat", question, ("Ride", "armor class"), rule)
    if at_mercy(fight, rider) or (yield asking) != "Ride":
        blow.defense_extra += saddle
        return None
    rolled = yield Roll(rider.id, "ride", "1d20")
    parts = check_parts(fight, rider, "ride", skill_parts(fight, rider, "ride", "dex", rule))
    return fight.stack([Modifier(rolled.total, "roll", "Ride check", rule), *parts, *saddle])


def saddle_parts(fight: Fight, steed: Combatant) -> list[Modifier]:
    """Return what the saddle does to keep or lose one's seat; nothing for an ordinary one."""
    row = next((row for trait, row in SADDLES.items() if has_trait(steed, trait)), "ordinary")
    topic, source = "woa.maneuver.trip.unhorse-saddle-modifier", f"{row} saddle".replace("none", "no")
    part = fight.modifier(topic, f"saddle={row}", "modifier", kind="circumstance", source=source)
    return [part] if part.value else []
