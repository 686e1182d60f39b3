"""A fight that begins in the middle of a grapple, or of a pin (pf1.grapple.start, pf1.grapple.options)."""

from affray.engine.dialects.pf1.grapple.hold import opponent_of, take_hold
from affray.engine.dialects.pf1.grapple.maintain import pin
from affray.engine.dialects.pf1.grapple.start_grapple import TOPIC
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.natures import INCORPOREAL, is_a
from affray.engine.rules.grapple.start_in_grapple import refuse_no_opponent
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns.start_states import newcomer
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts


def refuse_start_in_grapple(fight: Fight, act: acts.Enter) -> None:
    """Refuse to enter in a grapple that could not be: with a friend, the fallen, the taken, from afar.

    pf1.grapple.start, pf1.grapple.several, pf1.cond.incorporeal.
    """
    target, rule = fight.combatant(act.grapples), fight.rule(TOPIC)
    if act.sheet is None:
        return  # an entry without a sheet is refused anyway
    refuse_no_opponent(fight, act, target, rule)
    if opponent_of(fight, target) is not None:
        raise Refusal(f"{target.id} is in a grapple already", fight.rule("pf1.grapple.several"))
    one = newcomer(fight, act, act.sheet)
    without = is_a(one, INCORPOREAL) or INCORPOREAL in act.conditions
    if without != is_a(target, INCORPOREAL):
        reason = f"{act.id if without else target.id} has no body to be held"
        raise Refusal(reason, fight.rule("pf1.cond.incorporeal"))
    if not next_to(one, target):
        raise Refusal(f"{act.id} is not next to {target.id}, with whom it is to grapple", rule)
    fight.dialect.position.refuse_taken(fight, act.sheet, act.at, one.space)


def start_in_grapple(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Let a newcomer hold its opponent, or be pinned by it, since before this round.

    pf1.grapple.start, pf1.grapple.options, pf1.cond.grappled, pf1.cond.pinned.
    """
    one, target = fight.combatant(act.id), fight.combatant(act.grapples)
    holder, victim = (target, one) if act.grip == "pinned" else (one, target)
    since = max(0, fight.state.round - 1)
    yield from take_hold(fight, holder, victim, *fight.rules(TOPIC), since=since)
    if act.grip:
        yield from pin(fight, holder, victim)
