"""The log in memory: for tests, simulations and a look at what a store has to do."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Self

from msgspec.structs import replace

from affray.events.chain import GENESIS, key_of, link
from affray.events.envelope import Branch, Entry, Event, Head, check_entry
from affray.events.errors import BrokenLog, Conflict, InvalidBranch, SecretExists, UnknownStream, did_you_mean
from affray.events.stores.store import (
    MAIN,
    PROMOTED,
    Checkpoint,
    Cover,
    ancestry,
    bound,
    check_count,
    check_fork,
    check_repeat,
    following,
    line_parts,
    newest_usable_checkpoint,
    owner,
)


class MemoryStore:
    """A Store that lasts as long as the object. Threads may share it: one writes at a time.

    >>> from affray.events import MemoryStore
    >>> store = MemoryStore()
    >>> [branch.name for branch in store.branches()], store.main_line()
    (['main'], 'main')
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()  # an interrupted thread can go on
        self._branches = {MAIN: Branch(MAIN, "", 0, GENESIS)}
        self._own: dict[str, list[Event]] = {MAIN: []}
        self._commits: list[Event] = []
        self._requests: dict[str, list[Event]] = {}
        self._secrets: dict[str, bytes] = {}
        self._key: bytes | None = None  # what salts are made from; not known yet
        self._notes: dict[str, bytes] = {}
        self._checkpoints: dict[tuple[str, str, int], dict[int, Checkpoint]] = {}

    def append(self, stream: str, entries: Sequence[Entry], expected: int, request: str = "") -> list[Event]:
        """Append all entries or none and return them as recorded; see Store."""
        with self._lock:
            own = self._own.get(stream)
            head = Head(own[-1].seq, own[-1].digest) if own else self.head(stream)
            if request and (recorded := self._requests.get(request)) is not None:
                check_repeat(request, recorded, stream, entries)
                return list(recorded)
            if not entries:
                return []
            if head.seq != expected:
                raise Conflict(stream, expected, head.seq)
            if self._key is None:
                self._key = key_of(self)
            events = link(stream, head, entries, self._key or b"")
            own, before, count = self._own[stream], len(self._own[stream]), len(self._commits)
            try:
                own += events
                self._commits += events
                if request:
                    self._requests[request] = list(events)
            except BaseException:  # an interrupt in between
                del own[before:], self._commits[count:]
                self._requests.pop(request, None)
                raise
            return events

    def recorded(self, request: str) -> list[Event]:
        """Return the events that were appended under this request id; see Store."""
        return list(self._requests.get(request, ()))

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> Iterator[Event]:
        """Yield the events of the line with `after` < seq <= `upto`; see Store."""
        end = self.head(stream).seq
        last = end if upto is None else min(upto, end)
        return self._events(line_parts(self.lineage(stream), max(after, 0), last))

    def _events(self, parts: list[tuple[str, int, int]]) -> Iterator[Event]:
        for name, low, high in parts:
            own, start = self._own[name], self._branches[name].at
            for index in range(low - start, high - start):
                try:
                    event = own[index]
                except IndexError:  # restored without a check: the contents of a file are not verified here
                    raise BrokenLog(name, start + index + 1, "the event is missing") from None
                yield event

    def read_all(self) -> Iterator[Event]:
        """Yield the events of all streams in order of commit."""
        count = len(self._commits)
        return (self._commits[index] for index in range(count))

    def head(self, stream: str) -> Head:
        """Return the line's last position and its digest; see Store."""
        branch, own = self._branch(stream), self._own[stream]
        return Head(own[-1].seq, own[-1].digest) if own else Head(branch.at, branch.digest)

    def fork(self, name: str, parent: str, at: int) -> Branch:
        """Make a branch that leaves `parent`'s line after event `at`; see Store."""
        with self._lock:
            head = self.head(parent)
            check_count(len(self._branches) + 1)
            check_fork(name, name in self._branches, parent, at, head.seq)
            digest = GENESIS
            if at:
                holder = owner(self.lineage(parent), at)
                digest = self._digest_at(holder, at) or b""
            branch = Branch(name, parent, at, digest)
            self._own[name] = []
            self._branches[name] = branch
            return branch

    def branches(self) -> list[Branch]:
        """Return all branches in order of creation, the root first."""
        return list(self._branches.values())

    def lineage(self, stream: str) -> Iterator[Branch]:
        """Yield the branch, its parent and so on up to the root; see Store."""
        return ancestry(self._branch, stream)

    def follow(
        self, stream: str, after: int = 0, *, poll_seconds: float, stop: Callable[[], bool]
    ) -> Iterator[Event]:
        """Yield the line's events after `after` as they come, until `stop()`; see Store."""
        self._branch(stream)
        return following(lambda seen: self.read(stream, seen), after, poll_seconds, stop)

    def main_line(self) -> str:
        """Return the stream of the newest `branch.promoted` event, else `main`. Reads the log backwards."""
        return next((e.stream for e in reversed(self._commits) if e.type == PROMOTED), MAIN)

    def epoch(self) -> int:
        """Return how many `branch.promoted` events there are. Reads the log."""
        return sum(event.type == PROMOTED for event in self._commits)

    def main_lines(self) -> list[str]:
        """Return the streams that were the main line, one after the other. Reads the log."""
        return [MAIN, *(event.stream for event in self._commits if event.type == PROMOTED)]

    def keep_secret(self, name: str, value: bytes) -> None:
        """Store a secret of the log, once; see Store."""
        if self._secrets.setdefault(name, value) != value:
            raise SecretExists(f"secret {name!r} is kept already, with another value")

    def secret(self, name: str) -> bytes | None:
        """Return the kept value, None if there is none."""
        return self._secrets.get(name)

    def keep_note(self, name: str, value: bytes) -> None:
        """Keep a value with the log, once; see Store."""
        if self._notes.setdefault(name, value) != value:
            raise SecretExists(f"note {name!r} is kept already, with another value")

    def note(self, name: str) -> bytes | None:
        """Return a note, None if no note has that name."""
        return self._notes.get(name)

    def save_checkpoint(
        self, stream: str, projection: str, version: int, seq: int, digest: bytes, state: bytes
    ) -> None:
        """Keep a projection's state after event `seq` of the line; see Store."""
        holder = owner(self.lineage(stream), seq)
        kept = self._checkpoints.setdefault((holder, projection, version), {})
        made = Checkpoint(holder, projection, version, seq, digest, state)
        kept[seq] = replace(made, digest=bound(made, digest))

    def checkpoint(self, stream: str, projection: str, version: int, upto: int) -> Checkpoint | None:
        """Return the newest usable state at or before `upto` along the line; see Store."""
        candidates = [
            kept[seq]
            for name, low, high in reversed(line_parts(self.lineage(stream), 0, upto))
            if (kept := self._checkpoints.get((name, projection, version)))
            for seq in sorted(kept, reverse=True)
            if low < seq <= high
        ]
        return newest_usable_checkpoint(candidates, self._digest_at, self._drop)

    def checkpoints(self, stream: str, projection: str, version: int) -> Iterator[Checkpoint]:
        """Yield the checkpoints after events of a stream itself, in their order; see Store."""
        return iter(
            [one for _, one in sorted(self._checkpoints.get((stream, projection, version), {}).items())]
        )

    def cover(self) -> Cover:
        """Compare the order of commit with the lines; see Store. Nothing else is kept twice in memory."""
        ahead = {name: iter(own) for name, own in self._own.items()}
        for event in self._commits:
            if next(ahead[event.stream], None) is not event:
                fault = BrokenLog(
                    event.stream, event.seq, "the event was not committed in the order of its line"
                )
                return Cover(len(self._commits), [fault])
        return Cover(len(self._commits), [])

    def _drop(self, found: Checkpoint) -> None:
        del self._checkpoints[found.stream, found.projection, found.version][found.seq]

    def restore(self, branches: Iterable[Branch], events: Iterable[Event]) -> int:
        """Write a whole log as it was, all or nothing, into this empty one; see Store."""
        if self._commits or len(self._branches) > 1:
            raise InvalidBranch("only an empty log can be restored into")
        lines = {branch.name: branch for branch in branches}
        own: dict[str, list[Event]] = {name: [] for name in lines}
        commits = []
        for event in events:
            check_entry(event)
            own[event.stream].append(event)
            commits.append(event)
        vars(self).update(_branches=lines, _own=own, _commits=commits)  # at once, for any interrupt
        return len(commits)

    def close(self) -> None:
        """Do nothing: the log goes with the object."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _branch(self, name: str) -> Branch:
        try:
            return self._branches[name]
        except KeyError:
            known = did_you_mean(name, self._branches)
            raise UnknownStream(f"no branch named {name!r}{known}") from None

    def _digest_at(self, stream: str, seq: int) -> bytes | None:
        own, index = self._own[stream], seq - self._branches[stream].at - 1
        return own[index].digest if 0 <= index < len(own) else None
