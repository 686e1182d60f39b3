"""Acts as people type them in one line: name, actor, target, other fields by name."""

import re
import shlex
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from msgspec import inspect

from affray.events.errors import AffrayError, counted, did_you_mean
from affray.events.facts.acts import custom_form
from affray.events.facts.base import Act, JsonObject
from affray.events.facts.flow import AnyAct
from affray.events.validation import Unreadable, fitted, read_json
from affray.replay.names import People

# --- From typed words to the values of an act's fields


def parse_typed_value(type: Any, raw: Any) -> object:
    """Return the plain value of typed text for a field. Raises ValueError or what msgspec raises.

    Squares are `3,2`; a list is given in several words or options; parts of one value are joined by commas in
    order or named (`what=moves,who=ogre`), and may contain blanks (`ogre,light crossbow`); JSON is taken as
    it is.
    """
    if isinstance(raw, bool | int):
        return raw
    if isinstance(raw, tuple):
        return [_value(type.item_type, item) for text in raw for item in _pieces(type.item_type, text)]
    return _value(type, raw)


def _pieces(type: object, text: str) -> list[str]:
    """Return the values in one word: names separated by commas, squares by blanks."""
    if isinstance(type, inspect.StrType):
        return text.split(",")
    return text.split() if isinstance(type, inspect.TupleType) else [text]


def _value(type: object, text: str) -> Any:
    if text[:1] in ("{", "["):
        return read_json(text)
    type = bare(type)
    if isinstance(type, inspect.IntType):
        return int(text)
    if isinstance(type, inspect.TupleType):
        parts = text.split(",")
        if len(parts) != len(type.item_types):
            raise ValueError(f"expected {len(type.item_types)} values joined by commas")
        return [_value(item, part) for item, part in zip(type.item_types, parts, strict=True)]
    if isinstance(type, inspect.UnionType):
        tag, _, rest = text.partition(",")
        found = {str(one.tag): one for one in type.types if isinstance(one, inspect.StructType)}
        if tag not in found:
            raise ValueError(f"unknown name{did_you_mean(tag, found, whole='affray do --help')}")
        return {found[tag].tag_field: tag, **(_struct_parts(found[tag], rest) if rest else {})}
    if isinstance(type, inspect.StructType):
        return _struct_parts(type, text)
    if isinstance(type, inspect.LiteralType) and text not in type.values:
        meant = did_you_mean(text, map(str, type.values), whole="affray do DB ACT --help")
        raise ValueError(f"{text!r} is not one of its words{meant}")
    return text


def _struct_parts(type: inspect.StructType, text: str) -> JsonObject:
    """Return the fields of a struct from "a,b" in order or "name=a,other=b"."""
    known = {field.name: field.type for field in type.fields if field.name != "actor"}
    parts = text.split(",")
    if len(parts) > len(known):
        raise ValueError(f"at most {counted(len(known), 'part')}: {', '.join(known)}")
    values = {}
    for name, part in zip(known, parts, strict=False):
        key, equals, value = part.partition("=")
        if equals and key not in known:
            raise ValueError(f"no part {key!r}; choose one of {', '.join(known)}")
        target, value = (key, value) if equals else (name, part)
        if value:
            values[target] = _value(known[target], value)
    return values


def bare(type: object) -> object:
    """Return the type without its None."""
    if isinstance(type, inspect.UnionType):
        rest = [one for one in type.types if not isinstance(one, inspect.NoneType)]
        return rest[0] if len(rest) == 1 else type
    return type


ACTS: dict[str, type[Act]] = {
    str(act.__struct_config__.tag): act
    for act in AnyAct.__args__
    if act.__struct_config__.tag not in ("enter", "rule")
}
"""Acts that can be typed this way: entering needs a sheet, and ruling is not part of the fight."""

ALL_ACTS = "affray do --help"
"""The command that lists them."""


class BadWords(AffrayError):
    """The words name no act, or no field or value of it."""


def act_of(text: str, people: People, actor: str) -> AnyAct:
    """Parse the act in a line: `attack ogre goblin weapon=dagger`, `move 3,2 4,2`, or JSON.

    Of several words the first is the actor if it names a combatant, otherwise `actor` acts. Combatants are
    given by id, or by a unique name. Raises BadWords, UnknownCombatant.
    """
    if text.lstrip().startswith("{"):
        try:
            whole = read_json(text)
        except Unreadable as error:
            raise BadWords(f"not JSON: {error}") from None
        return converted(people.named(whole))
    try:
        name, *words = shlex.split(text)
    except ValueError as error:
        raise BadWords(f"{text!r}: {error}") from None
    if name not in ACTS and (custom := people.custom_act(name)):
        return converted(people.named(custom_values(custom, words, people, actor)))
    if name not in ACTS:
        known = [*ACTS, *people.short_acts, *people.acts]
        raise BadWords(f"there is no act {name!r}{did_you_mean(name, known, whole=ALL_ACTS)}")
    found = _fields(ACTS[name])
    main = next(iter(found), "")
    values: JsonObject = {"act": name}
    rest = []
    for word in words:
        key, equals, value = word.partition("=")
        if equals and (key in found or key == "actor"):
            values[key] = value if key == "actor" else value_for(ACTS[name], key, value)
        else:
            rest.append(word)
    repeated = bool(main) and isinstance(found[main], inspect.VarTupleType)
    if ACTS[name].declared_by != "game master" and "actor" not in values:
        first = rest and people.knows(rest[0]) and (not main or repeated or len(rest) > 1)
        values["actor"] = rest.pop(0) if first else actor
    if rest and (not main or (len(rest) > 1 and not repeated)):
        raise BadWords(f"{name}: unexpected words {' '.join(rest)!r}")
    if rest:
        values[main] = parse_value_of_words(ACTS[name], main, rest if repeated else rest[0])
    return converted(people.named(values))


