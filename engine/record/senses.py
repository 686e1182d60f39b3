"""The record of the chapter on senses: who sees whom."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from affray.engine.record.acts import Honours
from affray.engine.record.context import Context
from affray.events.facts.acts import Act
from affray.projections.state import Combatant


class Senses(Struct, frozen=True, kw_only=True):
    """Who sees whom.

    acts: the resolver of each declaration of this chapter, and the fields that it honours.
    sees_foe: whether a combatant sees another that moves past.
    """

    acts: Mapping[type[Act], Honours]
    sees_foe: Callable[[Context, Combatant, Combatant], bool]
