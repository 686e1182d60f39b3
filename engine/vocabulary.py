"""What a dialect reads: declarations and their words, names on sheets, conditions, rolls and questions.

The one source of `affray rules DIALECT --vocabulary` and of the docs' page of words. Everything is taken from
the record that the dialect plays by, and from its list of rolls and questions.
"""

import re
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Struct

from affray.engine.dialects import load
from affray.engine.record.acts import Fields
from affray.engine.record.conditions import known_conditions
from affray.engine.record.words import Form, Judged, known_words


class Act(Struct, frozen=True):
    """A declaration: each field that is read with the words that it may hold, () for any.

    `refused` are the fields that a rule refuses.
    """

    name: str
    fields: dict[str, tuple[str, ...]]
    refused: tuple[str, ...] = ()


class Vocabulary(Struct, frozen=True):
    """What a dialect reads, each list in the order of the alphabet."""

    dialect: str
    acts: tuple[Act, ...]
    feats: tuple[str, ...]
    traits: tuple[str, ...]
    weapon_traits: tuple[str, ...]
    features: tuple[str, ...]
    conditions: tuple[str, ...]
    bonus_kinds: tuple[str, ...]
    families: tuple[str, ...]
    materials: tuple[str, ...]
    rolls: dict[str, str]
    questions: dict[str, tuple[str, ...]]
    unread: dict[str, tuple[str, ...]]


def vocabulary(name: str) -> Vocabulary:
    """Return what a dialect reads. Raises UnknownDialect."""
    dialect = load(name)
    names = dialect.classes.sheet_names
    heard = import_module(f"affray.engine.dialects.{name}.rolls_and_questions")
    acts = (
        Act(str(kind.__struct_config__.tag), fields_of(kind, honours, dialect), honours.refuses)
        for kind, honours in dialect.honours.items()
    )
    return Vocabulary(
        name,
        tuple(sorted(acts, key=lambda act: act.name)),
        in_order(names.feats),
        in_order(names.traits),
        in_order(names.weapon_traits),
        in_order(feature.name for feature in dialect.classes.features),
        in_order(known_conditions(dialect)),
        in_order(dialect.classes.bonus_kinds),
        in_order(dialect.gear.families),
        in_order(dialect.gear.materials),
        heard.ROLLS,
        heard.QUESTIONS,
        dict(names.unread),
    )


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return names in order, each once and none empty."""
    return tuple(sorted(set(names) - {""}))


def fields_of(kind: type[Struct], kept: Fields, dialect: Any) -> dict[str, tuple[str, ...]]:
    """Return the fields of a declaration that are read, with their words."""
    hints = get_type_hints(kind)
    found: dict[str, tuple[str, ...]] = {}
    for name in kept.names or kept.told:
        told = kept.told.get(name)
        if isinstance(kept, Fields) and name in getattr(kept, "refuses", ()):
            continue
        if isinstance(told, Fields):
            found[name] = tuple(told.names or ())
            continue
        found[name] = words_of(told, hints[name], dialect)
    return found


def words_of(told: Any, hint: Any, dialect: Any) -> tuple[str, ...]:
    """Return the words of a field: those of its vocabulary, or of its type; () for any."""
    if isinstance(told, Judged):
        told = told.words
    if told is known_conditions:
        return ("a condition",)
    if told is not None and not (isinstance(told, Mapping) and any(isinstance(one, type) for one in told)):
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
