"""How several contributors to one point combine: refine, gather, first, most, steps, until.

A point of a record is one function (`decide`), or a list of stages put together here. The list is data: it
can be read, printed (`affray rules DIALECT --points NAME`) and exchanged, and its order is the order of play.
When a stage is asked stands with it (`when`), never where the point is called.

Every composition is made once, when the dialect is loaded, and is a plain function afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, Final, ParamSpec, TypeVar, cast

from msgspec import Struct

from affray.engine.steps import Steps

P = ParamSpec("P")
T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

KINDS: Final = ("decide", "refine", "gather", "first", "most", "steps", "until")


class Stage(Struct, frozen=True):
    """One contributor: the function, and the places of which one must hold something for it to be asked.

    A place is a path from the point's second argument, such as "target.conditions" of a blow; there are none
    for a stage that is always asked.
    """

    function: Callable[..., Any]
    places: tuple[str, ...] = ()


class Composition(Struct, frozen=True):
    """What a composed function is made of: the kind of combination, and the stages in order."""

    kind: str
    stages: tuple[Stage, ...]


def when(places: str | tuple[str, ...], function: F) -> F:
    """Return a stage that is asked only while one of the `places` holds something.

    `when("target.conditions", f)` of a blow: while anything lasts on its target. A stage outside of a
    composition is no function: every composition takes it apart.
    """
    return cast(F, Stage(function, (places,) if isinstance(places, str) else places))


def composition_of(point: object) -> Composition:
    """Return what a point of a record is made of; a plain function is a decision with one stage."""
    found = getattr(point, "composition", None)
    return found if isinstance(found, Composition) else Composition("decide", (staged(point),))


def staged(one: Any) -> Stage:
    """Return a contributor as a stage."""
    return one if isinstance(one, Stage) else Stage(one)


def asked(stage: Stage) -> Callable[[Any], Any] | None:
    """Return what says of a point's second argument whether the stage is asked; None for always."""
    if not stage.places:
        return None
    getters = tuple(map(attrgetter, stage.places))
    if len(getters) == 1:
        return getters[0]
    return lambda subject: any(get(subject) for get in getters)


def _put_together(kind: str, stages: Iterable[Any], make: Callable[..., F]) -> F:
    """Return the function that `make` gives for the stages, marked with what it is made of."""
    taken = tuple(map(staged, stages))
    made = make(tuple((asked(one), one.function) for one in taken))
    made.composition = Composition(kind, taken)  # type: ignore[attr-defined]
    return made


def steps(*stages: Callable[P, Steps[None] | None]) -> Callable[P, Steps[None]]:
    """Run the steps of each stage, one after the other; a stage may return None for no steps."""

    def make(taken: tuple[tuple[Any, Any], ...]) -> Any:
        def run(fight: Any, *given: Any) -> Steps[None]:
            for holds, stage in taken:
                if holds is None or holds(given[0]):
                    found = stage(fight, *given)
                    if found is not None:
                        yield from found

        return run

    return cast(Callable[P, Steps[None]], _put_together("steps", stages, make))


def until(*stages: Callable[P, Steps[bool]]) -> Callable[P, Steps[bool]]:
    """Run the steps of each stage, one after the other, until one returns True; return whether one did."""

    def make(taken: tuple[tuple[Any, Any], ...]) -> Any:
        def run(fight: Any, *given: Any) -> Steps[bool]:
            for holds, stage in taken:
                if (holds is None or holds(given[0])) and (yield from stage(fight, *given)):
                    return True
            return False

        return run

    return cast(Callable[P, Steps[bool]], _put_together("until", stages, make))


def gather(*stages: Callable[P, Iterable[T]]) -> Callable[P, list[T]]:
    """Return the parts of every stage, in order."""

    def make(taken: tuple[tuple[Any, Any], ...]) -> Any:
        def run(fight: Any, *given: Any) -> list[Any]:
            parts: list[Any] = []
            for holds, stage in taken:
                if holds is None or holds(given[0]):
                    parts += stage(fight, *given)
            return parts

        return run

    return cast(Callable[P, list[T]], _put_together("gather", stages, make))


def first(*stages: Callable[P, T | None]) -> Callable[P, T]:
    """Return the first answer that says something; the last stage's where none does.

    An answer says something if it is true and, of a tuple, if its first part is: ("", "") says nothing. So
    do stages that may refuse: each is asked until one raises its refusal.
    """

    def make(taken: tuple[tuple[Any, Any], ...]) -> Any:
        def run(fight: Any, *given: Any) -> Any:
            found: Any = None
            for holds, stage in taken:
                if holds is None or holds(given[0]):
                    found = stage(fight, *given)
                    if found and (type(found) is not tuple or found[0]):
                        return found
            return found

        return run

    return cast(Callable[P, T], _put_together("first", stages, make))


def most(*stages: Callable[P, T]) -> Callable[P, T]:
    """Return the greatest answer, the first of equals; of tuples that with the greatest first part."""

    def make(taken: tuple[tuple[Any, Any], ...]) -> Any:
        def run(fight: Any, *given: Any) -> Any:
            answers = [stage(fight, *given) for holds, stage in taken if holds is None or holds(given[0])]
            return max(answers, key=lambda one: one[0] if type(one) is tuple else one)

        return run

    return cast(Callable[P, T], _put_together("most", stages, make))


def refine(start: Callable[P, T], *stages: Callable[..., T]) -> Callable[P, T]:
    """Return what the first stage gives, as each further one, `stage(fight, ..., found)`, changes it."""

    def make(taken: tuple[tuple[Any, Any], ...]) -> Any:
        begin, rest = taken[0][1], taken[1:]

        def run(fight: Any, *given: Any) -> Any:
            found = begin(fight, *given)
            for holds, stage in rest:
                if holds is None or holds(given[0]):
                    found = stage(fight, *given, found)
            return found

        return run

    return cast(Callable[P, T], _put_together("refine", (start, *stages), make))
