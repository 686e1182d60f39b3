"""What stands between a log and its disk: no space, no permission, another's lock, half a WAL."""

import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from affray.engine.table.table import Table
from affray.events import SqliteStore
from affray.events.chain import verified
from affray.events.envelope import Event
from affray.events.errors import LogUnavailable, SecretsMissing
from affray.events.facts import acts
from affray.events.secrets import secrets_path
from affray.replay.log.declarations import groups
from affray.replay.verification.verify import verify
from affray.replay.workers import PYTHON
from tests.house.fights import opened

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits, mounts and user ids of Linux")

NOBODY = 65534
SPEAK = acts.Speak(actor="ogre", words="word " * 100)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that others may enter too, which pytest's own are not."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o755)
    yield made
    made.chmod(0o755)
    shutil.rmtree(made)


@pytest.fixture
def log(folder: Path) -> Path:
    """A closed log with a fight that has begun."""
    path = folder / "log.db"
    with SqliteStore(path) as store:
        opened("srd35", store, 1).declare(acts.Begin())
    return path


@contextmanager
def without_privileges() -> Iterator[None]:
    """Be somebody whom file permissions concern: root is not."""
    if os.getuid():
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


def fill(table: Table) -> str:
    """Declare until the log says that it cannot, and return what it says."""
    for _ in range(2000):
        try:
            table.declare(SPEAK)
        except LogUnavailable as error:
            return str(error)
    raise AssertionError("the disk never got full")


def whole(path: Path) -> int:
    """Verify a log and return the number of its events."""
    with SqliteStore(path) as store:
        report = verify(store)
        assert report.ok, report
        return report.events


class TestFull:
    """No space left: one line, nothing half written, and on it goes when there is space again."""

    def test_a_file_that_may_not_grow(self, log: Path) -> None:
        """At the limit of the file's size the declaration fails as a whole; with more space it is taken."""
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        with SqliteStore(log) as store:
            table = Table(store)
            resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
            try:
                told = fill(table)
                kept = list(store.read("main"))
                assert [event.seq for event in kept] == list(range(1, table.seq + 1))
                assert fill(table) == told
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            assert str(log) in told
            assert "\n" not in told
            table.declare(SPEAK)
            assert [event.seq for event in store.read("main")][: len(kept)] == [event.seq for event in kept]
        assert whole(log) > len(kept)

    def test_a_full_file_system(self, folder: Path) -> None:
        """On a real file system without space the log says so, and takes more when something is removed."""
        disk = folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(disk)], capture_output=True, text=True
        )
        if mounted.returncode:
            pytest.skip(f"a file system of its own needs the right to mount: {mounted.stderr.strip()}")
        try:
            ballast = disk / "ballast"
            ballast.write_bytes(bytes(250_000))
            path = disk / "log.db"
            with SqliteStore(path) as store:
                table = opened("pf1", store, 1)
                table.declare(acts.Begin())
                assert "the disk is full" in fill(table)
                seq = table.seq
                ballast.unlink()
                table.declare(SPEAK)
                assert table.seq > seq
            assert whole(path) == table.seq
        finally:
            subprocess.run(["umount", str(disk)], check=True)

    def test_no_room_for_the_log_itself(self, folder: Path) -> None:
        """Where not even the empty log fits nothing is left that looks like one."""
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        path = folder / "log.db"
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
        try:
            with pytest.raises(LogUnavailable):
                SqliteStore(path)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        with SqliteStore(path) as store:
            opened("woa", store, 1)
        assert whole(path) > 1


class TestPermissions:
    """Files and directories that cannot be written."""

    @pytest.mark.parametrize(("directory", "file"), [(0o555, 0o444), (0o555, 0o644), (0o777, 0o444)])
    def test_a_closed_log_can_be_read_but_not_written(self, log: Path, directory: int, file: int) -> None:
        """Whoever may read the file reads all of it, even where nothing can be written beside it."""
        log.chmod(file)
        log.parent.chmod(directory)
        before = log.read_bytes()
        with without_privileges():
            with SqliteStore(log, readonly=True) as store:
                assert len(list(verified(store.read("main")))) > 5
                with pytest.raises(SecretsMissing, match="Permission denied"):
                    store.secret("seed")  # its owner's alone
                assert verify(store).ok
            with pytest.raises(LogUnavailable, match="read-only"), SqliteStore(log) as store:
                Table(store, hands=("everybody",)).declare(SPEAK)
        assert log.read_bytes() == before

    def test_an_unclosed_log_in_a_directory_that_cannot_be_written(self, log: Path, folder: Path) -> None:
        """Its newest events stand in the WAL, so it is not read without them: it says what to do."""
        left = folder / "left"
        left.mkdir()
        with SqliteStore(log) as store:
            Table(store).declare(SPEAK)
            for name in (log.name, f"{log.name}-wal"):
                shutil.copy(folder / name, left)
            count = store.head("main").seq
        left.chmod(0o555)
        with (
            without_privileges(),
            pytest.raises(LogUnavailable, match="copy it with its -wal file elsewhere"),
        ):
            SqliteStore(left / log.name, readonly=True)
        left.chmod(0o755)
        assert whole(left / log.name) == count

    def test_no_log_is_made_where_none_can_be(self, folder: Path) -> None:
        """In a directory that cannot be written a new log is refused in one line."""
        SqliteStore(folder / "known.db").close()  # what opening loads is loaded before the change of user
        folder.chmod(0o555)
        with without_privileges(), pytest.raises(LogUnavailable, match=r"^[^\n]*cannot be opened[^\n]*$"):
            SqliteStore(folder / "new.db")


