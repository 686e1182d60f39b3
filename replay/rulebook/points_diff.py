"""Two dialects' records compared point by point."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects import Dialect
from affray.replay.rulebook.points import PointShown, StageShown, points, same


class PointDifference(Struct, frozen=True):
    """One point in two dialects: whether the same stands there, and the stages that only one has.

    Of acts and other tables these are the entries: `only_a` and `only_b` those that the other does not know
    at all, `differing` the labels of those that both know and that differ.
    """

    chapter: str
    name: str
    same: bool
    a: PointShown
    b: PointShown
    only_a: tuple[StageShown, ...] = ()
    only_b: tuple[StageShown, ...] = ()
    differing: tuple[str, ...] = ()


def compared_points(a: Dialect, b: Dialect, name: str = "") -> tuple[PointDifference, ...]:
    """Return the points of two dialects side by side, as `points` selects them. Raises UnknownPoint."""
    return tuple(
        _compared(one, other, *(getattr(getattr(side, one.chapter), one.name) for side in (a, b)))
        for one, other in zip(points(a, name), points(b, name), strict=True)
    )


def _compared(a: PointShown, b: PointShown, mine: Any, theirs: Any) -> PointDifference:
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


def _labelled(point: PointShown) -> dict[str, list[StageShown]]:
    found: dict[str, list[StageShown]] = {}
    for stage in point.stages:
        found.setdefault(stage.label, []).append(stage)
    return found


def _bare(stage: StageShown) -> StageShown:
    """Return a stage without the ids that it cites, which no two dialects share."""
    return replace(stage, cites=(), plain=False, made_of=tuple(map(_bare, stage.made_of)))
