"""What a role of a database can learn that it may not see: by plans, statistics, errors, functions.

Two databases differ in what their hidden events say, and in nothing else. Each role asks both the same
questions. An answer that differs gives away what is hidden.
"""

import re
from collections.abc import Iterator

import psycopg
import pytest

from affray.events.envelope import Entry, Event
from affray.events.errors import LogUnavailable, NotALog
from affray.events.stores import sql_reading, sql_rows
from affray.events.stores.postgres import _FUNCTIONS, Everything, PostgresStore
from affray.events.stores.postgres_connection import SCHEMA, migrations
from tests.server import Server

pytestmark = pytest.mark.slow

Connection = psycopg.Connection[tuple[object, ...]]
Answer = tuple[object, ...]

PLAYERS = ("ysolde", "watcher", "unseated", "lena")
"""A player of the heroes, an onlooker, a role without a seat, and a master of another fight."""

ROLES = (*PLAYERS, "outsider")
TWINS = {
    "twin_low": (3, "assassin", "blade-song", "garret"),
    "twin_high": (17, "landlord", "hail-storm", "cellar"),
}
"""The hidden die, combatant and spell of each database, and a fight in which no role that asks has a seat."""

SEES: dict[str, list[str] | None] = {"open": [""], "heroes": ["heroes"]}


def eyes(store: PostgresStore, events: list[Event]) -> list[list[str] | None]:
    """Return who sees events: by their actor, and only masters what another one does."""
    return [SEES.get(event.actor) for event in events]


def filled(server: Server, database: str, die: int, who: str, spell: str, other: str) -> None:
    """Make a database with a fight that hides what is given, a seed, seats, and a fight of another master."""
    with psycopg.connect(server.address(), autocommit=True) as owner:
        owner.execute(f"CREATE DATABASE {database}")
        for role in (*ROLES, "keeper"):
            owner.execute(
                f"DO $$ BEGIN CREATE ROLE {role} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$"
            )
    hidden = [
        Entry("attack.rolled", 1, 1, 1, who, 0, b'{"die":%d}' % die),
        Entry(
            "spell.cast" if die > 10 else "damage.taken", 1, 1, 1, who, 0, b'{"spell":"%s"}' % spell.encode()
        ),
    ]
    shown = [Entry("turn.began", 1, 1, 1, one, 0, b'{"shown":1}') for one in ("open", "heroes")]
    with PostgresStore(server.address(database, "friday"), eyes=eyes) as store:  # type: ignore[arg-type]
        store.keep_secret("seed", who.encode())
        for number in range(20):
            store.append("main", [*shown, *hidden], 4 * number, f"{who}-{number}")
        store.keep_note("note", spell.encode())
        store.save_checkpoint("main", "state", 1, 3, bytes(32), who.encode())
        store.beside().put_guests(None, spell.encode(), [who] if die > 10 else [who, spell])
    with PostgresStore(server.address(database, other)) as store:
        store.append("main", shown, 0)
    with psycopg.connect(server.address(database), autocommit=True) as owner:
        owner.execute("SELECT affray.host('lena')")
        for role in ("ysolde", "watcher", "unseated"):
            owner.execute("SELECT affray.admit(%s)", (role,))
        owner.execute("SELECT affray.seat('friday', 'ysolde', 'player', 'heroes')")
        owner.execute("SELECT affray.seat('friday', 'watcher', 'onlooker')")
        taken = ("friday", "player", "heroes") if die > 10 else (other, "master", "")
        owner.execute("SELECT affray.seat(%s, 'keeper', %s, %s)", taken)
    with PostgresStore(server.address(database, "own", "lena")) as store:
        store.append("main", shown, 0)
    with psycopg.connect(server.address(database), autocommit=True) as owner:
        owner.execute("ANALYZE")
        owner.execute("SELECT pg_stat_force_next_flush()")


@pytest.fixture(scope="module")
def twins(postgres: Server) -> Iterator[Server]:
    """Yield a server with both databases."""
    for database, secrets in TWINS.items():
        filled(postgres, database, *secrets)
    yield postgres
    with psycopg.connect(postgres.address(), autocommit=True) as owner:
        for database in TWINS:
            owner.execute(f"DROP DATABASE {database} WITH (FORCE)")


CHANGING = {"xid", "made", "digest", "salt"}
"""What differs from one database to the next whatever is hidden: digests cover those before, and salts."""


def rows_of(found: psycopg.Cursor[tuple[object, ...]]) -> list[Answer]:
    """Return the rows of a result, as texts, without what changes."""
    if found.description is None:
        return []
    kept = [n for n, one in enumerate(found.description) if one.name not in CHANGING]
    return [tuple(str(row[n]) for n in kept) for row in found.fetchall()]


