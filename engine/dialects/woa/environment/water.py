"""In the water: how deep, what swimming takes, going under, and holding one's breath (woa.water.*).

Two conditions say where somebody is: "in water" (its source is the depth) and "in waters" (its source is the
state of the water and how clear it is; a current is the way "in a current" leads). "swimming" is the state of
those in deep water who have no swim speed.
"""

from collections.abc import Sequence

from affray.projections.state import Combatant

IN_WATER, WATERS, CURRENT, SWIMMING = "in water", "in waters", "in a current", "swimming"
HOLDING, DROWNING = "holding its breath", "drowning"
CHEST, SURFACE, UNDER, BOTTOM = "chest-high", "swimming", "submerged", "on the bottom"
DEPTHS = (CHEST, SURFACE, UNDER, BOTTOM)
STATES = ("calm", "rough", "stormy")
CLARITIES = ("clear", "hazy", "murky")
GILLS = "breathes water"
ATHLETICS, STRENGTH = "athletics", "str"


def depth_of(combatant: Combatant) -> str:
    """Return how deep in the water somebody is, "" on land."""
    found = combatant.conditions.get(IN_WATER) if combatant.conditions else None
    return found.source if found is not None else ""


def is_under(combatant: Combatant) -> bool:
    """Say whether somebody is submerged, swimming or on the bottom."""
    return depth_of(combatant) in (UNDER, BOTTOM)


def state_of(combatant: Combatant) -> str:
    """Return the state of the water around somebody."""
    return said_of(combatant, STATES)


def clarity_of(combatant: Combatant) -> str:
    """Return how clear the water around somebody is."""
    return said_of(combatant, CLARITIES)


def said_of(combatant: Combatant, words: Sequence[str]) -> str:
    """Return which of the words was said of the water around somebody, the first if none was."""
    said = combatant.conditions[WATERS].source.split(", ") if WATERS in combatant.conditions else []
    return next((word for word in words if word in said), words[0])
