"""Weapons in hand: which one is meant, and how far it strikes."""

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.rules.gear.held_weapons import (
    fights_unarmed,
    held_weapons,
    is_armed,
    melee_band,
    strikes_in_melee,
)
from affray.engine.rules.position.place import reaches
from affray.engine.steps import Refusal
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def unarmed(fight: Fight, who: Combatant) -> Weapon:
    """Return the unarmed strike of a creature of that size (srd35.unarmed.damage)."""
    for weapon in who.sheet.weapons:
        if weapon.wield == "unarmed":
            return weapon
    dice = fight.dialect.gear.unarmed_dice(fight, who)
    return Weapon("unarmed strike", dice, "bludgeoning", "unarmed")


def bare_hand(fight: Fight, who: Combatant) -> str:
    """Return the damage dice of a bare hand of that size."""
    figures = fight.figure("unarmed.damage")
    return str(figures.get(who.sheet.size.capitalize(), figures["Medium"]))


def find_weapon(fight: Fight, who: Combatant, name: str) -> Weapon:
    """Return the weapon meant by a declaration; "" is the first one at hand. Refuses others."""
    if not name:
        for weapon in who.sheet.weapons:
            if weapon.name in who.held:
                return weapon
    ready = held_weapons(who)
    if not name:
        return ready[0] if ready else unarmed(fight, who)
    for weapon in ready:
        if weapon.name == name:
            return weapon
    if name == "unarmed strike":
        return unarmed(fight, who)
    if any(weapon.name == name for weapon in who.sheet.weapons):
        raise Refusal(f"{who.id} does not hold the {name}", fight.rule("weapon.in-hand"))
    raise Refusal(f"{who.id} has no weapon {name!r}", fight.rule("weapon.in-hand"))


def as_wielded(fight: Fight, weapon: Weapon) -> Weapon:
    """Return a weapon as one blow of several is made with it: as it is."""
    return weapon


def out_of_reach(fight: Fight, who: Combatant, weapon: Weapon, feet: int) -> str:
    """Return the topic of the rule by which a weapon does not strike at that distance."""
    return "attack-action.melee"


def melee_weapon_at(fight: Fight, who: Combatant, target: Combatant) -> Weapon | None:
    """Return the first armed weapon with which `who` reaches `target` in melee, if any."""
    ready = held_weapons(who)
    if not ready or fights_unarmed(who):
        ready = [*ready, unarmed(fight, who)]
    for weapon in ready:
        if strikes_in_melee(weapon) and is_armed(who, weapon):
            least, most = melee_band(who, weapon)
            if reaches(who, target, least, most):
                return weapon
    return None


@per_fight("who.id", Same("who.sheet"), "who.held")
def plain_bands(fight: Fight, who: Combatant) -> tuple[tuple[int, int], ...]:
    """Return the distances at which a combatant threatens with what it holds.

    Empty for the unarmed (srd35.aoo.threatened).
    """
    weapons = held_weapons(who)
    if fights_unarmed(who):
        weapons = [*weapons, unarmed(fight, who)]
    return tuple(
        dict.fromkeys(
            melee_band(who, weapon)
            for weapon in weapons
            if strikes_in_melee(weapon) and is_armed(who, weapon) and "no-threat" not in weapon.traits
        )
    )


def is_lance(weapon: Weapon) -> bool:
    """Say whether a weapon is a lance."""
    return weapon.name.casefold().split()[-1:] == ["lance"] or "lance" in weapon.traits
