"""The record of the chapter on grapple: holding and being held."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from affray.engine.record.acts import Honours
from affray.engine.record.context import Context
from affray.events.facts.acts import Act
from affray.projections.state import Combatant


class Grapple(Struct, frozen=True, kw_only=True):
    """Holding and being held.

    acts: the resolver of each declaration of this chapter, and the fields that it honours.
    bonds: hardness, hit points and rule of what binds a combatant.
    """

    acts: Mapping[type[Act], Honours]
    bonds: Callable[[Context, Combatant, str], tuple[int, int, str] | None]
