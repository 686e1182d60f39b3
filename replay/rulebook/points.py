"""The contents of each point of a dialect's record, stage by stage, with the rules each stage cites."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from types import FunctionType, MethodType
from typing import Any

from msgspec import Struct, structs
from msgspec.structs import replace

from affray.engine.book import Book
from affray.engine.dialects import Dialect
from affray.engine.fight.fight import KERNEL
from affray.engine.record.acts import ActSpec, purposes
from affray.engine.record.compose import Composition, Stage, composition_of, staged
from affray.events.errors import AffrayError
from affray.replay.rulebook.places import Cited, cited_by


class UnknownPoint(AffrayError):
    """No chapter and no point of that name; the message names the nearest ones."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        whole = list(known)
        bare = {one.rpartition(".")[2]: one for one in whole}
        near = get_close_matches(name, whole, n=3) or [
            bare[one] for one in get_close_matches(name.rpartition(".")[2], list(bare), n=3)
        ]
        hint = f"; did you mean {' or '.join(dict.fromkeys(near))}?" if near else "; --points alone lists all"
        super().__init__(f"no chapter and no point {name!r}{hint}")


class StageInfo(Struct, frozen=True):
    """One contributor to a point: its function, its conditions, and the rules that its source cites.

    `label` is its act, condition or feature, "" for none. `function` is "module:name", `when` are its
    conditions, nothing for always. `made_of` are the functions that it was made from; `fields` those of a
    declaration that its resolver reads.
    """

    label: str
    function: str
    when: tuple[str, ...] = ()
    cites: tuple[Cited, ...] = ()
    made_of: tuple[StageInfo, ...] = ()
    plain: bool = False
    fields: tuple[str, ...] = ()


class PointInfo(Struct, frozen=True):
    """A point: its purpose, how its stages combine, and whether it is the chapter's default."""

    chapter: str
    name: str
    purpose: str
    kind: str
    stages: tuple[StageInfo, ...]
    value: bool | str | None = None
    plain: bool = False


def points(dialect: Dialect, name: str = "") -> tuple[PointInfo, ...]:
    """Return the points of a dialect in the order of its record: all, a chapter's, or those of one name.

    `name` is "", a chapter, "chapter.point" or only a point's name. Raises UnknownPoint.
    """
    places = [
        (chapter, point)
        for chapter in dialect.contents
        for point in getattr(dialect, chapter).__struct_fields__
    ]
    wanted = [
        (chapter, point) for chapter, point in places if name in ("", chapter, point, f"{chapter}.{point}")
    ]
    if not wanted:
        known = [*dialect.contents, *(f"{chapter}.{point}" for chapter, point in places)]
        raise UnknownPoint(name, known)
    return tuple(_point(dialect, chapter, point) for chapter, point in wanted)


def plain_record(chapter: str) -> object:
    """Return the chapter's defaults, from which dialects start."""
    if chapter == KERNEL:
        return import_module("affray.engine.kernel.contents").KERNEL
    module = import_module("affray.engine.rules.plain")
    return getattr(module, f"PLAIN_{chapter.upper()}")


def same(one: object, other: object) -> bool:
    """Return whether two values of a point do the same: the same function, or one made of the same."""
    if one is other:
        return True
    if isinstance(one, ActSpec) and isinstance(other, ActSpec):
        return one.names == other.names and same(one.resolver, other.resolver)
    if isinstance(one, FunctionType) and isinstance(other, FunctionType):
        mine, theirs = getattr(one, "composition", None), getattr(other, "composition", None)
        if mine is not None or theirs is not None:
            return isinstance(mine, Composition) and isinstance(theirs, Composition) and _alike(mine, theirs)
        return one.__code__ is other.__code__ and _held(one) == _held(other)
    return bool(one == other)


def _alike(mine: Composition, theirs: Composition) -> bool:
    return (
        mine.kind == theirs.kind
        and len(mine.stages) == len(theirs.stages)
        and all(
            one.told == other.told and one.label == other.label and same(one.function, other.function)
            for one, other in zip(mine.stages, theirs.stages, strict=True)
        )
    )


def _held(function: FunctionType) -> tuple[object, ...]:
    """Return the values that a function holds besides its code."""
    cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
    return (function.__defaults__, function.__kwdefaults__, *cells)


def _point(dialect: Dialect, chapter: str, point: str) -> PointInfo:
    record = getattr(dialect, chapter)
    value, plain = getattr(record, point), getattr(plain_record(chapter), point)
    told = purposes(type(record)).get(point, "")
    unchanged = same(value, plain)
    book = dialect.book
    if isinstance(value, bool | str):
        cites = _topics(book, [value]) if isinstance(value, str) else ()
        stages: tuple[StageInfo, ...] = (StageInfo("", "", cites=cites),) if cites else ()
        return PointInfo(chapter, point, told, "value", stages, value, unchanged)
    if callable(value):
        made = composition_of(value)
        stages = tuple(_stage(book, _label(made.kind, one), one.function, one.told) for one in made.stages)
        return PointInfo(chapter, point, told, made.kind, stages, None, unchanged)
    stages = tuple(_entries(book, value, plain))
    return PointInfo(chapter, point, told, "acts" if point == "acts" else "list", stages, None, unchanged)