def asked(server: Server, database: str, role: str, *statements: str) -> list[Answer]:
    """Return what a role is answered: columns and rows, the error, and every message on the way."""
    answers: list[Answer] = []
    with psycopg.connect(server.address(database, user=role), autocommit=True) as own:
        own.add_notice_handler(lambda notice: answers.append(("message", notice.message_primary)))
        for sql in statements:
            try:
                with own.transaction(force_rollback=True):
                    found = own.execute(sql.encode())
                    answers += rows_of(found)
                    while found.nextset():
                        answers += rows_of(found)
            except psycopg.Error as error:
                diag = error.diag
                answers.append((diag.sqlstate, diag.message_primary, diag.message_detail, diag.message_hint))
    return answers


def same(server: Server, role: str, *statements: str) -> list[Answer]:
    """Return what a role is answered in both databases: the same, and no hidden name but those it gave."""
    low, high = (asked(server, database, role, *statements) for database in TWINS)
    assert low == high
    told, named = repr(low), " ".join(statements)
    for word in [one for secrets in TWINS.values() for one in secrets[1:] if one not in named]:
        assert word not in told
    return low


TABLES = ("fights", "branches", "events", "record", "requests", "notes", "secrets", "checkpoints", "seats",
          "hidden", "guests")  # fmt: skip
OURS = "pronamespace IN ('affray'::regnamespace, 'affray_one'::regnamespace)"
EXPLAIN = "EXPLAIN (ANALYZE, VERBOSE, BUFFERS, TIMING OFF, SUMMARY OFF)"
LEAKPROOF = (
    "SELECT seq FROM affray.events WHERE actor = 'assassin'",
    "SELECT seq FROM affray.events WHERE seq = 3 AND type = 'spell.cast'",
    "SELECT seq FROM affray.events WHERE salt < '8'",
    "SELECT seq FROM affray.events WHERE digest >= '8'",
    "SELECT name FROM affray.fights WHERE name = 'friday'",
    "SELECT 1 FROM affray.hidden WHERE fight = 1",
    "SELECT 1 FROM affray.secrets WHERE value < 'b'",
    "SELECT 1 FROM affray.requests WHERE request < 'b'",
    "SELECT 1 FROM affray.seats WHERE role = 'ysolde' AND side = 'heroes'",
    "SELECT 1 FROM affray.notes WHERE value < 'c'",
    "SELECT 1 FROM affray.guests WHERE kept < 'c'",
    "SELECT 1 FROM affray_one.events WHERE actor = 'assassin'",
    "SELECT 1 FROM affray_one.secrets WHERE value < 'c'",
    "SELECT 1 FROM affray_one.outline WHERE type = 'spell.cast'",
)


