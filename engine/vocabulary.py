"""What a dialect reads, by chapter: declarations and their fields, words, rolls and questions.

The one source of `affray rules DIALECT --vocabulary` and of the docs' page of each dialect. Everything is
taken from the record that the dialect plays by, from the declarations themselves, and from its list of rolls
and questions.
"""

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct, to_builtins
from msgspec.structs import FieldInfo, fields

from affray.engine.chapters import CHAPTERS
from affray.engine.dialects import load
from affray.engine.record.acts import Fields, is_by_type, parts_of
from affray.engine.record.conditions import known_conditions
from affray.engine.record.dialect import Dialect
from affray.engine.record.meanings import purpose, purposes
from affray.engine.record.sheet_names import SheetNames
from affray.engine.record.words import Form, Judged, known_words
from affray.events.facts import acts, base

KINDS: dict[Any, str] = {
    bool: "true or false",
    base.Number: "number",
    base.Name: "name",
    base.Words: "text",
    base.Names: "names",
    base.Square: "square",
    base.Path: "squares",
}
"""The types of fields in plain words."""


class Field(Struct, frozen=True):
    """A field that is read: what it holds, in which words (() for any), its default as JSON has it.

    Fields of the parts that it holds are told as "strikes.weapon".
    """

    name: str
    holds: str
    words: tuple[str, ...]
    default: Any
    meaning: str


class Act(Struct, frozen=True):
    """A declaration and the fields that are read; `refused` are those that a rule refuses."""

    name: str
    meaning: str
    fields: tuple[Field, ...]
    refused: tuple[str, ...]


class Words(Struct, frozen=True):
    """Words with a meaning: conditions, kinds of bonus, materials, names on sheets."""

    name: str
    meaning: str
    words: tuple[str, ...]


class Chapter(Struct, frozen=True):
    """What a dialect reads in one chapter."""

    name: str
    acts: tuple[Act, ...]
    words: tuple[Words, ...]


class Vocabulary(Struct, frozen=True):
    """What a dialect reads; `unread` are the fields of sheets that no rule reads."""

    dialect: str
    title: str
    chapters: tuple[Chapter, ...]
    rolls: dict[str, str]
    questions: dict[str, tuple[str, ...]]
    unread: dict[str, tuple[str, ...]]


def vocabulary(name: str) -> Vocabulary:
    """Return what a dialect reads. Raises UnknownDialect."""
    dialect = load(name)
    heard = import_module(f"affray.engine.dialects.{name}.rolls_and_questions")
    chapters = (
        Chapter(
            chapter,
            tuple(sorted(acts_in(dialect, chapter), key=lambda act: act.name)),
            tuple(one for one in words_in(dialect, chapter) if one.words),
        )
        for chapter in CHAPTERS
    )
    unread = dict(dialect.classes.sheet_names.unread)
    return Vocabulary(name, dialect.title, tuple(chapters), heard.ROLLS, heard.QUESTIONS, unread)


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return names in order, each once and none empty."""
    return tuple(sorted(set(names) - {""}))


def words_in(dialect: Dialect, chapter: str) -> Iterator[Words]:
    """Yield the words that a chapter's record names besides declarations."""
    record = getattr(dialect, chapter)
    for point, told in purposes(type(record)).items():
        value = getattr(record, point)
        if isinstance(value, frozenset) and (chapter, point) != ("conditions", "states"):
            yield Words(point.replace("_", " "), told, in_order(value))
        elif isinstance(value, SheetNames):
            for field, meaning in purposes(SheetNames).items():
                if field != "unread":
                    yield Words(field.replace("_", " "), meaning, in_order(getattr(value, field)))
        elif point == "features":
            yield Words(point, told, in_order(feature.name for feature in value))
        elif point == "table" and chapter == "conditions":
            yield Words(chapter, "what may last on a combatant.", in_order(known_conditions(dialect)))


