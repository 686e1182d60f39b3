"""The portable log: whole, exact, and unwilling to be cut or edited."""

import io
import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from affray.events import exports
from affray.events.chain import verified
from affray.events.envelope import Entry
from affray.events.errors import BrokenExport, InvalidBranch, NewerLog, NotALog
from affray.events.exports import export_jsonl, import_jsonl
from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite import SqliteStore
from affray.events.stores.store import Store

Entries = Callable[..., list[Entry]]


@pytest.fixture
def source(entries: Entries) -> Store:
    """Return a log with odd but valid data, a branch, a branch of it within main's prefix, an empty one."""
    store = MemoryStore()
    odd = [
        Entry("a.b", 1, 0, 0, 'q"\u2028é', 1, data.encode()) for data in ('{"x" :1.50}', '{"é":"\\u00e9"}')
    ]
    store.append("main", odd + entries(3), 0)
    store.fork("b", "main", 3)
    store.append("b", entries(2, "b"), 3)
    store.append("main", entries(1, "late"), 5)
    store.fork("early", "b", 2)
    store.fork("empty", "b", 5)
    store.fork("nothing", "main", 0)
    store.append("early", entries(1, "early"), 2)
    store.keep_secret("seed", b"not for the export")
    return store


@pytest.fixture
def lines(source: Store) -> list[bytes]:
    """Return the export of that log, line by line."""
    return exported(source).splitlines(keepends=True)


def exported(store: Store) -> bytes:
    out = io.BytesIO()
    export_jsonl(store, out)
    return out.getvalue()


def sealed(lines: list[bytes]) -> list[bytes]:
    """Return the lines with an end line that fits them, as a careful forger would write it."""
    body = b"".join(lines[:-1])
    end = {"events": len(lines) - 2, "sha256": sha256(body).hexdigest()}
    return [*lines[:-1], json.dumps(end).encode() + b"\n"]


def test_a_log_comes_back_byte_for_byte(source: Store, store: Store) -> None:
    """Exported and imported, a log has the same branches, bytes, digests and order, and exports the same."""
    first = exported(source)
    assert import_jsonl(io.BytesIO(first), store) == 9
    assert store.branches() == source.branches()
    assert list(store.read_all()) == list(source.read_all())
    for branch in source.branches():
        assert list(verified(store.read(branch.name))) == list(source.read(branch.name))
    assert exported(store) == first
    assert b"not for" not in first
    assert store.append("empty", [], 5) == []


def test_every_line_is_json_with_the_data_in_it(lines: list[bytes]) -> None:
    """Any language reads the export: a header that names the format, events, an end."""
    header, event, *_, end = (json.loads(line) for line in lines)
    assert (header["format"], header["version"]) == ("affray-log", 1)
    assert [b["name"] for b in header["branches"]] == ["main", "b", "early", "empty", "nothing"]
    assert (event["stream"], event["seq"], event["data"]) == ("main", 1, {"x": 1.5})
    assert b'{"x" :1.50}' in lines[1]
    assert end["events"] == 9


def test_what_is_committed_during_an_export_stays_out(source: Store, entries: Entries) -> None:
    """Events and branches that come while the export is written do not make it inconsistent."""

    class Busy(io.BytesIO):
        def write(self, data: bytes, /) -> int:  # type: ignore[override]
            source.append("main", entries(1), source.head("main").seq)
            source.fork(f"n{self.tell()}", "main", source.head("main").seq)
            return super().write(data)

    out = Busy()
    export_jsonl(source, out)
    assert import_jsonl(out.getvalue().splitlines(keepends=True), MemoryStore()) >= 9


@pytest.mark.parametrize("cut", range(1, 11))
def test_a_cut_file_is_refused(lines: list[bytes], cut: int, store: Store) -> None:
    """A file that ends early is refused at the line where it ends, and nothing of it is kept."""
    with pytest.raises(BrokenExport) as caught:
        import_jsonl(lines[:cut], store)
    assert caught.value.line == cut + 1
    with pytest.raises(BrokenExport, match=f"line {cut + 1}: .*cut off"):
        import_jsonl([*lines[:cut], lines[cut][:-9]], store)
    assert list(store.read_all()) == []
    assert len(store.branches()) == 1


def test_every_damaged_byte_is_found(source: Store) -> None:
    """Whichever byte of an export is altered, the import fails, with one line of reason."""
    content = exported(source)
    for index in range(0, len(content), 7):
        damaged = bytearray(content)
        damaged[index] ^= 1
        with pytest.raises((BrokenExport, NotALog, NewerLog), match=r"^[^\n]+$"):
            import_jsonl(io.BytesIO(damaged), MemoryStore())


