"""A fight that begins in the middle of a grapple, or of a pin (srd35.grapple.*)."""

from affray.engine.dialects.srd35.grapple.grapple_state import opponents, refuse_too_many, take_hold
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.natures import INCORPOREAL, is_a
from affray.engine.rules.turns.start_states import newcomer
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until


def refuse_start_in_grapple(fight: Fight, act: acts.Enter) -> None:
    """Refuse to enter in a grapple that could not be: with a friend, the fallen, one too many, no body."""
    target, rule = fight.combatant(act.grapples), fight.rule("srd35.grapple.start")
    if act.sheet is None:
        return  # an entry without a sheet is refused anyway
    one = newcomer(fight, act, act.sheet)
    if act.riding or target.side == act.side or is_down(fight, target):
        raise Refusal(f"{act.id} cannot be in a grapple with {target.id}", rule)
    if is_a(one, INCORPOREAL) or INCORPOREAL in act.conditions or is_a(target, INCORPOREAL):
        reason = "who has no body neither trips nor grapples nor suffers it"
        raise Refusal(reason, fight.rule("srd35.incorporeal.combat"))
    if act.grip == "pinned" and any("pinned" in other.conditions for other in opponents(fight, target)):
        raise Refusal(f"{target.id} pins another already", fight.rule("srd35.grapple.pin"))
    refuse_too_many(fight, one, target)


def start_in_grapple(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Let a newcomer grapple with its opponent, in whose space it stands; a pin lasts for its next turn."""
    one, target = fight.combatant(act.id), fight.combatant(act.grapples)
    yield from take_hold(fight, one, target)
    if act.grip:
        pinner, victim = (one, target) if act.grip == "pins" else (target, one)
        rounds = fight.figure("srd35.grapple.pin", "duration_rounds")
        yield ConditionGained(
            who=victim.id,
            condition="pinned",
            source=pinner.id,
            until=Until("turn-end", pinner.id, fight.state.round + rounds),
            cites=fight.rules("srd35.grapple.pin", "srd35.grapple.pinned-state", "srd35.cond.pinned"),
        )
