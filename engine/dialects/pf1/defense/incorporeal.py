"""What harms creatures without a body: magic by half, force and their like wholly (pf1.cond.incorporeal)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.classes.natures import INCORPOREAL, is_a
from affray.engine.rules.damage.magic_weapons import is_enhanced
from affray.engine.steps import Refusal, Steps
from affray.events.facts.sheet import Spell, Weapon
from affray.projections.state import Combatant

TOPIC: Final = "pf1.cond.incorporeal"
BODILESS: Final = "pf1.creature.incorporeal"
#: What touches the bodiless as anybody, among the traits of a weapon.
TOUCHING: Final = frozenset({"force", "ghost touch"})
#: What is no spell and no weapon, and meets them wholly.
CHANNELED: Final = "channel energy"


def is_magic(fight: Fight, weapon: Weapon) -> bool:
    """Say whether a weapon is magic: by its enhancement bonus, its trait, or as a spell."""
    return is_enhanced(fight, weapon) or "magic" in weapon.traits or weapon.family == "spell"


def goes_through(fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon) -> bool:
    """Say whether the one of the two that has no body keeps a maneuver from moving or handling the other.

    Magic weapons reach the bodiless; the bodiless reach nobody who has a body but with what touches both.
    """
    if is_a(target, INCORPOREAL) == is_a(attacker, INCORPOREAL) or not TOUCHING.isdisjoint(weapon.traits):
        return False
    return is_a(attacker, INCORPOREAL) or not is_magic(fight, weapon)


def refuse_to_handle(fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon) -> None:
    """Refuse to trip, hold or push where one of the two has no body.

    The bodiless by what is not magic (pf1.cond.incorporeal), anybody else by the bodiless
    (pf1.creature.incorporeal).
    """
    if goes_through(fight, attacker, target, weapon):
        if is_a(attacker, INCORPOREAL):
            reason = f"{attacker.id} has no body to move or handle {target.id} with"
            raise Refusal(reason, fight.rule(BODILESS))
        reason = f"{target.id} has no body, and the {weapon.name} is not magic"
        raise Refusal(reason, fight.rule(TOPIC))


def strikes_wholly(harm: Harm) -> bool:
    """Say whether harm meets the bodiless as anybody: of their like, of force, channeled."""
    if harm.attacker is not None and is_a(harm.attacker, INCORPOREAL):
        return True
    if harm.damage_type == "force" or harm.source == CHANNELED:
        return True
    return harm.weapon is not None and not TOUCHING.isdisjoint(harm.weapon.traits)


def without_body(fight: Fight, harm: Harm, found: tuple[int, str]) -> tuple[int, str]:
    """Return what harm does to the bodiless: nothing without magic, else half, and why.

    pf1.cond.incorporeal.
    """
    left, why = found
    if strikes_wholly(harm):
        return found
    harm.reduced_by += fight.rules(TOPIC)
    magic = harm.energy if harm.weapon is None else is_magic(fight, harm.weapon)
    share = fight.figure(TOPIC, "damage") if magic else 0
    told = "incorporeal: half" if magic else "incorporeal: no harm without magic"
    return int(left * share), "; ".join(filter(None, (why, told)))


def spell_passes_through(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether a spell without damage passes through the bodiless: half the time, if a body cast it.

    pf1.cond.incorporeal.
    """
    if spell.damage or spell.healing or is_a(caster, INCORPOREAL) or spell.damage_type == "force":
        return False
    percent, rule = int(fight.figure(TOPIC, "others_pct")), fight.rule(TOPIC)
    return (yield from percent_roll(target, INCORPOREAL, percent, f"{percent}% to pass through", rule))
