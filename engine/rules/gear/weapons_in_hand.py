"""Weapons in hand: which one is meant, and how far it strikes."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.rules.classes.ability_modifiers import has_feat
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


def natural_weapons(who: Combatant) -> list[Weapon]:
    """Return the weapons that are part of the creature."""
    return [weapon for weapon in who.sheet.weapons if weapon.wield == "natural"]


def held_weapons(who: Combatant) -> list[Weapon]:
    """Return what the creature can strike with now: held weapons first, then natural ones."""
    held = [weapon for weapon in who.sheet.weapons if weapon.name in who.held]
    return held + natural_weapons(who)


def wields_two(who: Combatant) -> bool:
    """Say whether a combatant holds a melee weapon in each hand, or a double weapon."""
    arms = [
        one for one in who.sheet.weapons if one.name in who.held and one.wield not in ("natural", "unarmed")
    ]
    return any("double" in one.traits for one in arms) or sum(map(strikes_in_melee, arms)) > 1


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


def is_armed(who: Combatant, weapon: Weapon) -> bool:
    """Say whether an attack with the weapon counts as armed (srd35.unarmed.armed)."""
    return weapon.wield != "unarmed" or fights_unarmed(who) or "armed" in weapon.traits


def fights_unarmed(who: Combatant) -> bool:
    """Say whether bare hands are arms: by Improved Unarmed Strike, which every monk has."""
    return has_feat(who, "improved unarmed strike") or "monk" in who.sheet.classes


def strikes_in_melee(weapon: Weapon) -> bool:
    """Say whether a weapon can be used hand to hand."""
    return (
        weapon.wield != "projectile"
        and (weapon.range == 0 or weapon.thrown)
        and "no melee use" not in weapon.traits
    )


def melee_band(who: Combatant, weapon: Weapon) -> tuple[int, int]:
    """Return the distances, (least, most) in feet, at which a weapon strikes in melee.

    A reach weapon doubles the natural reach and cannot strike within it; a whip-like "long" one
    strikes at both (srd35.aoo.reach-weapons, srd35.size.large-reach-weapon).
    """
    reach = who.reach
    if weapon.far:
        return 0, weapon.far
    if weapon.reach:
        return (0 if "near-and-far" in weapon.traits else reach + 5), reach * 2
    return 0, reach


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


#: States of an item that is not worn any more.
OFF: Final = ("doffed", "broken", "gone", "dropped")


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
