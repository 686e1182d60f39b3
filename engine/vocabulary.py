"""The vocabulary of a dialect by chapter: declarations and their fields, words, rolls and questions.

It is the single source of `affray rules DIALECT --vocabulary` and of the documentation page of each dialect.
Everything is taken from the dialect's record and from the declarations themselves, except the rolls and
questions of a declaration, which were observed while the scenarios were played.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import starmap
from json import dumps as to_json
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, UNSET, Struct, to_builtins
from msgspec.structs import FieldInfo, fields

from affray.engine.book.catalogue import MEANWHILE, SeenInPlay, read_seen
from affray.engine.dialects import load
from affray.engine.fight.fight import KERNEL, Dialect
from affray.engine.record.acts import (
    SAID,
    Fields,
    Form,
    Judged,
    SheetNames,
    is_by_type,
    known_words,
    meaning_of_text,
    parts_of,
    purpose,
    purposes,
)
from affray.engine.record.chapters import known_conditions, lone_conditions
from affray.engine.record.compose import feature_names
from affray.events.facts import acts, base

KINDS: dict[object, str] = {
    bool: "true or false",
    base.Number: "number",
    base.Name: "name",
    base.Words: "text",
    base.Names: "names",
    base.Square: "square",
    base.Path: "squares",
    base.CustomFields: "values by name",
    int: "number",
    str: "text",
}
"""The types of fields in plain words."""


class Field(Struct, frozen=True):
    """A field that is read: its meaning, its words (() for any), its default in JSON.

    Fields of nested parts are written as "strikes.weapon". `only` names where it is read, "" for everywhere.
    """

    name: str
    holds: str
    words: tuple[str, ...]
    default: Any
    meaning: str
    only: str = ""


class Act(Struct, frozen=True):
    """A declaration and the fields that are read; `refused` are those that a rule refuses.

    `rolls` and `asks` name what it was seen to roll and ask.
    """

    name: str
    meaning: str
    fields: tuple[Field, ...]
    refused: tuple[str, ...]
    rolls: tuple[str, ...]
    asks: tuple[str, ...]


class Words(Struct, frozen=True):
    """Words with a meaning: conditions, kinds of bonus, materials, names on sheets."""

    name: str
    meaning: str
    words: tuple[str, ...]


class Chapter(Struct, frozen=True):
    """One chapter: the declarations, rolls with their dice, and questions with their answers."""

    name: str
    acts: tuple[Act, ...]
    words: tuple[Words, ...]
    rolls: dict[str, str]
    questions: dict[str, tuple[str, ...]]


class Vocabulary(Struct, frozen=True):
    """The vocabulary of a dialect; `unread` are the fields of sheets that no rule reads.

    `meanwhile` names the rolls and questions observed in interruptions of any declaration.
    """

    dialect: str
    title: str
    chapters: tuple[Chapter, ...]
    meanwhile: dict[str, SeenInPlay]
    unread: dict[str, tuple[str, ...]]


def vocabulary(name: str) -> Vocabulary:
    """Return the vocabulary of a dialect. Raises UnknownDialect."""
    dialect, seen = load(name), read_seen(name)
    chapters = tuple(chapter_of(dialect, chapter, seen) for chapter in dialect.contents)
    meanwhile = {one: seen[one] for one in MEANWHILE if one in seen}
    return Vocabulary(name, dialect.title, chapters, meanwhile, dict(dialect.kernel.sheet_names.unread))


def chapter_of(dialect: Dialect, name: str, seen: Mapping[str, SeenInPlay]) -> Chapter:
    """Return the vocabulary of a chapter of a dialect."""
    record = getattr(dialect, name)
    found = []
    for kind, honours in record.acts.items():
        tag = str(kind.__struct_config__.tag)
        read, heard = tuple(fields_of(kind, honours, dialect)), seen.get(tag, SeenInPlay())
        found.append(Act(tag, purpose(kind), read, honours.refuses, heard.rolls, heard.asks))
    words = tuple(one for one in words_in(dialect, name) if one.words)
    listed = tuple(sorted(found, key=lambda act: act.name))
    return Chapter(name, listed, words, record.rolls, record.questions)


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return names in order, each once and none empty."""
    return tuple(sorted(set(names) - {""}))


def words_in(dialect: Dialect, chapter: str) -> Iterator[Words]:
    """Yield the words that a chapter's record names, declarations aside."""
    record = getattr(dialect, chapter)
    yield Words("features", "feats, class abilities and special qualities.", in_order(feature_names(record)))
    for point, told in purposes(type(record)).items():
        value = getattr(record, point)
        if isinstance(value, frozenset) and (chapter, point) != ("conditions", "states"):
            yield Words(point.replace("_", " "), told, in_order(value))
        elif isinstance(value, SheetNames):
            for field, meaning in purposes(SheetNames).items():
                if field not in ("unread", "riders"):
                    yield Words(field.replace("_", " "), meaning, in_order(getattr(value, field)))
        elif point == "table" and chapter == "conditions":
            yield Words(chapter, "what may last on a combatant.", in_order(known_conditions(dialect)))
        elif point == "conditions":
            yield Words(point, "what may last on a combatant.", in_order(value))
    if chapter == KERNEL:
        yield Words("fields", "what `custom` of a sheet may hold.", tuple(sheet_fields_of(dialect)))


