"""Names that people use: for figures of a sheet and parts of the state."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import inspect
from msgspec.structs import fields

from affray.engine.language.names import People
from affray.events.errors import AffrayError, did_you_mean
from affray.events.facts.sheet import Sheet
from affray.events.validation import Unreadable, read_json
from affray.projections.state import Combatant, Encounter

# --- A figure of a sheet, by the names that people use

_NAMES = ("name", "source", "kind")
"""The fields that give one of several parts its name."""

_FIGURE = "value"
"""The field that is meant if a part is named without a field."""


_EXAMPLES = {"kind": "untyped", "dice": "1d6", "damage": "1d6", "stat": "attack"}
"""Example values for a missing part, by the names of their fields."""

_CALLED = "any name"
"""The example value for a name."""


OPTIONAL: Final = frozenset({"custom"})
"""Fields that most sheets leave out."""


class BadFigure(AffrayError):
    """The sheet has no such figure, or it cannot have that value."""


def set_figure_in_sheet(sheet: Sheet, path: str, value: str) -> Sheet:
    """Return a sheet with one figure changed: `armor.breastplate`, `weapons.longsword.damage`.

    Parts of a list are named by their name, source or kind. A list of names is given whole, separated by
    commas, and a value with parts may be given whole as JSON. Raises BadFigure with the known names, and with
    an example of the figure's form.
    """
    plain = plainly(sheet)
    *outer, last = path.split(".")
    holder: object = plain
    for name in outer:
        holder = _inner(holder, name, path)
    if isinstance(holder, list):
        holder, last = _inner(holder, last, path), _FIGURE
    known = holder is not plain or last in OPTIONAL
    if not isinstance(holder, dict) or (last not in holder and not known):
        raise _unknown(path, last, holder)
    before = holder.get(last)
    # For a part given by its name, one figure is meant.
    form = form_of(path) if last == path.rpartition(".")[2] else ""
    if form and value[:1] not in ("{", "[") and value != "null":
        named = f"name a figure of it: {', '.join(_there(before))}; or " if before else ""
        raise BadFigure(f"{path}={value}: {named}give it whole, for example {path}={form}")
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
    """Return an example, in JSON, of a figure that has parts; "" for any other one."""
    at: object = inspect.type_info(Sheet)
    for name in path.split("."):
        if isinstance(at, inspect.StructType):
            at = next((one.type for one in at.fields if one.encode_name == name), None)
        elif isinstance(at, inspect.VarTupleType):
            at = at.item_type
        elif isinstance(at, inspect.DictType):
            at = at.value_type
        at = _without_none(at)
    parts = at.item_type if isinstance(at, inspect.VarTupleType) else at
    if not isinstance(parts, inspect.StructType | inspect.DictType):
        return ""
    return msgspec.json.encode(_example("", at)).decode()


def _without_none(type: object) -> object:
    """Return a type without its alternative None."""
    if not isinstance(type, inspect.UnionType):
        return type
    return next(one for one in type.types if not isinstance(one, inspect.NoneType))


def _example(name: str, type: object) -> object:
    """Return a value of a type, with the required parts, or the first if none is required."""
    type = _without_none(type)
    if isinstance(type, inspect.VarTupleType):
        return [_example("", type.item_type)]
    if isinstance(type, inspect.DictType):
        return {_CALLED: _example("", type.value_type)}
    if isinstance(type, inspect.StructType):
        wanted = [one for one in type.fields if one.required or one.encode_name == "source"]
        return {one.encode_name: _example(one.encode_name, one.type) for one in wanted or type.fields[:1]}
    return 2 if isinstance(type, inspect.IntType) else _EXAMPLES.get(name, _CALLED)


def _whole(path: str, value: str, form: str) -> object:
    """Return the value of a figure with parts, from JSON."""
    try:
        return read_json(value)
    except Unreadable as error:
        raise BadFigure(f"{path}={value}: {error}; it has the form {path}={form}") from None


def plainly(part: object) -> Any:
    """Return a struct as plain data, its lists as lists."""
    return msgspec.json.decode(msgspec.json.encode(part))


def _inner(holder: object, name: str, path: str) -> object:
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
                raise BadFigure(f"{path}: {len(found)} parts are named {name!r}")
    raise _unknown(path, name, holder)


def _unknown(path: str, name: str, holder: object) -> BadFigure:
    """Return the error for an unknown figure."""
    meant = did_you_mean(name, _there(holder), whole="affray blame DB WHO.sheet")
    return BadFigure(f"{path}: there is no {name!r}{meant}")


def _there(holder: object) -> list[str]:
    if isinstance(holder, list):
        return [next((str(one[field]) for field in _NAMES if one.get(field)), "?") for one in holder]
    return list(holder) if isinstance(holder, dict) else []


def _typed(before: object, value: str) -> object:
    """Return a value in the type of its field: a number, a text, names separated by commas, true or false."""
    if isinstance(before, list):
        return [one.strip() for one in value.split(",") if one.strip()]
    if isinstance(before, str):
        return value
    try:
        return read_json(value)
    except Unreadable:
        return value


# --- Paths into the state: every figure, condition and square by a name, with its value

PLACE: Final = "."
"""The separator of the steps of a path: ysolde.hp, ysolde.conditions.prone, options.cover."""

OF_COMBATANTS: Final = tuple(one.name for one in fields(Combatant) if one.name != "id")
OF_ENCOUNTER: Final = tuple(one.name for one in fields(Encounter) if one.name != "combatants")


class UnknownPath(AffrayError):
    """A path without a value in this state."""


def split_into_named_parts(value: object) -> Mapping[str, object] | None:
    """Return a value of the state part by part, None for one without named parts."""
    if isinstance(value, dict):
        return value
    if isinstance(value, tuple) and value and hasattr(value[0], "id"):  # effects, afflictions
        return {one.id: one for one in value}
    return None


def paths(state: Encounter) -> Iterator[tuple[str, object]]:
    """Yield every path of a state with its value, those of the encounter first."""
    for name in OF_ENCOUNTER:
        yield from _under(name, getattr(state, name))
    for id, one in state.combatants.items():
        for name in OF_COMBATANTS:
            yield from _under(f"{id}{PLACE}{name}", getattr(one, name))


def _under(path: str, value: object) -> Iterator[tuple[str, object]]:
    yield path, value
    for name, part in (split_into_named_parts(value) or {}).items():
        yield f"{path}{PLACE}{name}", part


def parse_state_path(state: Encounter, text: str) -> tuple[str, str, str]:
    """Return the meaning of a path: (id of a combatant or "", field, part or ""). Raises UnknownPath.

    Combatants are given by id, or by a unique name.
    """
    people = People.find_combatants_in_fights(state)
    who, owner, rest = "", None, text.strip()
    # An id may contain a dot itself.
    for at in (at for at, sign in enumerate(rest) if sign == PLACE):
        if people.knows(rest[:at]):
            who, rest = people.find_id_of_combatant(rest[:at]), rest[at + 1 :]
            owner = state.combatants[who]
            break
    name, _, part = rest.partition(PLACE)
    known = OF_COMBATANTS if owner is not None else OF_ENCOUNTER
    if name not in known:
        meant = did_you_mean(name, [*known, *state.combatants], whole="affray blame DB --paths")
        whose = f"{who} has no" if who else "there is no"
        raise UnknownPath(f"{text!r}: {whose} {name!r}{meant}")
    value = getattr(owner if owner is not None else state, name)
    inner = split_into_named_parts(value)
    if part and inner is None:
        raise UnknownPath(f"{text!r}: {name} has no parts now")
    return who, name, part
