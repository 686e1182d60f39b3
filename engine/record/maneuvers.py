"""The record of the chapter on maneuvers: special attacks."""

from collections.abc import Callable, Mapping
from typing import Any, final

from msgspec import Struct

from affray.engine.record.blow import Blow
from affray.engine.record.chapter import Chapter
from affray.engine.record.context import Context
from affray.engine.steps import Steps
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


class Side(Struct, gc=False):
    """One side of an opposed check: who rolls, the modifiers, which check it is ("" for an attack roll)."""

    who: Combatant
    parts: list[Modifier]
    check_name: str = ""


class Contest(Struct, frozen=True, gc=False):
    """How an opposed check came out for its initiator; `margin` is its total minus the other's."""

    won: bool
    margin: int


@final
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
    lists its special attacks. One `of_movement` answers movement alone, and is no attack of one's own turn.
    """

    prepare: Callable[[Context, Combatant, Combatant, str, str, str], Attempt]
    carry_out: Callable[[Context, Attempt], Steps[bool]]
    topic: str = "aoo.substitutes"
    listed: tuple[str, ...] = ()
    of_movement: bool = False


def substitutes(dialect: Any) -> Mapping[str, Substitute]:
    """Return the special attacks that a dialect lets take the place of a melee attack of one's own turn."""
    found: Mapping[str, Substitute] = dialect.maneuvers.substitutes
    return {name: plan for name, plan in found.items() if not plan.of_movement}


class Maneuvers(Chapter, frozen=True, kw_only=True):
    """Special attacks.

    substitutes: the special attacks that can take the place of a melee attack, by name.
    tripped_footing: how a target keeps its footing against a trip.
    before_contest: what a special attack without an attack roll meets with, right before its check.
    """

    substitutes: Mapping[str, Substitute]
    tripped_footing: Callable[[Context, Combatant, str, bool], Side]
    before_contest: Callable[[Context, Combatant, Combatant], Steps[None]]
