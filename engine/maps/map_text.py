"""Maps in files: rows as text, the `map` and what stands between its squares as TOML, or drawn elsewhere."""

import tomllib
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from affray.engine.grid.battlefield import GridError
from affray.engine.maps.document import SUFFIXES
from affray.engine.maps.reading import DrawnMap
from affray.events.facts.terrain import Barrier, Barriers, Grounds, Rows


class GroundPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A map with what stands between its squares, and what covers them: a scenario's keys of that name."""

    map: Rows
    barriers: Barriers = ()
    ground: Grounds = ()


def read_plan(path: Path, text: str) -> GroundPlan:
    """Return the map of a file by its name: TOML (.toml), or rows of text. Raises GridError."""
    if path.suffix != ".toml":
        return GroundPlan(tuple(text.rstrip("\r\n").splitlines()))
    try:
        return msgspec.convert(tomllib.loads(text), GroundPlan)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, RecursionError) as error:
        raise GridError(f"{path}: {error}") from None


def is_drawn_elsewhere(path: Path) -> bool:
    """Say whether a file is, by its name, one in the Universal VTT format."""
    return path.suffix.lower() in SUFFIXES


def plan_of(found: DrawnMap) -> GroundPlan:
    """Return a drawn map as a fight takes it."""
    return GroundPlan(found.map, found.barriers)


def plan_text(plan: GroundPlan, heading: str = "") -> str:
    """Return a map as TOML, which `read_plan` reads and a scenario can hold."""
    said = "".join(f"# {line}\n" for line in heading.splitlines())
    rows = "".join(f'  "{row}",\n' for row in plan.map)
    between = "".join(f"  {_inline(one)},\n" for one in plan.barriers)
    return f"{said}map = [\n{rows}]\nbarriers = [\n{between}]\n"


def _inline(one: Barrier) -> str:
    return "{" + ", ".join(_pairs(one)) + "}"


def _pairs(one: Barrier) -> Iterable[str]:
    for name in ("here", "there"):
        x, y = getattr(one, name)
        yield f"{name} = [{x}, {y}]"
    for name in ("cover", "door"):
        if value := getattr(one, name):
            yield f'{name} = "{value}"'
    if one.open:
        yield "open = true"
