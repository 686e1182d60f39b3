"""Poison, and what else a blow, a spell or a danger brings along besides damage (pf1.poison).

Of a poison's entry `rounds` says for how many rounds it works, one saving throw in each; one that succeeds
cures it. `envenom` smears a dose of the sheet's `poisons` on a weapon.
"""

from msgspec.structs import replace

from affray.engine.dialects.pf1.conditions.ability_loss import lose_ability_points
from affray.engine.dialects.pf1.conditions.negative_levels import negative_levels
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.classes.sheet_faults import LEVELS, POINTS
from affray.engine.rules.conditions.immunities import is_immune_to_rider
from affray.engine.rules.conditions.poisoned_weapons import (
    dose_for_weapon,
    poisons_of,
    smear,
    spend_poison,
)
from affray.engine.rules.damage.critical_riders import critical_riders
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.steps import Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import AfflictionEnded, AfflictionHeld, ConditionGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet_parts import Rider
from affray.projections.state import Affliction, Combatant

POISON = "poison"


def envenom(fight: Fight, act: acts.Envenom) -> Steps[None]:
    """Smear a dose on a weapon in hand, a standard action; 1 time in 20 it gets at its user (pf1.poison)."""
    actor = fight.combatant(act.actor)
    dose, weapon = dose_for_weapon(fight, actor, act)
    yield spending(fight, actor, "standard", "poison a weapon", fight.rule("pf1.poison"))
    yield from smear(fight, actor, dose, weapon)


def exposed_by_fumble(fight: Fight, blow: Blow) -> Steps[None]:
    """Expose whoever rolls a natural 1 with a poisoned weapon to what is on it (pf1.poison)."""
    for poison in poisons_of(blow):
        what = f"gets at the {poison.name} on its own {blow.weapon.name}"
        yield RuleApplied(who=blow.attacker.id, what=what, cites=fight.rules("pf1.poison"))
        yield from expose(fight, blow.attacker, poison)


def apply_weapon_riders(fight: Fight, blow: Blow, harm: Harm | None, critical: bool) -> Steps[None]:
    """Let what the weapon of a hit brings along take effect, with the poison on it that the hit spends.

    What needs a wound fails without one (pf1.dr.rules, pf1.poison).
    """
    wounds = harm is None or harm.amount > 0
    doses = yield from spend_poison(fight, blow)
    for rider in (*blow.weapon.riders, *doses):
        if "dead" in blow.target.conditions:
            return
        if rider.delivery == "injury" and rider.kind != "energy drain" and not wounds:
            what = f"the {rider.name} does not get into {blow.target.id}: no wound"
            yield RuleApplied(who=blow.target.id, what=what, cites=fight.rules("pf1.dr.rules"))
            continue
        if critical:
            (rider,) = yield from critical_riders(fight, blow.target, [rider])
        yield from expose(fight, blow.target, rider, blow.attacker)


def expose(fight: Fight, victim: Combatant, rider: Rider, by: Combatant | None = None) -> Steps[None]:
    """Let a creature resist what it is exposed to, or suffer it; poison goes on from there (pf1.poison)."""
    if "dead" in victim.conditions or (yield from is_immune_to_rider(fight, victim, rider)):
        return
    cites = fight.rules("pf1.poison") if rider.kind == POISON else ()
    if rider.save and (yield from saving_throw(fight, victim, rider.save, rider.dc, rider.name, *cites)):
        return
    yield from take_effect(fight, victim, rider, by.id if by is not None else "")
    if rider.kind == POISON and "dead" not in victim.conditions:
        yield from work_on(fight, victim, rider, by.id if by is not None else "")


def work_on(fight: Fight, victim: Combatant, rider: Rider, by: str) -> Steps[None]:
    """Let a poison that took effect work on, for its rounds less this one.

    A further dose of one that is at work already raises its DC by 2, and it works half as long again.
    """
    held = next((one for one in victim.afflictions if one.rider.name == rider.name), None)
    dc, rounds = rider.dc, rider.rounds - 1
    if held is not None:
        dc = held.dc + int(fight.figure("pf1.poison", "dose_dc"))
        longer = fight.figure("pf1.poison", "dose_duration") - 1
        rounds = held.rider.rounds + int(rider.rounds * longer)
    if rounds <= 0:
        return
    later = fight.state.round + 1
    yield AfflictionHeld(
        who=victim.id,
        id=held.id if held is not None else fight.key(victim.id, POISON),
        rider=replace(rider, rounds=rounds),
        by=by,
        dc=dc,
        round=later,
        cites=fight.rules("pf1.poison"),
    )


def poisons_work(fight: Fight, victim: Combatant) -> Steps[None]:
    """Let every poison in a creature work as its turn begins: another save each, until one succeeds."""
    for held in victim.afflictions:
        if held.rider.kind == POISON and held.round <= fight.state.round and "dead" not in victim.conditions:
            yield from poison_again(fight, victim, held)


def poison_again(fight: Fight, victim: Combatant, held: Affliction) -> Steps[None]:
    """Save once more against a poison: cured, or its effect again, until its rounds are over (pf1.poison)."""
    rider, cites = held.rider, fight.rules("pf1.poison")
    saved = yield from saving_throw(fight, victim, rider.save or "fort", held.dc, rider.name, *cites)
    left = rider.rounds - 1
    if saved or left <= 0:
        why = "cured by a save" if saved else "it has run its course"
        yield AfflictionEnded(who=victim.id, id=held.id, why=why, cites=cites)
    else:
        yield AfflictionHeld(
            who=victim.id,
            id=held.id,
            rider=replace(rider, rounds=left),
            by=held.by,
            dc=held.dc,
            round=fight.state.round + 1,
            cites=cites,
        )
    if not saved:
        yield from take_effect(fight, victim, rider, held.by)


def take_effect(fight: Fight, victim: Combatant, rider: Rider, by: str) -> Steps[None]:
    """Let an effect come over a creature: lost ability points, negative levels, or a condition."""
    text = rider.effect
    if not text:
        return
    if points := POINTS.fullmatch(text):
        dice = points["dice"]
        amount = int(dice) if dice.isdecimal() else 0
        if not amount:
            rolled = yield Roll(by or victim.id, rider.kind.replace(" ", "-"), dice)
            amount = rolled.total
        drain = bool(points["drain"])
        yield from lose_ability_points(fight, victim, points["ability"], amount, rider.name, drain=drain)
    elif levels := LEVELS.fullmatch(text):
        yield from negative_levels(fight, victim, int(levels["levels"]), rider.name, rider.dc, by)
    else:
        lasts = rider.rounds and rider.kind != POISON
        maker = fight.state.combatants.get(by, victim)
        until = for_rounds(fight, maker, rider.rounds) if lasts else Until()
        cites = fight.rules("pf1.round.duration-expiry") if lasts else ()
        fact = ConditionGained(who=victim.id, condition=text, source=rider.name, until=until, cites=cites)
        yield from fight.dialect.conditions.gain(fight, fact)