def acts_in(dialect: Dialect, chapter: str) -> Iterator[Act]:
    """Yield the declarations whose resolvers stand in a chapter, with what is read of them."""
    for kind, honours in getattr(dialect, chapter).acts.items():
        read = tuple(fields_of(kind, honours, dialect))
        yield Act(str(kind.__struct_config__.tag), purpose(kind), read, honours.refuses)


def fields_of(kind: type[Struct], kept: Fields, dialect: Dialect, within: str = "") -> Iterator[Field]:
    """Yield the fields that are read of a declaration, or of a part of one, in the order of their type."""
    hints = get_type_hints(kind, include_extras=True)
    meanings = {**base.COMMON_FIELDS, **purposes(kind)}
    names = set(kept.names or kept.told) - set(getattr(kept, "refuses", ()))
    for one in fields(kind):
        if one.name not in names:
            continue
        told, name, hint = kept.told.get(one.name), within + one.name, hints[one.name]
        held = acts_held(told, one.type, dialect)
        default = default_of(one)
        yield Field(
            name,
            ", ".join(held) or holds(hint),
            words_of(told, hint, dialect),
            "required" if held and default and default not in held else default,
            meanings.get(one.name, ""),
        )
        for part in parts_of(one.type):
            if part.__module__ == kind.__module__ and not issubclass(part, acts.Act):
                whole = Fields(" ".join(part.__struct_fields__))
                inner = told if isinstance(told, Fields) and told.names else whole
                yield from fields_of(part, inner, dialect, f"{name}.")


def default_of(field: FieldInfo) -> Any:
    """Return what a field holds that is left out, as JSON has it; "required" where it must not be."""
    if field.default is NODEFAULT:
        if field.default_factory is NODEFAULT:
            return "required"
        return str(field.default_factory().__struct_config__.tag)
    default = to_builtins(field.default)
    return next(iter(default.values())) if isinstance(default, dict) else default


def acts_held(told: Any, hint: Any, dialect: Dialect) -> tuple[str, ...]:
    """Return the declarations that a field may hold, where it holds one."""
    held = tuple(told) if is_by_type(told) else parts_of(hint)
    found = (one for one in held if issubclass(one, acts.Act) and one in dialect.honours)
    return tuple(str(one.__struct_config__.tag) for one in found)


def holds(hint: Any) -> str:
    """Return what a field may hold, in plain words."""
    if hint in KINDS:
        return KINDS[hint]
    if isinstance(hint, type):
        return hint.__name__.lower()
    inner = tuple(one for one in get_args(hint) if one not in (NoneType, Ellipsis))
    if get_origin(hint) is Literal:
        return "word"
    if get_origin(hint) in (Union, UnionType):
        return holds(inner[0])
    return f"{holds(inner[0]).removesuffix('s')}s"


def words_of(told: Any, hint: Any, dialect: Dialect) -> tuple[str, ...]:
    """Return the words of a field: those of its vocabulary, or of its type; () for any."""
    if isinstance(told, Judged):
        told = told.words
    if told is known_conditions:
        return ("conditions" if hint == base.Names else "a condition",)
    if told is not None and not isinstance(told, Fields) and not is_by_type(told):
        known = known_words(told, dialect)
        return (known.title,) if isinstance(known, Form) else in_order(known)
    return tuple(one for one in get_args(hint) if one) if get_origin(hint) is Literal else ()


def undeclared(dialect: str, rolls: Iterable[str], answers: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the rolls and the answers to questions that a dialect does not list, by their names."""
    listed = import_module(f"affray.engine.dialects.{dialect}.rolls_and_questions")
    missing = [f"roll {name}" for name in rolls if re.sub("^extra-.*", "extra-*", name) not in listed.ROLLS]
    for name, answer in answers:
        known = listed.QUESTIONS.get(name, ())
        if answer not in known and not any(one.startswith("<") for one in known):
            missing.append(f"{name}: {answer}")
    return tuple(dict.fromkeys(missing))
