"""The SQLite log as a file: who may open it, who may write, and that nothing is rewritten."""

import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import cast

import pytest

from affray.events import logging
from affray.events.chain import verified
from affray.events.envelope import Entry
from affray.events.errors import BrokenLog, Conflict, LogUnavailable, NewerLog, NotALog
from affray.events.secrets import secrets_path
from affray.events.stores.sql_rows import decoded
from affray.events.stores.sqlite import SqliteStore
from affray.events.stores.sqlite_file import schema_of
from affray.replay.workers import PYTHON
from tests.timing import seconds

Entries = Callable[..., list[Entry]]


def alter(path: Path, *statements: str) -> None:
    """Run SQL on the file behind the store's back, as another tool would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


class TestFile:
    """Opening: what is a log, and what is said of what isn't."""

    def test_a_log_outlives_its_store(self, filled: Path) -> None:
        """What was appended, forked and kept is there when the file is opened again."""
        with SqliteStore(filled) as store:
            assert [e.stream for e in verified(store.read("b"))] == ["main", "main", "b", "b"]
            assert store.secret("seed") == b"12"
            assert store.append("main", [], 0, "") == []

    def test_other_tools_can_read_it(self, filled: Path) -> None:
        """Data is JSON text and digests are hexadecimal in a plain SQL query."""
        with closing(sqlite3.connect(filled)) as connection:
            sql = "SELECT json_extract(data, '$.n'), length(digest) FROM events WHERE stream = 'b'"
            assert connection.execute(sql).fetchall() == [(0, 64), (1, 64)]
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            strict = connection.execute("SELECT name FROM pragma_table_list WHERE strict").fetchall()
            assert {"events", "branches", "requests", "secrets", "checkpoints"} <= {n for (n,) in strict}

    def test_reading_does_not_change_the_file(self, filled: Path, entries: Entries) -> None:
        """A store opened for reading leaves every byte as it was and refuses every write."""
        before = filled.read_bytes()
        with SqliteStore(filled, readonly=True) as store:
            assert len(list(store.read_all())) == 6
            for write in (
                lambda: store.append("main", entries(1), 4),
                lambda: store.fork("c", "main", 0),
                lambda: store.keep_secret("x", b""),
                lambda: store.save_checkpoint("main", "hp", 1, 1, bytes(32), b""),
            ):
                with pytest.raises(LogUnavailable, match="reading only"):
                    write()
        assert filled.read_bytes() == before

    def test_a_reader_leaves_no_files_beside_it(self, filled: Path, entries: Entries) -> None:
        """A store for reading leaves no -wal and -shm, of a writer either that it outlives."""
        own = {filled, secrets_path(filled)}
        with SqliteStore(filled, readonly=True) as store:
            assert list(store.read_all())
        assert {*filled.parent.iterdir()} == own
        reader = SqliteStore(filled, readonly=True)
        assert len(list(reader.read("main"))) == 4
        with SqliteStore(filled) as writer:
            writer.append("main", entries(1), 4)
        reader.close()
        assert {*filled.parent.iterdir()} == own
        with SqliteStore(filled, readonly=True) as store:
            assert len(list(store.read("main"))) == 5

    def test_a_reader_leaves_what_a_crash_has_left(self, filled: Path, entries: Entries) -> None:
        """Commits in a -wal are read, and stay where they are until the log is written to."""
        writer = SqliteStore(filled)
        writer.append("main", entries(1), 4)
        crashed = filled.with_name("crashed.db")
        for end in ("", "-wal"):
            crashed.with_name(f"crashed.db{end}").write_bytes(
                filled.with_name(f"{filled.name}{end}").read_bytes()
            )
        writer.close()
        before = [crashed.with_name(f"crashed.db{end}").read_bytes() for end in ("", "-wal")]
        with SqliteStore(crashed, readonly=True) as store:
            assert len(list(store.read("main"))) == 5
        assert [crashed.with_name(f"crashed.db{end}").read_bytes() for end in ("", "-wal")] == before
        SqliteStore(crashed).close()
        assert not crashed.with_name("crashed.db-wal").exists()

    def test_a_reader_passes_over_a_stale_checkpoint(self, filled: Path) -> None:
        """A read-only store warns of a checkpoint that does not match and leaves it where it is."""
        with SqliteStore(filled) as store:
            store.save_checkpoint("main", "hp", 1, 3, bytes(32), b"stale")
        with SqliteStore(filled, readonly=True) as store:
            for _ in range(2):
                with logging.captured() as logged:
                    assert store.checkpoint("main", "hp", 1, 4) is None
                assert len(logged) == 1

    def test_a_reader_sees_what_another_appends(self, filled: Path, entries: Entries) -> None:
        """A store opened for reading follows the writer of the same file."""
        with SqliteStore(filled) as writer, SqliteStore(filled, readonly=True) as reader:
            assert reader.head("main").seq == 4
            made = writer.append("main", entries(2), 4)
            assert list(reader.read("main", 4)) == made

    @pytest.mark.parametrize("readonly", [True, False])
    def test_a_newer_log_names_both_versions(self, filled: Path, readonly: bool) -> None:
        """A log of a later schema is refused with its version and ours, and isn't touched."""
        alter(filled, "PRAGMA user_version = 7")
        before = filled.read_bytes()
        with pytest.raises(NewerLog, match=r"schema 7, .*schema 3"):
            SqliteStore(filled, readonly=readonly)
        assert filled.read_bytes() == before

    @pytest.mark.parametrize("readonly", [True, False])
    @pytest.mark.parametrize(
        "statements",
        [
            ["CREATE TABLE people (name TEXT)"],
            ["CREATE TABLE events (x)", "PRAGMA user_version = 1"],
            ["PRAGMA application_id = 5"],
        ],
    )
    def test_a_foreign_database_is_left_alone(
        self, path: Path, statements: list[str], readonly: bool
    ) -> None:
        """Another application's SQLite file is no log, and nothing is written into it."""
        alter(path, *statements)
        before = path.read_bytes()
        with pytest.raises(NotALog):
            SqliteStore(path, readonly=readonly)
        assert path.read_bytes() == before

    @pytest.mark.parametrize("content", [b"Dear diary, " * 100, b"SQLite format 3\x00", b"x"])
    def test_another_kind_of_file_is_no_log(self, path: Path, content: bytes) -> None:
        """A file that is no SQLite database is refused and left as it is."""
        path.write_bytes(content)
        with pytest.raises(NotALog):
            SqliteStore(path)
        assert path.read_bytes() == content

    def test_an_empty_file_becomes_a_log(self, path: Path) -> None:
        """An empty file, as mktemp makes it, is taken for a new log, but not by a reader."""
        path.touch()
        with pytest.raises(NotALog):
            SqliteStore(path, readonly=True)
        with SqliteStore(path) as store:
            assert store.head("main").seq == 0

    def test_what_is_not_there(self, tmp_path: Path) -> None:
        """A missing directory, a directory for a file and a missing file to read are one line each."""
        for path, readonly in (
            (tmp_path / "no" / "log.db", False),
            (tmp_path, False),
            (tmp_path / "no.db", True),
        ):
            with pytest.raises(LogUnavailable, match=r"^[^\n]+$"):
                SqliteStore(path, readonly=readonly)
        assert list(tmp_path.iterdir()) == []

    def test_a_locked_log(self, filled: Path, entries: Entries) -> None:
        """Whoever holds the write lock keeps others waiting for busy_seconds, then they are told."""
        with SqliteStore(filled, busy_seconds=0.05) as store:
            with closing(sqlite3.connect(filled, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                with pytest.raises(LogUnavailable, match="locked"):
                    store.append("main", entries(1), 4)
            assert len(store.append("main", entries(1), 4)) == 1

    def test_a_full_disk(self, filled: Path, entries: Entries) -> None:
        """When the medium is full nothing of the append stays, and the log can be used again later."""
        with SqliteStore(filled) as store:
            store._connection.execute("PRAGMA max_page_count = 20")
            with pytest.raises(LogUnavailable, match="full"):
                store.append("main", entries(2000), 4)
            assert store.head("main").seq == 4
            store._connection.execute("PRAGMA max_page_count = 100000")
            assert len(store.append("main", entries(2000), 4)) == 2000

    def test_opening_does_not_depend_on_the_length(self, path: Path, entries: Entries) -> None:
        """A log of many events opens, and forks, in a few milliseconds."""
        with SqliteStore(path, synchronous="NORMAL") as store:
            store.append("main", entries(20_000), 0)

        def opened() -> None:
            with SqliteStore(path) as store:
                store.fork(f"b{len(store.branches())}", "main", 10_000)

        assert seconds(opened, 0.1) < 0.1


class TestAppendOnly:
    """Triggers: nothing is updated, deleted or replaced."""

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE events SET actor = 'x' WHERE seq = 1",
            "DELETE FROM events WHERE seq = 4",
            "INSERT OR REPLACE INTO events SELECT * FROM events WHERE seq = 2",
            "REPLACE INTO events SELECT NULL, stream, seq, 'x', 1, 1, 1, '', 1, data, digest, '' FROM events",
            "INSERT OR IGNORE INTO events SELECT position, stream, 9, type, 1, 1, 1, '', 1, data, digest, ''"
            " FROM events",
            "INSERT INTO events SELECT NULL, stream, seq + 9, type, 1, 1, 1, '', 1, data, digest, ''"
            " FROM events",
            "INSERT INTO events SELECT NULL, 'nobody', 1, type, 1, 1, 1, '', 1, data, digest, '' FROM events",
            "REPLACE INTO events SELECT 1, 'main', 5, type, 1, 1, 1, '', 1, data, digest, ''"
            " FROM events WHERE position = 1",
            "UPDATE branches SET at = 1 WHERE name = 'b'",
            "DELETE FROM branches",
            "INSERT OR REPLACE INTO branches SELECT id, name, 'x', 0, digest FROM branches",
            "INSERT OR REPLACE INTO branches SELECT id + 9, name, 'x', 0, digest FROM branches",
            "UPDATE secrets SET value = x'00'",
            "REPLACE INTO secrets VALUES ('mark', x'00')",
            "DELETE FROM requests",
        ],
    )
    def test_rewriting_is_refused(self, filled: Path, statement: str) -> None:
        """Any tool that tries to rewrite history is stopped by the file itself."""
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            alter(filled, statement)

    @pytest.mark.parametrize("readonly", [True, False])
    @pytest.mark.parametrize(
        "trigger",
        ["events_no_update", "events_no_delete", "events_only_append", "branches_no_update",
         "branches_no_delete", "branches_only_append"],
    )  # fmt: skip
    def test_a_missing_trigger_is_noticed(self, filled: Path, trigger: str, readonly: bool) -> None:
        """A log that has lost a trigger does not open."""
        alter(filled, f"DROP TRIGGER {trigger}")
        with pytest.raises(BrokenLog, match=trigger):
            SqliteStore(filled, readonly=readonly)

    def test_a_defused_trigger_is_noticed(self, filled: Path) -> None:
        """A trigger of the right name that does nothing is not taken for the right one."""
        alter(
            filled,
            "DROP TRIGGER events_no_update",
            "CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT 1; END",
        )
        with pytest.raises(BrokenLog, match="events_no_update"):
            SqliteStore(filled)

    @pytest.mark.parametrize("readonly", [True, False])
    @pytest.mark.parametrize(
        "table", ["events", "EVENTS", "branches", "requests", "secrets", "record", "checkpoints"]
    )
    def test_a_trigger_of_somebody_else_is_noticed(self, filled: Path, table: str, readonly: bool) -> None:
        """It could swallow what is recorded (RAISE(IGNORE)), and the append would be acknowledged."""
        alter(filled, f"CREATE TRIGGER mine BEFORE INSERT ON {table} BEGIN SELECT RAISE(IGNORE); END")
        message = f"the trigger mine on the table {table} does not belong to a log"
        with pytest.raises(BrokenLog, match=message):
            SqliteStore(filled, readonly=readonly)

    @pytest.mark.parametrize("readonly", [True, False])
    @pytest.mark.parametrize("index", ["(length(data))", "(type) WHERE hex(zeroblob(99)) <> data"])
    def test_an_index_of_an_expression_is_refused(self, filled: Path, index: str, readonly: bool) -> None:
        """Every append would evaluate it, however long that takes."""
        alter(filled, f"CREATE INDEX odd ON events {index}")
        with pytest.raises(BrokenLog, match="the index odd on the table events is not a plain one"):
            SqliteStore(filled, readonly=readonly)

    def test_the_check_of_the_file_leaves_out_the_tables_of_others(self, filled: Path) -> None:
        """What they let a row be checked with is evaluated by nobody who verifies the log."""
        alter(filled, "CREATE TABLE notes (text CHECK (text <> 'odd'))")
        alter(filled, "PRAGMA ignore_check_constraints = ON", "INSERT INTO notes VALUES ('odd')")
        with SqliteStore(filled, readonly=True) as store:
            assert store.cover().faults == []

    def test_what_others_keep_in_the_file_is_welcome(self, filled: Path, entries: Entries) -> None:
        """Tables with triggers of their own, views and indexes."""
        alter(
            filled,
            "CREATE TABLE notes (text TEXT)",
            "CREATE TRIGGER noted AFTER INSERT ON notes BEGIN SELECT 1; END",
            "CREATE VIEW rolled AS SELECT * FROM events WHERE type = 'rolled'",
            "CREATE INDEX by_type ON events (type)",
        )
        with SqliteStore(filled) as store:
            assert len(store.append("main", entries(1, "more"), 4)) == 1


