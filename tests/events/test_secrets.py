"""The file of the secrets: what stands in it, who may read it, and what is said where it is not."""

import os
import stat
import subprocess
import threading
from pathlib import Path

import msgspec
import pytest

from affray.engine.dice import Manual
from affray.engine.table.table import Table
from affray.events import SqliteStore, logging
from affray.events.chain import salt_key
from affray.events.errors import AffrayError, LogUnavailable, NewerLog, SecretExists, SecretsMissing
from affray.events.exports import export_jsonl, import_jsonl
from affray.events.facts import acts
from affray.events.secrets import FORMAT, Secrets, is_exposed, put_secrets, read_secrets, secrets_path
from affray.replay.log.branches import fork
from affray.replay.verification.verify import verify
from affray.replay.workers import PYTHON
from tests.house.fights import opened

SEED = bytes(range(100, 132))

POSIX = pytest.mark.skipif(os.name != "posix", reason="rights of files as in POSIX")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A closed log of a fight that goes on, with seeded dice in it."""
    path = tmp_path / "fight.db"
    with SqliteStore(path) as store:
        opened("srd35", store, 1).declare(acts.Begin())
    return path


def bytes_of(folder: Path, but: str = "-secrets") -> bytes:
    """Return all bytes of all files of a folder except those of the secrets."""
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()) if but not in file.name)


def old_log(path: Path) -> bytes:
    """Make a log as earlier releases did, its seed in the table, and return the seed."""
    with SqliteStore(path) as store:
        opened("srd35", store, 1).declare(acts.Begin())
        seed = store.secret("seed")
        assert seed is not None
        store._connection.execute("INSERT INTO secrets (name, value) VALUES ('seed', ?)", (seed,))
        store._connection.execute("DROP TRIGGER secrets_no_delete")
        store._connection.execute("DELETE FROM secrets WHERE name = 'mark'")
        store._connection.execute(
            "CREATE TRIGGER secrets_no_delete BEFORE DELETE ON secrets BEGIN "
            "SELECT RAISE(ABORT, 'secrets are append-only'); END"
        )
        # Nor was there a record then.
        store._connection.execute("DROP TABLE record")
        store._connection.execute("DELETE FROM _sqlite_migrations WHERE name = 'record_2'")
        store._connection.execute("PRAGMA user_version = 1")
    secrets_path(path).unlink()
    return seed


def test_the_seed_is_in_no_byte_of_the_log(tmp_path: Path) -> None:
    """Neither raw nor as digits, neither in the database nor in its WAL, until the fight is closed."""
    path = tmp_path / "fight.db"
    with SqliteStore(path) as store:
        Table.create(store, dialect="srd35", terrain=["....", "...."], seed=SEED)
        for spelled in (SEED, SEED.hex().encode(), SEED.hex().upper().encode()):
            assert spelled not in bytes_of(tmp_path)
        assert store.secret("seed") == SEED
    assert SEED not in bytes_of(tmp_path)
    told = msgspec.json.decode(secrets_path(path).read_bytes())
    kept = {"seed": SEED.hex(), "salts": salt_key(SEED).hex()}
    assert (told["format"], told["version"], told["secrets"]) == (FORMAT, 1, kept)


@POSIX
def test_its_owner_alone_may_read_it(tmp_path: Path) -> None:
    """Whatever the mask of the process: when it is made, and when something is added."""
    before = os.umask(0)
    seen: set[int] = set()
    stop = threading.Event()

    def watch() -> None:
        while not stop.is_set():
            for file in tmp_path.iterdir():
                if "-secrets" in file.name:
                    try:
                        seen.add(stat.S_IMODE(file.stat().st_mode))
                    except FileNotFoundError:
                        continue

    watcher = threading.Thread(target=watch)
    try:
        watcher.start()
        for number in range(20):
            with SqliteStore(tmp_path / f"{number}.db", synchronous="NORMAL") as store:
                store.keep_secret("seed", b"1")
                store.keep_secret("key", b"2")
                seen.add(stat.S_IMODE(store.secrets.path.stat().st_mode))
    finally:
        stop.set()
        watcher.join()
        os.umask(before)
    assert seen == {0o600}


@POSIX
def test_a_file_that_others_may_read_is_noted(log: Path) -> None:
    """It is read all the same; the operational log and `affray secrets` say so."""
    secrets_path(log).chmod(0o644)
    assert is_exposed(secrets_path(log).stat().st_mode)
    with logging.captured() as told, SqliteStore(log) as store:
        assert store.secret("seed")
    assert [one["event"] for one in told] == ["secrets.exposed"]


def test_further_secrets_go_by_name(tmp_path: Path) -> None:
    """Each is kept once; what a later release has put there is never dropped."""
    path = tmp_path / "log.db"
    with SqliteStore(path) as store:
        store.keep_secret("seed", b"1")
        store.keep_secret("key", b"2")
        store.keep_secret("key", b"2")
        with pytest.raises(SecretExists):
            store.keep_secret("key", b"3")
        assert (store.secret("seed"), store.secret("key"), store.secret("other")) == (b"1", b"2", None)


class TestMissing:
    """A log without its secrets."""

    def test_reading_and_verifying_go_on(self, log: Path) -> None:
        """As far as they can, and it is said what could not be looked at."""
        secrets_path(log).unlink()
        with SqliteStore(log, readonly=True) as store:
            report = verify(store)
            assert report.ok
            assert "fight.db-secrets: no such file" in report["dice"].note
            assert "taken on trust" in report["dice"].note
            out = bytearray()
            export_jsonl(store, type("Out", (), {"write": out.extend})())
            assert out

    def test_playing_on_asks_for_it(self, log: Path) -> None:
        """By its path; dice that are given, or thrown by everybody, do without it."""
        secrets_path(log).rename(log.with_name("elsewhere"))
        with SqliteStore(log) as store:
            with pytest.raises(SecretsMissing, match=r"fight\.db-secrets: no such file.* --from PATH"):
                Table(store)
            Table(store, dice=Manual(lambda key, notation: None))
            table = Table(store, hands=("everybody",))
            seq = table.seq
            with pytest.raises(SecretsMissing):
                table.declare(acts.Close(reason="over"))  # which reveals the seed
            assert store.head("main").seq == table.seq == seq
            assert table.declare(acts.Speak(actor=table.state.active, words="by hand")).events
            store.secrets.bring(log.with_name("elsewhere"))
            Table(store).declare(acts.Close(reason="over"))
            assert verify(store).ok
        secrets_path(log).unlink()
        with SqliteStore(log) as store:
            assert Table(store).state.closed, "the seed is revealed: nothing is missing"
            assert "compared with the seed" in verify(store)["dice"].note

    def test_another_log_s_secrets_are_not_taken(self, log: Path, tmp_path: Path) -> None:
        """Neither beside a log, nor under a new one, nor when somebody brings them."""
        other = tmp_path / "other.db"
        with SqliteStore(other) as store:
            Table.create(store, dialect="srd35", terrain=["...."])
        beside = secrets_path(log)
        beside.write_bytes(secrets_path(other).read_bytes())
        with SqliteStore(log) as store:
            with pytest.raises(SecretsMissing, match="secrets of another log"):
                store.secret("seed")
            with pytest.raises(SecretsMissing, match="secrets of another log"):
                store.keep_secret("key", b"1")
            assert "secrets of another log" in verify(store)["dice"].note
            with pytest.raises(SecretsMissing, match="secrets of another log"):
                store.secrets.bring(secrets_path(other))
            with pytest.raises(SecretsMissing, match="no such file"):
                store.secrets.bring(tmp_path / "nowhere")
        assert beside.read_bytes() == secrets_path(other).read_bytes()
        log.unlink()
        with SqliteStore(log) as store, pytest.raises(SecretsMissing, match="secrets of another log"):
            Table.create(store, dialect="srd35", terrain=["...."])

    @pytest.mark.parametrize(
        "text",
        [b"", b"{}", b"hello", b"[1]",
         b'{"format":"affray-secrets","version":1,"log":"","secrets":{"seed":"xy"}}',
         b'{"format":"other","version":1,"log":"","secrets":{}}', b"\xff" * 9, b"[" * 100_000],
    )  # fmt: skip
    def test_a_damaged_file_is_named(self, log: Path, text: bytes) -> None:
        """It is neither read nor overwritten."""
        beside = secrets_path(log)
        beside.write_bytes(text)
        with SqliteStore(log) as store:
            for use in (lambda: store.secret("seed"), lambda: store.keep_secret("key", b"1")):
                with pytest.raises(SecretsMissing, match=r"fight\.db-secrets"):
                    use()
            assert verify(store).ok
        assert beside.read_bytes() == text

    def test_a_newer_file_is_named(self, log: Path) -> None:
        """A file of a later format is not misread."""
        beside = secrets_path(log)
        beside.write_bytes(beside.read_bytes().replace(b'"version":1', b'"version":2'))
        with SqliteStore(log) as store, pytest.raises(NewerLog, match="version 2"):
            store.secret("seed")


def test_it_goes_along_with_copies(log: Path, tmp_path: Path) -> None:
    """A copied or renamed log, a backup, and an import are played on with the same dice."""
    moved, backup, imported = (tmp_path / name for name in ("moved.db", "backup.db", "imported.db"))
    with SqliteStore(log) as store:
        store._connection.execute(f"VACUUM INTO '{backup}'")
        lines = tmp_path / "log.jsonl"
        with lines.open("wb") as out:
            export_jsonl(store, out)
    with SqliteStore(imported) as store, lines.open("rb") as file:
        import_jsonl(file, store)
        assert store.secret("seed") is None, "an import never had one"
    log.rename(moved)
    secrets_path(log).rename(secrets_path(moved))
    for path in (backup, imported):
        with SqliteStore(path) as store:
            store.secrets.bring(secrets_path(moved))
    heads = set()
    for path in (moved, backup, imported):
        with SqliteStore(path) as store:
            fork(store, "end", "side")
            table = Table(store, "side")
            table.declare(acts.Close(reason="over"))
            assert verify(store, "side").ok
            heads.add(store.head("side").digest)
    assert len(heads) == 1


def test_a_link_leads_to_the_same_secrets(log: Path, tmp_path: Path) -> None:
    """They stand beside the file itself."""
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "fight.db"
    link.symlink_to(log)
    assert secrets_path(link) == secrets_path(log)
    with SqliteStore(link) as store:
        assert store.secret("seed")


class TestOld:
    """Logs of earlier releases, which hold the seed themselves."""

    def test_they_read_and_play_on(self, tmp_path: Path) -> None:
        """No file is needed, and none comes into being."""
        path = tmp_path / "old.db"
        seed = old_log(path)
        with SqliteStore(path) as store:
            assert store.secret("seed") == seed
            with pytest.raises(SecretExists):
                store.keep_secret("seed", b"other")
            store.keep_secret("seed", seed)
            Table(store).declare(acts.Close(reason="over"))
            assert verify(store).ok
        assert not secrets_path(path).exists()

    def test_the_seed_can_be_moved_out(self, tmp_path: Path) -> None:
        """No byte of it is left, the log is as guarded as before, and the same call again changes nothing."""
        path = tmp_path / "old.db"
        seed = old_log(path)
        assert seed in bytes_of(tmp_path)
        with SqliteStore(path) as store:
            events = list(store.read_all())
            assert store.move_out_secrets()
            assert seed not in bytes_of(tmp_path)
            assert not store.move_out_secrets()
            assert store.secret("seed") == seed
        assert seed not in bytes_of(tmp_path)
        with SqliteStore(path) as store:
            assert list(store.read_all()) == events
            assert Table(store).declare(acts.Close(reason="over")).refused is None
            assert verify(store).ok

    def test_it_is_said_where_others_read_it(self, tmp_path: Path) -> None:
        """Then the old pages cannot be taken away; later the same call does it."""
        path = tmp_path / "old.db"
        seed = old_log(path)
        with SqliteStore(path, busy_seconds=0) as store:
            with SqliteStore(path, readonly=True) as reader:
                reader._connection.execute("BEGIN")
                reader._connection.execute("SELECT count(*) FROM events").fetchall()
                with pytest.raises(LogUnavailable):
                    store.move_out_secrets()
                assert store.secret("seed") == seed
                reader._connection.execute("ROLLBACK")
            store.move_out_secrets()
            assert store.secret("seed") == seed
        assert seed not in bytes_of(tmp_path)


class TestBeginning:
    """The two files come into being one after the other."""

    def test_a_crash_after_the_mark(self, tmp_path: Path) -> None:
        """No file yet: the same log is opened as if nothing had been."""
        with SqliteStore(tmp_path / "log.db") as store:
            store.keep_secret("seed", SEED)
            store.secrets.path.unlink()
            assert store.secret("seed") is None
            assert Table.create(store, dialect="srd35", terrain=["...."]).seq == 1

    def test_a_crash_after_the_file(self, tmp_path: Path) -> None:
        """The seed that was left is taken up."""
        with SqliteStore(tmp_path / "log.db") as store:
            store.keep_secret("seed", SEED)
            Table.create(store, dialect="srd35", terrain=["...."])
            assert store.secret("seed") == SEED

    def test_two_processes_at_once(self, tmp_path: Path) -> None:
        """One opens the fight, the other is told; the log and its secrets are those of one of them."""
        program = (
            "import sys, time\n"
            "from pathlib import Path\n"
            "from affray.replay.cli import affray\n"
            "Path(sys.argv[2]).touch()\n"
            "while not Path(sys.argv[3]).exists(): time.sleep(0.001)\n"
            "affray(['new', sys.argv[1], '--dialect', 'srd35'])\n"
        )
        for attempt in range(3):
            db = tmp_path / f"{attempt}.db"
            ready = [tmp_path / f"{attempt}{name}" for name in "ab"]
            go = tmp_path / f"{attempt}.go"
            running = [
                subprocess.Popen(
                    [*PYTHON, "-c", program, str(db), str(one), str(go)],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    text=True,
                )
                for one in ready
            ]
            while not all(one.exists() for one in ready):
                assert all(one.poll() is None for one in running)
            go.touch()
            told = [one.communicate(timeout=60)[1] for one in running]
            ended = sorted(one.returncode for one in running)
            assert ended == [0, 2], told
            assert all(text.count("\n") == 1 for text in told if text)
            with SqliteStore(db) as store:
                assert Table(store).seq == 1
                assert verify(store).ok


def test_what_is_there_is_not_overwritten(tmp_path: Path) -> None:
    """A file of any kind at the place of the secrets stays as it is."""
    place = tmp_path / "log.db-secrets"
    place.write_bytes(b"mine")
    with pytest.raises(AffrayError, match="not overwritten"):
        put_secrets(place, Secrets(FORMAT, 1, "", {}))
    assert place.read_bytes() == b"mine"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["log.db-secrets"]
    assert read_secrets(tmp_path / "none") is None
