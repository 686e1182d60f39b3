"""An act as people write it in one line: its name, the actor, what it is done to, other fields by name."""

import shlex
from collections.abc import Sequence
from typing import Any

from msgspec import inspect as types

from affray.events.errors import AffrayError, did_you_mean
from affray.events.facts.base import Act
from affray.events.facts.declared import AnyAct
from affray.events.misfit import Unreadable, fitted, read_json
from affray.replay.people import People
from affray.replay.typed_values import bare, typed_value

ACTS: dict[str, type[Act]] = {
    str(act.__struct_config__.tag): act
    for act in AnyAct.__args__
    if act.__struct_config__.tag not in ("enter", "rule")
}
"""Acts that can be written so: entering needs a sheet, and ruling is no part of the fight."""

ALL_ACTS = "affray do --help"
"""The command that lists them."""


class BadWords(AffrayError):
    """The words name no act, or no field or value of it."""


def act_of(text: str, people: People, actor: str) -> AnyAct:
    """Return the act that a line says: `attack ogre goblin weapon=dagger`, `move 3,2 4,2`, or JSON.

    Of several words the first is the actor if a combatant is called so, otherwise `actor` acts. Combatants
    go by id, or by name where only one bears it. Raises BadWords, UnknownCombatant.
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
    if name not in ACTS:
        raise BadWords(f"there is no act {name!r}{did_you_mean(name, ACTS, whole=ALL_ACTS)}")
    found = _fields(ACTS[name])
    main = next(iter(found), "")
    values: dict[str, Any] = {"act": name}
    rest = []
    for word in words:
        key, equals, value = word.partition("=")
        if equals and (key in found or key == "actor"):
            values[key] = value if key == "actor" else value_for(ACTS[name], key, value)
        else:
            rest.append(word)
    repeated = bool(main) and isinstance(found[main], types.VarTupleType)
    if ACTS[name].declared_by != "game master" and "actor" not in values:
        first = rest and people.knows(rest[0]) and (not main or repeated or len(rest) > 1)
        values["actor"] = rest.pop(0) if first else actor
    if rest and (not main or (len(rest) > 1 and not repeated)):
        raise BadWords(f"{name}: cannot make sense of {' '.join(rest)!r}")
    if rest:
        values[main] = value_of_words(ACTS[name], main, rest if repeated else rest[0])
    return converted(people.named(values))


def value_for(kind: type[Act], name: str, text: str) -> Any:
    """Return the plain value of a field as it was written, the parts of a list in words of their own.

    Quotes keep a word with blanks together. Raises BadWords for an unknown field or value.
    """
    type = _fields(kind).get(name)
    if not isinstance(bare(type), types.VarTupleType):
        return value_of_words(kind, name, text)
    try:
        return value_of_words(kind, name, shlex.split(text))
    except ValueError as error:
        raise BadWords(f"{name} of {kind.__struct_config__.tag!r}: {text!r}: {error}") from None


def value_of_words(kind: type[Act], name: str, given: str | Sequence[str]) -> Any:
    """Return the plain value of a field as it was written: in one word, or a list in several.

    Raises BadWords for an unknown field or value.
    """
    text = given if isinstance(given, str) else " ".join(given)
    found = _fields(kind)
    tag = kind.__struct_config__.tag
    if name not in found:
        whole = f"affray do DB {tag} --help"
        raise BadWords(f"{tag!r} has no {name!r}{did_you_mean(name, found, whole=whole)}")
    type = found[name]
    if isinstance(bare(type), types.BoolType):
        if text not in ("true", "false"):
            raise BadWords(f"{name} of {tag!r} is true or false, not {text!r}")
        return text == "true"
    try:
        return typed_value(type, given if isinstance(given, str) else tuple(given))
    except ValueError as error:
        raise BadWords(f"{name} of {tag!r}: {text!r}: {error}") from None


def converted(values: Any) -> AnyAct:
    """Return the act that plain values stand for. Raises BadWords."""
    try:
        act: AnyAct = fitted(values, AnyAct)
    except Unreadable as error:
        raise BadWords(str(error)) from None
    return act


def _fields(kind: type[Act]) -> dict[str, Any]:
    """Return the types of an act's fields, the main one first."""
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)
    return {one.name: one.type for one in info.fields if one.name != "actor"}
