"""What a weapon is made of against what its target wears (srd35.dr.magic-weapons, srd35.weapons.whip)."""

from msgspec.structs import replace

from affray.engine.blow import Harm
from affray.engine.dialects.srd35.gear.object_creature import soak
from affray.engine.dialects.srd35.movement import swim
from affray.engine.fight import Fight
from affray.engine.rules.classes.features import having
from affray.engine.rules.defense.armor_class import broken_items
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def reduce(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return what is left after what the target wears, is and resists, and what took the rest.

    A magic weapon is one with an enhancement bonus; masterwork is not enough. Missiles have it of what
    looses them, monsters of damage reduction that magic overcomes in their own limbs.
    """
    sheet, weapon = harm.target.sheet, harm.weapon
    if sheet.thing is not None:
        return soak(fight, harm)
    reductions = sheet.reductions
    if (
        weapon is not None
        and not (harm.nonlethal or harm.energies or harm.energy or weapon.traits)
        and not (reductions or sheet.regeneration or "barbarian" in sheet.classes)
        and not having(fight, harm.target, "shrug")
        and (harm.attacker is None or not harm.attacker.conditions)
    ):
        # Nothing about target, attacker or weapon can take anything off.
        return harm.amount, ""
    if weapon is None:
        return swim.reduce(fight, harm)
    if "no damage vs armor +1 or natural armor +3" in weapon.traits:
        hide = hidden_behind(fight, harm.target)
        if hide:
            harm.reduced_by += fight.rules("weapons.whip")
            return 0, f"the {weapon.name} does nothing against {hide}"
    asked = any("magic" in one.bypass for one in reductions) and "magic" not in weapon.traits
    if asked and strikes_as_magic(fight, harm.attacker, weapon):
        harm.weapon = replace(weapon, traits=(*weapon.traits, "magic"))
        harm.reduced_by += fight.rules("dr.magic-weapons")
    return swim.reduce(fight, harm)


def strikes_as_magic(fight: Fight, who: Combatant | None, weapon: Weapon) -> bool:
    """Say whether a weapon counts as magic: by its enhancement, or by the nature of whose limb it is."""
    least = fight.figure("dr.magic-weapons", "enhancement")
    if any(
        one.kind == "enhancement" and one.source != "masterwork" and one.value >= least
        for one in weapon.attack
    ):
        return True
    natural = weapon.wield in ("natural", "unarmed") and who is not None
    return natural and who is not None and any("magic" in one.bypass for one in who.sheet.reductions)


def hidden_behind(fight: Fight, who: Combatant) -> str:
    """Return what of a creature's protection a whip cannot hurt through, "" for nothing."""
    gone = broken_items(who)
    for kind, figure in (("armor", "armor_bonus"), ("natural", "natural_armor")):
        worn = (one.value for one in who.sheet.armor if one.kind == kind and one.source not in gone)
        if max(worn, default=0) >= fight.figure("weapons.whip", figure):
            return "armor" if kind == "armor" else "natural armor"
    return ""
