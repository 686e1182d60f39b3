"""Is what stands beside the events of a log in a database as the record says?"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.events.envelope import Branch
from affray.events.errors import BrokenLog
from affray.events.secrets import SEED
from affray.events.sql_record import (
    START,
    Rows,
    events_by_position,
    of_append,
    of_fork,
    of_secret,
    row_digest,
    whole,
)
from affray.events.sqlite_schema import OWN_TABLES
from affray.events.store import MAIN, PROMOTED, Cover

_RECORD = "SELECT number, kind, name, position, digest FROM record ORDER BY number"
_BRANCHES = "SELECT id, name, parent, at, digest FROM branches ORDER BY id"
_REQUESTS = "SELECT request, stream, first, last FROM requests"
_OLD = "order, branches and requests are not covered: the log was written before there was a record"
_ADOPTED = (
    "order, branches and requests are covered since event {} of the log, written before are those to it"
)
ASTRAY = (
    "SELECT e.stream, e.seq FROM events e LEFT JOIN branches b ON b.name = e.stream"
    " WHERE b.name IS NULL OR e.seq <= b.at ORDER BY e.position LIMIT 10"
)
_END = 2**63 - 1


class Medium(Struct, frozen=True):
    """The statements that differ from one kind of database to another.

    `recorded` finds a row where there is a record. `promoted` finds type and stream of each promotion, read
    of the table and not by way of an index. `unsound` finds what the database itself says is wrong with the
    tables of a log: it would evaluate the expressions in those of others, however long that takes.
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
"""Of what no line is at fault: the place of a row, by its number, no branch being called so."""


def audit(rows: Rows, main_line: str, medium: Medium = SQLITE) -> Cover:
    """Compare a log with its record, row by row; what the first difference makes unknowable is not told.

    `main_line` is what the store says it is. O(events), reading no data; memory grows with the branches and
    requests.
    """
    try:
        cover = _Audit(rows, medium).compared(main_line)
        return replace(cover, faults=[*cover.faults, *_astray(rows), *_unsound(rows, medium.unsound)])
    except (TypeError, ValueError, AttributeError):  # a file may hold anything, whatever its schema says
        return Cover(0, [BrokenLog(ROWS, 0, "a row beside the events is not of its type")])


def _astray(rows: Rows) -> Iterator[BrokenLog]:
    """Yield the events that stand on no line: of no branch, or before their branch begins.

    Whoever reads the lines does not come by them.
    """
    for stream, seq in rows(ASTRAY):
        yield BrokenLog(str(stream), seq, "the event stands where its branch does not begin yet, or on none")


def _unsound(rows: Rows, sql: str) -> Iterator[BrokenLog]:
    """Yield what the database itself finds wrong: of an index that leaves out a row no other check can know.

    Whoever asks by the index (every line of play) and by the table (an export) would get different logs.
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
        self.requests: dict[tuple[Any, Any], tuple[Any, Any]] = {}
        for request, stream, first, last in rows(_REQUESTS):
            self.requests[stream, first] = (request, last)
        self.secrets = {
            name: value for name, value in rows("SELECT name, value FROM secrets") if name != SEED
        }

    def compared(self, main_line: str) -> Cover:
        """Go through the record, and then through what it says nothing of."""
        if not self.rows(self.medium.recorded):
            return Cover(0, self._main_line(main_line), _OLD)
        record = self.rows(_RECORD)
        if not record or record[0][1] not in ("adopted", "restored"):
            self._next_branch()
        before: Sequence[Any] = START
        for row in record:
            number, kind, name, position, digest = row
            if (number, type(position)) != (before[0] + 1, int):
                self._bad(
                    MAIN, 0, f"row {number} of the record stands where row {before[0] + 1} was expected"
                )
                break
            if kind in ("adopted", "restored"):
                content: bytes | None = self._whole(kind, name, position, record[number:])
            else:
                content = self._content(kind, name, before[1], position)
            if content is None:
                break
            if row_digest(before[2], number, kind, name, position, content) != digest:
                place, what = (
                    (name, "the branch") if kind == "fork" else (ROWS, "the row, or what it stands for,")
                )
                self._bad(place, number if place == ROWS else 0, f"{what} is not as it was recorded")
                break
            before = (number, position, digest)
        else:
            self._left_over()
        return Cover(len(record), [*self.faults, *self._main_line(main_line)], self.note)

    def _bad(self, stream: object, seq: object, reason: str) -> None:
        self.faults.append(BrokenLog(str(stream), seq if isinstance(seq, int) else 0, reason))

    def _content(self, kind: str, name: str, after: int, position: int) -> bytes | None:
        """Return what was committed, as the log has it now; None, and a fault is told, if it cannot be."""
        if kind == "append":
            return self._append(name, after, position)
        if kind == "fork":
            return self._fork(name)
        if kind == "secret" and name in self.secrets:
            return of_secret(self.secrets.pop(name))
        self._bad(ROWS, 0, f"what was recorded as {kind} {name!r} is missing")
        return None

    def _whole(self, kind: str, name: str, position: int, after: Sequence[Any]) -> bytes:
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
        """Go through the events of an append: of one line, one after the other, position by position."""
        events = list(islice(self.events, position - after)) if position > after else []
        self.seen += len(events)
        first = events[0][2] if events else 0
        for number, (at, stream, seq, _) in enumerate(events):
            if (at, stream, seq) != (after + 1 + number, name, first + number):
                self._bad(stream, seq, f"the event stands at position {at}, where it was not committed")
                return None
        if not events or len(events) != position - after:
            self._bad(
                name, 0, f"the log ends before event {position} of all, which was recorded on this line"
            )
            return None
        request, last = self.requests.pop((name, first), ("", events[-1][2]))
        if last != events[-1][2]:
            self._bad(name, first, f"the request {request!r} ends elsewhere than what was appended under it")
            return None
        return of_append(bytes.fromhex(events[-1][3]), request)

    def _fork(self, name: str) -> bytes | None:
        branch = self._next_branch()
        if branch is None or branch.name != name:
            found = f", {branch.name!r} stands in its place" if branch is not None else ""
            self._bad(name, 0, f"the branch is missing where it was made{found}")
            return None
        return of_fork(self.made, branch)

    def _next_branch(self) -> Branch | None:
        for number, name, parent, at, digest in self.branches:
            self.made += 1
            if number != self.made:
                self._bad(name, 0, f"the branch has number {number}, where {self.made} was expected")
            return Branch(name, parent, at, bytes.fromhex(digest))
        return None

    def _left_over(self) -> None:
        for at, stream, seq, _ in islice(self.events, 1):
            self._bad(stream, seq, f"the event, at position {at}, was committed by nobody")
        while (branch := self._next_branch()) is not None:
            self._bad(branch.name, branch.at, "the branch was made by nobody")
        for (stream, first), (request, _) in self.requests.items():
            self._bad(stream, first, f"the request {request!r} stands for what was not appended under it")
        for name in self.secrets:
            self._bad(ROWS, 0, f"what is kept as {name!r} beside the log was kept by nobody")

    def _main_line(self, told: str) -> list[BrokenLog]:
        """Compare the main line with the events themselves: the store asks an index, which may be wrong."""
        found = MAIN
        for kind, stream in self._types():
            if kind == PROMOTED:
                found = stream
        if found == told:
            return []
        return [BrokenLog(ROWS, 0, f"the main line is {told!r}, by its events it is {found!r}")]

    def _types(self) -> Iterator[tuple[Any, Any]]:
        yield from self.rows(self.medium.promoted)