@pytest.mark.parametrize("role", ROLES)
class TestNothingHiddenIsLearned:
    """Both databases answer alike, whatever a role asks that may not see what is hidden."""

    @pytest.mark.parametrize("before", ["", "EXPLAIN ", f"{EXPLAIN} ", "CREATE TEMP TABLE x AS "])
    def test_by_plans_and_leakproof_operators(self, twins: Server, role: str, before: str) -> None:
        """No table is asked by any operator, and no plan is given: each is refused before it is planned."""
        set_fight = "SELECT set_config('affray.fight', '1', false)"
        for sql in LEAKPROOF:
            *_, refused = same(twins, role, set_fight, f"{before}{sql}")
            if "affray_one" not in sql or before != "EXPLAIN " or role != "lena":
                assert refused[0] == "42501", (sql, refused)

    def test_by_plans_of_functions(self, twins: Server, role: str) -> None:
        """The plan of a function has the same costs, rows and pages whatever it passes over."""
        for sql in (
            "SELECT * FROM affray.events_of('friday')",
            "SELECT * FROM affray.events_of('friday', 5) WHERE actor = 'assassin'",
            "SELECT * FROM affray.events_of('friday') WHERE type = 'spell.cast' OR seq / 3 = 1",
            "SELECT * FROM affray.events_after('0', 0, 0, 1000) WHERE actor < 'b'",
            "SELECT * FROM affray.my_counts() c JOIN affray.my_fights() f ON f.id = c.id",
        ):
            same(twins, role, *[sql.replace("SELECT", f"{one} SELECT", 1)
                                for one in ("", "EXPLAIN", EXPLAIN, EXPLAIN)])  # fmt: skip

    def test_by_statistics(self, twins: Server, role: str) -> None:
        """What the server counts of tables does not depend on what hidden rows say, and shows no value."""
        assert asked(twins, "twin_low", "gm", "SELECT 1 FROM pg_stats WHERE schemaname = 'affray'")
        assert same(twins, role, "SELECT tablename, attname FROM pg_stats WHERE schemaname = 'affray'"
                    " AND tablename <> 'schema'") == []  # fmt: skip
        same(twins, role, "SELECT * FROM pg_stats_ext", "SELECT * FROM pg_statistic")
        assert same(
            twins,
            role,
            "SELECT relname, reltuples, relpages, relallvisible FROM pg_class"
            " WHERE relnamespace = 'affray'::regnamespace ORDER BY relname",
            "SELECT relname, n_tup_ins, n_tup_upd, n_tup_del, n_live_tup, n_dead_tup FROM pg_stat_all_tables"
            " WHERE schemaname = 'affray' ORDER BY relname",
            "SELECT relname, pg_relation_size(oid), pg_total_relation_size(oid) FROM pg_class"
            " WHERE relnamespace = 'affray'::regnamespace ORDER BY relname",
            "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'affray'",
        )

    def test_by_counts_of_its_own_transaction(self, twins: Server, role: str) -> None:
        """How many rows the statements of a function read is counted, and depends on places alone."""
        counts = (
            "SELECT relname, seq_scan, seq_tup_read, idx_scan, idx_tup_fetch FROM pg_stat_xact_all_tables"
            " WHERE schemaname = 'affray' ORDER BY relname"
        )
        calls = ["events_of('garret')", "events_of('friday')", "events_of('friday', 9)", "my_counts()",
                 "events_after('0', 0, 0, 7)"]  # fmt: skip
        asks = [f"SELECT count(*) FROM affray.{one}" for one in calls]
        refused = "DO $$ BEGIN PERFORM {}; EXCEPTION WHEN OTHERS THEN NULL; END $$"
        asks += [refused.format(f"set_config('affray.fight', '{one}', true), affray_one.head('main')")
                 for one in (1, 2, 99)]  # fmt: skip
        asks += [refused.format(f"affray.seat('{one}', 'keeper', 'master')")
                 for one in ("friday", "garret", "nowhere")]  # fmt: skip
        for steer in ("enable_seqscan", "enable_hashjoin", "enable_nestloop", "enable_indexscan"):
            for ask in asks:
                same(twins, role, f"SET LOCAL {steer} = off; {ask}; {counts}")

    def test_by_messages(self, twins: Server, role: str) -> None:
        """No message from inside a function reaches a client that asks for all of them."""
        noisy = ["SET debug_print_plan = on", "SET debug_print_parse = on", "SET debug_print_rewritten = on",
                 "SET trace_sort = on", "SET plpgsql.print_strict_params = on"]  # fmt: skip
        with psycopg.connect(twins.address("twin_low", user=role), autocommit=True) as own:
            for sql in noisy:
                own.execute(sql.encode())
            own.execute("SET client_min_messages = debug5")
            heard: list[str] = []
            own.add_notice_handler(lambda one: heard.append(f"{one.message_primary} {one.message_detail}"))
            for call in (
                "events_of('friday')",
                "events_after('0', 0, 0, 1000)",
                "my_counts()",
                "my_fights()",
            ):
                try:
                    own.execute(f"SELECT count(*) FROM affray.{call}".encode())
                except psycopg.errors.InsufficientPrivilege:
                    assert role == "outsider"
        assert any("PLANNEDSTMT" in one for one in heard) or role == "outsider"  # its own statement
        assert not any("seen_by" in one or ":relname events" in one for one in heard)

    def test_by_errors(self, twins: Server, role: str) -> None:
        """A division, a cast and an index that fail on a hidden row do not meet it."""
        for sql in (
            "SELECT 1 / (seq - 3) FROM affray.events_of('friday')",
            "SELECT actor::int FROM affray.events_of('friday') WHERE actor NOT IN ('open', 'heroes')",
            "SELECT 1 / (data->>'die')::int FROM affray.events_of('friday') WHERE data->>'die' IS NOT NULL",
            "SELECT 1 / (seq - 3) FROM affray.events",
            "SELECT actor::int FROM affray.events",
            "INSERT INTO affray.secrets VALUES (1, 'seed', 'x') ON CONFLICT DO NOTHING",
            "INSERT INTO affray.secrets VALUES (1, 'seed', 'x') RETURNING value",
            "INSERT INTO affray.requests VALUES (1, 'assassin-1', 'main', 1, 1)",
            "INSERT INTO affray.events (fight, position, stream, seq, type, version, round, turn, actor,"
            " cause, data, digest)"
            " VALUES (1, 3, 'main', 3, 'x', 1, 1, 1, 'assassin', 0, '{}', repeat('0', 64))",
            "UPDATE affray.events SET actor = 'x' WHERE actor = 'assassin'",
            "DELETE FROM affray.hidden WHERE combatants = '{assassin}'",
            "COPY affray.events TO STDOUT",
            "LOCK TABLE affray.events IN SHARE MODE",
            "ALTER FUNCTION affray.events_of(text, bigint) COST 1 LEAKPROOF",
            "LOAD 'auto_explain'",
            "SELECT query_to_xml('SELECT * FROM affray.events', true, true, '')",
        ):
            same(twins, role, sql)

    def test_by_triggers_of_its_own(self, twins: Server, role: str) -> None:
        """A guard of the tables is no trigger for another role's table: it would tell which events exist."""
        made = "CREATE TEMP TABLE own (fight bigint, stream text, seq bigint, number bigint)"
        trigger = ("CREATE TRIGGER t AFTER INSERT ON own REFERENCING NEW TABLE AS made FOR EACH STATEMENT"
                   " EXECUTE FUNCTION affray.events_follow()")  # fmt: skip
        (refused,) = same(twins, role, f"{made}; {trigger}")
        assert refused[0] == "42501"

    def test_by_every_function(self, twins: Server, role: str) -> None:
        """Each function of both schemas, with names and numbers that are there and that are not."""
        with psycopg.connect(twins.address("twin_low"), autocommit=True) as owner:
            found = owner.execute(
                "SELECT p.pronamespace::regnamespace::text, p.proname,"
                " ARRAY(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) t),"
                f" p.prorettype = 'trigger'::regtype FROM pg_proc p WHERE {OURS}"
            ).fetchall()
        assert len(found) > 30
        samples = {
            "text": ("'friday'", "'main'", "'nope'"), "bigint": ("1", "0", "9"),
            "name": ("'ysolde'", "'lena'", "'x'"),
            "xid8": ("'0'", "'0'", "'9'"), "bytea": ("NULL", "'blade-song'", "'x'"),
            "boolean": ("true", "false", "NULL"), "text[]": ("'{}'", "'{assassin}'", "NULL"),
        }  # fmt: skip
        for schema, name, types, is_trigger in found:
            if is_trigger:
                continue
            for nth in range(3):
                words = ", ".join(f"{samples[one][nth]}::{one}" for one in types)  # type: ignore[attr-defined]
                fight = "SELECT set_config('affray.fight', '1', true)"
                call = f"SELECT * FROM {schema}.{name}({words})"
                answer = same(twins, role, f"{fight}; {call}")
                if schema == "affray_one":
                    assert answer[-1][0] == "42501", (role, call, answer)


