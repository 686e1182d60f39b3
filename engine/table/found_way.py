"""A way for a declaration that says at whom it is, and leaves out how one gets there."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.rules.mounted.rider_and_mount import mount_of
from affray.engine.table.put_together import charges, over
from affray.engine.table.runner import refusal_of
from affray.engine.table.ways import Path, passed
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct, Declared
from affray.projections.state import Combatant

GOES: Final[Mapping[type[Any], Callable[[Fight, Combatant], Iterator[Any]]]] = MappingProxyType(
    {
        acts.Charge: lambda fight, actor: charges(fight, actor, ()),
        acts.BullRush: lambda fight, actor: charges(fight, actor, ()),
        acts.Overrun: lambda fight, actor: over(acts.Overrun)(fight, actor, ()),
    }
)
"""Declarations that go straight at a target: what proposes their ways."""


def with_a_way(fight: Fight, act: AnyAct) -> AnyAct:
    """Return a declaration with the way that it leaves out, which the rules find: the shortest that is open.

    Of equally short ones it is that which passes the fewest who may strike, then the straightest. Where none
    is open it is the first of all, so that the refusal is about a way that could be meant. What has its way,
    needs none, or goes nowhere stays as it is.
    """

    def allowed(one: AnyAct) -> bool:
        return refusal_of(fight, Declared(fight.declaration, one, "")) is None

    proposes = GOES.get(type(act))
    actor = fight.state.combatants.get(getattr(act, "actor", ""))
    given: Path = getattr(act, "path", ())
    if proposes is None or actor is None or given:
        return act
    if allowed(act):
        return act
    target = getattr(act, "target", "")
    some = [replace(act, path=one.path) for one in proposes(fight, actor) if one.target == target]
    if not some:
        return act
    goer = mount_of(fight, actor) or actor

    def cost(path: Path) -> tuple[int, int, int]:
        aside = sum((a - b) ** 2 for a, b in zip(goer.at, path[-1], strict=True))
        return len(path), len(passed(fight, goer, path, "charge")), aside

    ways = [one for one in some if allowed(one)]
    return min(ways, key=lambda one: cost(getattr(one, "path", ()))) if ways else some[0]
