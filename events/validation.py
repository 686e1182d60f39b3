"""Messages about data that does not fit its type: field, value and bound in one line."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

from affray.events.errors import did_you_mean

_FOUND = re.compile(r"(?P<reason>.*?)(?: - at (?P<key>`key` in )?`\$(?P<path>[^`]*)`)?", re.DOTALL)
_BOUND = re.compile(r"Expected `(?P<kind>\w+)`(?P<long> of length)? (?P<sign><=|>=) (?P<bound>-?\d+)")
_STEP = re.compile(r"\.(?P<name>[^.\[]+)|\[(?P<index>\d+|\.\.\.)\]")
_UNKNOWN_WORD = re.compile(
    r"Invalid enum value '(?P<word>[^']*)' - at `\$(?:.*\.)?(?P<field>\w+)(?:\[.*\])?`"
)
_UNKNOWN_FIELD = re.compile(r"Object contains unknown field `(?P<name>[^`]*)`(?: - at `\$(?P<path>.*)`)?")
_ENTRIES = {"str": "characters", "array": "entries", "object": "entries"}
_LONGEST_NUMBER = 40

Places = list[tuple[str, Any]]


class Unreadable(ValueError):
    """Bytes that are not JSON, or not of the requested type; the message is one line."""


def read_json(data: bytes | str, type: object = Any) -> Any:
    """Return external JSON as a value of the type. Raises Unreadable, also for deep nesting."""
    try:
        return msgspec.json.decode(data, type=type)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Unreadable(
            f"{invalid_json_message(error, data)}{meant(error, type, _json_values(data))}"
        ) from None


def fitted(value: object, type: object) -> Any:
    """Return external plain data as a value of the type. Raises Unreadable."""
    try:
        return msgspec.convert(value, type)
    except msgspec.MsgspecError as error:
        raise Unreadable(f"{invalid_value_message(error, value)}{meant(error, type, value)}") from None
    except UnicodeError:
        raise Unreadable("surrogates are not text") from None
    except RecursionError:
        raise Unreadable("it is nested too deeply") from None


def _json_values(data: bytes | str) -> object:
    """Return JSON data as plain values, None if it is invalid."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def meant(error: Exception, type: object, value: object = None) -> str:
    """Return the known word or field nearest to an unknown one, or "".

    If the value can be one of several records, only the fields of the record with its tag are considered.
    """
    if unknown := _UNKNOWN_FIELD.fullmatch(str(error)):
        places = [inspect.type_info(type)]
        for step in _STEP.finditer(unknown["path"] or ""):
            places = [inner for place in places for inner in _inside(place, step["name"] or "")]
        structs = [one for place in places for one in _structs(place)]
        objects = [one for _, one in _places(value, unknown["path"] or "") if isinstance(one, dict)]
        tagged = [
            one
            for one in structs
            if one.tag_field and any(found.get(one.tag_field) == one.tag for found in objects)
        ]
        structs = tagged or structs
        return did_you_mean(unknown["name"], dict.fromkeys(f.encode_name for s in structs for f in s.fields))
    found = _UNKNOWN_WORD.fullmatch(str(error))
    if found is None:
        return ""
    known = dict.fromkeys(_words_of(inspect.type_info(type), found["field"], set()))
    return did_you_mean(found["word"], known)


def _structs(type: object) -> Iterator[inspect.StructType]:
    """Yield the records that a value of a type can be."""
    if isinstance(type, inspect.UnionType):
        for one in type.types:
            yield from _structs(one)
    elif isinstance(type, inspect.StructType):
        yield type


def _inside(type: object, name: str) -> Iterator[inspect.Type]:
    """Yield the types of a field in values of a type; the types of its entries for ""."""
    if isinstance(type, inspect.UnionType):
        for one in type.types:
            yield from _inside(one, name)
    elif isinstance(type, inspect.StructType):
        yield from (one.type for one in type.fields if one.encode_name == name)
    elif isinstance(type, inspect.DictType):
        yield type.value_type
    elif isinstance(type, inspect.TupleType):
        yield from type.item_types
    elif isinstance(type, inspect.VarTupleType | inspect.ListType):
        yield type.item_type


def _words_of(type: object, field: str, seen: set[object]) -> Iterator[str]:
    """Yield the words that fields of that name accept anywhere in a type."""
    if isinstance(type, inspect.StructType):
        if type.cls in seen:
            return
        seen.add(type.cls)
        for one in type.fields:
            if one.encode_name == field:
                yield from _literals(one.type)
            yield from _words_of(one.type, field, seen)
    elif isinstance(type, inspect.UnionType):
        for each in type.types:
            yield from _words_of(each, field, seen)
    elif isinstance(type, inspect.TupleType):
        for each in type.item_types:
            yield from _words_of(each, field, seen)
    elif isinstance(type, inspect.VarTupleType | inspect.ListType):
        yield from _words_of(type.item_type, field, seen)
    elif isinstance(type, inspect.DictType):
        yield from _words_of(type.value_type, field, seen)


def _literals(type: object) -> Iterator[str]:
    """Yield the words of a literal type, or of the literal types in a union."""
    for one in type.types if isinstance(type, inspect.UnionType) else (type,):
        if isinstance(one, inspect.LiteralType):
            yield from (word for word in one.values if isinstance(word, str) and word)


def invalid_json_message(error: Exception, data: bytes | str) -> str:
    """Return the message of `error` about invalid JSON data, with the offending value."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeError):
        return "it is not text in UTF-8"
    try:
        value = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return str(error)
    return invalid_value_message(error, value)


def invalid_value_message(error: Exception, value: object) -> str:
    """Return the message of `error` about an invalid value of plain data: field, value and bound."""
    found = _FOUND.fullmatch(str(error))
    bound = _BOUND.fullmatch(found["reason"]) if found else None
    if found is None or found["path"] is None or bound is None:
        return str(error)
    places = list(_places(value, found["path"]))
    if found["key"]:
        places = [(f"a key of {field.lstrip('.') or 'it'}", key) for field, at in places for key in at]
    limit = int(bound["bound"])
    for field, at in places:
        size = _size(at, bool(bound["long"]))
        if size is not None and (size > limit if bound["sign"] == "<=" else size < limit):
            most = "most" if bound["sign"] == "<=" else "least"
            said = _said(size, bound["kind"], bool(bound["long"]))
            return f"{field.lstrip('.') or 'it'} {said}, the {most} is {limit}"
    return str(error)


def _places(value: object, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the values at a path, each with its name; "[...]" means any entry of a mapping."""
    here: Places = [("", value)]
    for step in _STEP.finditer(path):
        index = step["index"]
        try:
            if index == "...":
                here = [(f"{name}[{key!r:.40}]", one) for name, at in here for key, one in at.items()]
            else:
                key = step["name"] if index is None else int(index)
                here = [(f"{name}{step[0]}", at[key]) for name, at in here]
        except (LookupError, TypeError, AttributeError):
            return
    yield from here


def _size(value: object, long: bool) -> int | None:
    if long:
        return len(value) if isinstance(value, str | list | tuple | dict) else None
    return value if isinstance(value, int) else None


def _said(size: int, kind: str, long: bool) -> str:
    if long:
        return f"has {size} {_ENTRIES.get(kind, 'entries')}"
    try:
        text = str(size)
    except ValueError:  # Python prints no number of more than 4300 digits
        text = ""
    return f"is {text}" if 0 < len(text) <= _LONGEST_NUMBER else "is a number beyond all reading"
