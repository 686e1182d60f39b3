"""`affray samples`: the sample set, 200 reproducible fights."""

from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click

from affray.events.errors import counted
from affray.replay.cli.terminal.base import as_json, cores, watched
from affray.replay.cli.terminal.printing import print_found
from affray.replay.rows.samples import FIGHTS, SampleSet, build_samples

EXAMPLES = """\b
Examples:
  affray samples sample-set
  affray samples few --fights 20 --no-rows
"""


@click.command(epilog=EXAMPLES)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--fights",
    type=click.IntRange(min=1),
    default=FIGHTS,
    show_default=True,
    help="Build only this many fights.",
)
@click.option(
    "--rows/--no-rows",
    "rows",
    default=None,
    help="With or without Parquet; default: with it if pyarrow is installed.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Workers; default: as many as there are cores.")
@as_json
def samples(folder: Path, fights: int, rows: bool | None, jobs: int | None, json: bool) -> None:
    """Build the sample set in a new FOLDER: fights in four dialects as logs, in combat notation and as
    Parquet.

    The dice are fixed: the same version of Affray builds the same fights on every machine. `fights.json`
    lists them, `README.md` describes the files. The set is published under CC0.
    """
    there = find_spec("pyarrow") is not None
    with watched("playing") as progress:
        made = build_samples(
            folder, fights, rows=there if rows is None else rows, jobs=jobs or cores(), progress=progress
        )
    told = {"folder": str(folder), "version": made.version, "fights": list(made.fights), "rows": made.rows}
    print_found(told, _set_lines(folder, made, lacking=rows is None and not there), json)


def _set_lines(folder: Path, made: SampleSet, lacking: bool) -> Iterator[str]:
    events = sum(one.events for one in made.fights)
    yield f"{folder}: {counted(len(made.fights), 'fight')}, {counted(events, 'event')}"
    for dialect in dict.fromkeys(one.dialect for one in made.fights):
        of = [one for one in made.fights if one.dialect == dialect]
        won = Counter(one.won or "nobody" for one in of)
        said = ", ".join(f"{side} {count}" for side, count in sorted(won.items()))
        rounds = sum(one.rounds for one in of) / len(of)
        yield f"  {dialect:<10} {counted(len(of), 'fight')}, mean rounds {rounds:.1f}; won: {said}"
    if made.rows:
        yield f"  {counted(sum(made.rows.values()), 'row')} in {counted(len(made.rows), 'table')}"
    if lacking:
        yield "without Parquet, which needs the extra tables: pip install 'affray[tables]'"
