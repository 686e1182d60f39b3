"""The record of the chapter on mounted: riders and mounts."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from affray.engine.record.acts import Honours
from affray.engine.record.blow import Blow
from affray.engine.record.context import Context
from affray.engine.steps import Steps
from affray.events.facts.acts import Act


class Mounted(Struct, frozen=True, kw_only=True):
    """Riders and mounts.

    acts: the resolver of each declaration of this chapter, and the fields that it honours.
    averted: whether a hit on a mount is averted by its rider.
    """

    acts: Mapping[type[Act], Honours]
    averted: Callable[[Context, Blow], Steps[bool]]
