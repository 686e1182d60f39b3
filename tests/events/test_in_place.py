"""A log whose file is renamed, replaced or deleted while it is open acknowledges nothing more."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from affray.engine.table.table import Table
from affray.events import SqliteStore
from affray.events.errors import LogMoved, LogUnavailable
from affray.events.facts import acts
from tests.events.conftest import Entries
from tests.house.fights import opened

AWAY: dict[str, Callable[[Path], object]] = {
    "renamed": lambda path: path.rename(path.with_name("new.db")),
    "deleted": lambda path: path.unlink(),
    "replaced": lambda path: (
        shutil.copy(path, path.with_name("copy")) and os.replace(path.with_name("copy"), path)
    ),
    "its folder renamed": lambda path: path.parent.rename(path.parent.with_name("elsewhere")),
    "its wal deleted": lambda path: path.with_name(path.name + "-wal").unlink(),
}


@pytest.fixture
def there(tmp_path: Path) -> Path:
    """A place for a log in a folder of its own."""
    (tmp_path / "folder").mkdir()
    return tmp_path / "folder" / "log.db"


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an open file cannot be moved")
@pytest.mark.parametrize("how", AWAY)
def test_it_is_said_before_the_next_acknowledgement(there: Path, entries: Entries, how: str) -> None:
    """Appends, branches, notes and secrets: each is refused, again and again."""
    with SqliteStore(there) as store:
        store.append("main", entries(2), 0)
        AWAY[how](there)
        for write in (
            lambda: store.append("main", entries(1), 2),
            lambda: store.append("main", entries(1), store.head("main").seq, "request"),
            lambda: store.fork(f"b{len(store.branches())}", "main", 1),
            lambda: store.keep_note("n", b"1"),
            lambda: store.keep_secret("s", b"1"),
        ):
            with pytest.raises(LogMoved, match=r"log\.db: .* was renamed, replaced or deleted") as caught:
                write()
            assert isinstance(caught.value, LogUnavailable)
            assert "\n" not in str(caught.value)


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an open file cannot be moved")
def test_nothing_goes_astray(there: Path, entries: Entries) -> None:
    """What is refused stands nowhere; put back, the log is whole and goes on."""
    moved = there.with_name("new.db")
    with SqliteStore(there) as store, SqliteStore(there) as other:
        store.append("main", entries(2), 0)
        there.rename(moved)
        with pytest.raises(LogMoved):
            store.append("main", entries(1), 2)
        assert store.head("main").seq == 2
        moved.rename(there)
        store.append("main", entries(1), 2)
        assert other.head("main").seq == 3


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an open file cannot be moved")
def test_a_table_says_so(there: Path) -> None:
    """A declaration is not acknowledged, and can be repeated where the log is now."""
    with SqliteStore(there) as store:
        table = opened("srd35", store, 1)
        events = list(store.read_all())
        there.rename(there.with_name("new.db"))
        store.secrets.path.rename(there.with_name("new.db-secrets"))
        with pytest.raises(LogMoved):
            table.declare(acts.Close(reason="over"))
    with SqliteStore(there.with_name("new.db")) as store:
        assert list(store.read_all())[: len(events)] == events[: store.head("main").seq]


def test_another_folder_of_the_process_changes_nothing(
    there: Path, entries: Entries, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative path is that of the moment when the log was opened."""
    monkeypatch.chdir(there.parent)
    with SqliteStore("log.db") as store:
        store.append("main", entries(1), 0)
        monkeypatch.chdir("/")
        store.append("main", entries(1), 1)
        store.keep_secret("s", b"1")
    assert sorted(file.name for file in there.parent.iterdir()) == ["log.db", "log.db-secrets"]


def test_readers_and_other_writers_move_nothing(there: Path, entries: Entries) -> None:
    """Who comes and goes meanwhile, and folds the write-ahead log back, changes no name."""
    with SqliteStore(there) as store:
        for seq in range(20):
            store.append("main", entries(1), seq * 2)
            with SqliteStore(there, readonly=True) as reader, SqliteStore(there) as other:
                assert reader.head("main").seq == seq * 2 + 1
                other.append("main", entries(1), seq * 2 + 1)
                other._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def test_a_link_that_leads_elsewhere_is_noticed(there: Path, entries: Entries) -> None:
    """The path is what counts: the next reader follows it."""
    link, other = there.with_name("link.db"), there.with_name("other.db")
    with SqliteStore(other):
        pass
    with SqliteStore(there):
        pass
    link.symlink_to(there)
    with SqliteStore(link) as store:
        store.append("main", entries(1), 0)
        link.unlink()
        link.symlink_to(other)
        with pytest.raises(LogMoved):
            store.append("main", entries(1), 1)


def test_the_table_is_used(there: Path) -> None:
    """A table on a log that stands where it was plays as ever."""
    with SqliteStore(there) as store:
        opened("srd35", store, 1)
        assert Table(store).declare(acts.Close(reason="over")).refused is None
