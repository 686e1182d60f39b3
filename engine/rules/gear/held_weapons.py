"""What a combatant has in hand to strike with: arms, bare hands, natural weapons, and how far they reach."""

from typing import Final

from affray.engine.record.sheet_names import details_of
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.events.facts.sheet import Sheet, Weapon
from affray.projections.state import Combatant

#: The row of the weapon that is worn on armor: it is at hand and takes none (srd35.weapons.armor-spikes).
SPIKES: Final = "spiked armor"
#: The stat of what lengthens a reach for a while, in feet.
REACH: Final = "reach"
#: What the trait that counts the arms begins with: "arms 4".
ARMS: Final = "arms "


def natural_weapons(combatant: Combatant) -> list[Weapon]:
    """Return the weapons that are part of the creature."""
    return [weapon for weapon in combatant.sheet.weapons if weapon.wield == "natural"]


def held_weapons(combatant: Combatant) -> list[Weapon]:
    """Return what the creature can strike with now: held weapons first, then natural ones and worn ones."""
    arms, held = combatant.sheet.weapons, combatant.held
    in_hand, others = [], []
    for weapon in arms:
        if weapon.name in held:
            in_hand.append(weapon)
        if weapon.wield == "natural" or (weapon.table == SPIKES and weapon.name not in held):
            others.append(weapon)
    return in_hand + others


def strikes_per_full_attack(weapon: Weapon) -> int:
    """Return how often a natural weapon strikes in a full attack: once, or as its trait "attacks 2" says."""
    return next((int(many) for many in details_of("attacks", weapon.traits) if many.isdecimal()), 1)


def arms_by_trait(sheet: Sheet) -> int:
    """Return how many arms a creature has: two, or as many as its trait "arms 4" says."""
    told = (trait[len(ARMS) :] for trait in sheet.traits if trait.startswith(ARMS))
    return next((int(number) for number in told if number.isdecimal()), 2)


def counted_arms(combatant: Combatant) -> int:
    """Return how many arms a combatant has."""
    return arms_by_trait(combatant.sheet)


def wields_two(combatant: Combatant) -> bool:
    """Say whether a combatant holds a melee weapon in each hand, or a double weapon."""
    arms = [
        one
        for one in combatant.sheet.weapons
        if one.name in combatant.held and one.wield not in ("natural", "unarmed")
    ]
    return any("double" in one.traits for one in arms) or sum(map(strikes_in_melee, arms)) > 1


def is_armed(holder: Combatant, weapon: Weapon) -> bool:
    """Say whether an attack with the weapon counts as armed (srd35.unarmed.armed)."""
    return weapon.wield != "unarmed" or fights_unarmed(holder) or "armed" in weapon.traits


def fights_unarmed(combatant: Combatant) -> bool:
    """Say whether bare hands are arms: by Improved Unarmed Strike, which every monk has."""
    return has_feat(combatant, "improved unarmed strike") or "monk" in combatant.sheet.classes


def strikes_in_melee(weapon: Weapon) -> bool:
    """Say whether a weapon can be used hand to hand; what breaks where it hits is thrown only."""
    return (
        weapon.wield != "projectile"
        and (weapon.range == 0 or weapon.thrown)
        and "no melee use" not in weapon.traits
        and "splash" not in weapon.traits
    )


def melee_band(holder: Combatant, weapon: Weapon) -> tuple[int, int]:
    """Return the distances, (least, most) in feet, at which a weapon strikes in melee.

    A reach weapon doubles the natural reach and cannot strike within it; a whip-like "long" one
    strikes at both (srd35.aoo.reach-weapons, srd35.size.large-reach-weapon).
    """
    reach, more = holder.reach, longer_reach(holder)
    if weapon.far:
        return 0, weapon.far + more
    if weapon.reach:
        return (0 if "near-and-far" in weapon.traits else reach + 5), reach * 2 + more
    return 0, reach + more


def longer_reach(combatant: Combatant) -> int:
    """Return the feet by which a combatant reaches farther than by nature, for a while."""
    return sum(one.modifier.value for one in combatant.effects if one.stat == REACH)


#: States of an item that is not worn any more.
OFF: Final = ("doffed", "broken", "gone", "dropped")


def bears_shield(holder: Combatant) -> bool:
    """Say whether a shield is on somebody's arm that leaves the hand no room; a buckler does."""
    bucklers = [one.name for one in holder.sheet.worn if one.table == "buckler"]
    return any(
        part.kind == "shield"
        and part.source not in bucklers
        and "buckler" not in part.source
        and holder.items.get(part.source or "shield") not in (*OFF, "stowed")
        for part in holder.sheet.armor
    )


def wants_loading(weapon: Weapon) -> bool:
    """Say whether a weapon must be loaded before each shot."""
    return bool(weapon.load) or "slow-load" in weapon.traits
