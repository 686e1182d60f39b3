"""Ability modifiers and the parts that come straight from the sheet."""

from affray.engine.record.sheet_names import details_of
from affray.events.facts.sheet import SIZES, Sheet, Weapon
from affray.projections.state import Combatant


def ability_modifier(score: int | None) -> int:
    """Return the modifier of an ability score: half of what it exceeds 10, rounded down.

    A score that a creature does not have modifies nothing (srd35.ability.modifier).
    """
    return 0 if score is None else (score - 10) // 2


def score_of(sheet: Sheet, name: str) -> int | None:
    """Return the printed score of an ability ("str", "dex", ...); None for one that is not there."""
    score: int | None = getattr(sheet.abilities, "int_" if name == "int" else name)
    return score


def ability(sheet: Sheet, name: str) -> int:
    """Return the modifier of a sheet's ability ("str", "dex", "con", "int", "wis", "cha")."""
    return ability_modifier(getattr(sheet.abilities, "int_" if name == "int" else name))


def size_step(combatant: Combatant) -> int:
    """Return the size category as a number: fine 0, medium 4, colossal 8."""
    return SIZES.index(combatant.sheet.size)


def has_feat(combatant: Combatant, feat: str) -> bool:
    """Say whether the sheet names the feat (lower case, as printed: "combat reflexes")."""
    return feat in combatant.sheet.feats


def has_named(sheet: Sheet, name: str) -> bool:
    """Say whether a sheet lists the name among its feats or traits."""
    return name in sheet.feats or name in sheet.traits


def has_trait(combatant: Combatant, trait: str) -> bool:
    """Say whether the sheet names the trait."""
    return trait in combatant.sheet.traits


def trait_detail(combatant: Combatant, name: str) -> str:
    """Return what stands behind a trait of the sheet, such as the dice of "constrict 1d8+6", or ""."""
    traits = combatant.sheet.traits
    return next((detail for detail in details_of(name, traits) if detail), "") if traits else ""


def wielded_in_two_hands(weapon: Weapon) -> bool:
    """Say whether both hands hold the weapon."""
    return weapon.hands == 2 or weapon.wield == "two-handed"


def sizes_larger(one: Combatant, other: Combatant) -> int:
    """Return by how many sizes one is larger than the other, below 0 if smaller."""
    return size_step(one) - size_step(other)