def _entries(book: Book, value: Any, plain: Any) -> Iterator[StageInfo]:
    """Yield the entries of a list or table in a record: acts, conditions, words."""
    if isinstance(value, frozenset):
        value = tuple(sorted(value))
    elif isinstance(value, Struct):
        value, plain = structs.asdict(value), structs.asdict(plain)
    keyed = isinstance(value, Mapping)
    for key, one in value.items() if keyed else enumerate(value):
        unchanged = same(one, plain.get(key)) if keyed else one in plain
        if isinstance(one, ActSpec):
            stage = _stage(book, _tag(key), one.resolver, plain=unchanged)
            yield structs.replace(stage, fields=one.names)
            continue
        if isinstance(one, FunctionType):
            yield _stage(book, _tag(key) if keyed else "", one, plain=unchanged)
            continue
        held = [getattr(one, name) for name in one.__struct_fields__] if isinstance(one, Struct) else [one]
        acts = ", ".join(map(_tag, getattr(one, "acts", ())))
        label = str(key) if keyed else (getattr(one, "name", "") or acts or "everybody")
        stages = [part for part in map(staged, held) if callable(part.function)]
        parts = tuple(_stage(book, "", part.function, part.told) for part in stages)
        cites = _topics(book, held)
        yield StageInfo(label, "", cites=cites, made_of=parts, plain=unchanged)


def _label(kind: str, stage: Stage) -> str:
    """Return the label of a stage, if its kind of composition lists stages by label."""
    return stage.label or {"prohibit": "every act", "listed": "everybody"}.get(kind, "")


def _tag(kind: object) -> str:
    return str(kind.__struct_config__.tag) if hasattr(kind, "__struct_config__") else str(kind)


def _topics(book: Book, held: Iterable[object]) -> tuple[Cited, ...]:
    """Return the rules whose topics are among values, however deep in tuples and structs."""
    found: dict[str, Cited] = {}
    waiting = list(held)
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, str) and ("." in one or one in book) and book.has(one):
            id = book.topic_id(one)
            found.setdefault(id, Cited(id, one if id != f"{book.dialect}.{one}" else ""))
        elif isinstance(one, Struct):
            waiting += [getattr(one, name) for name in one.__struct_fields__]
        elif isinstance(one, tuple):
            waiting += one
    return tuple(found.values())


def _stage(
    book: Book, label: str, function: Any, when: tuple[str, ...] = (), plain: bool = False
) -> StageInfo:
    if isinstance(function, partial):
        inner: list[Any] = [function.func, *function.args, *function.keywords.values()]
        name = "functools:partial"
    elif hasattr(function, "composition"):
        made: Composition = function.composition
        parts = tuple(_stage(book, "", one.function, one.told) for one in made.stages)
        return StageInfo(label, made.kind, when, (), parts, plain)
    else:
        function = inspect.unwrap(function)
        if isinstance(function, MethodType):
            function = function.__func__
        name = function_name(function)
        inner = list(_held(function)) if isinstance(function, FunctionType) else []
    own = cited_by(book, function)
    parts = tuple(_stage(book, "", one) for one in inner if isinstance(one, FunctionType))
    return StageInfo(label, name, when, own, parts, plain)


def function_name(function: object) -> str:
    """Return "module:name" of a function; for one that another made, the maker's name."""
    module = getattr(function, "__module__", None) or type(function).__module__
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{module}:{name.split('.<locals>')[0]}"


# --- Comparing the records of two dialects point by point


class PointDifference(Struct, frozen=True):
    """One point in two dialects: whether it is the same, and the stages that only one has.

    For acts and other tables these are the entries: `only_a` and `only_b` those that the other lacks,
    `differing` the labels of those that both have and that differ.
    """

    chapter: str
    name: str
    same: bool
    a: PointInfo
    b: PointInfo
    only_a: tuple[StageInfo, ...] = ()
    only_b: tuple[StageInfo, ...] = ()
    differing: tuple[str, ...] = ()


def compare_points(a: Dialect, b: Dialect, name: str = "") -> tuple[PointDifference, ...]:
    """Return the points of two dialects side by side, as `points` selects them. Raises UnknownPoint."""
    return tuple(
        _compared(one, other, *(getattr(getattr(side, one.chapter), one.name) for side in (a, b)))
        for one, other in zip(points(a, name), points(b, name), strict=True)
    )


def _compared(a: PointInfo, b: PointInfo, mine: object, theirs: object) -> PointDifference:
    found = PointDifference(a.chapter, a.name, same(mine, theirs), a, b)
    if found.same:
        return found
    if a.kind in ("acts", "list"):
        ours, others = _labelled(a), _labelled(b)
        return replace(
            found,
            only_a=tuple(stage for label, stages in ours.items() if label not in others for stage in stages),
            only_b=tuple(stage for label, stages in others.items() if label not in ours for stage in stages),
            differing=tuple(
                label
                for label in ours
                if label in others and list(map(_bare, ours[label])) != list(map(_bare, others[label]))
            ),
        )
    first, second = list(map(_bare, a.stages)), list(map(_bare, b.stages))
    return replace(
        found,
        only_a=tuple(stage for stage in a.stages if _bare(stage) not in second),
        only_b=tuple(stage for stage in b.stages if _bare(stage) not in first),
    )


def _labelled(point: PointInfo) -> dict[str, list[StageInfo]]:
    found: dict[str, list[StageInfo]] = {}
    for stage in point.stages:
        found.setdefault(stage.label, []).append(stage)
    return found


def _bare(stage: StageInfo) -> StageInfo:
    """Return a stage without its cited ids, which two dialects never share."""
    return replace(stage, cites=(), plain=False, made_of=tuple(map(_bare, stage.made_of)))
