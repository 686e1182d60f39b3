"""Reading everything: the events of all fights of a database, each once, none skipped, whatever commits late.

The order of numbers that a database hands out is not the order in which they are committed: a reader that
goes by "the highest number so far" passes over what began earlier and is committed later. Every row knows the
transaction that wrote it (`xid`); those below `pg_snapshot_xmin` are over for good, committed or not. So what
is read is all there will ever be up to there, in the order of transactions, and within one fight in its own
order.

A transaction that stays open, in any database of the server, holds readers back; it makes them skip nothing.
"""

from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Self

from msgspec import Struct

from affray.events.address import Address
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.postgres_wire import Wire
from affray.events.sql_rows import FIELDS, decoded

_PAGE = 500
_READ = f"""SELECT {FIELDS}, stream, xid::text, fight, position, name
    FROM affray.events_after(%s::text::xid8, %s, %s, {_PAGE})"""


class Cursor(Struct, frozen=True, order=True):
    """How far a reader has come: transaction, number of the fight, position in it. It may be kept.

    It holds for this server and its copies by `pg_upgrade` or replication. What was loaded from a dump
    elsewhere bears the transactions of there: carry fights over with `affray copy`.
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
    """An event that a reader comes by: where it is then, the name of the fight, the event."""

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
        """Yield what can be told after a cursor, to the end of what is over for good; in bounded memory."""
        at = after or Cursor()
        while rows := self._wire.rows(_READ, (str(at.xid), at.fight, at.position)):
            streams = [row[-5] for row in rows]
            for event, row in zip(decoded(streams, [row[:-5] for row in rows]), rows, strict=True):
                at = Cursor(int(row[-4]), row[-3], row[-2])
                yield Passed(at, str(row[-1]), event)

    def follow(
        self, after: Cursor | None = None, *, poll_seconds: float, stop: Callable[[], bool]
    ) -> Iterator[Passed]:
        """Yield what can be told, then what comes, until `stop()`; looked for every `poll_seconds`.

        A notification is a hint to look at once. Nothing depends on its coming.
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
