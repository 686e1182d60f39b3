"""Features found by the names on a sheet: the stages of a list whose name stands there."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from affray.engine.record.compose import Composition, composition_of, staged
from affray.engine.record.sheet_names import details_of

Listed = Callable[[Iterable[str]], tuple[tuple[Any, str], ...]]
"""Returns the functions of a list of features that a sheet with those entries has, each with its detail."""


def listed(*stages: Callable[..., Any]) -> Listed:
    """Return the functions of those stages whose name a sheet lists, in order, each with the detail there.

    A name that stands there twice, with two details, is asked twice.
    """
    taken = tuple(map(staged, stages))
    for one in taken:
        if one.told or one.acts:
            raise ValueError(f"a feature is found by its name alone: {one.function.__name__}")

    def composed(entries: Iterable[str]) -> tuple[tuple[Any, str], ...]:
        return tuple((one.function, detail) for one in taken for detail in details_of(one.name, entries))

    composed.composition = Composition("listed", taken)  # type: ignore[attr-defined]
    return composed


def feature_names(record: Struct) -> tuple[str, ...]:
    """Return the names under which the features of a record are listed, each once, in order."""
    made = (composition_of(getattr(record, field)) for field in record.__struct_fields__)
    return tuple(dict.fromkeys(one.name for each in made for one in each.stages if one.name))
