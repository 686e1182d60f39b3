"""The record of the chapter on environment: what surroundings do."""

from collections.abc import Mapping

from msgspec import Struct

from affray.engine.record.acts import Honours
from affray.events.facts.acts import Act


class Environment(Struct, frozen=True, kw_only=True):
    """What surroundings do.

    acts: the resolver of each declaration of this chapter, and the fields that it honours.
    """

    acts: Mapping[type[Act], Honours]
