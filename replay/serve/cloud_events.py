"""The events of the feed: CloudEvents with what is told of an event of the log, and how they are sent."""

from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from affray.replay.serve.positions import Place
from affray.replay.viewer.frame import Frame

TYPES: Final = "dev.affray."
"""What the types of all events of the feed begin with."""

SEEN, HIDDEN, REBASE, VIEW, HELD = "seen", "hidden", "rebase", "view", "held"
"""Events of the feed that are no facts: a glimpse, what is not seen any more, another main line, another view
of the same, and what the game master has of the follower's own declarations."""


class Told(Struct, omit_defaults=True):
    """An event as it is told: all of it (`fact`), or what is seen of it (`seen`).

    Neither is told of what was seen when it happened and is not any more, since it speaks of somebody who is
    hidden by now. `seq` counts what is told to this reader, `view` is that of its positions. `frame` is what
    a page draws, where that was asked for; `digest` is told to the game master alone. Of a rebase, `seq` is
    the last event that the new line has in common with where it comes `from`. `held` are declarations that
    the game master has, as `GET /held` tells them.
    """

    branch: str
    epoch: int
    seq: int
    type: str = ""
    round: int | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    actor: str = ""
    cause: int = 0
    text: str = ""
    fact: msgspec.Raw | UnsetType = UNSET
    seen: dict[str, Any] | UnsetType = UNSET
    digest: str = ""
    frame: Frame | UnsetType = UNSET
    come_from: str = field(default="", name="from")
    held: Sequence[Any] | UnsetType = UNSET
    view: int = 0


class CloudEvent(Struct):
    """The envelope of CloudEvents 1.0 in its JSON form; `subject` is the id of who acts."""

    id: str
    source: str
    type: str
    data: Told
    subject: str | UnsetType = UNSET
    specversion: Literal["1.0"] = "1.0"
    datacontenttype: Literal["application/json"] = "application/json"


_json: Final = msgspec.json.Encoder().encode


def turn_of(kind: str, place: Place, source: str, come_from: Place | None = None) -> CloudEvent:
    """Return the event of the feed that tells of another main line, or of another view of this one.

    The positions are those that are told.
    """
    told = told_at(place)
    told.come_from = str(come_from) if come_from else ""
    return CloudEvent(str(place), source, f"{TYPES}{kind}.v1", told)


def held_told(held: Sequence[Any], place: Place, source: str) -> CloudEvent:
    """Return the event of the feed that tells what is held for the game master now."""
    told = told_at(place)
    told.held = held
    return CloudEvent(str(place), source, f"{TYPES}{HELD}.v1", told)


def told_at(place: Place) -> Told:
    """Return what begins to tell of a position, which is one as they are told."""
    return Told(place.branch, place.epoch, place.seq, view=place.view)


def as_sse(event: CloudEvent) -> bytes:
    """Return an event as the feed sends it: id, name, one line of JSON."""
    name = event.type.removeprefix(TYPES).rpartition(".v")[0]
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (event.id.encode(), name.encode(), _json(event))
