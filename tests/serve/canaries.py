"""Facts in which every field holds something that stands nowhere else."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec import inspect as shapes

from affray.events.envelope import Event
from affray.events.facts.sheet import Sheet
from affray.events.field_kinds import TextKind, field_kind

NUMBERS = 700_000
"""The numbers of canaries are larger."""

REFERRED = frozenset({"cause"})


class Filled:
    """Plain data for a struct, and which field holds what: `where` says it by the canary."""

    def __init__(self, kind: type[Struct], who: str, act: type[Struct] | None = None) -> None:
        """Fill every field; ids of combatants are `who`, and a declaration is of `act`."""
        self.who, self.act = who, act
        self.where: dict[str, str] = {}
        self.data = self._struct(kind, "", 0)

    def _struct(self, kind: type[Struct], path: str, depth: int) -> dict[str, Any]:
        info = shapes.type_info(kind)
        assert isinstance(info, shapes.StructType)
        made: dict[str, Any] = {}
        if info.tag_field:
            made[info.tag_field] = info.tag
        for one in info.fields:
            below = f"{path}.{one.name}" if path else one.name
            value = self._value(one.type, below, field_kind(kind, one.name), depth)
            if value is not None:
                made[one.encode_name] = value
        return made

    def _value(self, shape: Any, path: str, held: Any, depth: int) -> Any:
        if isinstance(shape, shapes.UnionType):
            return self._of_several(shape, path, held, depth)
        if isinstance(shape, shapes.StructType):
            if shape.cls is Sheet:
                return self._sheet(path)
            return self._struct(shape.cls, path, depth + 1) if depth < 4 else None
        if isinstance(shape, shapes.VarTupleType | shapes.ListType):
            found = self._value(shape.item_type, path, held, depth)
            return [] if found is None else [found]
        if isinstance(shape, shapes.TupleType):
            each = held if isinstance(held, tuple) else (held,)
            return [
                self._value(one, path, each[min(at, len(each) - 1)], depth)
                for at, one in enumerate(shape.item_types)
            ]
        if isinstance(shape, shapes.DictType):
            return {self._text(f"{path}:name", held): self._value(shape.value_type, path, held, depth)}
        return self._plain(shape, path, held)

    def _sheet(self, path: str) -> dict[str, Any]:
        """Return a sheet that somebody could have: most of its fields have narrow bounds."""
        hp = 90_000 + len(self.where)
        self.where[str(hp)] = f"{path}.hp"
        words = {name: self._text(f"{path}.{name}", TextKind.TOLD) for name in ("name", "kind", "race")}
        feat = self._text(f"{path}.feats", TextKind.TOLD)
        weapon = self._text(f"{path}.weapons.name", TextKind.TOLD)
        return {**words, "hp": hp, "feats": [feat], "weapons": [{"name": weapon, "damage": "1d7"}]}

    def _of_several(self, shape: shapes.UnionType, path: str, held: Any, depth: int) -> Any:
        acts = [one for one in shape.types if isinstance(one, shapes.StructType)]
        if len(acts) > 1:
            wanted = [one for one in acts if self.act is not None and one.cls is self.act]
            return self._struct((wanted or acts)[0].cls, path, depth + 1)
        first = next(one for one in shape.types if not isinstance(one, shapes.NoneType))
        return self._value(first, path, held, depth)

    def _plain(self, shape: Any, path: str, held: Any) -> Any:
        if isinstance(shape, shapes.LiteralType):
            return shape.values[-1]
        if isinstance(shape, shapes.StrType):
            return self._text(path, held)
        if isinstance(shape, shapes.BoolType):
            return True
        if isinstance(shape, shapes.IntType):
            number = NUMBERS + len(self.where) + 1
            if shape.le is not None and shape.le < number:
                return shape.le
            self.where[str(number)] = path
            return number
        return None

    def _text(self, path: str, held: Any) -> str:
        if held is TextKind.COMBATANT:
            return self.who
        made = f"cAnArY{len(self.where):03d}x"
        self.where[made] = path
        return made

    def found_in(self, told: bytes) -> set[str]:
        """Return the fields whose canary stands in some bytes."""
        return {path for canary, path in self.where.items() if canary.encode() in told}


def as_event(seq: int, tag: str, version: int, data: dict[str, Any], actor: str, cause: int) -> Event:
    """Return plain data as an event of a log."""
    return Event("main", seq, tag, version, 1, 1, actor, cause, msgspec.json.encode(data), b"d" * 32)


def leaves(value: Any) -> Iterator[Any]:
    """Yield what stands in plain data."""
    if isinstance(value, dict):
        for one in value.values():
            yield from leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one)
    else:
        yield value
