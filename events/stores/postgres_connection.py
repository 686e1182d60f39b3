"""The connection to a PostgreSQL database: opening, reopening, schema, errors."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.resources import files
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from affray.events import logging
from affray.events.chain import GENESIS
from affray.events.errors import (
    AffrayError,
    BrokenLog,
    InvalidEntry,
    LogUnavailable,
    NewerLog,
    NotALog,
    counted,
    did_you_mean,
)
from affray.events.stores.address import Address
from affray.events.stores.sql_rows import Row
from affray.events.stores.store import MAIN

if TYPE_CHECKING:
    import psycopg


# --- The schema of the logs in a PostgreSQL database: its migrations and their check
#
# One database holds many fights, each a separate log: every table begins with the number of the fight. The
# views of schema `affray_one` show the fight that a session has set as `affray.fight`, like the tables of a
# SQLite file. Only the owner reads tables: the views call functions of the owner, which return the rows that
# the caller may see.

SCHEMA = 2
"""The schema that this release writes, the number of migrations."""

_LOCK = 0x41465259  # "AFRY": one process migrates at a time
# Queries the tables, because to_regclass uses a cache that may not have the changes of another session.
_VERSION = """SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n
    ON n.oid = c.relnamespace WHERE n.nspname = 'affray' AND c.relname = 'schema')"""
_TRIGGERS = """SELECT t.tgname FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'affray' AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')"""
GUARDED = ("fights", "branches", "events", "record", "requests", "secrets", "notes")
TRIGGERS = frozenset({f"{table}_only_append" for table in GUARDED} | {"events_follow", "record_follows"})
"""The triggers that keep the tables append-only. A log with a missing or disabled one is not opened."""


def migrations() -> list[str]:
    """Return the steps from an empty database to SCHEMA, in order."""
    folder = files("affray.events") / "migrations"
    return [(folder / f"postgres_{step}.sql").read_text("utf-8") for step in range(1, SCHEMA + 1)]


def schema_of(execute: Callable[[str], "psycopg.Cursor"]) -> int:
    """Return the schema that a database has, 0 for none."""
    ((there,),) = execute(_VERSION).fetchall()
    if not there:
        return 0
    ((version,),) = execute("SELECT coalesce(max(version), 0) FROM affray.schema").fetchall()
    return int(version)


def migrate(connection: "psycopg.Connection") -> None:
    """Migrate a database to SCHEMA, all or nothing; a second process finds it done."""
    connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
    try:
        with connection.transaction():  # begun only now, so that it sees rows created since
            before = schema_of(connection.execute)
            for step, sql in enumerate(migrations()[before:], before + 1):
                connection.execute(sql)
                connection.execute("INSERT INTO affray.schema (version) VALUES (%s)", (step,))
    finally:
        connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))


def check_schema(connection: "psycopg.Connection", where: str, *, readonly: bool) -> None:
    """Ensure the schema of this release. Raises NotALog, NewerLog, LogUnavailable, BrokenLog.

    A database without the schema gets it, and an older one is migrated, unless it is opened read-only.
    """
    version = schema_of(connection.execute)
    if version > SCHEMA:
        raise NewerLog(f"{where}: logs of schema {version}, this Affray reads up to schema {SCHEMA}")
    if version < SCHEMA:
        if readonly:
            raise NotALog(f"{where}: no log: the database has none" if not version else _old(where, version))
        ((may,),) = connection.execute(
            "SELECT has_database_privilege(current_database(), 'CREATE')"
        ).fetchall()
        if not may:
            raise LogUnavailable(
                f"{where}: {_old(where, version) if version else 'no log of Affray is in it'}"
            )
        migrate(connection)
    missing = TRIGGERS - {row[0] for row in connection.execute(_TRIGGERS).fetchall()}
    if missing:
        told = f"{counted(len(missing), 'trigger')} missing or disabled: {', '.join(sorted(missing))}"
        raise BrokenLog(MAIN, 0, f"{where}: {told}")


def _old(where: str, version: int) -> str:
    return f"its logs are of schema {version}: its owner opens one of them to bring it up to {SCHEMA}"


