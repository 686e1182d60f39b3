"""A figure of a sheet, found by the names that a person would use."""

from typing import Any

import msgspec
from msgspec import inspect as types

from affray.events.errors import AffrayError, did_you_mean
from affray.events.facts.sheet import Sheet
from affray.events.misfit import Unreadable, read_json

_NAMES = ("name", "source", "kind")
"""The fields by which one of several parts is called."""

_FIGURE = "value"
"""The field that is meant where a part is named and no field of it."""


_EXAMPLES = {"kind": "untyped", "dice": "1d6", "damage": "1d6", "stat": "attack"}
"""Words that stand in examples for what is to be said, by the names of their fields."""

_CALLED = "any name"
"""What stands there for a name."""


class BadFigure(AffrayError):
    """The sheet has no such figure, or it cannot be that."""


def with_figure(sheet: Sheet, path: str, value: str) -> Sheet:
    """Return a sheet with one figure changed: `armor.breastplate`, `weapons.longsword.damage`.

    Parts of a list are called by their name, source or kind. A list of names is given whole, parted by
    commas, and what has parts of its own may be given whole as JSON. Raises BadFigure, saying what there is,
    and by an example which form such a figure has.
    """
    plain = plainly(sheet)
    *outer, last = path.split(".")
    holder: Any = plain
    for name in outer:
        holder = _inner(holder, name, path)
    if isinstance(holder, list):
        holder, last = _inner(holder, last, path), _FIGURE
    if not isinstance(holder, dict) or (last not in holder and holder is plain):
        raise _unknown(path, last, holder)
    before = holder.get(last)
    # Of a part that is called by its name, one figure is meant.
    form = form_of(path) if last == path.rpartition(".")[2] else ""
    if form and value[:1] not in ("{", "[") and value != "null":
        named = f"name a figure of it: {', '.join(_there(before))}; or " if before else ""
        raise BadFigure(f"{path}={value}: {named}say it whole, for example {path}={form}")
    holder[last] = _whole(path, value, form) if form else _typed(before, value)
    try:
        made = msgspec.convert(plain, Sheet)
    except msgspec.ValidationError as error:
        shown = f"; it has the form {path}={form}" if form else ""
        raise BadFigure(f"{path}={value}: {error}{shown}") from None
    if not form and plainly(made) != plain:
        raise _unknown(path, last, holder)
    return made


def form_of(path: str) -> str:
    """Return an example, in JSON, of a figure that has parts of its own; "" for any other one."""
    at: Any = types.type_info(Sheet)
    for name in path.split("."):
        if isinstance(at, types.StructType):
            at = next((one.type for one in at.fields if one.encode_name == name), None)
        elif isinstance(at, types.VarTupleType):
            at = at.item_type
        elif isinstance(at, types.DictType):
            at = at.value_type
        at = _without_none(at)
    parts = at.item_type if isinstance(at, types.VarTupleType) else at
    if not isinstance(parts, types.StructType | types.DictType):
        return ""
    return msgspec.json.encode(_example("", at)).decode()


def _without_none(type: Any) -> Any:
    """Return a type without the None that may stand in its place."""
    if not isinstance(type, types.UnionType):
        return type
    return next(one for one in type.types if not isinstance(one, types.NoneType))


def _example(name: str, type: Any) -> Any:
    """Return a value of a type: of its parts those that must be given, the first where none must."""
    type = _without_none(type)
    if isinstance(type, types.VarTupleType):
        return [_example("", type.item_type)]
    if isinstance(type, types.DictType):
        return {_CALLED: _example("", type.value_type)}
    if isinstance(type, types.StructType):
        wanted = [one for one in type.fields if one.required or one.encode_name == "source"]
        return {one.encode_name: _example(one.encode_name, one.type) for one in wanted or type.fields[:1]}
    return 2 if isinstance(type, types.IntType) else _EXAMPLES.get(name, _CALLED)


def _whole(path: str, value: str, form: str) -> Any:
    """Return what JSON says a figure with parts of its own is."""
    try:
        return read_json(value)
    except Unreadable as error:
        raise BadFigure(f"{path}={value}: {error}; it has the form {path}={form}") from None


def plainly(part: Any) -> Any:
    """Return a struct as plain data, its lists as lists."""
    return msgspec.json.decode(msgspec.json.encode(part))


def _inner(holder: Any, name: str, path: str) -> Any:
    if isinstance(holder, dict) and name in holder:
        return holder[name]
    if isinstance(holder, list):
        wanted = name.casefold()
        for field in _NAMES:
            found = [
                one for one in holder if isinstance(one, dict) and str(one.get(field)).casefold() == wanted
            ]
            if len(found) == 1:
                return found[0]
            if found:
                raise BadFigure(f"{path}: {len(found)} parts are called {name!r}")
    raise _unknown(path, name, holder)


def _unknown(path: str, name: str, holder: Any) -> BadFigure:
    """Return the error of a figure that is not there."""
    meant = did_you_mean(name, _there(holder), whole="affray blame DB WHO.sheet")
    return BadFigure(f"{path}: there is no {name!r}{meant}")


def _there(holder: Any) -> list[str]:
    if isinstance(holder, list):
        return [next((str(one[field]) for field in _NAMES if one.get(field)), "?") for one in holder]
    return list(holder) if isinstance(holder, dict) else []


def _typed(before: Any, value: str) -> Any:
    """Return a value as its field holds it: a number, a text, names parted by commas, true or false."""
    if isinstance(before, list):
        return [one.strip() for one in value.split(",") if one.strip()]
    if isinstance(before, str):
        return value
    try:
        return read_json(value)
    except Unreadable:
        return value
