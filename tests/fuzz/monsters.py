"""Logs that hang together and hold what no table plays: each field at its bounds, past them and monstrous."""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import inspect as types

from affray.events import MemoryStore, SqliteStore
from affray.events.codec import FACTS, VERSIONS
from affray.events.envelope import Entry
from affray.events.exports import export_jsonl
from affray.events.stores.store import Store
from tests.fuzz.grounds import middle
from tests.fuzz.shapes import shape_of

AT, PAST = "at the bound", "past the bound"
MOST_BYTES = 6_000_000
"""So long may one event be that lies within its bounds."""

PEOPLE = ("fighter", "ogre")
WHO = ("who", "attacker", "bearer", "by", "actor")
WHOM = ("target", "mount", "against")


class Monster(NamedTuple):
    """A log with one odd event at its end: which field of it, and whether it is past its bound."""

    name: str
    kind: str
    fact: dict[str, Any]


def monsters() -> Iterator[Monster]:
    """Yield a log's odd event for every field of every fact, at each bound and past it."""
    for fact in FACTS:
        shape = shape_of(fact)
        for path, kind, value in odd(shape, str(fact.__struct_config__.tag)):
            yield Monster(path, kind, value)


def odd(shape: Any, path: str, name: str = "") -> Iterator[tuple[str, str, Any]]:
    """Yield values of a shape in which one field is odd: its path, how it is odd, the whole value."""
    match shape:
        case types.StructType():
            yield from _odd_struct(shape, path)
        case types.UnionType():
            for one in shape.types:
                where = f"{path}:{one.tag}" if isinstance(one, types.StructType) and one.tag else path
                yield from odd(one, where, name)
        case types.IntType():
            low, high = shape.ge or 0, shape.le or 0
            for kind, number in ((AT, low), (AT, high), (PAST, low - 1), (PAST, high + 1), (PAST, 10**30)):
                yield path, kind, number
        case types.StrType():
            most = shape.max_length or 0
            for kind, count in ((AT, most), (PAST, most + 1), (PAST, 3_000_000)):
                yield path, kind, "x" * count
        case types.VarTupleType():
            item, most = sample(shape.item_type, name), shape.max_length or 0
            fits = min(most, MOST_BYTES // (len(json.dumps(item)) + 1))
            yield path, AT, [item] * fits
            if fits == most:
                yield path, PAST, [item] * (most + 1)
            for inner, kind, value in odd(shape.item_type, f"{path}[]", name):
                yield inner, kind, [value]
        case types.TupleType():
            for place, one in enumerate(shape.item_types):
                rest = [sample(other, name) for other in shape.item_types]
                for inner, kind, value in odd(one, f"{path}[{place}]", name):
                    yield inner, kind, [*rest[:place], value, *rest[place + 1 :]]
        case types.DictType():
            most = shape.max_length or 0
            for kind, count in ((AT, most), (PAST, most + 1)):
                yield path, kind, {f"k{n}": sample(shape.value_type, name) for n in range(count)}
            for inner, kind, key in odd(shape.key_type, f"{path}{{key}}", name):
                yield inner, kind, {key: sample(shape.value_type, name)}
            for inner, kind, value in odd(shape.value_type, f"{path}{{}}", name):
                yield inner, kind, {"k": value}
        case types.LiteralType():
            yield path, PAST, "no such word"


def _odd_struct(shape: types.StructType, path: str) -> Iterator[tuple[str, str, Any]]:
    whole = sample(shape, "")
    for field in shape.fields:
        for inner, kind, value in odd(field.type, f"{path}.{field.encode_name}", field.encode_name):
            yield inner, kind, {**whole, field.encode_name: value}


def sample(shape: Any, name: str) -> Any:
    """Return a small value of a shape that a log of the two could hold."""
    match shape:
        case types.StructType():
            made = {} if shape.tag_field is None else {shape.tag_field: shape.tag}
            needed = [field for field in shape.fields if field.required]
            made.update({field.encode_name: sample(field.type, field.encode_name) for field in needed})
            return made
        case types.UnionType():
            return sample(
                next((one for one in shape.types if not isinstance(one, types.NoneType)), None), name
            )
        case types.IntType():
            return min(max(1, shape.ge or 0), shape.le if shape.le is not None else 1)
        case types.StrType():
            if name in WHO + WHOM:
                return PEOPLE[name in WHOM]
            return {"notation": "1d6", "dice": "1d6", "damage": "1d6", "dialect": "srd35"}.get(name, "new")
        case types.LiteralType():
            return shape.values[0]
        case types.BoolType():
            return False
        case types.TupleType():
            return [sample(one, name) for one in shape.item_types]
        case types.VarTupleType():
            return list(PEOPLE) if name in ("order", "aware") else []
        case types.DictType():
            return {}
    return None


Rows = list[tuple[str, int, int, str, int, dict[str, Any]]]


@cache
def begun() -> tuple[tuple[str, int, int, str, int, bytes], ...]:
    """Return the events of a small fight in its first round: type, round, turn, actor, cause, data."""
    return tuple(
        (event.type, event.round, event.turn, event.actor, event.cause, event.data)
        for event in middle("srd35", 0).read("main")
    )


def rows(*odd_ones: dict[str, Any]) -> list[tuple[str, int, int, str, int, bytes]]:
    """Return the events of the fight with odd ones behind; an odd opening takes the place of its own."""
    found = list(begun())
    for fact in odd_ones:
        data = json.dumps(fact, ensure_ascii=False).encode("utf-8", "surrogatepass")
        if fact["type"] == "encounter.opened":
            found[0] = (*found[0][:5], data)
        else:
            found.append((str(fact["type"]), 1, 1, "fighter", len(found) + 1, data))
    return found


def fill(store: Store, events: Iterable[tuple[str, int, int, str, int, bytes]]) -> None:
    """Append events as they are, whatever they hold, chained."""
    made = [Entry(kind, VERSIONS.get(kind, 1), *place, data) for kind, *place, data in events]  # type: ignore[arg-type]
    store.append("main", made, 0)


def exported(events: Iterable[tuple[str, int, int, str, int, bytes]]) -> bytes:
    """Return an export of the events that hangs together."""
    store, out = MemoryStore(), BytesIO()
    fill(store, events)
    export_jsonl(store, out)
    return out.getvalue()


def stored(path: Path, events: Iterable[tuple[str, int, int, str, int, bytes]]) -> None:
    """Write a database of the events that hangs together."""
    with SqliteStore(path, synchronous="NORMAL") as store:
        fill(store, events)
