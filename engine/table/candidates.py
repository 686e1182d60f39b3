"""What a combatant could declare: each act with the targets, weapons, things and words that it may name.

Nothing here is judged: what the rules forbid is found out by asking them (`legal`). What nobody can list
whole, such as what is readied for what or where a spell bursts, is told by `NOT_ALL`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product
from types import MappingProxyType
from typing import Any, Final, TypeAlias, cast

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.table.within_reach import (
    arms,
    arsenal,
    belongings,
    bursts,
    closed_words,
    clothes,
    devices,
    one_of_others,
    others,
    spells,
)
from affray.events.facts import acts
from affray.events.facts.base import Act
from affray.projections.state import Combatant

Values: TypeAlias = Sequence[Any]

UNLISTED: Final = frozenset({acts.Ready, acts.Split, acts.Plan, acts.Speak, acts.Rest, acts.Lift})
"""Declarations of which nothing is listed: their words and numbers are all the player's own."""
NOT_ALL: Final = UNLISTED | {
    *(acts.Charge, acts.Run, acts.Ride, acts.Flyby, acts.Skirmish, acts.Trample, acts.Overrun, acts.Jump),
    *(acts.Reposition, acts.Withdraw, acts.Hide, acts.Seek, acts.Guide, acts.FullAttack, acts.Cast),
    *(acts.Activate, acts.Redirect, acts.Touch, acts.TurnUndead, acts.Delay, acts.Drop, acts.Handle),
    *(acts.Grapple, acts.Grab, acts.Sunder, acts.Disarm, acts.Stunt, acts.Clamber, acts.Prepare),
    *(acts.BullRush, acts.UseSkill, acts.UseAbility, acts.Steal, acts.Pilfer, acts.Identify, acts.Counter),
    acts.Aid,
}
"""Declarations of which more can be said than what is listed: ways, words, places and orders of one's own."""
MOST_SAMPLES: Final = 20
"""So many samples of a kind are looked at."""
WITH_A_WEAPON: Final = frozenset(
    {acts.Attack, acts.CalledShot, acts.CoupDeGrace, acts.KnockoutBlow, acts.Disarm, acts.Trip, acts.Sunder}
)
"""Declarations that are another thing with another weapon."""
WORDS: Final = frozenset(
    {"what", "device", "benefit", "to", "how", "kind", "sense", "feat", "ability", "condition", "part"}
)
"""Fields whose words make another thing of a declaration, where they are a closed list."""


def samples(fight: Fight, combatant: Combatant, kind: type[Act]) -> Iterator[Act]:
    """Yield declarations of an unlisted kind, of which one at least is open if anything of it is."""
    me = combatant.id
    if kind is acts.Speak:
        yield acts.Speak(actor=me, words="...")
    elif kind is acts.Lift:
        yield from (acts.Lift(actor=me, pounds=1, how=how) for how in ("take", "put", "overhead", "ground"))
    elif kind is acts.Plan:
        intents = (acts.Intent("move", "move"), acts.Intent("standard", "attack"))
        yield from (acts.Plan(actor=me, actions=(one,)) for one in intents)
    elif kind is acts.Ready:
        for then in (acts.TotalDefense(), acts.Attack(), acts.Stand(), acts.Drop(item="prone"), acts.Move()):
            yield acts.Ready(actor=me, trigger=acts.Trigger("attacks"), then=then)
    elif kind is acts.Split:
        for whole in (
            acts.CoupDeGrace,
            acts.KnockoutBlow,
            acts.Stabilize,
            acts.Load,
            acts.Cast,
            acts.FullAttack,
        ):
            if whole in fight.dialect.acts:
                some = islice(candidates(fight, combatant, whole), MOST_SAMPLES)
                yield from (acts.Split(actor=me, then=cast(Any, replace(one, actor=""))) for one in some)


def candidates(fight: Fight, combatant: Combatant, kind: type[Act]) -> Iterator[Act]:
    """Yield the declarations of a kind that a combatant might make, nearest targets first."""
    kept = fight.dialect.heeded[kind].kept
    said = {name: values for name in kept if (values := values_of(fight, combatant, kind, name))}
    for one in product(*said.values()):
        yield kind(actor=combatant.id, **dict(zip(said, one, strict=True)))


def values_of(fight: Fight, combatant: Combatant, kind: type[Act], name: str) -> Values:
    """Return what a field of a declaration may hold, () where it is left at its default."""
    if name == "weapon":
        return arms(fight, combatant) if kind in WITH_A_WEAPON else ()
    if name == "item":
        return THINGS[kind](combatant) if kind in THINGS else ()
    if name in NAMED:
        return NAMED[name](fight, combatant)
    return closed_words(fight, combatant, kind, name) if name in WORDS else ()


NAMED: Final[Mapping[str, Callable[[Fight, Combatant], Values]]] = MappingProxyType(
    {
        **dict.fromkeys(("target", "friend", "opponent"), others),
        "targets": one_of_others,
        "spell": spells,
        "autofire": bursts,
    }
)
"""Fields that name somebody or something: what they may name."""

THINGS: Final[Mapping[type[Act], Callable[[Combatant], Values]]] = MappingProxyType(
    {
        **dict.fromkeys((acts.Draw, acts.Sheathe, acts.Load, acts.Grip, acts.Gather, acts.Prepare), arsenal),
        **dict.fromkeys((acts.Don, acts.Doff), clothes),
        acts.Drop: belongings,
        acts.Activate: devices,
    }
)
"""Declarations about a thing: which it may be."""
