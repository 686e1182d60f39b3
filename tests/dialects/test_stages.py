"""What stands at a point is read in the record: no function that stands there calls another one that does."""

from collections.abc import Iterator
from functools import cache
from inspect import unwrap
from types import FunctionType
from typing import Any

from affray.engine.dialects import Chapters, dialects, load
from affray.engine.record.acts import ActSpec
from affray.engine.record.compose import composition_of
from affray.replay.rulebook.lacks import yield_mentioned
from affray.replay.rulebook.points import plain_record

Place = tuple[str, str]

#: Stages that call one that stands at the same point of some record, and why it has to be so.
WITHIN = {
    # Square, mount and weapon in hand decide step by step which way of attacking it is (docs/chapters.md).
    ("acts", "Attack", "attack_creature_or_square"),
}


def stages_of(value: Any) -> Iterator[FunctionType]:
    """Yield the functions that a value of a point is made of."""
    for stage in composition_of(value).stages:
        if hasattr(stage.function, "composition"):
            yield from stages_of(stage.function)
        elif isinstance(stage.function, FunctionType):
            yield stage.function


def placed(dialect: str) -> Iterator[tuple[Place, FunctionType]]:
    """Yield each point and act of a dialect, plainly of "", with each function that stands there."""
    for chapter in Chapters.__struct_fields__:
        record = getattr(load(dialect), chapter) if dialect else plain_record(chapter)
        for name in record.__struct_fields__:
            value = getattr(record, name)
            if name == "acts":
                for act, honours in value.items():
                    assert isinstance(honours, ActSpec)
                    for function in stages_of(honours.resolver):
                        yield (name, act.__name__), function
            elif callable(value):
                for function in stages_of(value):
                    yield (chapter, name), function


@cache
def standing() -> dict[Place, dict[FunctionType, set[str]]]:
    """Return what stands at each point: the functions, with the dialects in which they do, "" for plainly."""
    found: dict[Place, dict[FunctionType, set[str]]] = {}
    for dialect in (*dialects(), ""):
        for place, function in placed(dialect):
            found.setdefault(place, {}).setdefault(function, set()).add(dialect)
    return found


def called(function: FunctionType, dialect: str, stop: set[FunctionType]) -> Iterator[FunctionType]:
    """Yield the functions that one calls, itself or in other functions of its dialect's folder."""
    waiting, met = [function], {function}
    while waiting:
        # What remembers answers stands for what gives them.
        for one in yield_mentioned(unwrap(waiting.pop()), load(dialect)):
            if isinstance(one, FunctionType) and one not in met:
                met.add(one)
                yield one
                if one not in stop and one.__module__.startswith("affray.engine.dialects"):
                    waiting.append(one)


def test_no_stage_calls_another() -> None:
    """Order and conditions of what happens at a point stand in the contents, not inside of a function."""
    within = set()
    for (chapter, name), functions in standing().items():
        for function, where in functions.items():
            for dialect in sorted(where - {""}):
                others = functions.keys() - {function}
                if others.intersection(called(function, dialect, set(functions))):
                    within.add((chapter, name, function.__name__))
    assert within == WITHIN
