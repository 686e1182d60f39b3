"""Positions of the feed: which line, how often the main line had changed by then, which event of it."""

from typing import Protocol, Self

from msgspec import Struct

from affray.events.errors import AffrayError
from affray.events.store import Store
from affray.replay.parting import parting


class BadPlace(AffrayError):
    """What should be a position of the feed is none, or none of this log."""


class Place(Struct, frozen=True, gc=False):
    """After event `seq` of the line `branch`, which was the main line for the `epoch`-th time of any.

    As it is told to anybody but the game master, `seq` counts what that reader was told, and `view` how often
    that became another thing for the past too (see `marks.py`).
    """

    branch: str
    epoch: int
    seq: int
    view: int = 0

    def __str__(self) -> str:
        view = f".{self.view}" if self.view else ""
        return f"{self.branch}:{self.epoch}{view}:{self.seq}"

    def stands(self, store: Store, now: "Place") -> bool:
        """Say whether the fight is still there."""
        return self == now

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the position that is written so. Raises BadPlace."""
        branch, _, rest = text.strip().partition(":")
        epoch, _, seq = rest.partition(":")
        epoch, dot, view = epoch.partition(".")
        if not branch or not all(map(_is_count, (epoch, seq, *([view] if dot else ())))):
            raise BadPlace(f"{text[:80]!r} is no position: write branch:epoch:seq, as main:0:52")
        return cls(branch, int(epoch), int(seq), int(view or 0))


class Expects(Protocol):
    """The position at which somebody expects a fight: written as it was told."""

    def stands(self, store: Store, now: Place) -> bool:
        """Say whether the fight is still there, as far as whoever expects it can tell."""
        ...


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 12


def is_before(place: Place, other: Place) -> bool:
    """Say whether the feed comes to one position before the other."""
    return (place.epoch, place.seq) < (other.epoch, other.seq)


def end_of(store: Store) -> Place:
    """Return where the main line ends now. O(promotions)."""
    while True:
        epoch = store.epoch()
        branch = store.main_line()
        seq = store.head(branch).seq
        if store.epoch() == epoch:  # else another line was promoted in between
            return Place(branch, epoch, seq)


def rebased(store: Store, place: Place, end: Place) -> Place:
    """Return where the line that ends at `end` has in common with a place of an earlier main line.

    Raises BadPlace for a place that this log has never had.
    """
    # One message for all that is none: it says nothing of branches that never were the main line.
    if not was_main_line(store, place) or place.epoch > end.epoch or place.view:
        raise no_position(place, end)
    if place.seq > store.head(place.branch).seq:
        raise no_position(place, end)
    return Place(end.branch, end.epoch, min(place.seq, parting(store, place.branch, end.branch)))


def was_main_line(store: Store, place: Place) -> bool:
    """Say whether a position is on what was the main line when it says so."""
    return store.main_lines()[place.epoch : place.epoch + 1] == [place.branch]


def no_position(place: Place, end: Place) -> BadPlace:
    """Return what tells that a log has never had a position; `end` is where it is now, as it is told."""
    return BadPlace(f"{place} is no position of this log: it is at {end}")
