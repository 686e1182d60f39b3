"""`affray swing`: the chance of winning after every declaration, and what turned the fight."""

from collections.abc import Iterator
from pathlib import Path

import click

from affray.replay.chance.summaries import Swing, Turn
from affray.replay.chance.swing import RUNS, compute_stored_swing
from affray.replay.cli.terminal.base import (
    add_worker_options,
    as_json,
    database,
    in_words,
    on_branch,
    reading,
    watched,
)
from affray.replay.cli.terminal.printing import print_found

EXAMPLES = """\b
Examples:
  affray swing fight.db
  affray swing fight.db --runs 1000 --jobs 8
  affray swing fight.db --runs 10000 --on ray
  affray swing fight.db --side monsters --json
"""
TOLD = 33
"""Letters for what was declared, which keeps its id where it is cut."""

BAR = 20
"""Characters of the bar that draws a chance."""
MOST_TOLD = 3
"""So many turning points of a kind are told."""
PARTS = ("choice", "luck", "ruling")
"""What changes a chance."""


@click.command(epilog=EXAMPLES)
@database
@click.option("--side", default="", help="Whose chance is drawn; the side that entered first without it.")
@click.option("--runs", type=click.IntRange(min=1), default=RUNS, show_default=True, help="Fights a moment.")
@add_worker_options
@click.option("--seed", default="swing", show_default=True, help="The same seed gives the same table.")
@on_branch
@as_json
def swing(db: Path, side: str, runs: int, jobs: int, on: str, seed: str, branch: str, json: bool) -> None:
    """Play the fight on from every declaration, and say which of them, which die and which ruling turned it.

    Choice is what a declaration changed before its dice fell, measured by how automatic play would have
    gone on; luck is what its dice made of it; ruling what the game master changed. Results are kept beside
    the log.
    """
    with reading(db) as store, watched() as progress:
        found = compute_stored_swing(
            store,
            db,
            branch=branch,
            runs=runs,
            jobs=jobs,
            on=on,
            seed=seed,
            progress=progress,
            told=in_words,
        )
        if side and side not in found.sides:
            raise click.UsageError(f"there is no side {side!r}: {', '.join(found.sides)}")
    print_found(found, told(found, side or found.sides[0]), json)


def told(found: Swing, side: str) -> Iterator[str]:
    """Yield the chances of a side as rows, then what turned the fight."""
    yield f"Chance of {side} to win: {found.runs} fights from each moment, give or take {found.margin} %"
    yield ""
    yield f"{'':62}{''.join(f'{part:>7}' for part in PARTS)}"
    yield _row("before the first declaration", found.start[side])
    for turn in found.turns:
        if any(of(turn, part, side) for part in PARTS):
            changed = "".join(f"{_signed(of(turn, part, side)):>7}" for part in PARTS)
            yield _row(f"#{turn.seq:<5}{turn.told}", turn.chance[side]) + changed
    yield ""
    yield f"In all: {', '.join(f'{part} {_signed(getattr(found, part)[side])}' for part in PARTS)}"
    yield from yield_turning_points(found, side)


def yield_turning_points(found: Swing, side: str) -> Iterator[str]:
    """Yield the choices, dice and rulings that changed most, as far as that is more than may be chance."""
    for part in PARTS:
        turned = [turn for turn in found.turns if abs(of(turn, part, side)) >= found.margin]
        for turn in sorted(turned, key=lambda one: -abs(of(one, part, side)))[:MOST_TOLD]:
            die = f", {turn.die}" if part == "luck" else ""
            yield f"  {part} {_signed(of(turn, part, side))}: #{turn.seq} {turn.told}{die}"


def of(turn: Turn, part: str, side: str) -> float:
    """Return what a part of a declaration changed for a side, in points."""
    found: float = getattr(turn, part)[side]
    return found


def _row(what: str, chance: float) -> str:
    full = round(chance * BAR / 100)
    said, _, which = what.rpartition(" ")
    told = what if len(what) <= TOLD else f"{said[: TOLD - len(which) - 4]}... {which}"
    return f"{told:<{TOLD}} {'#' * full:.<{BAR}} {chance:5.1f} %"


def _signed(value: float) -> str:
    return f"{value:+.1f}" if value else "0"
