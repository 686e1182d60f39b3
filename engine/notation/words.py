"""Acts and facts as words of the notation, and back."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import NODEFAULT, UNSET, Struct

from affray.engine.notation.errors import NotationError
from affray.engine.notation.lines import Said
from affray.engine.notation.misfits import expected_by, field_of, is_one_square
from affray.engine.notation.tokens import written
from affray.events.codec import FACTS
from affray.events.errors import did_you_mean
from affray.events.facts.declared import AnyAct
from affray.events.facts.sheet import Sheet

SheetNamed = Callable[[str], Sheet | None]
"""What gives the sheet of a name, None for an unknown one."""


@cache
def act_kinds() -> Mapping[str, type[Struct]]:
    """Return every kind of act by its word."""
    found = msgspec.inspect.type_info(AnyAct)
    kinds = found.types if isinstance(found, msgspec.inspect.UnionType) else (found,)
    return {str(one.tag): one.cls for one in kinds if isinstance(one, msgspec.inspect.StructType)}


@cache
def fact_kinds() -> Mapping[str, type[Struct]]:
    """Return every kind of fact by its type."""
    return {str(kind.__struct_config__.tag): kind for kind in FACTS}


@cache
def _field_names(kind: type[Struct]) -> tuple[str, ...]:
    return tuple(name for name in kind.__struct_encode_fields__ if name not in ("actor", "cites"))


def act_of(said: Said, sheet_named: SheetNamed) -> Any:
    """Return the act that a line declares. Raises NotationError."""
    values = _values(said, act_kinds(), "an act")
    kind = act_kinds()[said.word]
    name = values.get("sheet")
    if said.word == "enter" and isinstance(name, str):
        sheet = sheet_named(name)
        if sheet is None:
            raise NotationError(said.line, _column(said, kind, "sheet"), "the name of a sheet", name)
        values["sheet"] = sheet
    values["actor"] = said.actor
    return _made(said, kind, values, "act")


def fact_of_words(said: Said) -> Any:
    """Return the fact that a line writes down. Raises NotationError."""
    kinds = fact_kinds()
    values = _values(said, kinds, "the type of an event")
    kind = kinds[said.word]
    if said.word in ("declared", "encounter.opened"):
        raise NotationError(
            said.line, said.column, "an event that no other line of the notation makes", said.word
        )
    if "cites" in kind.__struct_encode_fields__:
        values.setdefault("cites", [])
    return _made(said, kind, values, "type")


def _values(said: Said, kinds: Mapping[str, type[Struct]], expected: str) -> dict[str, Any]:
    kind = kinds.get(said.word)
    if kind is None:
        meant = did_you_mean(said.word, kinds)
        raise NotationError(said.line, said.column, expected, f"{said.word}{meant}")
    names = _field_names(kind)
    if len(said.places) > len(names):
        column = said.columns[f"#{len(names)}"]
        raise NotationError(said.line, column, f"at most {len(names)} fields of {said.word!r}")
    values = dict(zip(names, said.places, strict=False))
    for name, value in said.fields.items():
        if name not in kind.__struct_encode_fields__ or name == "actor":
            meant = did_you_mean(name, names)
            raise NotationError(said.line, said.columns[name], f"a field of {said.word!r}", f"{name}{meant}")
        if name in values:
            raise NotationError(said.line, said.columns[name], "each field once", name)
        values[name] = value
    return values


def _column(said: Said, kind: type[Struct], name: str) -> int:
    if name in said.columns:
        return said.columns[name]
    names = _field_names(kind)
    return said.columns.get(f"#{names.index(name)}", said.column) if name in names else said.column


def _made(said: Said, kind: type[Struct], values: dict[str, Any], tag: str) -> Any:
    values[tag] = said.word
    try:
        return msgspec.convert(values, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        name = field_of(error)
        if is_one_square(error, values.get(name)):
            return _made(said, kind, values | {name: [values[name]]}, tag)
        expected, found = expected_by(error, values, kind, repr(said.word))
        raise NotationError(said.line, _column(said, kind, name), expected, found) from None


def trimmed(value: Any) -> Any:
    """Return a struct as plain data without what has its default, and anything within it likewise."""
    if isinstance(value, Struct):
        made: dict[str, Any] = {}
        config = value.__struct_config__
        if config.tag is not None:
            made[config.tag_field or "type"] = config.tag
        kind = type(value)
        defaults = _defaults(kind)
        for name, key in zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True):
            one = getattr(value, name)
            if one is UNSET or (key in defaults and _is_default(one, defaults[key], config.omit_defaults)):
                continue
            made[key] = trimmed(one)
        return made
    if isinstance(value, dict):
        return {str(name): trimmed(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [trimmed(one) for one in value]
    return value


def _is_default(value: Any, default: Any, omitted: bool) -> bool:
    """Say whether a value need not be written: what is read without it is encoded to the same bytes.

    Where defaults are omitted, a struct that only equals the default is encoded nevertheless.
    """
    if omitted and isinstance(value, Struct):
        return value is default
    return type(value) is type(default) and bool(value == default)


@cache
def _defaults(kind: type[Struct]) -> Mapping[str, Any]:
    found = {}
    for one in msgspec.structs.fields(kind):
        if one.default is not NODEFAULT:
            found[one.encode_name] = one.default
        elif one.default_factory is not NODEFAULT:
            found[one.encode_name] = one.default_factory()
    return found


def words_of(value: Struct, changed: Mapping[str, Any] | None = None) -> str:
    """Return an act or a fact in words: its fields without a name as far as they follow one another.

    `changed` has plain data in the place of some fields.
    """
    plain = trimmed(value) | dict(changed or {})
    kind = type(value)
    word = str(kind.__struct_config__.tag)
    plain.pop(kind.__struct_config__.tag_field or "type", None)
    plain.pop("actor", None)
    if plain.get("cites") == []:
        del plain["cites"]
    told = [word]
    for name in _field_names(kind):
        # A map or a list is clearer with its name, and null or a flag says nothing without.
        if name not in plain or isinstance(plain[name], dict | bool | None):
            break
        told.append(written(plain.pop(name)))
    told += [f"{name}={written(one)}" for name, one in plain.items()]
    return " ".join(told)
