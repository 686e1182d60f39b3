"""How a combatant has left one fight, as it is brought into another one, and from where."""

from typing import Annotated

from msgspec import Meta, Struct

from affray.events.facts.base import Count, Name, Names, Sum, Words
from affray.events.facts.modifier import Modifier
from affray.events.facts.moments import Until
from affray.events.facts.sheet_parts import Rider

Amounts = Annotated[tuple[tuple[Words, Sum], ...], Meta(max_length=1000)]
"""How much of each, by name, in the order of the names."""


class Origin(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Where a combatant comes from: an event of another log, and what went by since.

    `log` is the digest of the first event of that log, by which it is known wherever it is kept; `fight` the
    name of its encounter. There the combatant is `id` and left after event `seq` of `branch`, whose digest is
    `digest`. `state` is the digest (hex) of sheet and state as they are brought along. `after` are the rounds
    that went by in between, -1 where nobody has said; `renewed` the uses that were renewed meanwhile, "all"
    for every one; `gathered` says that it has picked up what of its own lay about. `together` are those who
    come along by the same command: what each was called there and is called here.
    """

    log: Name
    branch: Name
    seq: Count
    digest: Name
    id: Name
    state: Name
    fight: Words = ""
    after: Count = -1
    renewed: Names = ()
    gathered: bool = False
    together: Annotated[tuple[tuple[Name, Name], ...], Meta(max_length=200)] = ()


class LastingCondition(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A condition that goes along: as `ConditionGained`, but `until.round` counts the rounds left."""

    condition: Words
    source: Words
    until: Until = Until()
    level: Sum = 0
    aloft: bool = False


class LastingEffect(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A passing modifier that goes along: as `EffectGained`, but `until.round` counts the rounds left."""

    id: Words
    stat: Words
    modifier: Modifier
    until: Until = Until()
    against: Words = ""
    uses: Sum = 0


class LastingAffliction(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Something that works on: as `AfflictionHeld`, but in `rounds` and `minutes` left (-1: never)."""

    id: Words
    rider: Rider
    by: Words
    dc: Sum
    rounds: Count = -1
    minutes: Count = -1
    treated: Count = -1


class Carried(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The state in which a combatant has left another fight, besides its sheet.

    `items` are what has become of each that is not simply in hand or put away ("dropped", "unloaded", ...),
    `unloaded` those out of hand that want loading when they are taken up again. `losses` are points that
    abilities have lost by damage ("str") or for good ("str drain"). `own_side` is the side that it entered
    on, while it fights for another.
    """

    hp: Sum
    max_hp: Sum
    nonlethal: Sum = 0
    temporary: Sum = 0
    own_side: Name = ""
    held: Annotated[tuple[Words, ...], Meta(max_length=1000)] = ()
    items: Annotated[tuple[tuple[Words, Words], ...], Meta(max_length=1000)] = ()
    unloaded: Annotated[tuple[Words, ...], Meta(max_length=1000)] = ()
    conditions: Annotated[tuple[LastingCondition, ...], Meta(max_length=1000)] = ()
    effects: Annotated[tuple[LastingEffect, ...], Meta(max_length=1000)] = ()
    used: Amounts = ()
    injuries: Annotated[tuple[Words, ...], Meta(max_length=1000)] = ()
    losses: Amounts = ()
    afflictions: Annotated[tuple[LastingAffliction, ...], Meta(max_length=1000)] = ()
