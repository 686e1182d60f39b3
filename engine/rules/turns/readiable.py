"""What can be readied: whatever takes an action of a type that a dialect lets one ready.

srd35.ready.what, pf1.ready, futurepath.action.ready.what, woa.ready.declare.
"""

from typing import Any, Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.turns import NO_ACTION, SEVERAL
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant

READIED: Final = "readied"
"""The kind under which the action of a readied act is entered: what it takes was spent to ready it."""

#: Types of action that a readied act does not take from a turn.
OF_A_TURN = ("standard", "move", "swift")


def types_of_text(fight: Fight) -> tuple[tuple[str, ...], str]:
    """Return which types of action can be readied, and the rule (srd35.ready.what, pf1.ready)."""
    return tuple(fight.figure("ready.what")), fight.rule("ready.what")


def refuse_unreadiable(fight: Fight, combatant: Combatant, then: Any) -> None:
    """Refuse to ready what takes no action of a type that can be readied.

    Asked when an act is readied and again when its trigger has come: whether it takes the full round may go
    by what has happened in between. The short step that may come with a readied act may be all of it
    (srd35.ready.five-foot-step, futurepath.action.ready.5-foot-step, woa.ready.short-step).
    """
    if isinstance(then, acts.Step):
        return
    turns = fight.dialect.turns
    allowed, rule = turns.readiable(fight)
    kind = turns.action_type(fight, combatant, then)
    if kind not in allowed:
        raise Refusal(f"{in_words(kind)} cannot be readied", rule)


def in_words(kind: str) -> str:
    """Return a type of action with its article."""
    if kind == SEVERAL:
        return "what takes several actions"
    if kind == NO_ACTION:
        return "what takes no action of its own"
    return f"{'an' if kind[0] in 'aeio' else 'a'} {kind} action"


def as_readied(fight: Fight, combatant: Combatant, fact: Any) -> Any:
    """Return a fact of a readied act as it stands in the log: its action takes nothing from a turn.

    Refuses an act whose own rule has it spend the full round.
    """
    if not isinstance(fact, ActionSpent) or fact.who != combatant.id:
        return fact
    if fact.kind == "full-round":
        raise Refusal(f"{in_words(fact.kind)} cannot be readied", fight.dialect.turns.readiable(fight)[1])
    return replace(fact, kind=READIED) if fact.kind in OF_A_TURN else fact
