"""Trip: an opponent on the ground, or the one who tried (pf1.trip, pf1.trip.weapon)."""

from affray.engine.dialects.pf1.maneuvers.maneuver_check import Check, attempt_maneuver, maneuver_blow
from affray.engine.dialects.pf1.maneuvers.maneuver_feats import GREATER, has_greater
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt, Substitute
from affray.engine.rules.classes.natures import FLYING, is_a
from affray.engine.rules.conditions.condition_rules import falls_prone
from affray.engine.rules.gear.held_weapons import held_weapons, strikes_in_melee
from affray.engine.rules.gear.let_go import lose
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def trip(fight: Fight, act: acts.Trip) -> Steps[None]:
    """Trip an opponent with the one attack of a standard action (pf1.trip, pf1.maneuver.modes)."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    attempt = plan_trip(fight, actor, target, act.weapon, "", "attack")
    yield spending(fight, actor, "standard", "trip", *fight.rules("pf1.trip", "pf1.maneuver.modes"))
    yield from carry_out_trip(fight, attempt)


def plan_trip(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to trip. Refuses who cannot be tripped, and who lies already."""
    refuse_untrippable(fight, target)
    blow = maneuver_blow(fight, attacker, target, "trip", tripping_weapon(fight, attacker, weapon), kind)
    blow.defense_extra += against_a_trip(fight, target)
    return Attempt(blow, name=fight.declaration)


def refuse_untrippable(fight: Fight, target: Combatant) -> None:
    """Refuse oozes, fliers, those without legs and those who are down already (pf1.trip)."""
    rule = fight.rule("pf1.trip")
    if is_a(target, "ooze") or is_a(target, FLYING) or target.sheet.legs == 0:
        raise Refusal(f"{target.id} cannot be tripped: no ooze, flier or creature without legs can", rule)
    if "prone" in target.conditions:
        raise Refusal(f"{target.id} is prone already", rule)


def tripping_weapon(fight: Fight, attacker: Combatant, name: str) -> Weapon:
    """Return the weapon to trip with: the one named, else one made for it, else any, else the bare hand."""
    if name:
        return find_weapon(fight, attacker, name)
    ready = [one for one in held_weapons(attacker) if strikes_in_melee(one)]
    made_for_it = (one for one in ready if "trip" in one.traits)
    return next(made_for_it, None) or next(iter(ready), None) or unarmed(fight, attacker)


def against_a_trip(fight: Fight, target: Combatant) -> list[Modifier]:
    """Return what more than two legs add to the CMD, and what option `trip_equality` asks besides."""
    parts, legs = more_legs(fight, target, "pf1.trip"), fight.rule("pf1.trip")
    if fight.option("trip_equality") == "must-exceed":
        parts.append(Modifier(1, "untyped", "must be exceeded (trip_equality: must-exceed)", legs))
    return parts


def more_legs(fight: Fight, target: Combatant, topic: str) -> list[Modifier]:
    """Return what each leg after the second adds to the CMD (pf1.trip, pf1.overrun)."""
    more = target.sheet.legs - 2
    if more <= 0:
        return []
    value = more * int(fight.figure(topic, "per_leg"))
    return [Modifier(value, "untyped", f"{target.sheet.legs} legs", fight.rule(topic))]


def carry_out_trip(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Make the attempt: the target falls; of a bad failure the attacker does, unless it drops the weapon."""
    blow = attempt.blow
    check = yield from attempt_maneuver(fight, attempt, "pf1.trip")
    if check is None:
        return False
    if check.won:
        yield from bring_down(fight, attempt)
        return True
    yield from trip_oneself(fight, blow, check)
    return False


def bring_down(fight: Fight, attempt: Attempt) -> Steps[None]:
    """Have the target fall prone; by Greater Trip it provokes from all who threaten it."""
    attacker, target = attempt.blow.attacker, attempt.blow.target
    yield from falls_prone(target, f"tripped by {attacker.id}", fight.rules("pf1.trip"))
    if has_greater(fight, attacker, "trip"):
        yield from fight.dialect.opportunity.provoke(
            fight, target, threatening(fight, target), "is tripped", f"tripped:{attempt.name}", GREATER
        )


def trip_oneself(fight: Fight, blow: Blow, check: Check) -> Steps[None]:
    """Have the attacker fall prone who has failed by far; who tripped with a trip weapon may drop it instead.

    pf1.trip, pf1.trip.weapon, pf1.weapons.trip-disarm-quality.
    """
    attacker, weapon = blow.attacker, blow.weapon
    if -check.margin < fight.figure("pf1.trip", "fumble") or "prone" in attacker.conditions:
        return
    if "trip" in weapon.traits and weapon.name in attacker.held:
        cites = fight.rules("pf1.trip.weapon", "pf1.weapons.trip-disarm-quality")
        question = f"does {attacker.id} drop the {weapon.name} to keep its feet?"
        if (yield Choice(attacker.id, "drop", question, ("drop", "fall"), cites[0])) == "drop":
            yield from lose(fight, attacker, weapon.name, "dropped", cites)
            return
    yield from falls_prone(attacker, f"tripped over {blow.target.id}", fight.rules("pf1.trip"))


TRIP = Substitute(plan_trip, carry_out_trip, "pf1.maneuver.modes", ("pf1.trip",))
