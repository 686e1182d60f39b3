"""`affray map`: a map that was drawn elsewhere, read into squares, with a report of what is not so plain."""

from pathlib import Path
from textwrap import wrap
from typing import Any

import click

from affray.engine.maps import OBJECTS, PORTALS, DrawnMap, Finding, plan_of, plan_text, read_map
from affray.events.wording import counted
from affray.replay.cli.base import as_json, width
from affray.replay.cli.output import output
from affray.replay.cli.printing import print_json, put
from affray.replay.map_drawing import drawn_rows

GRADES = {
    "ambiguous": "can be read otherwise",
    "approximated": "off the grid",
    "outside": "beyond the map",
    "unused": "has no effect",
}
"""What findings are, by their grade."""


def _portal(text: str) -> tuple[int, str]:
    number, equals, kind = text.partition("=")
    if not (equals and number.isdecimal() and len(number) < 10 and kind):
        raise click.UsageError(f"--portal {text}: write it as NUMBER=KIND, such as 3=window")
    return int(number), kind


@click.command(
    "map",
    epilog="\b\nExamples:\n  affray map cellar.dd2vtt\n"
    "  affray map cellar.dd2vtt --portal 3=open --into cellar.toml\n"
    "  affray new fight.db --dialect srd35 --map cellar.toml\n  affray map cellar.uvtt --json",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--portal", "said", multiple=True, help=f"What a portal is: NUMBER={'|'.join(PORTALS)}; repeat it."
)
@click.option(
    "--objects", type=click.Choice(tuple(OBJECTS)), default="pillar", help="What outlines of objects are."
)
@click.option("--into", type=click.Path(path_type=Path), help="Write the map here, as TOML.")
@as_json
def map_(file: Path, said: tuple[str, ...], objects: str, into: Path | None, json: bool) -> None:
    """Read a Universal VTT file (.dd2vtt, .uvtt, .df2vtt): walls, doors, windows, pillars.

    Shows the map and a report: what can be read otherwise, what does not lie on the grid and how it was read,
    what lies beyond the map, and what of the file has no effect. What --into writes, and FILE itself, can be
    the map of `affray new` and of a scenario.
    """
    found = read_map(file, dict(map(_portal, said)), objects)
    if into is not None:
        with output(into, None) as out:
            out.write(plan_text(plan_of(found), f"Read from {file.name}").encode())
    if json:
        print_json(_as_json(found))
        return
    for row in drawn_rows(found.map, found.barriers):
        put(row)
    put()
    parts = [
        f"squares: {len(found.map[0])} by {len(found.map)}",
        f"{counted(found.sides, 'side')} of squares walled off",
        counted(len(found.doors), "door"),
        counted(len(found.windows), "window"),
    ]
    put(", ".join(parts))
    for grade, heading in GRADES.items():
        told = [one for one in found.findings if one.grade == grade]
        if told:
            put()
            put(f"{heading}:")
            for one in told:
                for row in wrap(_finding_line(one), width(), initial_indent="  ", subsequent_indent="    "):
                    put(row)


def _finding_line(one: Finding) -> str:
    many = f"{one.count} " if one.count > 1 or one.what in ("walls", "objects", "lights") else ""
    where = " ".join(f"{x},{y}" for x, y in one.where[:6])
    more = " ..." if len(one.where) > 6 or (one.where and one.count > len(one.where)) else ""
    return f"{many}{one.what}: {one.text}{f' ({where}{more})' if where else ''}"


def _as_json(found: DrawnMap) -> dict[str, Any]:
    picture = found.picture
    return {
        "map": found.map,
        "barriers": found.barriers,
        "sides": found.sides,
        "doors": found.doors,
        "windows": found.windows,
        "findings": found.findings,
        "picture": picture
        and {
            "kind": picture.kind,
            "bytes": len(picture.data),
            "width": picture.width,
            "height": picture.height,
        },
    }
