"""The protocol of stores: their guarantees, and the checks that they share."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from types import TracebackType
from typing import Protocol, Self

from msgspec import Struct

from affray.events import logging
from affray.events.envelope import Branch, Entry, Event, Head
from affray.events.errors import BrokenLog, InvalidBranch, RequestReused, UnknownStream

MOST_BRANCHES = 10_000
"""The most branches of one log."""

MAIN = "main"
"""The root stream, which every log has from the start."""

PROMOTED = "branch.promoted"
"""The type of the events that make their stream the main line."""


class Checkpoint(Struct, frozen=True):
    """A cached state of a projection after event `seq` of `stream`, valid while it is bound to that event.

    `digest` is what `bound` returns for the event's digest and the state.
    """

    stream: str
    projection: str
    version: int
    seq: int
    digest: bytes
    state: bytes


class Cover(Struct, frozen=True):
    """The audit of what the digests of events do not cover: order, branches, requests, settings.

    `looked` counts the comparisons. `note` names what could not be compared because it was not recorded.
    """

    looked: int
    faults: list[BrokenLog]
    note: str = ""


class Store(Protocol):
    """An append-only log of chained events on streams that branch.

    The main methods are `append` and `read`. A store belongs to one thread; other threads and processes
    open their own on the same file. Every method except those on secrets raises UnknownStream for a name that
    is no branch, and LogUnavailable or BrokenLog when the medium fails. `SqliteStore` and `MemoryStore` are
    stores; every function that takes a store accepts both.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore, Store
    >>> def lines(store: Store) -> dict[str, int]:
    ...     return {branch.name: store.head(branch.name).seq for branch in store.branches()}
    >>> with MemoryStore() as store:
    ...     table = play(packaged("demo_srd35"), store)
    ...     branch = store.fork("as-she-left", "main", 60)
    ...     print(lines(store))
    {'main': 245, 'as-she-left': 60}
    """

    def append(self, stream: str, entries: Sequence[Entry], expected: int, request: str = "") -> list[Event]:
        """Append all entries or none, in one durable transaction, and return them as recorded.

        Afterwards the head of `stream` is `expected + len(entries)`. Without entries nothing happens. A
        repeated request id (unique in the log) with the same stream and entries returns the events recorded
        the first time, regardless of the head: a caller that lost the answer can ask again.

        Raises Conflict if the head is not at `expected`, RequestReused, InvalidEntry.
        """
        ...

    def recorded(self, request: str) -> list[Event]:
        """Return the events that were appended under this request id, in order; none if there are none.

        A caller that lost an answer can check before it decides again. O(their number).
        """
        ...

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> Iterator[Event]:
        """Yield the events of the line with `after` < seq <= `upto`, ancestors' prefixes included.

        The end is fixed when read is called: later appends are not included, and the last event ends a
        complete append. Memory stays bounded and no lock is held between events.
        """
        ...

    def read_all(self) -> Iterator[Event]:
        """Yield the events of all streams in the order in which they were committed."""
        ...

    def head(self, stream: str) -> Head:
        """Return the line's last position and its digest; for an empty branch, its origin."""
        ...

    def fork(self, name: str, parent: str, at: int) -> Branch:
        """Make a branch that leaves `parent`'s line after event `at`, and return it.

        Nothing is copied: the cost does not depend on the length of the log. The branch's first event
        will be `at + 1`. Raises InvalidBranch for a bad or taken name and a position outside the line.
        """
        ...

    def branches(self) -> list[Branch]:
        """Return all branches in order of creation, the root first."""
        ...

    def lineage(self, stream: str) -> Iterator[Branch]:
        """Yield the branch, its parent and so on up to the root.

        Raises BrokenLog if a parent is missing or the parents form a circle.
        """
        ...

    def follow(
        self, stream: str, after: int = 0, *, poll_seconds: float, stop: Callable[[], bool]
    ) -> Iterator[Event]:
        """Yield the line's events after `after`, then new ones as they are appended, until `stop()`.

        Events committed before `stop()` first returned True are still yielded.
        """
        ...

    def main_line(self) -> str:
        """Return the stream of the newest `branch.promoted` event of the log; `main` if there is none."""
        ...

    def epoch(self) -> int:
        """Return the number of `branch.promoted` events, each of which changed the main line."""
        ...

    def main_lines(self) -> list[str]:
        """Return the streams that were the main line, in order, indexed by epoch."""
        ...

    def keep_secret(self, name: str, value: bytes) -> None:
        """Store a secret of the log, once: the dice seed before it is revealed. It is never exported.

        Repeating the same value is no error. Raises SecretKept if another value has that name.
        """
        ...

    def secret(self, name: str) -> bytes | None:
        """Return the stored value, None if there is none.

        Raises SecretsMissing if it was stored but is missing.
        """
        ...

    def keep_note(self, name: str, value: bytes) -> None:
        """Store a note with the log, once: a value that is neither event nor secret. It is never exported.

        Storing the same value again is no error. Raises SecretKept if another value has that name.
        """
        ...

    def note(self, name: str) -> bytes | None:
        """Return a note, None if no note has that name."""
        ...

    def save_checkpoint(
        self, stream: str, projection: str, version: int, seq: int, digest: bytes, state: bytes
    ) -> None:
        """Keep a projection's state after event `seq` (1 or more) of the line, in place of an earlier one."""
        ...

    def checkpoint(self, stream: str, projection: str, version: int, upto: int) -> Checkpoint | None:
        """Return the newest usable state at or before `upto` along the line, ancestors' prefixes included.

        Only a state of exactly this projection version counts, and only while its digest binds it to the
        event at its seq. Others are skipped with the warning `checkpoint.dropped`, and deleted if
        possible.
        """
        ...

    def checkpoints(self, stream: str, projection: str, version: int) -> Iterator[Checkpoint]:
        """Yield the checkpoints after events of a stream itself, in their order, usable or not."""
        ...

    def cover(self) -> Cover:
        """Compare the data not covered by the events' digests with its record. O(events)."""
        ...

    def restore(self, branches: Iterable[Branch], events: Iterable[Event]) -> int:
        """Write a whole log unchanged, all or nothing, into this empty one; return the number of events.

        The branches come in order of creation with `main` first, the events in order of commit. They
        are not verified here, but by the caller. Raises InvalidBranch if this log is not empty.
        """
        ...

    def close(self) -> None:
        """Close the store; closing twice is no error."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def check_branch_name(name: str) -> None:
    """Raise InvalidBranch unless this is a valid branch name: a plain word, never a path or an option."""
    if not _NAME.fullmatch(name):
        raise InvalidBranch(
            f"branch name {name[:80]!r}: 1 to 64 letters, digits, '.', '_', '-', not led by a sign"
        )


def check_count(branches: int) -> None:
    """Raise InvalidBranch if a log has too many branches."""
    if branches > MOST_BRANCHES:
        raise InvalidBranch(f"{branches} branches: a log has {MOST_BRANCHES} at most")


def check_fork(name: str, taken: bool, parent: str, at: int, head: int) -> None:
    """Raise InvalidBranch unless a branch of that name can leave `parent` at that position."""
    check_branch_name(name)
    if taken:
        raise InvalidBranch(f"branch {name!r} exists already")
    if not 0 <= at <= head:
        raise InvalidBranch(
            f"branch {name!r} cannot leave {parent!r} at {at}: the line goes from 0 to {head}"
        )


def check_repeat(request: str, recorded: Sequence[Event], stream: str, entries: Sequence[Entry]) -> None:
    """Raise RequestReused unless the entries are those that were recorded for this request."""
    if recorded[0].stream != stream or [_entry(e) for e in recorded] != [_entry(e) for e in entries]:
        raise RequestReused(f"request {request!r} was recorded with other events")


def _entry(e: Entry | Event) -> tuple[str, int, int, int, str, int, bytes]:
    return (e.type, e.version, e.round, e.turn, e.actor, e.cause, e.data)


def ancestry(find: Callable[[str], Branch], name: str) -> Iterator[Branch]:
    """Yield the branch that `find` returns, its parent and so on up to the root.

    Raises UnknownStream if there is no such branch, and BrokenLog as `Store.lineage` does: the iteration
    ends even if the parents in a file form a circle.
    """
    branch, passed = find(name), {name}
    while branch.parent:
        yield branch
        if branch.parent in passed:
            raise BrokenLog(branch.name, branch.at, "the parents of the branch go round in a circle")
        passed.add(branch.parent)
        try:
            parent = find(branch.parent)
        except UnknownStream:
            reason = f"the branch left {branch.parent!r}, which is no branch of this log"
            raise BrokenLog(branch.name, branch.at, reason) from None
        branch = parent
    if branch.name != MAIN or branch.at:
        raise BrokenLog(branch.name, branch.at, f"a branch without a parent is {MAIN!r} and begins at 0")
    yield branch


def line_parts(lineage: Iterable[Branch], after: int, upto: int) -> list[tuple[str, int, int]]:
    """Return the pieces of a line as (stream, after, upto), oldest first.

    `lineage` leads from the branch to the root. Cost: the number of branches back to `after`.
    """
    parts = []
    for branch in lineage:
        low = max(branch.at, after)
        if low < upto:
            parts.append((branch.name, low, upto))
        upto = min(upto, branch.at)
        if upto <= after:
            break
    parts.reverse()
    return parts


def owner(lineage: Iterable[Branch], seq: int) -> str:
    """Return the name of the stream that holds event `seq` (1 or more) of a line."""
    for branch in lineage:
        if branch.at < seq:
            return branch.name
    raise ValueError(f"no line has an event {seq}: they count from 1")


def bound(checkpoint: Checkpoint, digest: bytes) -> bytes:
    """Return the digest of a checkpoint after the event with this digest: it covers every field of both."""
    stream, projection = checkpoint.stream.encode(), checkpoint.projection.encode()
    place = b"%d:%b%d:%b%d:%d:" % (
        len(stream), stream, len(projection), projection, checkpoint.version, checkpoint.seq
    )  # fmt: skip
    return sha256(b"affray checkpoint 1\x00" + digest + place + checkpoint.state).digest()


def newest_usable_checkpoint(
    candidates: Iterable[Checkpoint],
    digest_at: Callable[[str, int], bytes | None],
    drop: Callable[[Checkpoint], None],
) -> Checkpoint | None:
    """Return the first checkpoint that is bound to its event; drop those before it, with a warning."""
    for found in candidates:
        digest = digest_at(found.stream, found.seq)
        if digest is not None and bound(found, digest) == found.digest:
            return found
        logging.warning(
            "checkpoint.dropped",
            stream=found.stream,
            projection=found.projection,
            version=found.version,
            seq=found.seq,
        )
        drop(found)
    return None


def following(
    read: Callable[[int], Iterator[Event]],
    after: int,
    poll_seconds: float,
    stop: Callable[[], bool],
    wait: Callable[[float], object] = time.sleep,
) -> Iterator[Event]:
    """Yield from `read(after)` repeatedly, each time from where it ended, until `stop()`.

    `wait` returns after the given seconds, or earlier if there may be new events.
    """
    while True:
        stopping = stop()  # called before reading: everything committed by then is still yielded
        for event in read(after):
            after = event.seq
            yield event
        if stopping:
            return
        wait(poll_seconds)
