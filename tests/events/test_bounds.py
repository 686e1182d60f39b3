"""Whatever a log holds, it stays within bounds, or is refused by file, line, field, value and bound."""

import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from msgspec import inspect as types

from affray.engine.table.scenario_parts import Scenarios
from affray.events import MemoryStore, SqliteStore
from affray.events.codec import FACTS, VERSIONS, decode
from affray.events.envelope import Entry, Event
from affray.events.errors import BrokenExport, BrokenLog, InvalidBranch, NotALog
from affray.events.exports import Line, export_jsonl, import_jsonl
from affray.events.facts.flow import OrderSet
from affray.events.stores.store import MOST_BRANCHES
from affray.events.validation import Unreadable, fitted, read_json
from affray.projections.fold import fold
from tests.fuzz.giants import giants
from tests.fuzz.monsters import AT, PAST, exported, fill, monsters, rows
from tests.fuzz.shapes import shape_of

pytestmark = pytest.mark.slow


def unbounded(shape: Any, path: str, seen: set[type]) -> Iterator[str]:
    """Yield the fields of a shape that may hold any number, text, list or mapping."""
    match shape:
        case types.IntType() if shape.ge is None or shape.le is None:
            yield path
        case types.StrType() if shape.max_length is None:
            yield path
        case types.UnionType():
            for one in shape.types:
                yield from unbounded(one, path, seen)
        case types.VarTupleType() | types.ListType():
            if shape.max_length is None:
                yield path
            yield from unbounded(shape.item_type, f"{path}[]", seen)
        case types.TupleType():
            for one in shape.item_types:
                yield from unbounded(one, f"{path}[]", seen)
        case types.DictType():
            if shape.max_length is None:
                yield path
            yield from unbounded(shape.key_type, f"{path}{{key}}", seen)
            yield from unbounded(shape.value_type, f"{path}{{}}", seen)
        case types.StructType() if shape.cls not in seen:
            seen.add(shape.cls)
            for field in shape.fields:
                yield from unbounded(field.type, f"{shape.cls.__name__}.{field.name}", seen)


def test_every_field_has_a_bound() -> None:
    """No number, text, list or mapping of any fact, act, sheet, scenario or line of an export is without."""
    seen: set[type] = set()
    for kind in (*FACTS, Scenarios, Line):
        assert list(unbounded(shape_of(kind), kind.__name__, seen)) == []
    assert len(seen) > 180


def test_the_test_would_notice() -> None:
    """A field without a bound is named."""
    assert list(unbounded(shape_of(tuple[int, ...]), "x", set())) == ["x", "x[]"]
    assert list(unbounded(shape_of(dict[str, str]), "x", set())) == ["x", "x{key}", "x{}"]


