"""The record of the chapter on senses: who sees whom."""

from collections.abc import Callable

from affray.engine.record.chapter import Chapter
from affray.engine.record.context import Context
from affray.projections.state import Combatant


class Senses(Chapter, frozen=True, kw_only=True):
    """Who sees whom.

    sees_foe: whether a combatant sees another that moves past.
    locates: whether a combatant perceives another, or has found out its square: who does not walks into it.
    """

    sees_foe: Callable[[Context, Combatant, Combatant], bool]
    locates: Callable[[Context, Combatant, Combatant], bool]
