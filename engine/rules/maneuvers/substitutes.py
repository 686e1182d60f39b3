"""Special attacks that take the place of an ordinary one: in an attack, a charge, an opportunity."""

from collections.abc import Sequence
from typing import Any

from affray.engine.blow import Blow
from affray.engine.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.record.maneuvers import Substitute
from affray.engine.steps import Refusal, Steps
from affray.events.facts.acts import Act
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def fails(who: Combatant, refused: Refusal, what: str = "the attack") -> RuleApplied:
    """Return that what somebody was about to do is lost, since by now the rules refuse it."""
    return RuleApplied(who=who.id, what=f"{what} is lost: {refused.reason}", cites=(refused.rule,))


def no_pledges(fight: Fight, who: Combatant, act: Act, blows: Sequence[Blow]) -> list[Any]:
    """Let an attack be an attack: for dialects in which nothing is pledged with it."""
    return []


def leave_alone(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Let a declaration take its course: nothing follows from one fact to the next."""
    return steps


def approach_freely(fight: Fight, who: Combatant, here: Square, there: Square) -> None:
    """Let a step that brings a mover nearer to somebody have no consequence."""


def substitute(fight: Fight, name: str) -> Substitute:
    """Return the special attack of that name. Refuses one that the dialect does not know."""
    found = fight.dialect.maneuvers.substitutes.get(name)
    if found is None:
        raise Refusal(f"{fight.dialect.name} knows no {name!r} in place of an attack", fight.rule("actions"))
    return found
