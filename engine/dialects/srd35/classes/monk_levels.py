"""What a monk's level is good for, and where its abilities are told."""

from collections.abc import Mapping
from typing import Any

from affray.engine.dialects.srd35.gear.worn_items import load_condition
from affray.engine.rules.classes.levels import class_level
from affray.engine.rules.gear.worn_items import worn_now
from affray.projections.state import Combatant

#: The sizes of which one of two tables has the damage of a monk's fists.
TOLD = frozenset({"tiny", "medium", "large"})

#: Conditions of who cannot move at all, though not helpless.
IMMOBILE = ("pinned", "immobile", "stuck")


def monk_level(combatant: Combatant) -> int:
    """Return a combatant's monk levels, by which it has what monks learn."""
    return combatant.sheet.classes.get("monk", 0)


def effective_monk_level(combatant: Combatant) -> int:
    """Return the monk level that gives damage, speed, Armor Class and the penalty of a flurry, at least 1."""
    return max(1, class_level(combatant, "monk"))


def at_level(figures: Mapping[str, Any], level: int) -> Any:
    """Return the figure of the highest level reached, None below the first."""
    reached = [int(step) for step in figures if step.isdecimal() and int(step) <= level]
    return figures[str(max(reached))] if reached else None


def has_table(combatant: Combatant) -> bool:
    """Say whether tables give the damage of unarmed strikes: for Medium, Tiny and Large monks."""
    return monk_level(combatant) > 0 and combatant.sheet.size in TOLD


def what_hampers_monk(combatant: Combatant) -> str:
    """Return what keeps a monk from fighting as one: armor, a shield, too much of a load; "" for nothing."""
    sheet = combatant.sheet
    named = {one.name for one in sheet.worn}
    worn = {part.kind for part in sheet.armor if part.source not in named}
    worn.update(one.kind for one in worn_now(combatant))
    if "armor" in worn or (sheet.armor_weight != "none" and not sheet.worn):
        return "in armor"
    return "with a shield" if "shield" in worn else load_condition(combatant)
