"""The schema of the logs in a PostgreSQL database, by migrations, and that it stands as it was made.

One database holds many fights, each a log of its own: every table begins with the number of the fight. The
views of schema `affray_one` show one of them, the one that a session has set as `affray.fight`, as the tables
of a SQLite file do. No role but the owner reads a table: behind the views are functions of the owner, which
give away the rows that the caller may have.
"""

from importlib.resources import files
from typing import Any

from affray.events.errors import BrokenLog, LogUnavailable, NewerLog, NotALog
from affray.events.store import MAIN
from affray.events.wording import counted

SCHEMA = 2
"""The schema that this release writes: how many migrations there are."""

_LOCK = 0x41465259  # "AFRY": who migrates is alone
# Asked of the tables, not by to_regclass: that goes by a cache, which may not know yet what another made.
_VERSION = """SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n
    ON n.oid = c.relnamespace WHERE n.nspname = 'affray' AND c.relname = 'schema')"""
_TRIGGERS = """SELECT t.tgname FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'affray' AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')"""
GUARDED = ("fights", "branches", "events", "record", "requests", "secrets", "notes")
TRIGGERS = frozenset({f"{table}_only_append" for table in GUARDED} | {"events_follow", "record_follows"})
"""What keeps the tables append-only; a log of which one is missing or disabled is not opened."""


def migrations() -> list[str]:
    """Return the steps from an empty database to SCHEMA, in order."""
    folder = files("affray.events") / "migrations"
    return [(folder / f"postgres_{step}.sql").read_text("utf-8") for step in range(1, SCHEMA + 1)]


def schema_of(execute: Any) -> int:
    """Return the schema that a database has, 0 for none."""
    ((there,),) = execute(_VERSION).fetchall()
    if not there:
        return 0
    ((version,),) = execute("SELECT coalesce(max(version), 0) FROM affray.schema").fetchall()
    return int(version)


def migrate(connection: Any) -> None:
    """Bring a database up to SCHEMA, all or nothing; who comes second finds it done."""
    connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
    try:
        with connection.transaction():  # begun only now: so it sees what was made meanwhile
            before = schema_of(connection.execute)
            for step, sql in enumerate(migrations()[before:], before + 1):
                connection.execute(sql)
                connection.execute("INSERT INTO affray.schema (version) VALUES (%s)", (step,))
    finally:
        connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))


def check_schema(connection: Any, where: str, *, readonly: bool) -> None:
    """Have the schema be that of this release. Raises NotALog, NewerLog, LogUnavailable, BrokenLog.

    A database without one gets it, and an older one what is new in it, unless it is opened to read only.
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
