"""Components: voice, gestures and materials, and what makes a spell that is cast fail."""

from affray.engine.rules.gear.held_weapons import bears_shield
from affray.projections.state import Combatant

#: Conditions that leave no voice, and those that leave no gestures.
MUTE = ("silenced", "gagged", "in silence")
BOUND = ("bound", "pinned")
HANDS = 2
POUCH = "spell component pouch"
#: What is in the hand of a caster who has taken components out of it, without a name of their own.
COMPONENTS = "components"


def hands_in_use(caster: Combatant) -> int:
    """Return how many hands hold something, or bear a shield that is no buckler.

    A two-handed weapon can be held in one hand while one casts.
    """
    parts_of_body = [one.name for one in caster.sheet.weapons if one.wield in ("natural", "unarmed")]
    held = sum(1 for name in caster.held if name not in parts_of_body)
    return held + bears_shield(caster)
