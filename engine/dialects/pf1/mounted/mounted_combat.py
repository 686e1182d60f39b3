"""What a rider does for its mount, and what becomes of it, in pf1 (pf1.feat.mounted, pf1.move.mount)."""

from affray.engine.dialects.pf1.turns.flow import refuse_immediate
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.mounted.averted_blows import beats_attack_roll, tries_to_avert
from affray.engine.rules.mounted.rider_and_mount import rider_of
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent


def averted(fight: Fight, blow: Blow) -> Steps[bool]:
    """Let a rider with Mounted Combat undo a hit on the mount by a Ride check, as an immediate action.

    Once a round, and not without an immediate action left (pf1.feat.mounted, pf1.action.immediate).
    """
    rider = rider_of(fight, blow.target)
    if rider is None:
        return False
    try:
        kind = refuse_immediate(fight, rider)
    except Refusal:
        return False
    if not (yield from tries_to_avert(fight, rider, blow)):
        return False
    cites = fight.rules("pf1.feat.mounted", "pf1.action.immediate")
    yield ActionSpent(who=rider.id, kind=kind, what=f"guards {blow.target.id}", cites=cites)
    return (yield from beats_attack_roll(fight, rider, blow))


def tell_safe_mounting(fight: Fight, act: acts.Mount | acts.Dismount) -> Steps[None]:
    """Where enemies threaten, say that getting on or off does not provoke (pf1.actions-table.move)."""
    actor = fight.combatant(act.actor)
    what = "mounting" if isinstance(act, acts.Mount) else "dismounting"
    yield from fight.dialect.turns.told_safe(fight, actor, "move", "Mount or dismount", what)
