"""Blocking: who may, with what, and what it takes off the damage (woa.reaction.block.*)."""

from affray.engine.dialects.woa.defense.armor_class import SHIELD, lost_items
from affray.engine.dialects.woa.grapple.grab_modifiers import blocks_with
from affray.engine.dialects.woa.grapple.grab_state import OTHER_ARM, WEAPON_ARM
from affray.engine.dialects.woa.mounted.mounted_modifiers import has_stirrups
from affray.engine.dialects.woa.opportunity.dodge_and_block_bonuses import bonus_on_block
from affray.engine.dialects.woa.opportunity.expected_blows import fraction, group_level, why_unexpected
from affray.engine.dialects.woa.opportunity.reaction_budget import has_reaction_left
from affray.engine.dialects.woa.position.high_ground import blocks_down
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import wielded_in_two_hands
from affray.engine.rules.gear.held_weapons import held_weapons, strikes_in_melee
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

LODGED = "missile lodged"
"""The condition of whoever has a missile in the shield that is a hindrance."""


def why_no_block(fight: Fight, blow: Blow) -> tuple[str, ...] | None:
    """Return the topics of the rules that forbid a block now, () for none; None for who never blocks.

    woa.reaction.block.awareness, woa.mount.combat.saddle-required, woa.high-ground.blocking
    """
    target = blow.target
    if not group_level(fight, target, "warrior"):
        return None
    if not has_reaction_left(fight, target, "block"):
        return None
    if unstirruped(fight, target):
        return ("mount.combat.saddle-required",)
    if missing := why_unexpected(fight, blow, "block"):
        return missing
    return ("woa.high-ground.blocking",) if not blow.intent.maneuver and blocks_down(fight, blow) else ()


def unstirruped(fight: Fight, combatant: Combatant) -> bool:
    """Say whether somebody rides without stirrups (woa.mount.combat.saddle-required)."""
    return bool(combatant.mount) and not has_stirrups(fight.state.combatants[combatant.mount])


def means_to_block(fight: Fight, blow: Blow) -> list[tuple[int, str]]:
    """Return (damage reduction, means) of each block that the target may make, the best first.

    Warriors only; melee attacks with shield or weapon, ranged ones with a shield (woa.reaction.block.*). A
    maneuver does no damage that a block could reduce.
    """
    target = blow.target
    warrior = group_level(fight, target, "warrior")
    if not warrior or blow.intent.maneuver:
        return []
    found: list[tuple[int, str]] = []
    ruined = lost_items(target)
    shield = sum(
        part.value
        for part in target.sheet.armor
        if part.kind in SHIELD and (part.source or "shield") not in ruined
    )
    if shield and LODGED not in target.conditions and blocks_with(fight, target, OTHER_ARM):
        found.append((part_of(fight, target, "shield") + shield, "shield"))
    if blow.melee and blocks_with(fight, target, WEAPON_ARM):
        for weapon in held_weapons(target):
            if strikes_in_melee(weapon) and weapon.wield not in ("natural", "unarmed"):
                value = value_of_block(fight, target, weapon)
                if value and weapon.name not in [means for _, means in found]:
                    found.append((value, weapon.name))
    found.sort(key=lambda one: -one[0])
    return [
        (value + sum(part.value for part in bonus_on_block(fight, target, means)), means)
        for value, means in found
    ]


def value_of_block(fight: Fight, combatant: Combatant, weapon: Weapon) -> int:
    """Return what a block with a weapon takes off the damage (woa.reaction.block.value)."""
    if wielded_in_two_hands(weapon) and weapon.wield != "light":
        return part_of(fight, combatant, "two-handed weapon")
    return part_of(fight, combatant, "light weapon" if weapon.wield == "light" else "one-handed weapon")


def part_of(fight: Fight, combatant: Combatant, means: str) -> int:
    """Return the part of the warrior level that the block table gives for a means ("1/3 warrior level")."""
    words = str(fight.figure("woa.reaction.block.value", f"blocking_with={means}", "dr"))
    return fraction(group_level(fight, combatant, "warrior"), words)
