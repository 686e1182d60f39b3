"""Casting from the saddle (srd35.mount.cast-normal)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.mounted.mounted_combat import CAST_FIRST, CAST_LAST, has_moved_far
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant


def from_the_saddle(fight: Fight, act: acts.Cast, casting: Steps[None]) -> Steps[None]:
    """Cast, from the saddle too: no check if the mount moves once, before or after it.

    srd35.mount.cast-normal
    """
    actor = fight.combatant(act.actor)
    return rider_casts(fight, act, actor, casting) if actor.mount else casting


def rider_casts(fight: Fight, act: acts.Cast, actor: Combatant, casting: Steps[None]) -> Steps[None]:
    """Cast while the mount stands: it has moved once at most, and not again after it has moved before."""
    steed = fight.state.combatants[actor.mount]
    rule = fight.rule("mount.cast-normal")
    if has_moved_far(steed):
        raise Refusal(f"{steed.id} has moved too far for an undisturbed casting", rule)
    moved = bool(steed.spent.get("feet"))
    yield from casting
    if fight.readied == actor.id:
        return
    when = CAST_LAST if moved else CAST_FIRST
    yield ActionSpent(who=actor.id, kind=when, what=f"cast {act.spell} from the saddle", cites=(rule,))
    if moved:
        yield RuleApplied(who=actor.id, what=f"no check to cast: {steed.id} stands again", cites=(rule,))