class TestSharing:
    """Several connections and processes on one file."""

    def test_the_slower_of_two_writers_is_told(self, path: Path, entries: Entries) -> None:
        """Two stores that believe in the same head: one appends, the other gets a conflict."""
        with SqliteStore(path) as one, SqliteStore(path) as other:
            half_read = other.read("main")
            one.append("main", entries(2), 0)
            with pytest.raises(Conflict):
                other.append("main", entries(1), 0)
            other.append("main", entries(1), 2)
            assert list(half_read) == []
            assert one.head("main").seq == 3

    def test_a_log_is_created_while_another_looks_whether_it_is_one(self, path: Path) -> None:
        """What a file is gets read of one moment: empty, or the log that another process has made of it."""
        file = sqlite3.connect(path, isolation_level=None)

        class Interrupted:
            in_transaction = False

            def execute(self, sql: str) -> sqlite3.Cursor:
                if sql.startswith("SELECT count"):
                    with suppress(LogUnavailable), SqliteStore(path, busy_seconds=0.01):
                        pass
                return file.execute(sql)

        with closing(file):
            assert schema_of(cast(sqlite3.Connection, Interrupted()), path) == 0

    def test_processes_race_without_loss(self, path: Path) -> None:
        """Processes that create the same log and append to it at once leave one whole chain."""
        script = """if True:
            import sys
            from affray.events.envelope import Entry
            from affray.events.errors import Conflict
            from affray.events.stores.sqlite import SqliteStore
            done = 0
            with SqliteStore(sys.argv[1]) as store:
                while done < 40:
                    try:
                        at = store.head("main").seq
                        store.append("main", [Entry("a.b", 1, 1, 1, sys.argv[2], 1, b"{}")] * 3, at)
                        done += 1
                    except Conflict:
                        pass
        """
        racing = [
            subprocess.Popen([*PYTHON, "-c", script, str(path), name], stderr=subprocess.PIPE)
            for name in ("a", "b")
        ]
        errors = [process.communicate(timeout=30)[1] for process in racing]
        assert [process.returncode for process in racing] == [0, 0], errors
        with SqliteStore(path) as store:
            actors = [e.actor for e in verified(store.read("main"))]
        assert (len(actors), actors.count("a")) == (240, 120)
        assert all(len(set(actors[i : i + 3])) == 1 for i in range(0, 240, 3))


@pytest.mark.parametrize("missing", [0, 6])
def test_a_row_without_number_or_cause_is_a_broken_log(missing: int) -> None:
    """What the schema forbids may still stand in a damaged file; it is said as such."""
    row: list[object] = [1, "rolled", 1, 0, 0, "", 0, "{}", "00"]
    row[missing] = None
    with pytest.raises(BrokenLog):
        decoded(["main"], [tuple(row)])
