"""Hit points that are set by something other than damage."""

from affray.events.facts.combat import HitPointsChanged
from affray.projections.state import Combatant


def hit_points_set(
    combatant: Combatant,
    hp: int,
    why: str,
    *cites: str,
    nonlethal: int | None = None,
    temporary: int | None = None,
    change: int | None = None,
) -> HitPointsChanged:
    """Return that somebody has so many hit points now; nonlethal and temporary ones stay unless given.

    The `change` is told as that of the hit points, unless it is something else.
    """
    return HitPointsChanged(
        who=combatant.id,
        hp=hp,
        nonlethal=combatant.nonlethal if nonlethal is None else nonlethal,
        temporary=combatant.temporary if temporary is None else temporary,
        change=hp - combatant.hp if change is None else change,
        why=why,
        cites=cites,
    )