def entered(**changed: Any) -> dict[str, Any]:
    """Return the fact that a combatant came in, with some fields as said."""
    sheet = {"name": "orc", "hp": 5, **changed.pop("sheet", {})}
    place = {"at": [0, 0], "space": 1, "reach": 5}
    health = {"hp": 5, "max_hp": 5, "nonlethal": 0, "held": [], "acted": False, "policy": ""}
    return {
        "type": "combatant.entered",
        "id": "new",
        "side": "x",
        "sheet": sheet,
        **place,
        **health,
        **changed,
    }


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        (entered(space=1_000_000), "space is 1000000, the most is 20"),
        (entered(reach=10_000_000), "reach is 10000000, the most is 500"),
        (entered(at=[10**9, 0]), "at[0] is 1000000000, the most is 400"),
        (entered(at=[0, -(10**9)]), "at[1] is -1000000000, the least is -200"),
        (entered(hp=10**30), f"hp is {10**30}, the most is {10**15}"),
        (entered(hp=10**300), "hp is a number beyond all reading, the most is"),
        (entered(id="x" * 201), "id has 201 characters, the most is 200"),
        (entered(sheet={"space": 1_000_000}), "a space of 1000000 ft. is more than the 100 ft."),
        (entered(sheet={"reach": 501}), "a reach of 501 ft. is more than the 500 ft."),
        (
            entered(sheet={"skills": {"x" * 201: 1}}),
            "a key of sheet.skills has 201 characters, the most is 200",
        ),
        (entered(sheet={"ranks": {"ride": 10**7}}), "sheet.ranks['ride'] is 10000000, the most is 1000000"),
        (
            entered(sheet={"weapons": [{"name": "whip", "damage": "1d3", "far": 505}]}),
            "whip: a weapon reaches 0 to 500 ft. far, not 505",
        ),
        ({"type": "order.set", "order": ["fighter"] * 1001}, "order has 1001 entries, the most is 1000"),
        ({"type": "options.changed", "options": {"a": "x" * 201}}, "options['a'] has 201 characters"),
        ({"type": "round.began", "number": -2}, "number is -2, the least is -1"),
        ({"type": "round.began", "number": 1.5}, "Expected `int`, got `float` - at `$.number`"),
    ],
)
def test_a_monstrous_fact_is_refused_by_name(tmp_path: Path, fact: dict[str, Any], said: str) -> None:
    """The import names file, line, field, value and bound; so does whoever reads the fact in a database."""
    events = rows(fact)
    file = tmp_path / "log.jsonl"
    file.write_bytes(exported(events))
    store = MemoryStore()
    with pytest.raises(BrokenExport) as caught, file.open("rb") as lines:
        import_jsonl(lines, store)
    where = f"line {len(events) + 1} of {file}: main#{len(events)}"
    assert f"{where}: unreadable {fact['type']}: " in str(caught.value)
    assert said in str(caught.value)
    assert store.head("main").seq == 0
    fill(store, events)
    with pytest.raises(BrokenLog) as found:
        decode(list(store.read("main"))[-1])
    assert said in str(found.value)


def test_bounds_are_those_that_are_named() -> None:
    """Each field of each fact can be read at its bounds, and one past them cannot."""
    for one in islice(monsters(), 0, None, 7):
        data = json.dumps(one.fact).encode()
        store = MemoryStore()
        store.append("main", [Entry(one.fact["type"], VERSIONS[one.fact["type"]], 0, 0, "", 1, data)], 0)
        (event,) = store.read("main")
        if one.kind == PAST:
            with pytest.raises(BrokenLog, match="unreadable"):
                decode(event)
            continue
        if not one.name.startswith("combatant.entered.sheet."):  # bounded more narrowly once it has entered
            decode(event)


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ({"type": "order.set", "order": ["fighter", "ghost"]}, "'ghost' has never entered"),
        ({"type": "order.set", "order": ["ogre", "ogre"]}, "twice"),
        ({"type": "initiative.changed", "who": "ogre", "value": 1, "order": ["ghost"]}, "'ghost'"),
        ({"type": "awareness.settled", "aware": [], "surprised": ["ghost"]}, "'ghost'"),
        ({"type": "turn.ended", "who": "ghost"}, "'ghost'"),
        (entered(id="ogre"), "'ogre' has entered already"),
    ],
)
def test_ghosts_are_refused(fact: dict[str, Any], said: str) -> None:
    """An order of turns names combatants who entered, each once; nobody enters twice."""
    store = MemoryStore()
    fill(store, rows(fact))
    with pytest.raises(BrokenLog, match=r"does not fit the events before it") as caught:
        fold(store.read("main"))
    assert said in str(caught.value)


