"""`affray odds --grid`: the odds of a fight, cell by cell."""

from pathlib import Path

import click
from msgspec import Struct

from affray.replay.balance.grid import grid
from affray.replay.balance.page import page
from affray.replay.balance.told import lines, table
from affray.replay.cli.base import reading
from affray.replay.cli.output import output, refuse_log
from affray.replay.cli.playing_on import cores, watched
from affray.replay.cli.printing import print_json, put_all


class Wanted(Struct):
    """What is asked of a grid at the command line."""

    axes: tuple[str, ...]
    at: str
    of: str
    base: str
    runs: int
    precision: float
    jobs: int | None
    seed: str
    branch: str
    page_at: Path | None
    csv: bool
    json: bool


def tell_grid(db: Path, wanted: Wanted) -> None:
    """Play the grid and print it: its map and table, CSV or JSON."""
    if wanted.csv and wanted.json:
        raise click.UsageError("--csv or --json, not both")
    refuse_log(wanted.page_at, db)
    split = "|" if "|" in wanted.base else ","
    with reading(db) as store, watched() as progress:
        found = grid(
            store,
            wanted.axes,
            at=wanted.at,
            of=wanted.of,
            base=[one.strip() for one in wanted.base.split(split)] if wanted.base else (),
            runs=wanted.runs,
            precision=wanted.precision,
            jobs=wanted.jobs or cores(),
            seed=wanted.seed,
            branch=wanted.branch,
            progress=progress,
        )
    if wanted.page_at is not None:
        with output(wanted.page_at, db) as file:
            file.write(page(found).encode())
    if wanted.json:
        print_json(found)
    elif wanted.csv:
        put_all(table(found).splitlines())
    else:
        put_all(lines(found))
