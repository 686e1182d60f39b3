"""What a drawn map is as squares, and what is told of the reading."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.engine import DrawnMap, maps, read_map
from affray.engine.grid import Battlefield, GridError, obstructed
from affray.engine.grid.battlefield import side_between
from affray.engine.maps import drawn, map_in, parse_document, plan_of, plan_text
from tests.maps.drawings import At, cellar, drawing, line, portal, written
from tests.timing import seconds


def reading(
    value: dict[str, Any], portals: dict[int, str] | None = None, objects: str = "pillar"
) -> DrawnMap:
    """Return the map that such a file describes."""
    return drawn(parse_document(msgspec.json.encode(value)), portals or {}, objects)


def walled(found: DrawnMap) -> set[tuple[bool, int, int]]:
    """Return the sides that are walls or doors."""
    return {side_between(one.here, one.there) for one in found.barriers if one.cover == "total"}


def told(found: DrawnMap, grade: str) -> list[str]:
    """Return what is told of that grade."""
    return [f"{one.what}: {one.text}" for one in found.findings if one.grade == grade]


def test_walls_are_counted_from_the_origin(tmp_path: Path) -> None:
    """The part that was exported begins at `map_origin`: a wall at 5 is at 3 on a map from 2 on."""
    found = read_map(written(tmp_path, cellar()))
    assert found.map == ("......",) * 4
    assert walled(found) == {(True, 3, y) for y in range(4)}
    assert found.doors == ("door 1",)
    assert [(one.here, one.there) for one in found.barriers if one.door] == [((2, 1), (3, 1))]
    assert found.sides == 3
    assert found.picture is not None
    assert (found.picture.kind, found.picture.width, found.picture.height) == ("image/png", 60, 40)
    assert [one.what for one in found.findings] == ["portals"]


@pytest.mark.parametrize(
    ("drawn_line", "sides"),
    [
        (((3, 0), (3, 4)), {(True, 3, 0), (True, 3, 1), (True, 3, 2), (True, 3, 3)}),
        (((0, 2), (2, 2)), {(False, 2, 0), (False, 2, 1)}),
        (((3, 0), (3, 0.75)), {(True, 3, 0)}),
        (((3, 0), (3, 0.25)), set()),
        (((3.2, 0), (3.2, 2)), {(True, 3, 0), (True, 3, 1)}),
        (((3.7, 0), (3.7, 2)), {(True, 4, 0), (True, 4, 1)}),
        (((0, 0), (2, 2)), {(False, 1, 0), (True, 1, 1), (False, 2, 1)}),
        (((6, 0), (6, 4)), set()),
    ],
)
def test_which_sides_a_line_walls_off(drawn_line: tuple[At, At], sides: set[Any]) -> None:
    """Those of which the line between the middles of both squares meets it; not the edge of the map."""
    assert walled(reading(drawing(line_of_sight=[line(*drawn_line)]))) == sides


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=3, max_size=3, unique=True))
def test_what_is_closed_stays_closed(corners: list[tuple[int, int]]) -> None:
    """No step, straight or slanting, leads out of a closed triangle, wherever on the grid it lies."""
    size = (10, 10)
    outline = [(x / 4, y / 4) for x, y in corners]
    found = reading(drawing(size, line_of_sight=[line(*outline, outline[0])]))
    inside = {*maps.squares_of(maps.middles_inside([maps.fine(*at) for at in outline], size))}
    field = Battlefield(found.map, walled(found))
    for x, y in inside:
        around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
        assert all(there in inside or obstructed(field, (x, y), there) for there in around)


def test_outlines_are_not_gone_through_square_by_square() -> None:
    """Hundreds of them, each around the whole of the largest map, take a fraction of a second."""
    around = line((0, 0), (200, 0), (200, 200), (0, 200))
    value = drawing((200, 200), objects_line_of_sight=[around] * 300)
    assert seconds(lambda: reading(value), 1.0) < 1.0


def test_portals_are_what_is_said_of_them() -> None:
    """A closed one is a door, an open one a window unless it is said; each takes its part of a wall."""
    value = drawing(
        line_of_sight=[line((3, 0), (3, 4))],
        portals=[portal((3, 0), (3, 1)), portal((3, 1), (3, 2), closed=False), portal((3, 2), (3, 3))],
    )
    found = reading(value)
    kinds = [(one.there[1], one.cover, one.door, one.open) for one in found.barriers]
    doors = [(0, "total", "door 1", False), (1, "high", "", False), (2, "total", "door 3", False)]
    assert sorted(kinds) == sorted([*doors, (3, "total", "", False)])
    assert found.windows == (2,)
    assert told(found, "ambiguous") == [
        "portals: portal 2 is open: read as a window, else say --portal 2=open or =gap"
    ]
    said = reading(value, {1: "wall", 2: "open", 3: "gap"})
    assert [(one.there[1], one.door, one.open) for one in said.barriers] == [
        (3, "", False), (0, "", False), (1, "door 2", True),
    ]  # fmt: skip
    assert told(said, "ambiguous") == []


def test_a_portal_between_two_middles() -> None:
    """A door that no line between middles meets stands at the side nearest to it, and that is told."""
    found = reading(drawing(portals=[portal((3, 1.6), (3, 2.3))]))
    assert [(one.here, one.there) for one in found.barriers] == [((2, 1), (3, 1))]
    assert told(found, "approximated") == [
        "portals: portal 1 comes between no two middles: read at the side nearest to it"
    ]


def test_a_door_of_two_squares() -> None:
    """A wide portal is one door with several sides."""
    found = reading(drawing(portals=[portal((3, 0), (3, 2))]))
    assert [(one.there, one.door) for one in found.barriers] == [((3, 0), "door 1"), ((3, 1), "door 1")]


def test_objects() -> None:
    """An outline fills the squares of which it has the middle, as what it is said to be."""
    outlines = [line((1, 1), (3, 1), (3, 2), (1, 2)), line((4.1, 0.1), (4.2, 0.1), (4.2, 0.2))]
    value = drawing(objects_line_of_sight=outlines)
    found = reading(value)
    assert found.map[1] == ".TT..."
    assert told(found, "unused")[0] == "objects: that have the middle of no square"
    assert reading(value, objects="low").map[1] == ".==..."
    assert reading(value, objects="nothing").map[1] == "......"


def test_everything_in_the_file_is_used_or_told() -> None:
    """What has no effect, lies beyond the map or off the grid, each with how often."""
    value = drawing(
        (5.5, 4),
        (0.5, 0),
        format=9,
        line_of_sight=[
            line((1, 1), (1, 1)),
            line((20, 1), (21, 1)),
            line((1, 0), (3, 2)),
            line((2.2, 3), (4, 3)),
        ],
        portals=[portal((0.5, 1), (0.5, 2), freestanding=True)],
        lights=[{"position": {"x": 1, "y": 1}, "range": 3}],
        environment={"baked_lighting": True, "ambient_light": "ffffffff"},
        software="ours",
    )
    value["resolution"]["dpi"] = 7
    found = reading(value)
    assert {grade: told(found, grade) for grade in ("ambiguous", "approximated", "outside", "unused")} == {
        "ambiguous": ["format: format 9.0 is unknown: read as 0.2 and 0.3 and 1.0 are"],
        "approximated": [
            "map_size: 5.5 by 4: squares that are cut off at the right and below count whole",
            "map_origin: begins at 0.5,0, within a square of the drawing: squares begin there",
            "walls: slanting or curved: a side is walled off where the line between two middles meets one",
        ],
        "outside": ["walls: beyond the map: left out", "portals: portal 1 leads off the map: left out"],
        "unused": [
            "walls: of no length",
            "portals: rotation and position: their ends say it",
            "lights: no rule uses the positions of lights: declare `circumstance` for combatants in the dark",
            "environment: ambient_light ffffffff: no rule goes by it",
            "environment: baked_lighting True: no rule goes by it",
            "unknown: software: no field of the format",
            "unknown: resolution.dpi: no field of the format",
            "image: the file has no picture",
        ],
    }


def test_a_map_is_the_same_as_toml(tmp_path: Path) -> None:
    """What is written can be read, by itself and from a scenario's folder."""
    found = read_map(written(tmp_path, cellar()), {1: "open"})
    file = tmp_path / "cellar.toml"
    file.write_text(plan_text(plan_of(found), "Read from cellar.dd2vtt"))
    assert map_in(file) == plan_of(found)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (b"", "no Universal VTT file"),
        (b"\xff\xfe{}", "no Universal VTT file"),
        (b"[]", "no Universal VTT file"),
        (b"[" * 10_000, "no Universal VTT file"),
        (b"{}", "missing required field `resolution`"),
        (drawing(size=(0, 3)), "a map is 1 to 200 squares each way, not 0 by 3"),
        (drawing(size=(1e9, 1e9)), "a map is 1 to 200 squares each way"),
        (b'{"resolution": {"map_size": {"x": NaN, "y": 1}, "pixels_per_grid": 1}}', "no Universal VTT file"),
        (drawing(line_of_sight=[line((1e300, 0), (0, 0))]), "a point at 1e\\+300,0, beyond any map"),
        (drawing(line_of_sight=[[{"x": 1}]]), r"missing required field `y` - at `\$.line_of_sight"),
        (drawing(portals=[{"bounds": line((0, 0))}]), "portal 1 has 1 ends, not 2"),
        (drawing(image="%%%"), "the picture is no base64"),
        (drawing(image="PHN2Zz48L3N2Zz4="), "neither PNG nor JPEG nor WebP"),
    ],
)
def test_what_is_no_map(tmp_path: Path, value: Any, reason: str) -> None:
    """It is refused in one line that says why."""
    with pytest.raises(GridError, match=reason) as fault:
        read_map(written(tmp_path, value))
    assert "\n" not in str(fault.value)


def test_what_cannot_be_said(tmp_path: Path) -> None:
    """There is no portal of that number, no such kind, no such file."""
    file = written(tmp_path, cellar())
    with pytest.raises(GridError, match="no portal 2: the file has 1 portal"):
        read_map(file, {2: "door"})
    with pytest.raises(GridError, match="a portal is no 'windw'"):
        read_map(file, {1: "windw"})
    with pytest.raises(GridError, match="cannot read"):
        read_map(tmp_path / "none.uvtt")


values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["x", "y", "bounds"]), inner),
    max_leaves=6,
)


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["line_of_sight", "portals", "objects_line_of_sight", "lights", "image", "format"]),
    values,
)
def test_nonsense_is_refused_or_read(name: str, value: Any) -> None:
    """Whatever stands in a field, there is a map or one clear fault and no other."""
    with suppress(GridError):
        assert len(reading({**cellar(), name: value}).map) == 4
