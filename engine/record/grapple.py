"""The record of the chapter on grapple: holding and being held."""

from collections.abc import Callable

from affray.engine.record.chapter import Chapter
from affray.engine.record.context import Context
from affray.engine.steps import Steps
from affray.projections.state import Combatant


class Grapple(Chapter, frozen=True, kw_only=True):
    """Holding and being held.

    bonds: hardness, hit points and rule of what binds a combatant.
    parted: what becomes of holds when a combatant has been driven somewhere else.
    """

    bonds: Callable[[Context, Combatant, str], tuple[int, int, str] | None]
    parted: Callable[[Context, Combatant], Steps[None]]