def sheet_fields_of(dialect: Dialect) -> Iterator[str]:
    """Yield the dialect's own fields of a sheet, each with its label and what it holds."""
    hints = get_type_hints(dialect.sheet_fields)
    for one in fields(dialect.sheet_fields):
        label = dialect.words.fields.get(one.name, "")
        told = f"{holds(hints[one.name])}, {to_json(default_of(one))}"
        yield f"{one.name}{f', {label}' if label else ''} ({told})"


def fields_of(kind: type[Struct], kept: Fields, dialect: Dialect, within: str = "") -> Iterator[Field]:
    """Yield the fields that are read of a declaration, or of a part of one, in the order of their type."""
    hints = get_type_hints(kind, include_extras=True)
    meanings = {**base.COMMON_FIELDS, **purposes(kind)}
    names = set(kept.names or kept.told) - set(getattr(kept, "refuses", ()))
    for one in fields(kind):
        if one.name not in names:
            continue
        told, name, hint = kept.told.get(one.name), within + one.name, hints[one.name]
        held = get_declaration_types(told, one.type, dialect)
        default = default_of(one)
        yield Field(
            name,
            ", ".join(held) or holds(hint),
            words_of(told, hint, dialect) or meanings_of_text(kind, one.name, hint),
            "required" if held and default and default not in held else default,
            meanings.get(one.name, ""),
            " and ".join(starmap(explain_field_condition, kept.under.get(one.name, {}).items())),
        )
        for part in parts_of(one.type):
            if part.__module__ == kind.__module__ and not issubclass(part, acts.Act):
                whole = Fields(" ".join(part.__struct_fields__))
                inner = told if isinstance(told, Fields) and told.names else whole
                yield from fields_of(part, inner, dialect, f"{name}.")


def default_of(field: FieldInfo) -> object:
    """Return the default of a field as JSON; "required" if it has none."""
    if field.default is NODEFAULT:
        if field.default_factory is NODEFAULT:
            return "required"
        made = field.default_factory()
        return str(made.__struct_config__.tag) if isinstance(made, Struct) else to_builtins(made)
    default = to_builtins(field.default) if field.default is not UNSET else None
    return next(iter(default.values())) if isinstance(default, dict) else default


def get_declaration_types(told: Any, hint: object, dialect: Dialect) -> tuple[str, ...]:
    """Return the declarations that a field may hold, if it holds one."""
    held = tuple(told) if is_by_type(told) else parts_of(hint)
    found = (one for one in held if issubclass(one, acts.Act) and one in dialect.honours)
    return tuple(str(one.__struct_config__.tag) for one in found)


def holds(hint: object) -> str:
    """Return the possible values of a field, in plain words."""
    if hint in KINDS:
        return KINDS[hint]
    if isinstance(hint, type):
        return hint.__name__.lower()
    inner = tuple(one for one in get_args(hint) if one not in (NoneType, Ellipsis))
    if get_origin(hint) is Literal:
        return "word"
    if get_origin(hint) in (Union, UnionType):
        return holds(inner[0])
    if get_origin(inner[0]) is dict:  # with a bound
        return holds(inner[0])
    if get_origin(hint) is dict:
        return f"{holds(inner[1])} by name"
    return f"{holds(inner[0]).removesuffix('s')}s"


def meanings_of_text(kind: type[Struct], field: str, hint: object) -> tuple[str, ...]:
    """Return the meaning of a text field without a vocabulary, () for a field of another kind."""
    text = "str" in str(hint)
    found = meaning_of_text(kind.__name__, field) if text else ""
    return (found,) if found else ()


def explain_field_condition(others: str, wanted: tuple[object, ...] | str) -> str:
    """Return in words the values of other fields, "save|skill", with which a field is read."""
    names = " or ".join(f"`{name}`" for name in others.split("|"))
    if isinstance(wanted, str):
        return f"with {names}" if wanted == SAID else f"without {names}"
    given = ", ".join(to_json(one) for one in wanted if one)
    return f"with {names} {given}" if given else f"without {names}"


def words_of(told: Any, hint: object, dialect: Dialect) -> tuple[str, ...]:
    """Return the words of a field: those of its vocabulary, or of its type; () for any."""
    if isinstance(told, Judged):
        told = told.words
    if told in (known_conditions, lone_conditions):
        return ("conditions" if hint == base.Names else "a condition",)
    if told is not None and not isinstance(told, Fields) and not is_by_type(told):
        known = known_words(told, dialect)
        return (known.title,) if isinstance(known, Form) else in_order(known)
    return tuple(one for one in get_args(hint) if one) if get_origin(hint) is Literal else ()


def listed_as(roll: str) -> str:
    """Return the name by which a roll is listed: what a weapon adds, "extra-fire", as "extra-*"."""
    return "extra-*" if roll.startswith("extra-") else roll


def undeclared(dialect: str, rolls: Iterable[str], answers: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the rolls and the answers to questions that no chapter of a dialect lists, by their names."""
    rules = load(dialect)
    chapters = [getattr(rules, chapter) for chapter in rules.contents]
    listed = {name for one in chapters for name in one.rolls}
    known = {name: options for one in chapters for name, options in one.questions.items()}
    missing = [f"roll {name}" for name in map(listed_as, rolls) if name not in listed]
    for name, answer in answers:
        options = known.get(name, ())
        if answer not in options and not any(one.startswith("<") for one in options):
            missing.append(f"{name}: {answer}")
    return tuple(dict.fromkeys(missing))
