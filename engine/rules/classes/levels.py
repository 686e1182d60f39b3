"""Levels as they stand now: each negative level makes them one lower wherever a level is reckoned with.

srd35.energy-drain.level, pf1.negative-levels.
"""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: The condition whose level is the number of negative levels.
DRAINED: Final = "energy drained"
TOPIC: Final = "energy-drain.level"


def negative_levels_of(combatant: Combatant) -> int:
    """Return how many negative levels a combatant has."""
    held = combatant.conditions.get(DRAINED) if combatant.conditions else None
    return held.level if held is not None else 0


def class_level(combatant: Combatant, *names: str) -> int:
    """Return the effective level in a class, or in several together: never below 0."""
    classes = combatant.sheet.classes
    level = sum(classes.get(name, 0) for name in names)
    return max(0, level - negative_levels_of(combatant)) if level else 0


def character_level(combatant: Combatant) -> int:
    """Return the effective level of a creature, which a monster has by its Hit Dice: never below 0."""
    return max(0, combatant.sheet.hit_dice - negative_levels_of(combatant))


def lower_level(combatant: Combatant, level: int) -> int:
    """Return a level that is told in another way, such as a printed caster level, as it stands now."""
    return max(0, level - negative_levels_of(combatant))


def lost_levels(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return what negative levels take off a level that is a part of a roll."""
    lost = negative_levels_of(combatant)
    return [Modifier(-lost, "penalty", "negative levels", fight.rule(TOPIC))] if lost else []


def rules_of_level(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the rule that lowers the levels of a combatant, if any has a part in them."""
    return fight.rules(TOPIC) if negative_levels_of(combatant) else ()
