"""What the tests of the log share: entries to append, and one store of each kind."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from affray.events.envelope import Entry
from affray.events.stores.memory import MemoryStore
from affray.events.stores.postgres import PostgresStore
from affray.events.stores.sqlite import SqliteStore
from affray.events.stores.store import Store
from tests.server import Server

_NUMBERS = count(1)

Entries = Callable[..., list[Entry]]


@pytest.fixture
def entries() -> Entries:
    """Return a maker of `count` different entries; `mark` makes those of two calls differ."""

    def make(count: int, mark: str = "", type: str = "attack.rolled") -> list[Entry]:
        data = [f'{{"type":"{type}","mark":"{mark}","n":{n}}}'.encode() for n in range(count)]
        return [Entry(type, 1, 3, n, "górk", n, data[n]) for n in range(count)]

    return make


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Yield an empty store, once of each kind."""
    if request.param == "postgres":
        made: Store = PostgresStore(request.getfixturevalue("fight"))
    else:
        made = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "log.db")
    with made:
        yield made


@pytest.fixture
def fight(postgres: Server) -> str:
    """Return the address of a fight that is not there yet."""
    return postgres.address(fight=f"t{next(_NUMBERS)}")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a log may be made."""
    return tmp_path / "log.db"


@pytest.fixture
def filled(path: Path, entries: Entries) -> Path:
    """Return a closed log: four events on main, two on a branch that left at 2, a request, a secret."""
    with SqliteStore(path) as store:
        store.append("main", entries(4), 0, "r1")
        store.fork("b", "main", 2)
        store.append("b", entries(2, "b"), 2)
        store.keep_secret("seed", b"12")
    return path
