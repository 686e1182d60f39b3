"""Plain values by the shape of a struct: mostly what fits, now and then what does not."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import inspect as types

from tests.fuzz.reader import Reader

Hints = Mapping[str, Sequence[Any]]

DICE = (
    "1d6",
    "2d4+1",
    "1d8",
    "",
    "0",
    "1d0",
    "1000d1000",
    "1001d6",
    "-1d6",
    "1d6!",
    "4d6kh3",
    "d%",
    "999999999d9",
)
WRONG = (None, True, 1.5, float("nan"), float("inf"), -1, "x", [], {}, [[]], {"a": 1}, 10**40, [0, 0])


@lru_cache(maxsize=512)
def shape_of(type: Any) -> Any:
    """Return the shape of a type."""
    return types.type_info(type)


def plain(reader: Reader, shape: Any, hints: Hints, name: str = "", depth: int = 0) -> Any:
    """Return a value for a shape: as its hints say, as it is typed, or seldom something quite wrong."""
    if reader.byte() == 255:
        return reader.one_of(WRONG)
    if name in hints and not isinstance(shape, types.VarTupleType) and not reader.rarely():
        return reader.one_of(hints[name])
    return _typed(reader, shape, hints, name, depth)


def _typed(reader: Reader, shape: Any, hints: Hints, name: str, depth: int) -> Any:
    match shape:
        case types.UnionType():
            several = shape.types
            return plain(reader, several[reader.below(len(several))], hints, name, depth)
        case types.StructType():
            return struct(reader, shape, hints, depth)
        case types.VarTupleType() | types.ListType():
            count = reader.below(5) if depth < 4 else 0
            if name in ("path",) and "walk" in hints and not reader.rarely():
                return list(walk(reader, hints["walk"][0], count + 1))
            return [plain(reader, shape.item_type, hints, name, depth + 1) for _ in range(count)]
        case types.TupleType():
            return [plain(reader, item, hints, "", depth + 1) for item in shape.item_types]
        case types.DictType():
            return {
                str(plain(reader, shape.key_type, hints, "", depth + 1)): plain(
                    reader, shape.value_type, hints, "", depth + 1
                )
                for _ in range(reader.below(3))
            }
        case types.LiteralType():
            return reader.one_of(shape.values)
        case types.BoolType():
            return bool(reader.byte() & 1)
        case types.IntType():
            return reader.number()
        case types.NoneType():
            return None
        case types.StrType():
            return reader.one_of(DICE) if name in ("damage", "dice") else reader.text()
    return reader.one_of(WRONG)


def struct(reader: Reader, shape: types.StructType, hints: Hints, depth: int) -> dict[str, Any]:
    """Return the fields of a struct: all that are required, of the others some."""
    values: dict[str, Any] = {}
    if shape.tag_field is not None:
        values[shape.tag_field] = shape.tag
    for field in shape.fields:
        if field.required or field.name in hints or reader.byte() & 1:
            values[field.encode_name] = plain(reader, field.type, hints, field.name, depth + 1)
    if reader.byte() == 254:
        values[reader.text()] = reader.text()
    return values


def walk(reader: Reader, start: tuple[int, int], steps: int) -> list[list[int]]:
    """Return a walk of so many squares from a start."""
    x, y = start
    path = []
    for _ in range(steps):
        x, y = x + reader.below(3) - 1, y + reader.below(3) - 1
        path.append([x, y])
    return path
