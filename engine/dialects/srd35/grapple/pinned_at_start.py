"""A fight that begins in the middle of a pin, or in a grapple of the bodiless (srd35.grapple.*)."""

from affray.engine.dialects.srd35.defense.incorporeal import why_no_hold
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.natures import INCORPOREAL, is_a
from affray.engine.rules.turns.start_states import newcomer
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until


def refuse_bodiless_grapple(fight: Fight, act: acts.Enter) -> None:
    """Refuse to enter in a grapple without a body, or with somebody who has none."""
    target = fight.combatant(act.grapples)
    if act.sheet is None:
        return  # an entry without a sheet is refused anyway
    one = newcomer(fight, act, act.sheet)
    newcomer_is = is_a(one, INCORPOREAL) or INCORPOREAL in act.conditions
    if newcomer_is or is_a(target, INCORPOREAL):
        reason = why_no_hold(act.id if newcomer_is else target.id)
        raise Refusal(reason, fight.rule("srd35.incorporeal.combat"))


def start_pinned(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Let a newcomer pin its opponent, or be pinned by it: for the pinner's next turn."""
    one, target = fight.combatant(act.id), fight.combatant(act.grapples)
    pinner, victim = (one, target) if act.grip == "pins" else (target, one)
    rounds = fight.figure("srd35.grapple.pin", "duration_rounds")
    yield ConditionGained(
        who=victim.id,
        condition="pinned",
        source=pinner.id,
        until=Until("turn-end", pinner.id, fight.state.round + rounds),
        cites=fight.rules("srd35.grapple.pin", "srd35.grapple.pinned-state", "srd35.cond.pinned"),
    )
