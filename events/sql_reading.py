"""What a log in a database holds, read through one connection: SQLite and PostgreSQL ask alike.

Statements are written with `?` for values, and with tables that hold one log: in PostgreSQL those are views
of the fight at hand (`postgres_schema`), or functions where a view would read all of it for a few rows.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any

from affray.events.envelope import Branch, Event, Head
from affray.events.errors import BrokenLog, UnknownStream, did_you_mean
from affray.events.record_audit import SQLITE, audit
from affray.events.sql_record import LAST_POSITION
from affray.events.sql_rows import (
    READ,
    READ_ALL,
    branch_of,
    checkpoint_of,
    decoded,
    digest_of,
    head_of,
    unsalted,
)
from affray.events.store import MAIN, PROMOTED, Checkpoint, Cover, ancestry, line_parts

BRANCH = "SELECT name, parent, at, digest FROM branches"
NAMED_BRANCH = f"{BRANCH} WHERE name = ?"
HEAD = "SELECT seq, digest FROM events WHERE stream = ? ORDER BY seq DESC LIMIT 1"
DIGEST_AT = "SELECT digest FROM events WHERE stream = ? AND seq = ?"
REQUEST = "SELECT stream, first - 1, last FROM requests WHERE request = ?"
# The type stands in the text: with a parameter SQLite cannot know that the partial index serves.
NEWEST_PROMOTION = f"SELECT stream FROM events WHERE type = '{PROMOTED}' ORDER BY position DESC LIMIT 1"
PROMOTIONS = f"SELECT stream FROM events WHERE type = '{PROMOTED}' ORDER BY position"
CHECKPOINT_UPTO = (
    "SELECT stream, projection, version, seq, digest, state FROM checkpoints"
    " WHERE stream = ? AND projection = ? AND version = ? AND seq > ? AND seq <= ? ORDER BY seq DESC LIMIT 1"
)
CHECKPOINT_AFTER = (
    "SELECT stream, projection, version, seq, digest, state FROM checkpoints"
    " WHERE stream = ? AND projection = ? AND version = ? AND seq > ? ORDER BY seq LIMIT 1"
)
_PAGE = 500  # events fetched at once: memory stays small, and no statement stays open between events


class SqlReading(ABC):
    """The reading half of a store: of what is committed, or of what a transaction holds so far."""

    medium = SQLITE

    def __init__(self) -> None:
        self._read, self._read_all = READ, READ_ALL
        self._known: dict[str, Branch] = {}  # branches never change, so what was read once holds

    def _read_unsalted(self) -> None:
        """Read a file that is not to be written to, from before there were salts."""
        self._read, self._read_all = unsalted(READ), unsalted(READ_ALL)

    @abstractmethod
    def _all(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """Return the rows that a statement finds."""

    def recorded(self, request: str) -> list[Event]:
        """Return the events that were appended under this request id; see Store."""
        found = self._all(REQUEST, (request,))
        return list(self._events(found))

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> Iterator[Event]:
        """Yield the events of the line with `after` < seq <= `upto`; see Store."""
        end = self.head(stream).seq
        last = end if upto is None else min(upto, end)
        return self._events(line_parts(self.lineage(stream), max(after, 0), last))

    def _events(self, parts: Sequence[tuple[str, int, int]]) -> Iterator[Event]:
        for name, low, high in parts:
            while low < high:
                events = decoded(repeat(name), self._all(self._read, (name, low, high, _PAGE)))
                if not events:
                    raise BrokenLog(name, low + 1, "the event is missing")
                yield from events
                low = _onward(name, low, events[-1].seq)

    def read_all(self) -> Iterator[Event]:
        """Yield the events of all streams in order of commit."""
        ((end,),) = self._all(LAST_POSITION)
        return self._commits(end)

    def _commits(self, end: int) -> Iterator[Event]:
        position = 0
        while rows := self._all(self._read_all, (position, end, _PAGE)):
            yield from decoded([row[-2] for row in rows], [row[:-2] for row in rows])
            position = _onward(MAIN, position, rows[-1][-1])

    def head(self, stream: str) -> Head:
        """Return the line's last position and its digest; see Store."""
        for seq, digest in self._all(HEAD, (stream,)):
            return head_of(stream, seq, digest)
        branch = self._branch(stream)
        return Head(branch.at, branch.digest)

    def branches(self) -> list[Branch]:
        """Return all branches in order of creation, the root first."""
        found = [branch_of(row) for row in self._all(f"{BRANCH} ORDER BY id")]
        if len({one.name for one in found}) < len(found) or MAIN not in {one.name for one in found}:
            raise BrokenLog(MAIN, 0, f"a branch stands twice among the branches, or {MAIN!r} is missing")
        return found

    def main_line(self) -> str:
        """Return the stream of the newest `branch.promoted` event, else `main`."""
        newest = self._all(NEWEST_PROMOTION)
        return str(newest[0][0]) if newest else MAIN

    def epoch(self) -> int:
        """Return how many `branch.promoted` events there are. O(their number)."""
        return len(self._all(PROMOTIONS))

    def main_lines(self) -> list[str]:
        """Return the streams that were the main line, one after the other. O(their number)."""
        return [MAIN, *(str(row[0]) for row in self._all(PROMOTIONS))]

    def note(self, name: str) -> bytes | None:
        """Return a kept note, None if there is none; of an old log its seed is one."""
        found = self._all("SELECT value FROM secrets WHERE name = ?", (name,))
        return bytes(found[0][0]) if found else None

    def checkpoints(self, stream: str, projection: str, version: int) -> Iterator[Checkpoint]:
        """Yield the checkpoints after events of a stream itself, in their order; see Store."""
        after = 0
        while rows := self._all(CHECKPOINT_AFTER, (stream, projection, version, after)):
            yield checkpoint_of(rows[0])
            after = _onward(stream, after, rows[0][3])

    def cover(self) -> Cover:
        """Compare order, branches, requests and settings with the record of them; see Store."""
        return audit(self._all, self.main_line(), self.medium)

    def _saved(
        self, parts: Iterable[tuple[str, int, int]], projection: str, version: int
    ) -> Iterator[Checkpoint]:
        for name, low, high in parts:
            while rows := self._all(CHECKPOINT_UPTO, (name, projection, version, low, high)):
                found = checkpoint_of(rows[0])
                yield found
                high = -_onward(name, -high, 1 - found.seq)

    def _branch(self, name: str) -> Branch:
        known = self._known.get(name)
        if known is None:
            rows = self._all(NAMED_BRANCH, (name,))
            if not rows:
                names = [str(one[0]) for one in self._all(BRANCH)]
                raise UnknownStream(f"no branch named {name!r}{did_you_mean(name, names)}")
            if len(rows) > 1:
                raise BrokenLog(name, 0, "the branch stands twice among the branches")
            known = self._known[name] = branch_of(rows[0])
        return known

    def lineage(self, stream: str) -> Iterator[Branch]:
        """Yield the branch, its parent and so on up to the root; see Store."""
        return ancestry(self._branch, stream)

    def _digest_at(self, stream: str, seq: int) -> bytes | None:
        found = self._all(DIGEST_AT, (stream, seq))
        return digest_of(stream, seq, found[0][0]) if found else None


def _onward(stream: str, before: int, found: Any) -> int:
    """Return a number that has grown; raises BrokenLog, for an index that leads back is followed for ever."""
    if not isinstance(found, int) or found <= before:
        raise BrokenLog(stream, before + 1, "the file finds another row here: its index is damaged")
    return found
