"""A figure of a sheet, found by the names that a person would use."""

from typing import Any

import msgspec

from affray.events.errors import AffrayError
from affray.events.facts.sheet import Sheet
from affray.events.misfit import Unreadable, read_json

_NAMES = ("name", "source", "kind")
"""The fields by which one of several parts is called."""

_FIGURE = "value"
"""The field that is meant where a part is named and no field of it."""


class BadFigure(AffrayError):
    """The sheet has no such figure, or it cannot be that."""


def with_figure(sheet: Sheet, path: str, value: str) -> Sheet:
    """Return a sheet with one figure changed: `armor.breastplate`, `weapons.longsword.damage`.

    Parts of a list are called by their name, source or kind. A list of names is given whole, parted by
    commas. Raises BadFigure, saying what there is.
    """
    plain = plainly(sheet)
    *outer, last = path.split(".")
    holder: Any = plain
    for name in outer:
        holder = _inner(holder, name, path)
    if isinstance(holder, list):
        holder, last = _inner(holder, last, path), _FIGURE
    if not isinstance(holder, dict) or (last not in holder and holder is plain):
        raise BadFigure(f"{path}: there is no {last!r}; there is {_there(holder)}")
    before = holder.get(last)
    if isinstance(before, dict) or (
        isinstance(before, list) and any(isinstance(one, dict) for one in before)
    ):
        raise BadFigure(f"{path}: name a figure of it: {_there(before)}")
    holder[last] = _typed(before, value)
    try:
        made = msgspec.convert(plain, Sheet)
    except msgspec.ValidationError as error:
        raise BadFigure(f"{path}={value}: {error}") from None
    if plainly(made) != plain:
        raise BadFigure(f"{path}: there is no {last!r}; there is {_there(holder)}")
    return made


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
    raise BadFigure(f"{path}: there is no {name!r}; there is {_there(holder)}")


def _there(holder: Any) -> str:
    if isinstance(holder, dict):
        return ", ".join(holder) or "nothing"
    if isinstance(holder, list):
        named = (next((str(one[field]) for field in _NAMES if one.get(field)), "?") for one in holder)
        return ", ".join(named) or "nothing"
    return str(holder)


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
