"""Who lies on the ground and who keeps low (woa.posture.states)."""

from affray.projections.state import Combatant

#: Postures in which one keeps low, and that of who lies down.
LOW = ("crouching", "kneeling", "sitting", "seated")
PRONE = ("prone", "crawling")


def keeps_low(combatant: Combatant) -> bool:
    """Say whether a combatant crouches, kneels or sits."""
    return bool(combatant.conditions) and any(name in combatant.conditions for name in LOW)


def lies(combatant: Combatant) -> bool:
    """Say whether a combatant counts as prone (woa.posture.crawl-prone)."""
    return bool(combatant.conditions) and any(name in combatant.conditions for name in PRONE)
