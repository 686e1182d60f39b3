"""Hit points that are set by something other than damage."""

from affray.events.facts.combat import HitPointsChanged
from affray.projections.state import Combatant


def brought_to(who: Combatant, hp: int, why: str, *cites: str) -> HitPointsChanged:
    """Return that somebody has so many hit points now; nonlethal damage and temporary points stay."""
    return HitPointsChanged(
        who=who.id,
        hp=hp,
        nonlethal=who.nonlethal,
        temporary=who.temporary,
        change=hp - who.hp,
        why=why,
        cites=cites,
    )
