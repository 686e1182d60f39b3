"""Renumbering: facts as a reader is told them, with the reader's own numbers in place of those of the log."""

import re
from typing import Any, Final, Protocol

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from affray.events.codec import encode
from affray.events.facts.declared import Declared, Disputed, Invalidated, Refused, Ruled
from affray.events.facts.flow import TurnBegan
from affray.replay.serve.own_ids import OwnIds

_KEY: Final = re.compile(rb"(?<![\w.])(?:xd|x|d)\d+(?:\.\d+)*(?=/)")
"""What a key begins with, wherever one stands: the id of a declaration."""

_RULING: Final = re.compile(rb"(?<=ruling:)R\d+\b")

_SAID: Final = (Declared, Disputed, Ruled)
"""Facts that hold no keys, but what people said."""


class Numbers(Protocol):
    """The numbers of a reader."""

    @property
    def ids(self) -> OwnIds:
        """Its ids of declarations, disputes and rulings, by those of the log."""

    def number(self, seq: int) -> int:
        """Return how much it is told up to an event."""

    def turn(self, seq: int) -> int:
        """Return in which turn an event that it is told happens."""


def own_fact(fact: Any, seq: int, counted: Numbers) -> Any:
    """Return a fact with the ids and numbers of its own as a reader counts them."""
    ids = counted.ids
    if isinstance(fact, TurnBegan):
        return replace(fact, number=counted.turn(seq) + 1)
    if isinstance(fact, Declared):
        return replace(fact, id=ids.get(fact.id, fact.id), by_chance=UNSET)
    if isinstance(fact, Refused | Invalidated):
        return replace(fact, id=ids.get(fact.id, fact.id))
    if isinstance(fact, Disputed):
        return replace(
            fact,
            id=ids.get(fact.id, fact.id),
            subject=ids.get(fact.subject, fact.subject),
            event=counted.number(fact.event),
            by_chance=UNSET,
        )
    if isinstance(fact, Ruled):
        names = {name: getattr(fact, name) for name in ("id", "subject", "dispute")}
        own = {name: ids.get(id, id) for name, id in names.items()}
        return replace(fact, **own, event=counted.number(fact.event))
    return fact


def own_bytes(fact: Any, counted: Numbers) -> msgspec.Raw:
    """Return a fact, whose own numbers are the reader's, as JSON in which its keys and citations are too."""
    data = encode(fact)
    return msgspec.Raw(data if isinstance(fact, _SAID) else in_own_keys(data, counted))


def in_own_keys(data: bytes, counted: Numbers) -> bytes:
    """Return JSON with keys of rolls and questions, and citations of rulings, as a reader counts them."""

    def own(found: re.Match[bytes]) -> bytes:
        return counted.ids.get(found[0].decode(), found[0].decode()).encode()

    return _RULING.sub(own, _KEY.sub(own, data))


def own_key(key: str, counted: Numbers) -> str:
    """Return a key as a reader counts it."""
    return in_own_keys(key.encode(), counted).decode()
