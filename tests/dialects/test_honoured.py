"""Nothing that is said is ignored: what a dialect does not read of a declaration it refuses by name."""

from collections.abc import Iterator, Mapping
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from msgspec import Struct, structs
from msgspec.json import encode
from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.record.acts import ActValidator, Fields, Judged, is_by_type, parts_of
from affray.engine.rules.turns.actions import rule_about
from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet
from tests.house.fights import opened
from tests.house.wild import tables
from tests.relatives import RELATIVES

fields = cache(structs.fields)
"""The fields of a kind of struct: to find out their types takes long."""

each_dialect = pytest.mark.parametrize("dialect", RELATIVES)


@cache
def hints(kind: type[Struct]) -> dict[str, Any]:
    """Return the types of a struct's fields."""
    return get_type_hints(kind)


def other_value(hint: Any, default: Any) -> Any:
    """Return a value of a field that is not its default."""
    origin, options = get_origin(hint), get_args(hint)
    if origin is Literal:
        return next(one for one in options if one != default)
    if origin in (Union, UnionType):
        return other_value(next(one for one in options if one is not type(None)), default)
    if origin is tuple:
        return tuple(other_value(one, None) for one in options if one is not ...)
    if isinstance(hint, type) and issubclass(hint, Struct):
        return filled(hint)
    return {bool: not default, int: 7 + (default if isinstance(default, int) else 0), str: "something"}[hint]


def filled(kind: type[Struct]) -> Any:
    """Return a struct with what it must have."""
    return kind(
        **{
            one.name: other_value(hints(kind)[one.name], None) if kind is not Sheet else "x"
            for one in fields(kind)
            if one.required
        }
    )


