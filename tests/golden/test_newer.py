"""A log from a newer release is refused by name, never half read."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from affray.events.codec import decode
from affray.events.envelope import Entry, Event
from affray.events.errors import NewerLog
from affray.events.exports import import_jsonl
from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite import SqliteStore
from affray.events.stores.sqlite_file import SCHEMA
from affray.projections.fold import fold
from affray.projections.state import Encounter, digest
from affray.projections.view import VIEW
from affray.replay.verification.verify import verify
from tests.cli.conftest import Run, run  # noqa: F401
from tests.golden.add import HERE, loaded


def with_one_more(type: str, version: int, data: bytes) -> MemoryStore:
    """Return a golden log that goes on with an event from the future."""
    store = loaded("srd35.jsonl")
    head = store.head("main")
    store.append("main", [Entry(type, version, 6, 1, "", head.seq + 1, data)], head.seq)
    return store


@pytest.mark.parametrize(("type", "version"), [("moved", 2), ("round.ended", 3), ("ghost.appeared", 1)])
def test_a_newer_event_is_refused_by_name(type: str, version: int) -> None:
    """Decoding, folding and verifying name the event that this release cannot read."""
    store = with_one_more(type, version, b'{"type":"%s"}' % type.encode())
    last = list(store.read("main"))[-1]
    for read in (lambda: decode(last), lambda: fold(store.read("main")), lambda: verify(store)):
        with pytest.raises(NewerLog, match=rf"main#{last.seq}: event '{type}' version {version} .*newer"):
            read()


def test_a_newer_view_is_refused_by_name() -> None:
    """A state digest of an unknown view is not called broken."""
    with pytest.raises(NewerLog, match=f"view {VIEW + 1}"):
        digest(Encounter(), VIEW + 1)
    data = b'{"type":"round.ended","cites":[],"number":6,"state":"ab","view":%d}' % (VIEW + 1)
    with pytest.raises(NewerLog, match=f"view {VIEW + 1}"):
        verify(with_one_more("round.ended", 2, data))
    with pytest.raises(NewerLog):
        decode(Event("main", 1, "round.ended", 3, 0, 0, "", 1, data, b""))


def test_a_newer_database_is_refused_by_name(tmp_path: Path, run: Run) -> None:  # noqa: F811
    """The schema number of the file says so, and the command ends with status 2 in one line."""
    path = tmp_path / "log.db"
    SqliteStore(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    with pytest.raises(NewerLog, match=f"schema {SCHEMA + 1}"):
        SqliteStore(path)
    result = run("verify", path)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


def test_a_newer_export_is_refused_by_name(tmp_path: Path, run: Run) -> None:  # noqa: F811
    """The first line says which format it is."""
    lines = (HERE / "pf1.jsonl").read_bytes().splitlines(keepends=True)
    lines[0] = lines[0].replace(b'"version":1', b'"version":3')
    with pytest.raises(NewerLog, match="format version 3"):
        import_jsonl(lines, MemoryStore())
    path = tmp_path / "new.jsonl"
    path.write_bytes(b"".join(lines))
    result = run("import", path, "--db", tmp_path / "new.db")
    assert (result.exit_code, (tmp_path / "new.db").exists()) == (2, False)
    assert "format version 3" in result.stderr