Synchronous = Literal["FULL", "NORMAL"]
CONNECT_SECONDS = 10
"""The connection timeout, unless the address has one (connect_timeout)."""

HINT_SECONDS = 0.05
"""The shortest time between two notifications."""

_FLUSHING = ("synchronous_commit", "fsync", "full_page_writes")
_APPEND_ONLY = "AF001"  # raised by the triggers of the schema
_FAULTY = ("XX001", "XX002")  # a page or an index of the database is damaged


class RowExists(Exception):
    """The row to be written already exists: another writer was faster."""


def driver() -> ModuleType:
    """Return psycopg. Raises LogUnavailable, naming the extra, if it is not installed."""
    try:
        import psycopg
    except ImportError as error:
        raise LogUnavailable(
            f"a log in PostgreSQL needs one more package: pip install 'affray[postgres]' ({error})"
        ) from None
    return psycopg


class Wire:
    """One connection for one thread. A lost connection is reopened by the next statement.

    Each statement is its own transaction, except inside `transaction()`.
    """

    def __init__(
        self, address: Address, *, synchronous: Synchronous = "FULL", readonly: bool, busy_seconds: float
    ) -> None:
        """Connect and ensure the schema. Raises LogUnavailable, NotALog, NewerLog, BrokenLog."""
        self.address, self.readonly = address, readonly
        self._synchronous, self._busy = synchronous, busy_seconds
        self._fight = ""
        self._connection: psycopg.Connection | None = None
        self._closed = False
        self._inside: psycopg.Connection | None = None  # the connection of an open transaction
        self._listening: psycopg.Connection | None = None
        self._hinted = 0.0
        try:
            with self.faults():
                check_schema(self.connection(), str(address), readonly=readonly)
        except BaseException:
            self.close()
            raise

    def connection(self) -> "psycopg.Connection":
        """Return the connection, reopened if it was lost, without a transaction left open by an interrupt."""
        if self._closed:
            raise ValueError(f"{self.address}: the log was closed")
        if self._inside is not None:
            return self._inside
        if self._connection is None or self._connection.closed:
            self._connection = self._opened()
        elif not self._connection.autocommit or self._connection.info.transaction_status:
            # An interrupt during a transaction: none of its statements is committed.
            with suppress(driver().Error):
                self._connection.close()
            self._connection = self._opened()
        return self._connection

    def _opened(self) -> "psycopg.Connection":
        uri = self.address.uri
        timeout = {} if "connect_timeout=" in uri else {"connect_timeout": CONNECT_SECONDS}
        found: psycopg.Connection = driver().connect(
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

    def _durable(self, found: "psycopg.Connection") -> None:
        """Make commits flush to disk before they return; warn about a server that cannot do that."""
        rows = found.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", (list(_FLUSHING),))
        off = {name for name, setting in rows.fetchall() if setting == "off"}
        if "synchronous_commit" in off:
            found.execute("SET synchronous_commit = on")
        if unsafe := sorted(off - {"synchronous_commit"}):
            logging.warning("postgres.unflushed", log=str(self.address), off=" and ".join(unsafe))

    def show(self, fight: int) -> None:
        """Set the views of the session to this fight, now and after a reconnection."""
        self._fight = str(fight)
        with self.faults():
            self.connection().execute("SELECT set_config('affray.fight', %s, false)", (self._fight,))

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """Return the rows of a reading statement, retried once if the connection was lost."""
        with self.faults():
            try:
                return self.connection().execute(sql, values).fetchall()
            except driver().OperationalError:
                if self._inside is not None or self._connection is None or not self._connection.closed:
                    raise
            return self.connection().execute(sql, values).fetchall()

    def write(self, sql: str, values: Sequence[object] = ()) -> "psycopg.Cursor":
        """Run a writing statement, once. Raises Taken if a row that it would write exists."""
        if self.readonly:
            raise LogUnavailable(f"{self.address}: it was opened for reading only")
        with self.faults():
            return self.connection().execute(sql, values)

    @contextmanager
    def transaction(self) -> Iterator["psycopg.Connection"]:
        """Yield a connection on which the block is one transaction; rolled back if anything is raised."""
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
        """Notify waiting readers that there may be new events, if possible.

        The notification does not name the fight, since every role of the database may listen. It is never
        sent inside the writing transaction: commits that notify wait for one another across the server. It is
        sent at most once in HINT_SECONDS, since a notified reader keeps polling for a while.
        """
        now = monotonic()
        if now - self._hinted < HINT_SECONDS:
            return
        self._hinted = now
        with suppress(driver().Error):
            self.connection().execute("NOTIFY affray")

    def wait(self, seconds: float) -> None:
        """Return on a notification, or after `seconds`."""
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
            raise RowExists from error
        except psycopg.Error as error:
            raise self._named(error) from error
        except UnicodeEncodeError as error:
            raise InvalidEntry(f"{self.address}: this is no text: {error}") from error

    def _named(self, error: "psycopg.Error") -> AffrayError:
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


# --- The fights of a database by name, and the changeable data of a served fight

_FIND = "SELECT id, master FROM affray.my_fights() WHERE name = %s"
_NAMES = "SELECT name FROM affray.my_fights() ORDER BY name"
_MAKE = "SELECT affray.open_fight(%s, %s, %s)"
_LISTED = """SELECT f.name, c.events, c.branches,
    to_char(f.made AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
    FROM affray.my_fights() f JOIN affray.my_counts() c ON c.id = f.id ORDER BY f.id"""


class Listed(Struct, frozen=True):
    """A fight of a database: its name, numbers of events and branches, and time of creation (UTC)."""

    name: str
    events: int
    branches: int
    made: str


def fight_of(wire: Wire, name: str, *, make: bool) -> tuple[int, bool]:
    """Return the number of a fight, and whether it was made here. Raises LogUnavailable for none."""
    if not name:
        raise AffrayError(f"{wire.address}: name the fight: {wire.address}#NAME{_known(wire, '')}")
    for _ in range(2):
        found = wire.rows(_FIND, (name,))
        if found:
            number, is_master = found[0]
            if not is_master:
                raise LogUnavailable(
                    f"{wire.address}: a player's role, which reads affray.events_of({name!r}) by SQL"
                )
            return int(number), False
        if not make:
            raise LogUnavailable(f"{wire.address}: no such fight{_known(wire, name)}")
        with suppress(RowExists):  # another process was faster, or this role may not see it
            ((made,),) = wire.write(_MAKE, (name, MAIN, GENESIS.hex())).fetchall()
            return int(made), True
    raise LogUnavailable(f"{wire.address}: a fight of that name belongs to another role")


def _known(wire: Wire, name: str) -> str:
    return did_you_mean(name, [str(one) for (one,) in wire.rows(_NAMES)])


def fights_in(address: Address) -> list[Listed]:
    """Return the fights of a database that this role may read, in the order in which they were made.

    For a player's role counts are those of the events that it may see, and of the branches they are on.
    """
    wire = Wire(address, readonly=True, busy_seconds=5.0)
    try:
        return [Listed(*row) for row in wire.rows(_LISTED)]
    finally:
        wire.close()


def give_back(wire: Wire, *, used: bool) -> None:
    """Release the name of the current fight, which was created without use.

    The fight stays readable as `name~number`. An unused fight keeps its name if other writers have appended
    to it by now.
    """
    wire.write("SELECT affray_one.give_back(%s)", (used,))


class FightSettings:
    """The changeable data of a fight: its guest list and the combatants hidden from players."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def hidden(self) -> tuple[str, ...]:
        """Return the ids of the combatants that only masters see."""
        return tuple(str(one) for (one,) in self._wire.rows("SELECT combatant FROM affray_one.hidden()"))

    def guests(self) -> bytes | None:
        """Return the stored list of guests, None if there is none."""
        rows = self._wire.rows("SELECT kept FROM affray_one.guests()")
        return bytes(rows[0][0]) if rows else None

    def put_guests(self, before: bytes | None, after: bytes, hidden: Iterable[str]) -> bool:
        """Replace the list `before`, with the combatants it hides; return whether `before` was current."""
        values = (before, after, list(hidden))
        ((is_put,),) = self._wire.write("SELECT affray_one.put_guests(%s, %s, %s)", values).fetchall()
        return bool(is_put)
