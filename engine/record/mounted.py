"""The record of the chapter on mounted: riders and mounts."""

from collections.abc import Callable

from affray.engine.record.blow import Blow
from affray.engine.record.chapter import Chapter
from affray.engine.record.context import Context
from affray.engine.steps import Steps
from affray.projections.state import Combatant


class Mounted(Chapter, frozen=True, kw_only=True):
    """Riders and mounts.

    averted: whether a hit on a mount is averted by its rider.
    frightened: whether combat frightens a mount, so that its rider must keep it in hand.
    left_squares: what enemies whose squares a mount leaves may do besides striking at it.
    """

    averted: Callable[[Context, Blow], Steps[bool]]
    frightened: Callable[[Context, Combatant], bool]
    left_squares: Callable[[Context, Combatant, list[Combatant]], Steps[None]]
