"""Special attacks that take the place of an ordinary one: in an attack, a charge, an opportunity."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from affray.engine.blow import Blow
from affray.engine.fight import Fight
from affray.engine.steps import Refusal, Steps
from affray.events.facts.acts import Act
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

Square = tuple[int, int]


class Attempt(Struct, gc=False):
    """A special attack on its way: the blow that carries it and what it is aimed at.

    `item` is the object that a disarm or sunder wants, for a grapple the option that is meant;
    `secured` how well a worn item sits; `name` tells this attempt's opportunities from others,
    `weapon` is what an option of the grapple is done with.
    """

    blow: Blow
    item: str = ""
    secured: str = "normal"
    name: str = ""
    weapon: str = ""


class Substitute(Struct, frozen=True):
    """A special attack in place of a melee attack.

    `prepare(fight, who, target, weapon, item, kind)` refuses what the rules forbid and changes nothing;
    `carry_out(fight, attempt)` rolls, asks and yields facts, and returns whether the attempt succeeded.
    `topic` is the rule that lets it take the place of an attack of opportunity, `listed` where the dialect
    lists its special attacks.
    """

    prepare: Callable[[Fight, Combatant, Combatant, str, str, str], Attempt]
    carry_out: Callable[[Fight, Attempt], Steps[bool]]
    topic: str = "aoo.substitutes"
    listed: tuple[str, ...] = ()


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
    found = fight.dialect.points.substitutes.get(name)
    if found is None:
        raise Refusal(f"{fight.dialect.name} knows no {name!r} in place of an attack", fight.rule("actions"))
    return found
