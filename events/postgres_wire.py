"""The connection to a PostgreSQL database: opened, settled, opened again; its errors by name."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from affray.events import oplog
from affray.events.address import Address
from affray.events.errors import AffrayError, BrokenLog, InvalidEntry, LogUnavailable, NotALog
from affray.events.postgres_schema import check_schema
from affray.events.store import MAIN

if TYPE_CHECKING:
    import psycopg

Synchronous = Literal["FULL", "NORMAL"]
CONNECT_SECONDS = 10
"""So long a server may take to answer, where the address says nothing of it (connect_timeout)."""

HINT_SECONDS = 0.05
"""So long no other hint is given after one."""

_FLUSHING = ("synchronous_commit", "fsync", "full_page_writes")
_APPEND_ONLY = "AF001"  # raised by the triggers of the schema
_FAULTY = ("XX001", "XX002")  # a page or an index of the database is damaged


class Taken(Exception):
    """What was to be written stands there already: somebody else was faster."""


def driver() -> Any:
    """Return psycopg. Raises LogUnavailable, naming the extra, where it is not installed."""
    try:
        import psycopg
    except ImportError as error:
        raise LogUnavailable(
            f"a log in PostgreSQL needs one more package: pip install 'affray[postgres]' ({error})"
        ) from None
    return psycopg


class Wire:
    """One connection for one thread. It is opened again after it was lost, with what comes next.

    Every statement is a transaction of its own but for those inside `transaction()`.
    """

    def __init__(
        self, address: Address, *, synchronous: Synchronous = "FULL", readonly: bool, busy_seconds: float
    ) -> None:
        """Connect, and have the schema be there. Raises LogUnavailable, NotALog, NewerLog, BrokenLog."""
        self.address, self.readonly = address, readonly
        self._synchronous, self._busy = synchronous, busy_seconds
        self._fight = ""
        self._connection: psycopg.Connection[Any] | None = None
        self._closed = False
        self._inside: psycopg.Connection[Any] | None = None  # while a transaction is at hand
        self._listening: psycopg.Connection[Any] | None = None
        self._hinted = 0.0
        try:
            with self.faults():
                check_schema(self.connection(), str(address), readonly=readonly)
        except BaseException:
            self.close()
            raise

    def connection(self) -> "psycopg.Connection[Any]":
        """Return the connection, opened anew if it was lost, with nothing left open by an interrupt."""
        if self._closed:
            raise ValueError(f"{self.address}: the log was closed")
        if self._inside is not None:
            return self._inside
        if self._connection is None or self._connection.closed:
            self._connection = self._opened()
        elif not self._connection.autocommit or self._connection.info.transaction_status:
            # An interrupt came between the statements of a transaction: nothing of it is committed.
            with suppress(driver().Error):
                self._connection.close()
            self._connection = self._opened()
        return self._connection

    def _opened(self) -> "psycopg.Connection[Any]":
        uri = self.address.uri
        timeout = {} if "connect_timeout=" in uri else {"connect_timeout": CONNECT_SECONDS}
        found: psycopg.Connection[Any] = driver().connect(
            uri, autocommit=True, fallback_application_name="affray", **timeout
        )
        try:
            with found.transaction():
                for name, value in (
                    ("search_path", "affray_one, pg_temp"),
                    ("lock_timeout", f"{int(self._busy * 1000) or 1}ms"),
                    ("default_transaction_isolation", "read committed"),
                    ("default_transaction_read_only", "on" if self.readonly else "off"),
                    ("client_encoding", "UTF8"),
                    ("affray.fight", self._fight),
                ):
                    found.execute("SELECT set_config(%s, %s, false)", (name, value))
                if self._synchronous == "NORMAL":
                    found.execute("SET synchronous_commit = off")
                elif not self.readonly:
                    self._durable(found)
        except BaseException:
            found.close()
            raise
        return found

    def _durable(self, found: "psycopg.Connection[Any]") -> None:
        """Have commits be on the disk before they are answered; a server that cannot do so is told of."""
        rows = found.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", (list(_FLUSHING),))
        off = {name for name, setting in rows.fetchall() if setting == "off"}
        if "synchronous_commit" in off:
            found.execute("SET synchronous_commit = on")
        if unsafe := sorted(off - {"synchronous_commit"}):
            oplog.warning("postgres.unflushed", log=str(self.address), off=" and ".join(unsafe))

    def show(self, fight: int) -> None:
        """Have the views of the session be those of this fight, now and after a new connection."""
        self._fight = str(fight)
        with self.faults():
            self.connection().execute("SELECT set_config('affray.fight', %s, false)", (self._fight,))

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """Return what a reading statement finds; asked once more where the connection had been lost."""
        with self.faults():
            try:
                return self.connection().execute(sql, values).fetchall()
            except driver().OperationalError:
                if self._inside is not None or self._connection is None or not self._connection.closed:
                    raise
            return self.connection().execute(sql, values).fetchall()

    def write(self, sql: str, values: Sequence[object] = ()) -> Any:
        """Run a statement that writes, once. Raises Taken where a row that it would write is there."""
        if self.readonly:
            raise LogUnavailable(f"{self.address}: it was opened for reading only")
        with self.faults():
            return self.connection().execute(sql, values)

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        """Give a connection on which the block is one transaction; rolled back if anything is raised."""
        if self.readonly:
            raise LogUnavailable(f"{self.address}: it was opened for reading only")
        with self.faults():
            connection = self.connection()
            try:
                with connection.transaction():
                    self._inside = connection
                    yield connection
            finally:
                self._inside = None

    def hint(self) -> None:
        """Let those who wait know that there is something to look at, if that can be done.

        It does not say in which fight: every role of the database may listen. Never in the transaction that
        writes: commits that notify wait for one another, all over the server.
        And not again within HINT_SECONDS: who was told looks for a while.
        """
        now = monotonic()
        if now - self._hinted < HINT_SECONDS:
            return
        self._hinted = now
        with suppress(driver().Error):
            self.connection().execute("NOTIFY affray")

    def wait(self, seconds: float) -> None:
        """Return when somebody has given a hint, or after so many seconds."""
        with self.faults():
            connection = self.connection()
            if connection is not self._listening:
                connection.execute("LISTEN affray")
                self._listening = connection
            for _ in connection.notifies(timeout=seconds, stop_after=1):
                pass

    def close(self) -> None:
        """Close the connection; closing twice is no error."""
        self._closed = True
        if self._connection is not None:
            self._connection.close()

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Turn the errors of PostgreSQL inside the block into those of the log, one line each."""
        psycopg = driver()
        try:
            yield
        except (
            psycopg.errors.UniqueViolation,
            psycopg.errors.DeadlockDetected,
            psycopg.errors.SerializationFailure,
        ) as error:
            raise Taken from error
        except psycopg.Error as error:
            raise self._named(error) from error
        except UnicodeEncodeError as error:
            raise InvalidEntry(f"{self.address}: this is no text: {error}") from error

    def _named(self, error: Any) -> AffrayError:
        psycopg, at = driver(), self.address
        told = error.diag.message_primary or str(error).strip().rpartition("\n")[2]
        if error.sqlstate == _APPEND_ONLY:
            return BrokenLog(MAIN, 0, f"the database refuses it: {told}")
        if error.sqlstate in _FAULTY:
            return BrokenLog(MAIN, 0, f"the database is damaged: {told}")
        if isinstance(error, psycopg.errors.InsufficientPrivilege):
            return LogUnavailable(f"{at}: this role may not do that ({told})")
        if isinstance(error, psycopg.errors.UndefinedTable | psycopg.errors.UndefinedColumn):
            return NotALog(f"{at}: what the database holds is no log of Affray ({told})")
        if isinstance(error, psycopg.errors.LockNotAvailable):
            return LogUnavailable(f"{at}: it is locked by another writer ({told})")
        if isinstance(error, psycopg.DataError | psycopg.IntegrityError):
            return InvalidEntry(f"{at}: PostgreSQL refuses the entry: {told}")
        return LogUnavailable(f"{at}: {told}")
