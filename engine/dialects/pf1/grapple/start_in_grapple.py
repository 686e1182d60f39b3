"""A fight that begins in the middle of a grapple or a pin (pf1.grapple.start, pf1.grapple.options)."""

from affray.engine.dialects.pf1.grapple.hold import opponent_of, take_hold
from affray.engine.dialects.pf1.grapple.maintain import pin
from affray.engine.dialects.pf1.grapple.start_grapple import TOPIC
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns.start_states import newcomer
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts


def refuse_start_in_grapple(fight: Fight, act: acts.Enter) -> None:
    """Refuse to enter in a grapple that could not be: with a friend, the fallen, the grappled, from afar."""
    target, rule = fight.combatant(act.grapples), fight.rule(TOPIC)
    if act.sheet is None:
        return  # an entry without a sheet is refused anyway
    one = newcomer(fight, act, act.sheet)
    if act.riding or target.side == act.side or is_down(fight, target):
        raise Refusal(f"{act.id} cannot be in a grapple with {target.id}", rule)
    if opponent_of(fight, target) is not None:
        raise Refusal(f"{target.id} is in a grapple already", fight.rule("pf1.grapple.several"))
    if not next_to(one, target):
        raise Refusal(f"{act.id} does not stand next to {target.id}, with which it grapples", rule)
    fight.dialect.position.refuse_taken(fight, act.sheet, act.at, one.space)


def start_in_grapple(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Let a newcomer keep up a grapple or a pin of its opponent, or be pinned by it."""
    one, target = fight.combatant(act.id), fight.combatant(act.grapples)
    holder, victim = (target, one) if act.grip == "pinned" else (one, target)
    yield from take_hold(fight, holder, victim, *fight.rules(TOPIC))
    if act.grip:
        yield from pin(fight, holder, victim)
