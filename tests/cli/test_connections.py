"""Commands close the logs that they open: `called` in conftest.py counts before and after each of them."""

from pathlib import Path

from affray.events import SqliteStore
from tests.connections import unclosed


def test_an_open_log_is_counted_until_it_is_closed(tmp_path: Path) -> None:
    """One that is collected without being closed is counted for good."""
    before = unclosed()
    store = SqliteStore(tmp_path / "fight.db")
    assert unclosed() == before + 1
    store.close()
    store.close()
    assert unclosed() == before