def custom_values(name: str, words: Sequence[str], people: People, actor: str) -> JsonObject:
    """Return the plain values of an act that only the dialect knows: its actor, its fields in order or by
    name.

    Words that name combatants belong to the next field of several names, a square to the next field of one,
    whatever fields are between; several words for the last field are a list. Raises BadWords.
    """
    held = people.acts[name].fields
    values: JsonObject = {"act": name}
    rest: list[str] = []
    for word in words:
        key, equals, value = word.partition("=")
        if equals and key != "actor" and key not in held:
            raise BadWords(f"{name!r} has no {key!r}{did_you_mean(key, held)}")
        if equals:
            values[key] = value if key == "actor" else _custom_value(name, key, held[key], [value])
        else:
            rest.append(word)
    unsaid = [key for key in held if key not in values]
    if "actor" not in values:
        first = rest and people.knows(rest[0]) and (len(rest) > 1 or not unsaid)
        values["actor"] = rest.pop(0) if first else actor
    for at, key in enumerate(unsaid):
        taken = rest if at == len(unsaid) - 1 else _taken_by(held[key], rest, people)
        if taken:
            values[key] = _custom_value(name, key, held[key], taken)
        rest = rest[len(taken) :]
    if rest:
        raise BadWords(f"{name}: unexpected words {' '.join(rest)!r}")
    return values


_SQUARE = re.compile(r"-?\d+,-?\d+")


def _taken_by(held: str, words: Sequence[str], people: People) -> Sequence[str]:
    """Return the words that a field takes: those of its kind, otherwise one."""
    if held == "names":
        named = list(takewhile(lambda word: all(map(people.knows, word.split(","))), words))
        return named if named or not words or not _SQUARE.fullmatch(words[0]) else ()
    if held == "a square":
        return [word for word in words[:1] if _SQUARE.fullmatch(word)]
    return words[:1]


def _custom_value(name: str, key: str, held: str, words: Sequence[str]) -> object:
    """Return the plain value of a field that holds a number, a square, several of something or a word."""
    text = " ".join(words)
    try:
        if held == "a number":
            return int(text)
        if held == "a square":
            x, y = map(int, text.split(","))
            return [x, y]
        if held == "squares":
            return [[int(part) for part in one.split(",")] for one in text.replace(">", " ").split()]
    except ValueError:
        raise BadWords(f"{key} of {name!r} must be {held}, not {text!r}") from None
    if held == "yes or no":
        if text not in ("yes", "no", "true", "false"):
            raise BadWords(f"{key} of {name!r} must be yes or no, not {text!r}")
        return text in ("yes", "true")
    return [one for word in words for one in word.split(",")] if held == "names" else text


def value_for(kind: type[Act], name: str, text: str) -> object:
    """Return the plain value of a typed field, with the parts of a list as separate words.

    Quotes keep a word with blanks together. Raises BadWords for an unknown field or value.
    """
    type = _fields(kind).get(name)
    if not isinstance(bare(type), inspect.VarTupleType):
        return parse_value_of_words(kind, name, text)
    try:
        return parse_value_of_words(kind, name, shlex.split(text))
    except ValueError as error:
        raise BadWords(f"{name} of {kind.__struct_config__.tag!r}: {text!r}: {error}") from None


def parse_value_of_words(kind: type[Act], name: str, given: str | Sequence[str]) -> object:
    """Return the plain value of a typed field: one word, or several for a list.

    Raises BadWords for an unknown field or value.
    """
    text = given if isinstance(given, str) else " ".join(given)
    found = _fields(kind)
    tag = kind.__struct_config__.tag
    if name not in found:
        whole = f"affray do DB {tag} --help"
        raise BadWords(f"{tag!r} has no {name!r}{did_you_mean(name, found, whole=whole)}")
    type = found[name]
    if isinstance(bare(type), inspect.BoolType):
        if text not in ("true", "false"):
            raise BadWords(f"{name} of {tag!r} must be true or false, not {text!r}")
        return text == "true"
    try:
        return parse_typed_value(type, given if isinstance(given, str) else tuple(given))
    except ValueError as error:
        raise BadWords(f"{name} of {tag!r}: {text!r}: {error}") from None


def converted(values: object) -> AnyAct:
    """Return the act of plain values. Raises BadWords."""
    try:
        act: AnyAct = fitted(custom_form(values), AnyAct)
    except Unreadable as error:
        raise BadWords(str(error)) from None
    return act


def _fields(kind: type[Act]) -> dict[str, object]:
    """Return the types of an act's fields, the main one first."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {one.name: one.type for one in info.fields if one.name != "actor"}