def unread(heeded: ActValidator, kind: type[Struct], depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield each field that is not read, of a declaration or of what it holds, and a declaration with it."""
    known = {one.name: one for one in fields(kind)}
    for name, default in heeded.unread:
        yield name, replace(filled(kind), **{name: other_value(hints(kind)[name], default)})
    for name, inner in heeded.deep:
        for part in parts_of(known[name].type):
            if part in inner and depth < 3:
                for path, held in unread(inner[part], part, depth + 1):
                    many = get_origin(hints(kind)[name]) is tuple
                    yield path, replace(filled(kind), **{name: (held,) if many else held})


def values_of(heeded: ActValidator, kind: type[Struct], name: str) -> list[Any]:
    """Return values that a field may hold, its default first if it has one."""
    usual = [one.default for one in fields(kind) if one.name == name and not one.required]
    if name in heeded.closed:
        words = heeded.closed[name][1]
        return [*usual, *sorted(getattr(words, "words", words))]
    hint = hints(kind)[name]
    more = (
        get_args(hint)
        if get_origin(hint) is Literal
        else (other_value(hint, None if hint is str or not usual else usual[0]),)
    )
    return [*usual, *more]


def in_vain(heeded: ActValidator, kind: type[Struct], depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield each field that another keeps from being read, and a declaration with both."""
    for name, default, others in heeded.under:
        said = next(one for one in values_of(heeded, kind, name) if one not in (default, ""))
        for other in others:
            values = {one: values_of(heeded, kind, one)[0] for one, _ in other.fields}
            first, usual = other.fields[0]
            worst = [one for one in values_of(heeded, kind, first) if not other.serves(one, usual)]
            yield name, replace(filled(kind), **{**values, first: worst[0], name: said})
    for name, inner in heeded.deep:
        for part in parts_of({one.name: one for one in fields(kind)}[name].type):
            if part in inner and depth < 2:
                for path, held in in_vain(inner[part], part, depth + 1):
                    many = get_origin(hints(kind)[name]) is tuple
                    yield path, replace(filled(kind), **{name: (held,) if many else held})


@cache
def fight(dialect: str) -> Table:
    """Return a fight that has begun."""
    table = opened(dialect, MemoryStore(), 1)
    table.declare(acts.Begin())
    while table.waiting is not None:
        table.choose(table.waiting.options[0])
    return table


@each_dialect
def test_what_is_not_read_is_refused_by_name(dialect: str) -> None:
    """Every field of every declaration, and of what it holds, that the dialect does not read, one by one."""
    table, tried = fight(dialect), 0
    before = encode(table.state.combatants)
    for kind, heeded in load(dialect).heeded.items():
        for name, act in unread(heeded, kind):
            outcome = table.declare(replace(act, actor=table.state.active))
            assert outcome.refused is not None, (kind, name)
            assert outcome.refused.reason.startswith(f"{dialect} knows no {name!r} in "), (kind, name)
            assert outcome.refused.rule == rule_about(table.fight, kind), (kind, name)
            tried += 1
            assert [event.type for event in outcome.events] == ["declared", "refused"]
    assert encode(table.state.combatants) == before
    assert tried > 5


@each_dialect
def test_what_others_keep_from_being_read_is_refused(dialect: str) -> None:
    """Every field that is read only where others say so is refused where they do not."""
    table, tried = fight(dialect), 0
    for kind, heeded in load(dialect).heeded.items():
        for name, act in in_vain(heeded, kind):
            outcome = table.declare(replace(act, actor=table.state.active))
            assert outcome.refused is not None, (kind, name)
            assert outcome.refused.reason.startswith(f"{dialect} knows no {name!r} in "), (kind, name)
            tried += 1
    assert tried > 3


@each_dialect
def test_what_is_honoured_are_fields(dialect: str) -> None:
    """Every name beside a resolver is a field of its declaration."""
    for kind, honours in load(dialect).honours.items():
        assert set(honours.names or ()) <= {one.name for one in fields(kind)} - {"actor"}, kind
        for name, told in honours.told.items():
            parts = parts_of(hints(kind)[name])
            inner = dict.fromkeys(parts, told) if isinstance(told, Fields) else told
            for struct, held in inner.items() if is_by_type(told) or isinstance(told, Fields) else ():
                assert set(held.names or held.told) <= {one.name for one in fields(struct)}, (kind, name)


SELDOM: Mapping[str, Mapping[str, str]] = {
    "srd35": {},
    "pf1": {},
    "futurepath": {},
    "woa": {},
}
"""Fields that are read although no scenario says anything in them, by the reason."""


def said(act: Any) -> Iterator[str]:
    """Yield each field of a declaration and of its parts in which something is said."""
    for one in fields(type(act)):
        value = getattr(act, one.name)
        if one.name != "actor" and (one.required or value != one.default):
            yield f"{type(act).__name__}.{one.name}"
            for inner in value if isinstance(value, tuple) else (value,):
                if isinstance(inner, Struct) and not isinstance(inner, Sheet):
                    yield from said(inner)


def has_other_words(told: Any, kind: type[Struct], name: str) -> bool:
    """Say whether a field may hold anything but its default."""
    words = told.words if isinstance(told, Judged) else told
    default = next(one.default for one in fields(kind) if one.name == name)
    return not isinstance(words, tuple) or any(word != default for word in words)


@each_dialect
def test_what_is_honoured_is_said_somewhere(dialect: str) -> None:
    """Some scenario says something in every field that is read, in a declaration that is not refused."""
    found = set()
    for scenario in tables(dialect):
        for line in scenario.script:
            if line.do is not None and not any(one.get("type") == "refused" for one in line.expect):
                found |= set(said(line.do))
        found |= {name.replace("Start.", "Begin.") for name in said(scenario.begin)}
        found |= {name.replace("Entrant.", "Enter.") for one in scenario.combatants for name in said(one)}
        found.add("Enter.sheet")
    read = {
        f"{kind.__name__}.{name}"
        for kind, honours in load(dialect).honours.items()
        for name in honours.names or ()
        if name not in honours.refuses and has_other_words(honours.told.get(name), kind, name)
    }
    assert read - found == {name for names in SELDOM[dialect].values() for name in names.split()}
