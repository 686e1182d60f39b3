"""A full-round action in two halves, each a standard action (srd35.action.full-round-split)."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.rules.turns.split_full_round import begun, half, name_of, refuse_no_half
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts


def split(fight: Fight, act: acts.Split) -> Steps[None]:
    """Begin a full-round action with a standard action, or complete what was begun last turn with another.

    Not a full attack, a charge, a run or a withdrawal.
    """
    who = fight.combatant(act.actor)
    then = replace(act.then, actor=who.id)
    rule = fight.rule("action.full-round-split")
    if name_of(then) in fight.figure("action.full-round-split", "excluded"):
        raise Refusal(f"a {name_of(then)} cannot be split", rule)
    refuse_no_half(fight, who, then, rule)
    yield from half(fight, who, then, rule, begun(who, then))