def test_no_function_is_for_everybody(twins: Server) -> None:
    """PUBLIC may call no function of the schemas, and no role but the owner's reads a table of them."""
    with psycopg.connect(twins.address("twin_low"), autocommit=True) as owner:
        for_all = owner.execute(
            f"SELECT proname FROM pg_proc WHERE {OURS} AND "
            "(proacl IS NULL OR EXISTS (SELECT FROM aclexplode(proacl) a WHERE a.grantee = 0))"
        ).fetchall()
        unguarded = owner.execute(
            f"SELECT proname FROM pg_proc WHERE {OURS} AND prosecdef "
            " AND NOT coalesce(proconfig, '{}') @> '{\"search_path=pg_catalog, pg_temp\"}'"
        ).fetchall()
        inlined = owner.execute(
            "SELECT proname FROM pg_proc JOIN pg_language l ON l.oid = prolang AND lanname <> 'plpgsql'"
            f" WHERE {OURS} AND prosecdef"
        ).fetchall()
        assert (for_all, unguarded, inlined) == ([], [], [])
        for role in ROLES:
            for table in TABLES:
                asked_for = f"SELECT has_any_column_privilege('{role}', 'affray.{table}', 'SELECT')"
                assert owner.execute(asked_for.encode()).fetchone() == (False,)


def test_a_role_that_is_set_counts(twins: Server) -> None:
    """A session that has set a role reads what that role may, and a player cannot set a master's."""
    with psycopg.connect(twins.address("twin_low"), autocommit=True) as owner:
        count = "SELECT count(*) FROM affray.events_of('friday')"
        assert owner.execute(count).fetchone() == (80,)
        owner.execute("SET ROLE ysolde")
        assert owner.execute(count).fetchone() == (40,)
    with psycopg.connect(twins.address("twin_low", user="ysolde"), autocommit=True) as own:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            own.execute("SELECT set_config('role', 'lena', false)")
        assert own.execute(count).fetchone() == (40,)


