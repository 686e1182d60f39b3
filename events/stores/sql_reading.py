"""Reading a log from a database through one connection, for SQLite and PostgreSQL alike.

Statements use `?` for values and tables that contain one log. In PostgreSQL those are views of the current
fight (`postgres_connection`), or functions if a view would read the whole fight for a few rows.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, repeat

from msgspec import Struct
from msgspec.structs import replace

from affray.events.envelope import Branch, Event, Head
from affray.events.errors import BrokenLog, UnknownStream, did_you_mean
from affray.events.secrets import SEED
from affray.events.stores.sql_rows import (
    LAST_POSITION,
    READ,
    READ_ALL,
    START,
    Row,
    Rows,
    append_content,
    branch_of,
    checkpoint_of,
    decoded,
    digest_of,
    events_by_position,
    fork_content,
    head_of,
    row_digest,
    secret_content,
    unsalted,
    whole,
)
from affray.events.stores.sqlite_file import OWN_TABLES
from affray.events.stores.store import MAIN, PROMOTED, Checkpoint, Cover, ancestry, line_parts

# --- Comparing a log's branches, requests and settings with its record

_RECORD = "SELECT number, kind, name, position, digest FROM record ORDER BY number"
_BRANCHES = "SELECT id, name, parent, at, digest FROM branches ORDER BY id"
_REQUESTS = "SELECT request, stream, first, last FROM requests"
_OLD = "order, branches and requests are not covered: the log was written before there was a record"
_ADOPTED = "order, branches and requests are covered since event {} of the log, not for earlier events"
ASTRAY = (
    "SELECT e.stream, e.seq FROM events e LEFT JOIN branches b ON b.name = e.stream"
    " WHERE b.name IS NULL OR e.seq <= b.at ORDER BY e.position LIMIT 10"
)
_END = 2**63 - 1


class Medium(Struct, frozen=True):
    """The statements that differ between kinds of databases.

    `recorded` finds a row if the log has a record. `promoted` finds type and stream of each promotion,
    reading the table and not an index. `unsound` finds the faults that the database reports for a log's own
    tables; for tables of others it would evaluate their expressions, which can take any time.
    """

    recorded: str
    promoted: str
    unsound: str


SQLITE = Medium(
    "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'record'",
    f"SELECT type, stream FROM events NOT INDEXED WHERE type = '{PROMOTED}' ORDER BY position",
    "SELECT told.integrity_check FROM sqlite_master own JOIN pragma_integrity_check(own.name) told"
    f" WHERE own.type = 'table' AND own.name IN ({', '.join(map(repr, OWN_TABLES))}) LIMIT 10",
)
POSTGRES = Medium(
    "SELECT 1",
    f"SELECT type, stream FROM outline WHERE type = '{PROMOTED}' ORDER BY position",
    "SELECT 'ok'",
)
ROWS = "the record"
"""The place named for faults of the record, with the number of a row. No branch has this name."""


def audit(rows: Rows, main_line: str, medium: Medium = SQLITE) -> Cover:
    """Compare a log with its record, row by row; faults that only follow from the first are not reported.

    `main_line` is the store's answer. O(events), reading no data; memory grows with the branches and
    requests.
    """
    try:
        cover = _Audit(rows, medium).compared(main_line)
        return replace(cover, faults=[*cover.faults, *_astray(rows), *_database_faults(rows, medium.unsound)])
    except (TypeError, ValueError, AttributeError):  # a file may hold anything, despite its schema
        return Cover(0, [BrokenLog(ROWS, 0, "a row outside the events has a field of a wrong type")])


def _astray(rows: Rows) -> Iterator[BrokenLog]:
    """Yield the events on no line: without a branch, or before their branch begins.

    A reader of the lines never meets them.
    """
    for stream, seq in rows(ASTRAY):
        yield BrokenLog(str(stream), seq, "the event is before the beginning of its branch, or on no branch")


def _database_faults(rows: Rows, sql: str) -> Iterator[BrokenLog]:
    """Yield the faults that the database itself finds: only it can detect an index that omits a row.

    A query by the index (every line of play) and one by the table (an export) would return different logs.
    """
    for (told,) in rows(sql):
        if told != "ok":
            yield BrokenLog(ROWS, 0, f"the file does not hang together: {told}")


class _Audit:
    def __init__(self, rows: Rows, medium: Medium) -> None:
        self.rows, self.medium = rows, medium
        self.faults: list[BrokenLog] = []
        self.note = ""
        self.events = events_by_position(rows, _END)
        self.seen = 0
        self.branches = iter(rows(_BRANCHES))
        self.made = 0
        self.requests: dict[tuple[str, int], tuple[str, int]] = {}
        for request, stream, first, last in rows(_REQUESTS):
            self.requests[stream, first] = (request, last)
        self.secrets = {
            name: value for name, value in rows("SELECT name, value FROM secrets") if name != SEED
        }

    def compared(self, main_line: str) -> Cover:
        """Go through the record, then through the rows it does not mention."""
        if not self.rows(self.medium.recorded):
            return Cover(0, self._main_line(main_line), _OLD)
        record = self.rows(_RECORD)
        if not record or record[0][1] not in ("adopted", "restored"):
            self._next_branch()
        before: Row = START
        for row in record:
            number, kind, name, position, digest = row
            if (number, type(position)) != (before[0] + 1, int):
                self._bad(MAIN, 0, f"row {number} of the record was found, row {before[0] + 1} was expected")
                break
            if kind in ("adopted", "restored"):
                content: bytes | None = self._whole(kind, name, position, record[number:])
            else:
                content = self._content(kind, name, before[1], position)
            if content is None:
                break
            if row_digest(before[2], number, kind, name, position, content) != digest:
                place, what = (
                    (name, "the branch") if kind == "fork" else (ROWS, "the row, or the data it covers,")
                )
                self._bad(place, number if place == ROWS else 0, f"{what} is not as it was recorded")
                break
            before = (number, position, digest)
        else:
            self._check_unrecorded()
        return Cover(len(record), [*self.faults, *self._main_line(main_line)], self.note)

    def _bad(self, stream: object, seq: object, reason: str) -> None:
        self.faults.append(BrokenLog(str(stream), seq if isinstance(seq, int) else 0, reason))

    def _content(self, kind: str, name: str, after: int, position: int) -> bytes | None:
        """Return the committed content from the log; None, with a fault noted, if it is impossible."""
        if kind == "append":
            return self._append(name, after, position)
        if kind == "fork":
            return self._fork(name)
        if kind == "secret" and name in self.secrets:
            return secret_content(self.secrets.pop(name))
        self._bad(ROWS, 0, f"what was recorded as {kind} {name!r} is missing")
        return None

    def _whole(self, kind: str, name: str, position: int, after: Sequence[Row]) -> bytes:
        if kind == "adopted":
            self.note = _ADOPTED.format(position)
        while self.made < int(name) and self._next_branch() is not None:
            pass
        for _, stream, seq, _ in islice(self.events, position - self.seen):
            self.requests.pop((stream, seq), None)
            self.seen += 1
        later = {row[2] for row in after if row[1] == "secret"}
        self.secrets = {name: value for name, value in self.secrets.items() if name in later}
        return whole(self.rows, self.made, position, later)

    def _append(self, name: str, after: int, position: int) -> bytes | None:
        """Check the events of an append: consecutive events of one line at consecutive positions."""
        events = list(islice(self.events, position - after)) if position > after else []
        self.seen += len(events)
        first = events[0][2] if events else 0
        for number, (at, stream, seq, _) in enumerate(events):
            if (at, stream, seq) != (after + 1 + number, name, first + number):
                self._bad(stream, seq, f"the event is at position {at}, where it was not committed")
                return None
        if not events or len(events) != position - after:
            self._bad(
                name, 0, f"the log ends before event {position} of all, which was recorded on this line"
            )
            return None
        request, last = self.requests.pop((name, first), ("", events[-1][2]))
        if last != events[-1][2]:
            self._bad(
                name,
                first,
                f"the request {request!r} does not end with the events that were appended under it",
            )
            return None
        return append_content(bytes.fromhex(events[-1][3]), request)

    def _fork(self, name: str) -> bytes | None:
        branch = self._next_branch()
        if branch is None or branch.name != name:
            found = f", {branch.name!r} is in its place" if branch is not None else ""
            self._bad(name, 0, f"the branch is missing where it was made{found}")
            return None
        return fork_content(self.made, branch)

    def _next_branch(self) -> Branch | None:
        for number, name, parent, at, digest in self.branches:
            self.made += 1
            if number != self.made:
                self._bad(name, 0, f"the branch has number {number}, where {self.made} was expected")
            return Branch(name, parent, at, bytes.fromhex(digest))
        return None

    def _check_unrecorded(self) -> None:
        for at, stream, seq, _ in islice(self.events, 1):
            self._bad(stream, seq, f"the event, at position {at}, has no commit in the record")
        while (branch := self._next_branch()) is not None:
            self._bad(branch.name, branch.at, "the branch has no commit in the record")
        for (stream, first), (request, _) in self.requests.items():
            self._bad(stream, first, f"the request {request!r} names events that were not appended under it")
        for name in self.secrets:
            self._bad(ROWS, 0, f"the note {name!r} of the log has no commit in the record")

    def _main_line(self, told: str) -> list[BrokenLog]:
        """Compare the main line with the events themselves: the store asks an index, which may be wrong."""
        found = MAIN
        for kind, stream in self._types():
            if kind == PROMOTED:
                found = stream
        if found == told:
            return []
        return [BrokenLog(ROWS, 0, f"the main line is {told!r}, by its events it is {found!r}")]

    def _types(self) -> Iterator[Row]:
        yield from self.rows(self.medium.promoted)


BRANCH = "SELECT name, parent, at, digest FROM branches"
NAMED_BRANCH = f"{BRANCH} WHERE name = ?"
HEAD = "SELECT seq, digest FROM events WHERE stream = ? ORDER BY seq DESC LIMIT 1"
DIGEST_AT = "SELECT digest FROM events WHERE stream = ? AND seq = ?"
REQUEST = "SELECT stream, first - 1, last FROM requests WHERE request = ?"
# The type is part of the text: with a parameter SQLite cannot use the partial index.
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
    """The reading half of a store, for committed data or the data of an open transaction."""

    medium = SQLITE

    def __init__(self) -> None:
        self._read, self._read_all = READ, READ_ALL
        self._known: dict[str, Branch] = {}  # branches never change

    def _read_unsalted(self) -> None:
        """Read a file from before salts were introduced, which must not be written to."""
        self._read, self._read_all = unsalted(READ), unsalted(READ_ALL)

    @abstractmethod
    def _all(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
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
            raise BrokenLog(MAIN, 0, f"a branch is listed twice, or {MAIN!r} is missing")
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
                raise BrokenLog(name, 0, "the branch is listed twice")
            known = self._known[name] = branch_of(rows[0])
        return known

    def lineage(self, stream: str) -> Iterator[Branch]:
        """Yield the branch, its parent and so on up to the root; see Store."""
        return ancestry(self._branch, stream)

    def _digest_at(self, stream: str, seq: int) -> bytes | None:
        found = self._all(DIGEST_AT, (stream, seq))
        return digest_of(stream, seq, found[0][0]) if found else None


def _onward(stream: str, before: int, found: object) -> int:
    """Return a number that has grown; raises BrokenLog, since an index that leads back never ends."""
    if not isinstance(found, int) or found <= before:
        raise BrokenLog(stream, before + 1, "the file finds another row here: its index is damaged")
    return found
