"""The log in a PostgreSQL database: many fights in one, shared by many processes, no lock between fights.

An append is one statement: it inserts the events where the writer believes the head to be, the row of the
record and the request. A slower writer finds the place taken (`UNIQUE (fight, stream, seq)`) and retries.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from operator import attrgetter
from types import TracebackType
from typing import Self

from msgspec import Struct

from affray.events.chain import GENESIS, key_of, link
from affray.events.envelope import Branch, Entry, Event, Head, check_entries
from affray.events.errors import AffrayError, Conflict, InvalidBranch, LogUnavailable, SecretExists
from affray.events.stores.address import Address
from affray.events.stores.postgres_connection import (
    FightSettings,
    RowExists,
    Synchronous,
    Wire,
    fight_of,
    give_back,
)
from affray.events.stores.sql_reading import (
    ASTRAY,
    CHECKPOINT_AFTER,
    CHECKPOINT_UPTO,
    DIGEST_AT,
    HEAD,
    NAMED_BRANCH,
    NEWEST_PROMOTION,
    POSTGRES,
    PROMOTIONS,
    REQUEST,
    SqlReading,
)
from affray.events.stores.sql_rows import (
    DIGESTS,
    FIELDS,
    LAST,
    LAST_POSITION,
    READ,
    READ_ALL,
    REQUESTS,
    START,
    Row,
    append_content,
    decoded,
    fork_content,
    head_of,
    row_after,
    row_of_whole,
    secret_content,
)
from affray.events.stores.store import (
    MAIN,
    Checkpoint,
    bound,
    check_count,
    check_fork,
    check_repeat,
    following,
    line_parts,
    newest_usable_checkpoint,
    owner,
)

MOST_TRIES = 1000
"""Retries of a writer when others of the same fight were faster; each time one of them succeeded."""

Eyes = Callable[["PostgresStore", Sequence[Event]], Sequence[Sequence[str] | None]]
"""Returns the side that may see each event after a head: "" for all, None for game masters only."""

_PAGE = 500
_STATE = "stream, projection, version, seq, digest, state"
_FUNCTIONS = {
    READ: f"SELECT {FIELDS} FROM affray_one.events_of_line(?, ?, ?, ?)",
    READ_ALL: f"SELECT {FIELDS}, stream, position FROM affray_one.events_in_order(?, ?, ?)",
    DIGESTS: "SELECT position, stream, seq, digest FROM affray_one.digests_in_order(?, ?, ?)",
    HEAD: "SELECT seq, digest FROM affray_one.head(?)",
    DIGEST_AT: "SELECT digest FROM affray_one.digest_at(?, ?)",
    LAST_POSITION: "SELECT position FROM affray_one.last_position()",
    LAST: "SELECT number, position, digest FROM affray_one.last_record()",
    NAMED_BRANCH: "SELECT name, parent, at, digest FROM affray_one.branch(?)",
    REQUEST: "SELECT stream, before, last FROM affray_one.request(?)",
    NEWEST_PROMOTION: "SELECT stream FROM affray_one.promotions() ORDER BY position DESC LIMIT 1",
    PROMOTIONS: "SELECT stream FROM affray_one.promotions() ORDER BY position",
    CHECKPOINT_UPTO: f"SELECT {_STATE} FROM affray_one.checkpoint_upto(?, ?, ?, ?, ?)",
    CHECKPOINT_AFTER: f"SELECT {_STATE} FROM affray_one.checkpoint_after(?, ?, ?, ?)",
    ASTRAY: ASTRAY.replace("events e", "outline e"),
    REQUESTS: REQUESTS.replace("events e", "outline e"),
}
"""Statements for the tables of a file, with their replacements: no planner looks into a view."""

_STAND = (
    """SELECT seq, digest, number, position, recorded, stream, before, last FROM affray_one.stand(?, ?)"""
)
_EVENTS = """INSERT INTO affray.events
    (fight, position, stream, seq, type, version, round, turn, actor, cause, data, digest, salt, seen_by)
    SELECT %s, e.position, e.stream, e.seq, e.type, e.version, e.round, e.turn, e.actor, e.cause,
    e.data::json, e.digest, e.salt,
    CASE WHEN e.seen_by = '' THEN ARRAY[''] ELSE string_to_array(e.seen_by, E'\\n') END
    FROM {}unnest(%s::bigint[], %s::text[], %s::bigint[],
    %s::text[], %s::bigint[], %s::bigint[], %s::bigint[], %s::text[], %s::bigint[], %s::text[], %s::text[],
    %s::text[], %s::text[]) WITH ORDINALITY AS e
    (position, stream, seq, type, version, round, turn, actor, cause, data, digest, salt, seen_by, place)
    ORDER BY e.place"""
_RECORD = (
    "INSERT INTO affray.record (fight, number, kind, name, position, digest) VALUES (%s, %s, %s, %s, %s, %s)"
)
# The record first: two writers of one fight then wait for each other, never in a circle.
_APPEND = f"""WITH recorded AS ({_RECORD} RETURNING 1), asked AS (
    INSERT INTO affray.requests (fight, request, stream, first, last)
    SELECT %s, %s, %s, %s, %s FROM recorded WHERE %s RETURNING 1)
    {_EVENTS.format("recorded, ")}"""
_BRANCH = "INSERT INTO affray.branches (fight, id, name, parent, at, digest) VALUES (%s, %s, %s, %s, %s, %s)"
_NOTE = "INSERT INTO affray.notes (fight, name, value) VALUES (%s, %s, %s)"
_SECRET = "INSERT INTO affray.secrets (fight, name, value) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
_SAVE = "SELECT affray_one.save_checkpoint(%s, %s, %s, %s, %s, %s)"
_DROP = "SELECT affray_one.drop_checkpoint(%s, %s, %s, %s)"


class PostgresStore(SqlReading):
    """A Store on one fight of a database. Other processes may read, append and fork at the same time.

    With `synchronous="FULL"` completed appends survive a power cut, as far as the server flushes; with
    "NORMAL" the newest appends may be lost. A `readonly` store changes nothing and raises LogUnavailable for
    a missing fight, which other stores create. Secrets are stored in the database, for game masters only.
    `eyes` selects the events that players see (see docs/postgres.md); without it they see none. `is_new` is
    whether this store created the fight, `has_recorded` whether it appended anything.

    Opening raises LogUnavailable, NotALog, NewerLog, and BrokenLog if the triggers that keep the tables
    append-only are not all there.
    """

    medium = POSTGRES

    def __init__(
        self,
        address: Address | str,
        *,
        synchronous: Synchronous = "FULL",
        readonly: bool = False,
        busy_seconds: float = 5.0,
        eyes: Eyes | None = None,
    ) -> None:
        super().__init__()
        self.path = address if isinstance(address, Address) else Address(address)
        self._wire = Wire(self.path, synchronous=synchronous, readonly=readonly, busy_seconds=busy_seconds)
        self._eyes = eyes
        self.has_recorded = False
        self._key: bytes | None = None  # what salts are made from; not known yet
        try:
            self.fight, self.is_new = fight_of(self._wire, self.path.fight, make=not readonly)
            self._wire.show(self.fight)
        except BaseException:
            self._wire.close()
            raise

    def append(self, stream: str, entries: Sequence[Entry], expected: int, request: str = "") -> list[Event]:
        """Append all entries or none and return them as recorded; see Store. One statement, one flush."""
        if self._key is None:
            self._key = key_of(self)
        for _ in range(MOST_TRIES):
            head, last, asked = self._stand(stream, request)
            if asked is not None:
                recorded = list(self._events([asked]))
                check_repeat(request, recorded, stream, entries)
                return recorded
            if not entries:
                return []
            if head.seq != expected:
                raise Conflict(stream, expected, head.seq)
            events = link(stream, head, entries, self._key or b"")
            row = row_after(last, "append", stream, len(events), append_content(events[-1].digest, request))
            asked_for = (self.fight, request, stream, events[0].seq, events[-1].seq, bool(request))
            values = (self.fight, *row, *asked_for, self.fight, *self._columns(events, last[1]))
            with suppress(RowExists):
                self._wire.write(_APPEND, values)
                self.has_recorded = True
                self._wire.hint()
                return events
        raise LogUnavailable(f"{self.path}: others write to this fight without a pause")

    def _stand(self, stream: str, request: str) -> tuple[Head, Row, tuple[str, int, int] | None]:
        """Return the head of a stream, the last row of the record, and what the request is recorded for."""
        ((seq, digest, number, position, recorded, *asked),) = self._all(_STAND, (stream, request))
        if seq is None:
            branch = self._branch(stream)
            head = Head(branch.at, branch.digest)
        else:
            head = head_of(stream, seq, digest)
        last = START if number is None else (number, position, recorded)
        return head, last, (asked[0], asked[1], asked[2]) if asked[0] is not None else None

    def _columns(self, events: Sequence[Event], position: int) -> list[list[object]]:
        """Return the events of one line as the columns of `_EVENTS`, behind this position of the fight."""
        seen = self._eyes(self, events) if self._eyes is not None else [None] * len(events)
        return [
            [*range(position + 1, position + 1 + len(events))],
            [e.stream for e in events],
            [e.seq for e in events],
            [e.type for e in events],
            [e.version for e in events],
            [e.round for e in events],
            [e.turn for e in events],
            [e.actor for e in events],
            [e.cause for e in events],
            [e.data.decode() for e in events],
            [e.digest.hex() for e in events],
            [e.salt.hex() for e in events],
            [None if sides is None else "\n".join(sides) for sides in seen],
        ]

    def fork(self, name: str, parent: str, at: int) -> Branch:
        """Make a branch that leaves `parent`'s line after event `at`; see Store."""
        for _ in range(MOST_TRIES):
            known = self.branches()
            check_count(len(known) + 1)
            check_fork(name, name in {one.name for one in known}, parent, at, self.head(parent).seq)
            digest = self._digest_at(owner(self.lineage(parent), at), at) or b"" if at else GENESIS
            branch = Branch(name, parent, at, digest)
            with suppress(RowExists), self._writing() as write:
                number = len(known) + 1
                write(_BRANCH, (self.fight, number, name, parent, at, digest.hex()))
                self._committed(write, "fork", name, fork_content(number, branch))
                return branch
        raise LogUnavailable(f"{self.path}: others write to this fight without a pause")

    def _committed(self, write: Callable[..., object], kind: str, name: str, content: bytes) -> None:
        """Record what is committed along with the events."""
        last = next(iter(self._all(LAST)), START)
        write(_RECORD, (self.fight, *row_after(last, kind, name, 0, content)))

    def follow(
        self, stream: str, after: int = 0, *, poll_seconds: float, stop: Callable[[], bool]
    ) -> Iterator[Event]:
        """Yield the line's events after `after` as they come, until `stop()`; see Store."""
        self._branch(stream)
        return following(lambda seen: self.read(stream, seen), after, poll_seconds, stop, self._wire.wait)

    def keep_secret(self, name: str, value: bytes) -> None:
        """Store a value in the database, once, readable only by masters of the fight; see Store."""
        self._wire.write(_SECRET, (self.fight, name, value))
        if self.secret(name) != value:
            raise SecretExists(f"secret {name!r} is kept already, with another value")

    def secret(self, name: str) -> bytes | None:
        """Return a kept secret, None if there is none; see Store."""
        found = self._all("SELECT value FROM affray_one.secret(?)", (name,))
        return bytes(found[0][0]) if found else None

    def keep_note(self, name: str, value: bytes) -> None:
        """Keep a value with the log, once; see Store."""
        for _ in range(MOST_TRIES):
            kept = self.note(name)
            if kept == value:
                return
            if kept is not None:
                raise SecretExists(f"note {name!r} is kept already, with another value")
            with suppress(RowExists), self._writing() as write:
                write(_NOTE, (self.fight, name, value))
                self._committed(write, "secret", name, secret_content(value))
        raise LogUnavailable(f"{self.path}: others write to this fight without a pause")

    def save_checkpoint(
        self, stream: str, projection: str, version: int, seq: int, digest: bytes, state: bytes
    ) -> None:
        """Keep a projection's state after event `seq` of the line; see Store."""
        holder = owner(self.lineage(stream), seq)
        made = Checkpoint(holder, projection, version, seq, digest, state)
        self._wire.write(_SAVE, (holder, projection, version, seq, bound(made, digest).hex(), state))

    def checkpoint(self, stream: str, projection: str, version: int, upto: int) -> Checkpoint | None:
        """Return the newest usable state at or before `upto` along the line; see Store."""
        parts = reversed(line_parts(self.lineage(stream), 0, upto))
        return newest_usable_checkpoint(self._saved(parts, projection, version), self._digest_at, self._drop)

    def _drop(self, found: Checkpoint) -> None:
        with suppress(LogUnavailable):
            self._wire.write(_DROP, (found.stream, found.projection, found.version, found.seq))

    def restore(self, branches: Iterable[Branch], events: Iterable[Event]) -> int:
        """Write a whole log as it was, all or nothing, into this empty one; see Store."""
        count = 0
        try:
            with self._writing() as write:
                if self.head(MAIN).seq or len(self.branches()) > 1:
                    raise InvalidBranch("only an empty log can be restored into")
                for number, one in enumerate(branches, 1):
                    if one.name != MAIN:  # the root is there from the start
                        write(_BRANCH, (self.fight, number, one.name, one.parent, one.at, one.digest.hex()))
                for page in _pages(events):
                    check_entries(page)
                    write(_EVENTS.format(""), (self.fight, *self._columns(page, count)))
                    count += len(page)
                write(_RECORD, (self.fight, *row_of_whole(self._all, "restored")))
        except RowExists:
            raise InvalidBranch("only an empty log can be restored into") from None
        return count

    def beside(self) -> FightSettings:
        """Return the fight's guest list and the combatants hidden from players."""
        return FightSettings(self._wire)

    def give_back(self) -> None:
        """Release the name of this fight, which this store created without use."""
        if self.is_new or self.has_recorded:
            give_back(self._wire, used=self.has_recorded)

    def close(self) -> None:
        """Close the connection; closing twice is no error."""
        self._wire.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _writing(self) -> Iterator[Callable[..., object]]:
        """Yield a writer for one transaction, which reads see too; rolled back if anything is raised."""
        try:
            with self._wire.transaction() as held:
                yield held.execute
        except BaseException:
            self._known.clear()  # a branch read in it may never have been committed
            raise

    def _all(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        return self._wire.rows(_FUNCTIONS.get(sql, sql).replace("?", "%s"), values)


def _pages(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Yield the events in pages, each of one stream, in their order."""
    for _, run in groupby(events, attrgetter("stream")):
        page: list[Event] = []
        for event in run:
            page.append(event)
            if len(page) == _PAGE:
                yield page
                page = []
        if page:
            yield page


# --- Reading the events of all fights of a database, each exactly once, despite late commits
#
# Numbers are assigned in another order than they are committed: a reader that remembers the highest number
# would miss rows that began earlier and were committed later. Every row has the transaction that wrote it
# (`xid`); those below `pg_snapshot_xmin` have ended, committed or not. A reader that stops there has
# everything up to that point, ordered by transaction, and within one fight in the fight's order.
#
# A transaction that stays open, in any database of the server, delays readers; they skip nothing.

_READ = f"""SELECT {FIELDS}, stream, xid::text, fight, position, name
    FROM affray.events_after(%s::text::xid8, %s, %s, {_PAGE})"""


class Cursor(Struct, frozen=True, order=True):
    """A reader's position: transaction, number of the fight, position in it. It may be stored.

    It is valid for this server and its copies by `pg_upgrade` or replication. Rows loaded from a dump carry
    the transactions of their old server: move fights with `affray copy`.
    """

    xid: int = 0
    fight: int = 0
    position: int = 0

    def __str__(self) -> str:
        return f"{self.xid}:{self.fight}:{self.position}"

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the cursor that is written so. Raises AffrayError."""
        try:
            xid, fight, position = (int(word) for word in text.split(":"))
        except ValueError:
            raise AffrayError(f"{text[:80]!r} is no cursor: write xid:fight:position") from None
        return cls(xid, fight, position)


class Passed(Struct, frozen=True):
    """An event of a reader: the cursor after it, the name of the fight, the event."""

    cursor: Cursor
    fight: str
    event: Event


class Everything:
    """A reader of all events that its role may see; it belongs to one thread."""

    def __init__(self, address: Address | str) -> None:
        """Connect. Raises what opening a log raises."""
        at = address if isinstance(address, Address) else Address(address)
        self._wire = Wire(at, readonly=True, busy_seconds=5.0)

    def read(self, after: Cursor | None = None) -> Iterator[Passed]:
        """Yield the events after a cursor up to the last settled transaction, in bounded memory."""
        at = after or Cursor()
        while rows := self._wire.rows(_READ, (str(at.xid), at.fight, at.position)):
            streams = [row[-5] for row in rows]
            for event, row in zip(decoded(streams, [row[:-5] for row in rows]), rows, strict=True):
                at = Cursor(int(row[-4]), row[-3], row[-2])
                yield Passed(at, str(row[-1]), event)

    def follow(
        self, after: Cursor | None = None, *, poll_seconds: float, stop: Callable[[], bool]
    ) -> Iterator[Passed]:
        """Yield the events after a cursor, then new ones until `stop()`, polling every `poll_seconds`.

        A notification is a hint to poll immediately; nothing depends on it.
        """
        at = after or Cursor()
        while True:
            stopping = stop()
            for passed in self.read(at):
                at = passed.cursor
                yield passed
            if stopping:
                return
            self._wire.wait(poll_seconds)

    def close(self) -> None:
        """Close the connection; closing twice is no error."""
        self._wire.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