def test_a_fight_holds_so_many() -> None:
    """The two hundred and first combatant is refused by name."""
    store = MemoryStore()
    fill(store, rows(*(entered(id=f"n{n}", at=[n % 20, n // 20]) for n in range(200))))
    with pytest.raises(BrokenLog, match="at most 200 combatants"):
        fold(store.read("main"))


@pytest.mark.parametrize("giant", [one for one in giants() if one.kind == PAST], ids=lambda one: one.name)
def test_a_monstrous_file_is_refused(tmp_path: Path, giant: Any) -> None:
    """Nested, endless or branching without end: refused in one line that names the file and the line."""
    giant.write(tmp_path)
    file, store = tmp_path / "log.jsonl", MemoryStore()
    with pytest.raises((BrokenExport, NotALog)) as caught, file.open("rb") as lines:
        import_jsonl(lines, store)
    assert str(file) in str(caught.value)
    assert "line 1" in str(caught.value) or "line 2" in str(caught.value) or "line 12" in str(caught.value)
    assert len(str(caught.value)) <= 600
    assert store.head("main").seq == 0


def test_too_many_branches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a fork nor a file goes beyond the most branches of a log."""
    path = tmp_path / "log.db"
    with SqliteStore(path) as store:
        fill(store, rows())
        digest = next(store.read("main", 4, 5)).digest.hex()
    with closing(sqlite3.connect(path)) as connection, connection:
        named = [(f"b{n}", "main", 5, digest) for n in range(MOST_BRANCHES - 1)]
        connection.executemany("INSERT INTO branches (name, parent, at, digest) VALUES (?, ?, ?, ?)", named)
    with (
        SqliteStore(path) as store,
        pytest.raises(InvalidBranch, match="10001 branches: a log has 10000 at most"),
    ):
        store.fork("more", "main", 5)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO branches (name, parent, at, digest) VALUES ('z', 'main', 5, ?)", (digest,)
        )
    with pytest.raises(BrokenLog, match="10001 branches"):
        SqliteStore(path, readonly=True)
    memory = MemoryStore()
    monkeypatch.setattr("affray.events.stores.store.MOST_BRANCHES", 2)
    memory.fork("one", "main", 0)
    with pytest.raises(InvalidBranch, match="3 branches"):
        memory.fork("two", "main", 0)


def test_a_value_larger_than_any_event(tmp_path: Path) -> None:
    """A database cannot fill the memory with one value."""
    path = tmp_path / "log.db"
    with SqliteStore(path) as store:
        fill(store, rows())
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO events SELECT position + 100, stream, seq + 1, type, version, round, turn, actor,"
            " cause, json_object('type', 'round.began', 'more', hex(zeroblob(20000000))), digest, salt"
            " FROM events ORDER BY seq DESC LIMIT 1"
        )
    with (
        SqliteStore(path, readonly=True) as store,
        pytest.raises(BrokenLog, match="more than 32000000 bytes"),
    ):
        list(store.read("main"))


def test_branches_far_down_a_row_are_found_quickly() -> None:
    """An import of branches that leave one another in a row takes a time that grows with their number."""
    store = MemoryStore()
    fill(store, rows())
    for n in range(3000):
        store.fork(f"b{n}", f"b{n - 1}" if n else "main", 5)
    out = io.BytesIO()
    export_jsonl(store, out)
    out.seek(0)
    copy = MemoryStore()
    assert import_jsonl(out, copy) == len(rows())
    assert copy.branches() == store.branches()


def test_an_old_event_that_nests_without_end() -> None:
    """What has to be read as an older version is refused by name too."""
    deep = b'{"type":"encounter.opened","name":' + b"[" * 200_000 + b"}"
    for version in (1, 2, 3):
        with pytest.raises(BrokenLog, match=r"main#1: unreadable encounter\.opened"):
            decode(Event("main", 1, "encounter.opened", version, 0, 0, "", 1, deep, b""))


def test_json_from_outside() -> None:
    """What is no JSON, nests too deeply, is no UTF-8 or no text is said in a few words."""
    for data, said in (
        (b"[" * 200_000, "nested"),
        (b'"\xff"', "utf"),
        (b"{", "JSON|truncated|end"),
        ("\ud800", "UTF-8"),
    ):
        with pytest.raises(Unreadable, match=f"(?i){said}"):
            read_json(data)
    with pytest.raises(Unreadable, match="order has 1001 entries"):
        fitted({"type": "order.set", "order": ["a"] * 1001}, OrderSet)
    assert AT != PAST
