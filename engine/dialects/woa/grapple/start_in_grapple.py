"""A fight that begins in the middle of a grapple, or of a pin (woa.grapple.*)."""

from affray.engine.dialects.woa.grapple.grapple_state import (
    AHEAD,
    BETWEEN,
    members_of_grapple,
    opponents,
    refuse_crowded_grapple,
    refuse_sizes,
    share_space,
)
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.turns.start_states import newcomer
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained


def refuse_start_in_grapple(fight: Fight, act: acts.Enter) -> None:
    """Refuse to enter in a grapple that could not be: with a friend, the fallen, by size, one too many."""
    target = fight.combatant(act.grapples)
    if act.sheet is None:
        return  # an entry without a sheet is refused anyway
    if act.riding or target.side == act.side or is_down(fight, target):
        reason = f"{act.id} can enter in a grapple only on foot, and with an opponent who is not down"
        raise Refusal(reason, fight.rule("woa.grapple.start.action-cost"))
    one = newcomer(fight, act, act.sheet)
    refuse_sizes(fight, one, target)
    refuse_crowded_grapple(fight, one, target)


def start_in_grapple(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Let a newcomer grapple with its opponent in one space, since before this round; who pins is ahead.

    woa.grapple.modifier.shared-space, woa.grapple.hold.pin.position, woa.grapple.advantage
    """
    one, target = fight.combatant(act.id), fight.combatant(act.grapples)
    for each, other in ((one, target), (target, one)):
        ids = dict.fromkeys([*(known.id for known in opponents(fight, each)), other.id])
        cites = fight.rules("woa.grapple.modifier.shared-space")
        source = BETWEEN.join(ids)
        yield ConditionGained(who=each.id, condition="grappling", source=source, cites=cites)
    yield from share_space(fight, members_of_grapple(fight, one))
    if act.grip:
        pinner, victim = (one, target) if act.grip == "pins" else (target, one)
        cites = fight.rules("woa.grapple.hold.pin.position")
        yield ConditionGained(who=victim.id, condition="pinned", source=pinner.id, cites=cites)
        if AHEAD not in pinner.conditions:
            cites = fight.rules("woa.grapple.advantage")
            yield ConditionGained(who=pinner.id, condition=AHEAD, source="pins", cites=cites)
