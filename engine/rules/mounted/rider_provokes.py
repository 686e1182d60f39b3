"""Whom a mount's movement opens to its enemies: the mount, and by the usual reading its rider as well.

srd35.mount.speed, srd35.aoo.triggers, pf1.aoo.moving-provokes (option `rider_provokes`).
"""

from collections.abc import Sequence

from affray.engine.fight.fight import Fight, is_down
from affray.engine.steps import Steps
from affray.projections.state import Combatant


def open_rider_too(fight: Fight, steed: Combatant, enemies: Sequence[Combatant]) -> Steps[None]:
    """Let the enemies whose squares a mount leaves strike at its rider, as an opportunity of its own.

    An enemy with one attack of opportunity a round has one in all, at the mount or at the rider (option
    `rider_provokes`).
    """
    rider = fight.state.combatants.get(steed.rider)
    if rider is None or is_down(fight, rider) or fight.option("rider_provokes") != "both":
        return
    opportunity = fight.dialect.opportunity.opportunity_name(fight, rider)
    left = [enemy for enemy in enemies if enemy.side != rider.side and opportunity not in enemy.opportunities]
    if left:
        reason = f"is carried out of a threatened square by {steed.id}"
        cites = fight.rules("aoo.triggers")
        yield from fight.dialect.opportunity.provoke(fight, rider, left, reason, opportunity, *cites)
