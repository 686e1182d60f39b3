"""Who cannot be tripped, and who stands firmly (woa.maneuver.trip.immune-creatures, .stability-bonus)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.natures import nature_among
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: Kinds of creature, and the trait, that nothing brings down.
FOOTLESS = frozenset({"ooze", "snake"})

UNTRIPPED = "cannot be tripped"


def cannot_fall(target: Combatant) -> bool:
    """Say whether a creature cannot be knocked prone: snakes, oozes and the like."""
    return bool(nature_among(target, FOOTLESS)) or has_trait(target, UNTRIPPED)


def stability(fight: Fight, target: Combatant, topic: str) -> list[Modifier]:
    """Return what more than two legs, or a firmer stand than a humanoid's, add to the AC."""
    many = target.sheet.legs > fight.figure(topic, "legs_over")
    if not many and not has_trait(target, "stable"):
        return []
    source = f"{target.sheet.legs} legs" if many else "stable"
    return [fight.modifier(topic, "ac", kind="stability", source=source)]
