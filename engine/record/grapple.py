"""The record of the chapter on grapple: holding and being held."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from affray.engine.record.context import Context, Resolver
from affray.events.facts.acts import Act
from affray.projections.state import Combatant


class Grapple(Struct, frozen=True, kw_only=True):
    """Holding and being held.

    acts: the resolver of each declaration of this chapter.
    bonds: hardness, hit points and rule of what binds a combatant.
    """

    acts: Mapping[type[Act], Resolver]
    bonds: Callable[[Context, Combatant, str], tuple[int, int, str] | None]
