"""Weapons that count as magic against damage reduction (srd35.dr.magic-weapons, pf1.dr.rules)."""

from affray.engine.fight.fight import Fight
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def is_enhanced(fight: Fight, weapon: Weapon) -> bool:
    """Say whether a weapon has an enhancement bonus of magic; masterwork is not enough.

    srd35.dr.magic-weapons, pf1.dr.rules.
    """
    least = fight.figure("dr.magic-weapons", "enhancement")
    return any(
        one.kind == "enhancement" and one.source != "masterwork" and one.value >= least
        for one in weapon.attack
    )


def strikes_as_magic(fight: Fight, combatant: Combatant | None, weapon: Weapon) -> bool:
    """Say whether a weapon counts as magic: by its enhancement, or by the nature of whose limb it is.

    Missiles have it of what looses them, monsters of damage reduction that magic overcomes in their own limbs
    (srd35.dr.magic-weapons, pf1.dr.rules).
    """
    if is_enhanced(fight, weapon):
        return True
    natural = weapon.wield in ("natural", "unarmed")
    return (
        natural and combatant is not None and any("magic" in one.bypass for one in combatant.sheet.reductions)
    )
