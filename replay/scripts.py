"""What was declared on a line, in order, as it is to be decided again on another."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from affray.events.codec import decode
from affray.events.envelope import Entry, Event
from affray.events.facts.chains import ChainBegun, ChainLeft
from affray.events.facts.declared import Declared, Disputed
from affray.events.facts.flow import (
    EncounterClosed,
    RoundBegan,
    RoundEnded,
    SeedContributed,
    TurnBegan,
    TurnEnded,
)

BESIDE = (Disputed, SeedContributed, ChainBegun, ChainLeft)
"""Facts beside the declarations that are taken over as they are."""

POLICY = "policy:what-if"
"""By whom turns are ended that nobody had on the line before."""


class Script(Struct):
    """A recorded group: `owner` declared it in its own turn of `round` ("" for anything else)."""

    id: str
    facts: list[Any]
    owner: str
    round: int


def scripts(recorded: Iterable[Sequence[Event]], active: str) -> list[Script]:
    """Return the groups of a line in order, each with whose turn it was; `active` is whose it is at first."""
    made = []
    for group in recorded:
        facts = [decode(event) for event in group]
        first = facts[0]
        declared = type(first) is Declared
        owner = first.act.actor if declared and active and first.act.actor == active else ""
        made.append(Script(first.id if declared else "", facts, owner, group[0].round))
        for fact in facts:
            kind = type(fact)
            if kind is TurnBegan:
                active = fact.who
            elif kind in (TurnEnded, RoundBegan, RoundEnded, EncounterClosed):
                active = ""
    return made


def fact_of(made: Entry | Event) -> Any:
    """Return the fact of an entry or an event."""
    return decode(Event("", 0, made.type, made.version, 0, 0, "", 0, made.data, b""))
