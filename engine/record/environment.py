"""The record of the chapter on environment: what surroundings do."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from affray.engine.record.chapter import Chapter
from affray.engine.record.context import Context
from affray.engine.steps import Steps
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


class Danger(NamedTuple):
    """A danger of the surroundings: the topic of its rule, and what begins when somebody is exposed to it.

    `ends` are the conditions that are over with the exposure; `afterwards` is what comes then, told in what
    degree the exposure was.
    """

    topic: str
    begin: Callable[[Context, Combatant, Any], Steps[None]]
    ends: tuple[str, ...] = ()
    afterwards: Callable[[Context, Combatant, str], Steps[None]] | None = None


class Environment(Chapter, frozen=True, kw_only=True):
    """What surroundings do.

    dangers: what the game master may expose a combatant to, by its name.
    untouched: the fact that what chokes or withers a body does nothing to a combatant; None where it does.
    hardy: what helps a combatant where exertion, breath or the surroundings wear it down.
    drags: whether water takes the force out of a weapon of somebody who is in it.
    """

    dangers: Mapping[str, Danger]
    untouched: Callable[[Context, Combatant, str], Any]
    hardy: Callable[[Context, Combatant], list[Modifier]]
    drags: Callable[[Context, Combatant, Weapon], bool]