@pytest.mark.parametrize(
    ("number", "old", "new"),
    [
        (5, b'"n":1', b'"n":9'),
        (5, b'"cause":1', b'"cause":2'),
        (7, b'"mark":"b"', b'"mark":"c"'),
        (3, b'"data":{', b'"data":{ '),
        (5, b'"stream":"main"', b'"stream":"nobody"'),
    ],
)
def test_an_edited_line_is_named(lines: list[bytes], number: int, old: bytes, new: bytes) -> None:
    """An edit is found at its line, even if the seal was made to fit."""
    assert old in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new)
    with pytest.raises(BrokenExport) as caught:
        import_jsonl(sealed(lines), MemoryStore())
    assert caught.value.line == number


@pytest.mark.parametrize(
    ("drop", "line"), [(2, 2), (5, 5), (9, 10)], ids=["the first", "in the middle", "the tail of main"]
)
def test_a_missing_line_is_noticed(lines: list[bytes], drop: int, line: int) -> None:
    """A line that was taken out is noticed by the chain, the tail of a stream by the seal."""
    cut = lines[: drop - 1] + lines[drop:]
    with pytest.raises(BrokenExport) as caught:
        import_jsonl(cut, MemoryStore())
    assert caught.value.line == line


def test_a_fork_from_an_event_that_is_not_there(lines: list[bytes]) -> None:
    """A branch whose parent was cut before its fork is refused, even if the seal was made to fit."""
    kept = [line for line in lines if not line.startswith(b'{"stream":"b"')]
    with pytest.raises(BrokenExport, match="leaves b#5"):
        import_jsonl(sealed(kept), MemoryStore())


def test_branches_must_fit(lines: list[bytes]) -> None:
    """A header whose branches come before their parents, twice, or from another event is refused."""
    header = json.loads(lines[0])
    main, b, early, empty, nothing = header["branches"]
    for branches in (
        [b, main],
        [main, early, b],
        [main, b, b, early],
        [main, b | {"at": 2}, early, empty, nothing],
        [main, b, early, empty, nothing | {"digest": b["digest"]}],
        [main | {"at": 1}, b],
        [b | {"digest": "zz"}],
        [],
    ):
        lines[0] = json.dumps(header | {"branches": branches}).encode() + b"\n"
        with pytest.raises(BrokenExport):
            import_jsonl(sealed(lines), MemoryStore())


def test_more_after_the_end(lines: list[bytes]) -> None:
    """Nothing may follow the end of a log."""
    with pytest.raises(BrokenExport, match="line 12"):
        import_jsonl([*lines, b"{}\n"], MemoryStore())


def test_a_newer_format_is_named(lines: list[bytes]) -> None:
    """An export of a later format is refused with both versions, whatever else its header holds."""
    lines[0] = b'{"format":"affray-log","version":3,"compression":"none"}\n'
    with pytest.raises(NewerLog, match=r"version 3, .* up to 2"):
        import_jsonl(lines, MemoryStore())


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"hello\n", b"{}\n", b'{"format":"other","version":1}\n', b"\x89PNG\r\n\xff"]
)
def test_another_kind_of_file(content: bytes) -> None:
    """What has no header of this format is no export of a log."""
    with pytest.raises(NotALog):
        import_jsonl(io.BytesIO(content), MemoryStore())


def test_only_into_an_empty_log(source: Store, store: Store, entries: Entries) -> None:
    """An import never mixes with what is there."""
    store.append("main", entries(1), 0)
    with pytest.raises(InvalidBranch, match="empty"):
        import_jsonl(io.BytesIO(exported(source)), store)
    assert len(list(store.read_all())) == 1


def test_an_endless_line_is_not_read(monkeypatch: pytest.MonkeyPatch, lines: list[bytes]) -> None:
    """A line beyond the bound is refused before all of it is in memory."""
    monkeypatch.setattr(exports, "MAX_LINE", 2000)
    endless = io.BytesIO(lines[0] + b'{"stream":"' + b"x" * 1_000_000)
    with pytest.raises(BrokenExport, match="line 2: longer than 2000"):
        import_jsonl(endless, MemoryStore())
    assert endless.tell() < 10_000


def test_a_long_log_comes_back_from_a_file(tmp_path: Path, entries: Entries) -> None:
    """Logs longer than the pages in which they are read and written come back whole."""
    with SqliteStore(tmp_path / "one.db") as one, SqliteStore(tmp_path / "two.db") as two:
        one.append("main", entries(1501), 0)
        with (tmp_path / "log.jsonl").open("wb") as out:
            assert export_jsonl(one, out) == 1501
        with (tmp_path / "log.jsonl").open("rb") as file:
            assert import_jsonl(file, two) == 1501
        assert list(one.read("main")) == list(two.read("main"))
