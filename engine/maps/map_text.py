"""Maps in files: rows as text, the `map` and what stands between its squares as TOML, or drawn elsewhere."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from affray.engine.grid.battlefield import GridError
from affray.engine.maps.document import SUFFIXES, read_document
from affray.engine.maps.reading import DrawnMap, drawn
from affray.engine.table.scenario_text import BadScenario, converted, read_text, read_toml
from affray.events.facts.terrain import Barrier, Barriers, Grounds, Rows


class GroundPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A map with what stands between its squares, and what covers them: a scenario's keys of that name."""

    map: Rows
    barriers: Barriers = ()
    ground: Grounds = ()


def map_in(
    path: Path, barriers: Barriers = (), ground: Grounds = (), within: Path | None = None
) -> GroundPlan:
    """Return the map of a file, with what it has between and on its squares, and these besides.

    A map that was drawn elsewhere (.dd2vtt, .uvtt, .df2vtt), TOML (.toml), or rows of text. Raises
    BadScenario. With `within` it is a file that another one names: a regular one under that folder.
    """
    if is_drawn_elsewhere(path):
        try:
            plan = plan_of(drawn(read_document(path, within), {}))
        except GridError as fault:
            raise BadScenario(str(fault)) from None
    elif path.suffix == ".toml":
        plan = converted(read_toml(read_text(path, within), str(path)), GroundPlan, str(path))
    else:
        plan = GroundPlan(tuple(read_text(path, within).rstrip("\r\n").splitlines()))
    return GroundPlan(plan.map, (*plan.barriers, *barriers), (*plan.ground, *ground))


def is_drawn_elsewhere(path: Path) -> bool:
    """Say whether a file is, by its name, one in the Universal VTT format."""
    return path.suffix.lower() in SUFFIXES


def plan_of(found: DrawnMap) -> GroundPlan:
    """Return a drawn map as a fight takes it."""
    return GroundPlan(found.map, found.barriers)


def plan_text(plan: GroundPlan, heading: str) -> str:
    """Return a map with what stands between its squares as TOML: `map_in` reads it, scenarios can hold it."""
    rows = "".join(f'  "{row}",\n' for row in plan.map)
    between = "".join(f"  {{{', '.join(_pairs(one))}}},\n" for one in plan.barriers)
    return f"# {heading}\nmap = [\n{rows}]\nbarriers = [\n{between}]\n"


def _pairs(one: Barrier) -> Iterator[str]:
    for name, (x, y) in (("here", one.here), ("there", one.there)):
        yield f"{name} = [{x}, {y}]"
    for name, value in (("cover", one.cover), ("door", one.door)):
        if value:
            yield f'{name} = "{value}"'
    if one.open:
        yield "open = true"
