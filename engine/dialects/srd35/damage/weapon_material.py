"""What a weapon is made of against what its target wears (srd35.dr.magic-weapons, srd35.weapons.whip)."""

from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.damage.magic_weapons import strikes_as_magic
from affray.engine.rules.defense.armor_class import broken_items
from affray.projections.state import Combatant

#: When nothing about target, attacker or weapon can take anything off: the common blow.
PLAIN_BLOW: Final = (
    "weapon is not None and not (weapon.traits or nonlethal or energy or energies)"
    " and not (target.sheet.reductions or target.sheet.regeneration or target.sheet.traits)"
    " and 'barbarian' not in target.sheet.classes and (attacker is None or not attacker.conditions)"
)
#: The trait of a weapon that hurts nobody through armor.
WHIP: Final = "no damage vs armor +1 or natural armor +3"


def unreduced(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return all of the damage, from which nothing takes anything."""
    return harm.amount, ""


def stopped_by_armor(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return that armor or natural armor stops the damage of a whip (srd35.weapons.whip)."""
    harm.reduced_by += fight.rules("srd35.weapons.whip")
    return 0, f"the {harm.source} does nothing against {protection_from_whip(fight, harm.target)}"


def is_armored(fight: Fight, harm: Harm) -> bool:
    """Say whether armor or natural armor protects the target from a whip (srd35.weapons.whip)."""
    return protection_from_whip(fight, harm.target) != ""


def weapon_damage_as_magic(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return the damage of a weapon, which counts as magic from now on where it is.

    A magic weapon is one with an enhancement bonus; masterwork is not enough. Missiles have it of what
    looses them, monsters of damage reduction that magic overcomes in their own limbs
    (srd35.dr.magic-weapons).
    """
    weapon = harm.weapon
    if weapon is None or "magic" in weapon.traits:
        return harm.amount, ""
    asked = any("magic" in one.bypass for one in harm.target.sheet.reductions)
    if asked and strikes_as_magic(fight, harm.attacker, weapon):
        harm.weapon = replace(weapon, traits=(*weapon.traits, "magic"))
        harm.reduced_by += fight.rules("srd35.dr.magic-weapons")
    return harm.amount, ""


def protection_from_whip(fight: Fight, victim: Combatant) -> str:
    """Return what of a creature's protection a whip cannot hurt through, "" for nothing."""
    gone = broken_items(victim)
    for kind, figure in (("armor", "armor_bonus"), ("natural", "natural_armor")):
        worn = (one.value for one in victim.sheet.armor if one.kind == kind and one.source not in gone)
        if max(worn, default=0) >= fight.figure("srd35.weapons.whip", figure):
            return "armor" if kind == "armor" else "natural armor"
    return ""