def test_every_statement_with_a_value_asks_a_function() -> None:
    """No statement of a store reads a whole log to find a few rows of it."""
    statements = {
        one
        for module in (sql_reading, sql_rows, sql_rows)
        for name, one in vars(module).items()
        if isinstance(one, str) and re.match(r"SELECT .*\bFROM events\b.*\?", one) and "JOIN" not in one
    }
    assert len(statements) >= 5
    assert statements <= {*_FUNCTIONS}


def test_an_older_database_is_brought_up_to_date(postgres: Server) -> None:
    """Roles that read the table before read by functions afterwards; whom the table hid is hidden still."""
    with psycopg.connect(postgres.address(), autocommit=True) as owner:
        owner.execute("CREATE DATABASE older")
        for role in ("ysolde", "lena"):
            owner.execute(
                f"DO $$ BEGIN CREATE ROLE {role} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$"
            )
    with psycopg.connect(postgres.address("older"), autocommit=True) as owner:
        owner.execute(migrations()[0].encode())
        owner.execute("INSERT INTO affray.schema (version) VALUES (1)")
        owner.execute("SELECT affray.host('lena'), affray.admit('ysolde')")
        owner.execute("GRANT SELECT ON affray.fights TO PUBLIC")
        owner.execute("INSERT INTO affray.fights (name) VALUES ('friday')")
        owner.execute(
            "INSERT INTO affray.branches (fight, id, name, parent, at, digest)"
            " VALUES (1, 1, 'main', '', 0, repeat('0', 64))"
        )
        owner.execute("INSERT INTO affray.hidden VALUES (1, 'ogre'), (1, 'lich')")
        owner.execute(
            "SELECT affray.seat('friday', 'lena', 'master'),"
            " affray.seat('friday', 'ysolde', 'player', 'heroes')"
        )
    with pytest.raises(NotALog, match=f"bring it up to {SCHEMA}"):
        PostgresStore(postgres.address("older", "friday"), readonly=True)
    with pytest.raises(LogUnavailable):
        PostgresStore(postgres.address("older", "friday", "ysolde"))
    with PostgresStore(postgres.address("older", "friday")) as store:
        assert store.beside().hidden() == ("lich", "ogre")
    with PostgresStore(postgres.address("older", "friday", "lena"), eyes=eyes) as store:  # type: ignore[arg-type]
        store.append("main", [Entry("x", 1, 1, 1, one, 0, b"{}") for one in ("open", "lich", "heroes")], 0)
        assert store.cover().faults == []
    with Everything(postgres.address("older", user="ysolde")) as reader:
        assert [one.event.actor for one in reader.read()] == ["open", "heroes"]
    with psycopg.connect(postgres.address("older"), autocommit=True) as owner:
        for role in ("ysolde", "lena"):
            may = f"SELECT has_any_column_privilege('{role}', 'affray.{{}}', 'SELECT')"
            assert [owner.execute(may.format(one).encode()).fetchone() for one in TABLES] == [(False,)] * len(
                TABLES
            )


def test_an_owner_without_other_rights(postgres: Server) -> None:
    """What a superuser brings up to date belongs to the owner of the tables, who sees all and no more."""
    with psycopg.connect(postgres.address(), autocommit=True) as owner:
        owner.execute("CREATE ROLE club LOGIN")
        owner.execute("CREATE DATABASE clubhouse OWNER club")
    with psycopg.connect(postgres.address("clubhouse", user="club"), autocommit=True) as owner:
        owner.execute(migrations()[0].encode())
        owner.execute("INSERT INTO affray.schema (version) VALUES (1)")
    with PostgresStore(postgres.address("clubhouse", "first")) as store:
        store.append("main", [Entry("x", 1, 1, 1, "open", 0, b"{}")], 0)
    with PostgresStore(postgres.address("clubhouse", "first", "club")) as store:
        assert store.append("main", [Entry("x", 1, 1, 1, "open", 0, b"{}")], 1)
        assert store.cover().faults == []
    with psycopg.connect(postgres.address("clubhouse", user="club"), autocommit=True) as owner:
        others = owner.execute(
            f"SELECT proname FROM pg_proc WHERE {OURS} AND pg_get_userbyid(proowner) <> 'club'"
        )
        assert others.fetchall() == []
