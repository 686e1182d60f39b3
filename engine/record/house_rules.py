"""House rules: stages and figures that a package puts into an existing dialect."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.book import BadPackage, Rule
from affray.engine.record import compose
from affray.engine.record.compose import listed
from affray.events.facts.base import JsonObject

Chapters = TypeVar("Chapters", bound=Struct)
"""The record of a dialect, a field for each chapter."""

_COMBINE: Mapping[str, Callable[..., object]] = {
    "refine": compose.refine,
    "gather": compose.gather,
    "first": compose.first,
    "most": compose.most,
    "steps": compose.steps,
    "prohibit": compose.prohibit,
    "listed": listed,
}


class Put(Struct, frozen=True):
    """One stage and its target: the point ("attacks.attack_situation") and how it combines there.

    The `stage` follows the existing stages, with `before` it precedes them; `when(...)` gives its condition.
    At a point that refines a composition of another kind, it is added to the refined one. With the kind
    "decide" it replaces the existing function.
    """

    point: str
    kind: str
    stage: object
    before: bool = False


class HouseRules(Struct, frozen=True, kw_only=True):
    """The changes that a package makes to its `dialect`.

    `rules` are new entries of the catalogue, whose ids are also their topics; `figures` replaces figures by
    their address (rule-id/path/inside/figures).
    """

    dialect: str
    stages: tuple[Put, ...] = ()
    figures: JsonObject = {}
    rules: tuple[Rule, ...] = ()


def put_into(chapters: Chapters, house: HouseRules, name: str) -> Chapters:
    """Return the chapters with the stages of these house rules. Raises BadPackage for a wrong point."""
    for put in house.stages:
        chapter, _, point = put.point.partition(".")
        record = getattr(chapters, chapter, None) if chapter in chapters.__struct_fields__ else None
        there = getattr(record, point, None)
        if record is None or point not in record.__struct_fields__ or not callable(there):
            raise BadPackage(f"house rules {name!r}: there is no point {put.point!r} that a stage can go to")
        try:
            combined = _combined(there, put, name)
        except ValueError as error:
            raise BadPackage(f"house rules {name!r}: {put.point!r} takes no such stage: {error}") from None
        chapters = replace(chapters, **{chapter: replace(record, **{point: combined})})
    return chapters


def _combined(there: object, put: Put, name: str) -> object:
    if put.kind == "decide":
        return put.stage
    if put.kind not in _COMBINE or (put.kind == "refine" and put.before):
        raise BadPackage(f"house rules {name!r}: no stage goes to {put.point!r} as {put.kind!r}")
    made = compose.composition_of(there)
    if made.kind == "refine" and put.kind != "refine":
        # A stage is added to the inner composition: parts are added before they are refined.
        changed: Any = replace(made.stages[0], function=_combined(made.stages[0].function, put, name))
        further: tuple[Any, ...] = made.stages[1:]
        return compose.refine(changed, *further)
    if made.kind not in (put.kind, "decide"):
        raise BadPackage(f"house rules {name!r}: {put.point!r} combines by {made.kind!r}, not {put.kind!r}")
    stages = made.stages if made.kind == put.kind else (there,)
    return _COMBINE[put.kind](*((put.stage, *stages) if put.before else (*stages, put.stage)))
