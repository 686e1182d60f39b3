"""How a weapon sits in the hand, and what is worn beside it: what make, size and use do to an attack.

srd35.weapon.*, srd35.weapons.*, srd35.armor.nonproficient, srd35.armor.buckler, srd35.armor.tower-shield.
"""

from collections.abc import Iterator
from typing import Final

from affray.engine.dialects.srd35.gear.weapon_kinds import crossbow_class
from affray.engine.dialects.srd35.gear.worn_items import BUCKLER, TOWER
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.natural_weapons import secondary_part
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.gear import nets
from affray.engine.rules.gear.worn_items import borne_of_row, uses_shield_arm, worn_now
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import SIZES, Weapon, Worn
from affray.projections.state import Combatant

#: Checks of Strength and Dexterity that armor leaves alone unless one lacks proficiency with it.
PHYSICAL_CHECKS: Final = frozenset(
    {"strength", "dexterity", "initiative", "disable device", "open lock", "ride", "use rope"}
)


def attack_parts(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield what the weapon's make and the way it is held do to the attack, and what is worn."""
    attacker, weapon = blow.attacker, blow.weapon
    yield from make_parts(fight, attacker, weapon)
    if weapon.traits:
        yield from use_parts(fight, blow)
        if weapon.wield == "natural" and fight.dialect.attacks.secondary_limb(fight, attacker, weapon):
            yield secondary_part(fight, attacker)
    if weapon.rating is not None and not blow.melee and ability_now(fight, attacker, "str") < weapon.rating:
        source = f"too weak for a rating of {weapon.rating}"
        yield fight.modifier("srd35.weapons.composite", "too_weak_attack", kind="penalty", source=source)
    if weapon.family == "crossbow" and weapon.hands == 1 and not blow.melee:
        of = crossbow_class(weapon)
        part = fight.modifier(
            "srd35.weapons.crossbow-one-hand", of, kind="penalty", source=f"{of} crossbow in one hand"
        )
        if part.value:
            yield part
    if attacker.sheet.worn or attacker.sheet.armor:
        yield from worn_parts(fight, blow)


def make_parts(fight: Fight, holder: Combatant, weapon: Weapon) -> Iterator[Modifier]:
    """Yield what a weapon's size and make do: -2 for each category off, +1 for a masterwork one."""
    if weapon.size:
        steps = abs(SIZES.index(weapon.size) - SIZES.index(holder.sheet.size))
        if steps:
            topic = "srd35.weapon.wrong-size"
            per = fight.figure(topic, "attack_per_category")
            yield Modifier(per * steps, "penalty", f"made for a {weapon.size} creature", fight.rule(topic))
    if weapon.masterwork:
        yield fight.modifier(
            "srd35.weapon.masterwork", "weapon_attack", kind="enhancement", source="masterwork"
        )


def use_parts(fight: Fight, blow: Blow) -> Iterator[Modifier]:
    """Yield what a use does that a weapon was not made for: improvised, thrown, in melee, with stones."""
    traits = blow.weapon.traits
    if "improvised" in traits:
        yield fight.modifier("srd35.weapon.improvised", "attack", kind="penalty", source="improvised weapon")
    if "not made to be thrown" in traits:
        yield fight.modifier(
            "srd35.weapon.thrown-unsuited", "attack", kind="penalty", source="not made to be thrown"
        )
    if blow.melee and "nonproficient in melee" in traits and blow.weapon.proficient:
        yield fight.modifier(
            "srd35.weapon.nonproficient", "attack", kind="penalty", source="not made for melee"
        )
    if "stones" in traits and not blow.melee:
        yield fight.modifier("srd35.weapons.sling-stones", "attack", kind="penalty", source="ordinary stones")
    if "entangle" in traits:
        yield from nets.unfolded_part(fight, blow)


def worn_parts(fight: Fight, blow: Blow) -> Iterator[Modifier]:
    """Yield what armor and shields do to the attacks of their wearer."""
    for one in worn_now(blow.attacker):
        yield from unpractised(fight, blow.attacker, one)
    if uses_shield_arm(blow.weapon) and borne_of_row(blow.attacker, *BUCKLER):
        yield fight.modifier("srd35.armor.buckler", "attack", kind="penalty", source="buckler on that arm")
    if borne_of_row(blow.attacker, *TOWER):
        yield fight.modifier("srd35.armor.tower-shield", "attack", kind="penalty", source="tower shield")


def unpractised(fight: Fight, combatant: Combatant, worn: Worn) -> Iterator[Modifier]:
    """Yield the check penalty of what is worn without proficiency, 1 worse if put on in haste.

    srd35.armor.nonproficient, srd35.armor.hasty.
    """
    if worn.proficient:
        return
    source = f"not proficient with the {worn.name}"
    if worn.check:
        yield Modifier(worn.check, "penalty", source, fight.rule("srd35.armor.nonproficient"))
    if combatant.items.get(worn.name) == "hasty":
        yield fight.modifier(
            "srd35.armor.hasty", "check", kind="penalty", source=f"{worn.name} put on in haste"
        )


def damage_parts(fight: Fight, blow: Blow, detail: str) -> tuple[Modifier, ...]:
    """Return what the weapon's material does to its damage: alchemical silver is soft."""
    if blow.weapon.material != "silver":
        return ()
    return (
        fight.modifier(
            "srd35.weapons.special-materials", "silver", "damage", kind="penalty", source="silver"
        ),
    )


def check_parts(fight: Fight, holder: Combatant, name: str, detail: str) -> Iterator[Modifier]:
    """Yield the check penalty of armor worn without proficiency, on checks of Strength and Dexterity."""
    if not holder.sheet.worn or name not in PHYSICAL_CHECKS:
        return
    for one in worn_now(holder):
        yield from unpractised(fight, holder, one)


def initiative_parts(fight: Fight, holder: Combatant, name: str, detail: str) -> Iterator[Modifier]:
    """Yield what armor worn without proficiency does to initiative, a check of Dexterity as well."""
    yield from check_parts(fight, holder, "initiative", detail)


#: Asked of everybody: what a sheet's arms come to stands on no list of feats.
