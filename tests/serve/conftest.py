"""What the tests of a served fight share: the log of one that has begun, and a store of its own on it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from affray.events.stores.sqlite import SqliteStore
from tests.serve.following import fight


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return the log of a fight that has begun."""
    fight(tmp_path / "fight.db")
    return tmp_path / "fight.db"


@pytest.fixture
def store(log: Path) -> Iterator[SqliteStore]:
    """Return a store of its own on that log."""
    with SqliteStore(log, synchronous="NORMAL") as opened:
        yield opened
