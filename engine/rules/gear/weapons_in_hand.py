"""Weapons in hand: which one is meant, and how far it strikes."""

from collections.abc import Callable

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.rules.gear.held_weapons import (
    OFF,
    SPIKES,
    fights_unarmed,
    held_weapons,
    is_armed,
    melee_band,
    strikes_in_melee,
    wants_loading,
)
from affray.engine.rules.position.place import reaches
from affray.engine.steps import Refusal, unknown_word
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def unarmed(fight: Fight, combatant: Combatant) -> Weapon:
    """Return the unarmed strike of a creature of that size (srd35.unarmed.damage)."""
    for weapon in combatant.sheet.weapons:
        if weapon.wield == "unarmed":
            return weapon
    dice = fight.dialect.gear.unarmed_dice(fight, combatant)
    return Weapon("unarmed strike", dice, "bludgeoning", "unarmed")


def bare_hand(fight: Fight, combatant: Combatant) -> str:
    """Return the damage dice of a bare hand of that size (pf1.unarmed.provokes)."""
    figures = fight.figure("unarmed.damage")
    return str(figures.get(combatant.sheet.size.capitalize(), figures["Medium"]))


def any_weapon(weapon: Weapon) -> bool:
    """Say that any weapon does."""
    return True


def find_weapon(
    fight: Fight, holder: Combatant, name: str, serves: Callable[[Weapon], bool] = any_weapon
) -> Weapon:
    """Return the weapon meant by a declaration; "" is the first one at hand. Refuses others.

    What is proposed instead of a name that there is not `serves` the purpose.
    """
    arms, held = holder.sheet.weapons, holder.held
    if not name:
        for weapon in arms:
            if weapon.name in held:
                return weapon
        return next(iter(held_weapons(holder)), None) or unarmed(fight, holder)
    in_hand = name in held
    for weapon in arms:
        if weapon.name == name and (in_hand or weapon.wield == "natural" or weapon.table == SPIKES):
            return weapon
    for weapon in arms:
        if weapon.name == name and weapon.wield == "unarmed":
            return weapon  # part of the body, whatever improves it: there is nothing to draw
    if name == "unarmed strike":
        return unarmed(fight, holder)
    if any(weapon.name == name for weapon in arms):
        raise Refusal(f"{holder.id} does not hold the {name}", fight.rule("weapon.in-hand"))
    raise unknown_word(
        "weapon",
        name,
        (one.name for one in arms if is_ready(holder, one) and serves(one)),
        fight.rule("weapon.in-hand"),
        holder.id,
    )


def is_ready(holder: Combatant, weapon: Weapon) -> bool:
    """Say whether a weapon of a combatant's sheet is in hand, worn, or part of the body."""
    return weapon.name in holder.held or weapon.wield in ("natural", "unarmed") or weapon.table == SPIKES


def refuse_lost_weapon(fight: Fight, attacker: Combatant, weapon: Weapon) -> None:
    """Refuse a weapon that is not in hand any more; what is part of the body is always there."""
    find_weapon(fight, attacker, weapon.name)


def weapon_to_load(fight: Fight, holder: Combatant, name: str, rule: str) -> Weapon:
    """Return the weapon of that name for loading. Refuses by `rule` what is none, and what is lost."""
    weapon = next((one for one in holder.sheet.weapons if one.name == name), None)
    if weapon is None:
        known = (
            one.name for one in holder.sheet.weapons if wants_loading(one) and one.name not in holder.unloaded
        )
        raise unknown_word("weapon", name, known, rule, holder.id)
    if holder.items.get(name) in OFF or name in holder.unloaded:
        raise Refusal(f"{holder.id} does not hold the {name}", fight.rule("weapon.in-hand"))
    return weapon


def as_wielded(fight: Fight, weapon: Weapon) -> Weapon:
    """Return a weapon as one blow of several is made with it: as it is."""
    return weapon


def out_of_reach(fight: Fight, holder: Combatant, weapon: Weapon, feet: int) -> str:
    """Return the topic of the rule by which a weapon does not strike at that distance."""
    return "attack-action.melee"


def melee_weapons_at(fight: Fight, combatant: Combatant, target: Combatant) -> list[Weapon]:
    """Return all armed weapons with which `combatant` reaches `target` in melee, as they are at hand."""
    ready = held_weapons(combatant)
    if fights_unarmed(combatant):
        ready = [*ready, unarmed(fight, combatant)]
    return [
        weapon
        for weapon in ready
        if strikes_in_melee(weapon)
        and is_armed(combatant, weapon)
        and reaches(combatant, target, *melee_band(combatant, weapon))
    ]


@per_fight(Same("combatant.sheet"), "combatant.held", "combatant.reach", "combatant.effects")
def plain_bands(fight: Fight, combatant: Combatant) -> tuple[tuple[int, int], ...]:
    """Return the distances at which a combatant threatens with what it holds.

    Empty for the unarmed (srd35.aoo.threatened).
    """
    return bands_of(fight, combatant, held_weapons(combatant))


def bands_of(fight: Fight, combatant: Combatant, weapons: list[Weapon]) -> tuple[tuple[int, int], ...]:
    """Return the distances at which a combatant threatens with these weapons, and with its bare hands."""
    if fights_unarmed(combatant):
        weapons = [*weapons, unarmed(fight, combatant)]
    return tuple(
        dict.fromkeys(
            melee_band(combatant, weapon)
            for weapon in weapons
            if strikes_in_melee(weapon) and is_armed(combatant, weapon) and "no-threat" not in weapon.traits
        )
    )


def is_lance(weapon: Weapon) -> bool:
    """Say whether a weapon is a lance."""
    return weapon.name.casefold().split()[-1:] == ["lance"] or "lance" in weapon.traits
