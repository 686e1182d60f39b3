"""Poison on weapons: smeared there, spent by the first hit, a danger to whoever handles it.

srd35.poison, pf1.poison.
"""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded, EffectGained, ResourceSpent, Until
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet_parts import Rider
from affray.projections.state import Combatant, Effect

SMEARED = "poison on the "
#: The topic of the rule on poison.
POISON = "poison"


def dose_for_weapon(fight: Fight, actor: Combatant, act: acts.Envenom) -> tuple[Rider, str]:
    """Return the dose that is meant and the weapon in hand for it. Refuses what the actor has not.

    srd35.poison, pf1.poison.
    """
    rule = fight.rule(POISON)
    dose = next((one for one in actor.sheet.poisons if act.poison in ("", one.name)), None)
    doses = sum(one == dose for one in actor.sheet.poisons)
    if dose is None:
        if not actor.sheet.poisons:
            raise Refusal(f"{actor.id} has no poison", rule)
        known = dict.fromkeys(one.name for one in actor.sheet.poisons)
        raise unknown_word("poison", act.poison, known, rule, actor.id)
    if actor.resources.get(dose.name, 0) >= doses:
        raise Refusal(f"{actor.id} has no dose of {dose.name} left", rule)
    weapon = act.weapon or next(iter(actor.held), "")
    if not weapon:
        raise Refusal(f"{actor.id} holds no weapon to poison", rule)
    if weapon not in actor.held:
        raise unknown_word("weapon", weapon, actor.held, fight.rule("weapon.in-hand"), actor.id, "in hand")
    if dose.delivery != "injury":
        raise Refusal(f"{dose.name} is no poison for weapons", rule)
    return dose, weapon


def smear(fight: Fight, actor: Combatant, dose: Rider, weapon: str) -> Steps[None]:
    """Put a dose on a weapon; it may get at whoever does (srd35.poison, pf1.poison)."""
    rule = fight.rule(POISON)
    yield ResourceSpent(who=actor.id, resource=dose.name, amount=1, cites=(rule,))
    if (yield from is_exposed_to_own(fight, actor)):
        yield from fight.dialect.conditions.take_rider(fight, actor, dose)
    yield EffectGained(
        who=actor.id,
        id=fight.key(actor.id, "smeared"),
        stat=f"{SMEARED}{weapon}",
        modifier=Modifier(0, "poison", dose.name, rule),
        until=Until(),
        cites=(rule,),
    )


def is_exposed_to_own(fight: Fight, victim: Combatant) -> Steps[bool]:
    """Roll whether somebody who handles poison is exposed to it."""
    percent, rule = fight.figure(POISON, "self_pct"), fight.rule(POISON)
    return (yield from percent_roll(victim, "exposure", percent, f"{percent}% to be exposed", rule))


def poison_on(combatant: Combatant, weapon: str) -> tuple[Effect, Rider] | None:
    """Return the poison on a weapon: the effect that says so, and the poison; None for a clean one."""
    for effect in combatant.effects:
        if effect.stat == f"{SMEARED}{weapon}":
            for dose in combatant.sheet.poisons:
                if dose.name == effect.modifier.source:
                    return effect, dose
    return None


def spend_poison(fight: Fight, blow: Blow) -> Steps[tuple[Rider, ...]]:
    """Take the poison off the weapon that has hit, and return it (srd35.poison, pf1.poison)."""
    found = poison_on(blow.attacker, blow.weapon.name)
    if found is None:
        return ()
    effect, dose = found
    yield EffectEnded(who=blow.attacker.id, id=effect.id, why="used", cites=fight.rules(POISON))
    return (dose,)


def poisons_of(blow: Blow) -> list[Rider]:
    """Return the poisons of a weapon: those that it has by itself, and what was smeared on it."""
    found = poison_on(blow.attacker, blow.weapon.name)
    own = [one for one in blow.weapon.riders if one.kind == "poison"]
    return own if found is None else [*own, found[1]]