HOLD = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
connection.execute("COMMIT")
"""


class TestLocked:
    """Another process holds the write lock."""

    def test_the_wait_ends_and_nothing_is_lost(self, log: Path) -> None:
        """After the busy time the declaration fails in one line; it can be read meanwhile and taken later."""
        holder = subprocess.Popen(
            [*PYTHON, "-c", HOLD, str(log)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        with holder, SqliteStore(log, busy_seconds=0.3) as store:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            table = Table(store)
            seq = table.seq
            began = time.monotonic()
            with pytest.raises(LogUnavailable, match=r"^[^\n]*locked by another writer[^\n]*$"):
                table.declare(SPEAK, request="r1")
            assert 0.25 < time.monotonic() - began < 5
            assert store.head("main").seq == table.seq == seq
            holder.communicate("go on\n", timeout=30)
            table.declare(SPEAK, request="r1")
        assert whole(log) == table.seq > seq


class TestWal:
    """The WAL that a crash leaves, whole and damaged."""

    @pytest.fixture
    def left(self, log: Path, folder: Path) -> tuple[Path, list[Event], int]:
        """A copy of a log in the middle of play; its events, and how many are in the database file itself."""
        with SqliteStore(log) as store:
            base = store.head("main").seq
            table = Table(store)
            for words in range(30):
                table.declare(acts.Speak(actor="ogre", words=str(words)))
                table.declare(acts.EndTurn(actor=table.state.active))
            made = folder / "left"
            made.mkdir()
            for name in (log.name, f"{log.name}-wal", f"{log.name}-secrets"):
                shutil.copy(folder / name, made)
            return made / log.name, list(store.read("main")), base

    def test_a_copy_of_both_files_holds_every_commit(self, left: tuple[Path, list[Event], int]) -> None:
        """The database and its WAL together are a whole log."""
        path, events, _ = left
        with SqliteStore(path) as store:
            assert list(store.read("main")) == events
            assert verify(store).ok

    def test_without_its_wal_it_is_older(self, left: tuple[Path, list[Event], int]) -> None:
        """The database alone is a whole log that ends earlier; only a seal could tell."""
        path, events, base = left
        path.with_name(f"{path.name}-wal").unlink()
        with SqliteStore(path) as store:
            assert list(store.read("main")) == events[:base]

    @pytest.mark.parametrize("damage", ["cut", "flipped", "zeroed"])
    def test_a_damaged_wal_leaves_a_whole_beginning(
        self, left: tuple[Path, list[Event], int], damage: str
    ) -> None:
        """Wherever a WAL ends or breaks, the log opens, ends with a whole declaration, verifies, goes on."""
        path, events, base = left
        wal = path.with_name(f"{path.name}-wal")
        whole_wal, database = wal.read_bytes(), path.read_bytes()
        dice = random.Random(damage)
        ends = {base, *(group[-1].seq for group in groups(events))}
        lengths = set()
        for number in range(40):
            place = dice.randrange(len(whole_wal))
            rest = whole_wal[place + 1 :]
            path.write_bytes(database)
            wal.write_bytes(
                {
                    "cut": whole_wal[:place],
                    "flipped": whole_wal[:place] + bytes([whole_wal[place] ^ 1 << dice.randrange(8)]) + rest,
                    "zeroed": whole_wal[:place] + bytes(len(rest) + 1),
                }[damage]
            )
            path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
            with SqliteStore(path) as store:
                found = list(verified(store.read("main")))
                assert found == events[: len(found)]
                assert len(found) in ends
                lengths.add(len(found))
                if number % 10 == 0:
                    assert verify(store).ok
                    Table(store).declare(acts.Speak(actor="ogre", words="and on"))
                    assert verify(store).ok
            with closing(sqlite3.connect(path)) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert len(lengths) > 10


class TestBackup:
    """Copies made of a log that is in use."""

    @pytest.mark.parametrize("tool", ["backup", "VACUUM INTO"])
    def test_a_backup_of_a_log_in_use_is_a_log(self, log: Path, folder: Path, tool: str) -> None:
        """What SQLite's own tools copy in the middle of play opens, verifies, and can be played on."""
        copy = folder / "copy.db"
        with SqliteStore(log) as store:
            table = Table(store)
            table.declare(SPEAK, request="r1")
            with closing(sqlite3.connect(log)) as source:
                if tool == "backup":
                    with closing(sqlite3.connect(copy)) as target:
                        source.backup(target)
                else:
                    source.execute("VACUUM INTO ?", (str(copy),))
            kept = table.seq
            table.declare(SPEAK)
        assert whole(copy) == kept < whole(log)
        shutil.copy(secrets_path(log), secrets_path(copy))
        with SqliteStore(copy) as store:
            other = Table(store)
            assert other.declare(SPEAK, request="r1").events[-1].seq == kept
            other.declare(SPEAK)
        assert whole(copy) > kept
