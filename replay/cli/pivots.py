"""`affray pivots`: every single change that alone would have made the difference."""

from collections.abc import Iterator
from pathlib import Path

import click

from affray.engine.book.card import wrapped
from affray.events.wording import counted
from affray.replay.chances import percent
from affray.replay.cli.base import as_json, database, reading, width, writing
from affray.replay.cli.became import told_line
from affray.replay.cli.completing import complete_branches, complete_outcomes
from affray.replay.cli.playing_on import shared_work, watched
from affray.replay.cli.printing import print_json, put_all
from affray.replay.found_pivots import Pivot, Pivots
from affray.replay.pivoting import pivot_branch
from affray.replay.pivoting import pivots as found_by

EXAMPLES = """\b
Examples:
  affray pivots fight.db --outcome "ysolde dies"
  affray pivots fight.db --outcome "heroes win or gharm is down"
  affray pivots fight.db --outcome "ysolde.hp <= 5 at r3" --json
  affray pivots fight.db --outcome "ysolde dies" --branch 3 --as lucky

\b
An OUTCOME is one of these, at the end or "at" a position (40, r3, r3.t2):
  WHO dies, survives, falls      WHO is [not] CONDITION, down, dead, alive
  SIDE wins, SIDE loses          WHO.FIELD <= NUMBER, also < = != >= >
joined by and, or, not and brackets. Fields are those of affray blame --paths.
"""
MOST = 25
"""So many pivots are told without `--all`."""


@click.command(epilog=EXAMPLES)
@database
@click.option(
    "--outcome", "text", required=True, shell_complete=complete_outcomes, help="What is asked (below)."
)
@click.option(
    "--branch", "number", type=int, metavar="N", help="Make pivot N a branch, and say what changes."
)
@click.option("--as", "name", default="", help="The name of that branch.")
@click.option(
    "--line", default="", shell_complete=complete_branches, help="On which branch; the main line without it."
)
@shared_work
@click.option("--all", "everything", is_flag=True, help=f"All of them, not the first {MOST}.")
@as_json
def pivots(
    db: Path,
    text: str,
    number: int | None,
    name: str,
    line: str,
    jobs: int,
    on: str,
    everything: bool,
    json: bool,
) -> None:
    """Tell every single change that alone would have made the difference to an outcome, the likeliest first.

    Tried are all faces of each die, the other answers to each question, each modifier struck out and each
    other reading of a contested rule, one at a time. The rest is decided again as by affray whatif: the same
    roll shows the same faces.
    """
    if name and number is None:
        raise click.UsageError("--as names the branch that --branch N makes")
    with reading(db) as store, watched("trying single changes") as progress:
        found = found_by(store, text, branch=line, jobs=jobs, on=on, progress=progress)
    if number is not None:
        with writing(db) as store:
            told_line(store, pivot_branch(store, found, number, name), db, json)
    elif json:
        print_json(found)
    else:
        put_all(_pivots_told(found, everything))


def _pivots_told(found: Pivots, everything: bool) -> Iterator[str]:
    so = "so it is" if found.holds else "it is not so"
    yield from wrapped(f"{found.outcome}: {so} on {found.branch}.", width(), "", "  ")
    tried = f"{counted(found.tried, 'single change')} (of {counted(found.rolls, 'roll')}, of answers,"
    tried = f"{tried} modifiers and readings)"
    if not found.pivots:
        yield from wrapped(f"None of {tried} would have made the difference.", width(), "", "  ")
    else:
        alone = f"Of {tried} these alone would have made the difference:"
        yield from wrapped(alone, width(), "", "  ")
    shown = found.pivots if everything else found.pivots[:MOST]
    for number, one in enumerate(shown, 1):
        yield from _numbered(number, one, everything)
    if len(shown) < len(found.pivots):
        yield f"  ... and {len(found.pivots) - len(shown)} more (--all)"
    for unknown in found.unknown[: None if everything else 3]:
        told = f"Not known of {unknown.key} (#{unknown.seq}): {unknown.reason}"
        yield from wrapped(told, width(), "", "  ")
    if len(found.unknown) > 3 and not everything:
        yield f"  ... and of {len(found.unknown) - 3} more (--all)"


def _numbered(number: int, one: Pivot, reasons: bool) -> Iterator[str]:
    chance = "" if one.chance is None else percent(one.chance)
    place = f"#{one.seq}" if one.kind != "reading" else ""
    yield from wrapped(f"{number:>3}  {chance:>7}  {place:<5} {one.told}", width(), "", " " * 20)
    if one.impossible:
        said = (f"{id} ({reason})" if reasons else id for id, reason, _ in one.impossible)
        ids = ", ".join(said)
        yield from wrapped(f"impossible then: {ids}", width(), " " * 20, " " * 22)
