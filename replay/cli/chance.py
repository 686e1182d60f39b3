"""`affray odds`, `luck`: how likely it was, and what the dice brought."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from affray.events.errors import AffrayError, counted
from affray.events.facts.base import JsonObject
from affray.replay.chance.luck import Audit
from affray.replay.chance.luck import luck as audited
from affray.replay.cli.terminal.base import (
    add_worker_options,
    as_json,
    database,
    on_branch,
    reading,
    watched,
    yield_until_interrupt,
)
from affray.replay.cli.terminal.output import output, refuse_log
from affray.replay.cli.terminal.printing import print_found, say

if TYPE_CHECKING:
    from affray.replay.chance.odds import Odds

# --- `affray odds`: how likely an event was, or how the fight will end from a position

ODDS_EXAMPLES = """\b
Examples:
  affray odds fight.db --event 52
  affray odds fight.db --at r2 --runs 500 --jobs 4
  affray odds fight.db --grid "ysolde.armor=16..22" --grid "gharm.weapon=greatclub,longsword"
  affray odds fight.db --grid "srd35.charge.attack.attack=1..4" --precision 3 --page balance.html
  affray odds fight.db --at r2 --grid "soft_cover_blocks_aoo=on,off" --of ysolde --csv
  affray odds fight.db --at r2 --runs 20000 --on ray
"""


@click.command(epilog=ODDS_EXAMPLES)
@database
@click.option("--event", "seq", type=click.IntRange(min=1), help="How likely was this event?")
@click.option("--at", "position", help="Play on from here: 17, r3, r3.t2 or end.")
@click.option("--grid", "axes", multiple=True, help="Vary this: NAME=FIRST..LAST or NAME=ONE,OTHER.")
@click.option("--of", default="", help="Of a grid: which side wins, or who lives.")
@click.option("--base", default="", help="Of a grid: the values of the cell that is compared with.")
@click.option("--precision", type=click.FloatRange(0.1, 50), help="Of a grid: known to so many points.")
@click.option("--page", "page_at", type=click.Path(path_type=Path), help="Write the grid as a page too.")
@click.option("--csv", is_flag=True, help="Print the grid as CSV.")
@click.option("--runs", type=click.IntRange(min=1), help="How often; 200 without --precision.")
@add_worker_options
@click.option("--seed", default="odds", show_default=True, help="The same seed gives the same table.")
@on_branch
@as_json
def odds(
    db: Path,
    seq: int | None,
    position: str | None,
    axes: tuple[str, ...],
    of: str,
    base: str,
    precision: float | None,
    page_at: Path | None,
    csv: bool,
    runs: int | None,
    jobs: int,
    on: str,
    seed: str,
    branch: str,
    json: bool,
) -> None:
    """Give the exact odds of a recorded event, or play the fight on many times and count how it ends.

    Shares come with their 95 % confidence interval.

    A grid plays it in each cell of one axis, two or more, by the same dice: from the beginning, with
    everybody entering anew, or from --at. An axis is a field of a sheet (ysolde.hp,
    gharm.weapons.greatclub.damage), somebody's Armor Class (ysolde.armor), the only weapon (gharm.weapon, of
    the sheet or the rulebook's table), where somebody enters (gharm.at=3,4|5,6), a whole sheet
    (gharm.sheet=troll,mine.toml), a reading (OPTION) or a figure (RULE.FIGURE). With --precision each cell is
    played until its odds are known so well, --runs times at most.
    """
    if axes:
        if seq is not None:
            raise click.UsageError("--grid plays a fight: it goes with --at, not with --event")
        wanted = {
            "at": position or "",
            "of": of,
            "base": [one.strip() for one in base.split("|" if "|" in base else ",")] if base else (),
            "runs": runs or 0,
            "precision": precision or 0,
            "jobs": jobs,
            "on": on,
            "seed": seed,
            "branch": branch,
        }
        if csv and json:
            raise click.UsageError("--csv or --json, not both")
        _grid(db, axes, wanted, page_at, "csv" * csv or "json" * json)
        return
    if of or base or precision or page_at or csv:
        raise click.UsageError("--of, --base, --precision, --page and --csv are of a grid: say --grid too")
    runs = runs or 200
    if (seq is None) == (position is None):
        raise click.UsageError("say either --event SEQ or --at POSITION, or a --grid")
    if seq is not None:
        if on:
            raise click.UsageError("the odds of an event are worked out exactly, here: --on goes with --at")
        _event(db, branch, seq, json)
        return
    from affray.replay.chance.odds import odds as simulated

    assert position is not None
    with reading(db) as store, yield_until_interrupt() as going_on, watched() as watch:

        def progress(done: int) -> bool:
            watch(done, runs)
            return going_on()

        found = simulated(
            store,
            position,
            runs=runs,
            jobs=jobs,
            on=on,
            seed=seed,
            branch=branch,
            progress=progress,
        )
    if found.runs < runs:
        say(f"interrupted: these are the first {found.runs} of {counted(runs, 'fight')}", err=True)
    print_found(found, _odds_rows(found, seed), json)


def _odds_rows(found: "Odds", seed: str) -> Iterator[str]:
    place = f"event {found.seq} of {found.branch} (round {found.round})"
    yield f"{counted(found.runs, 'fight')} from {place}, seed {seed!r}"
    for heading, shares in (("Who wins", found.wins), ("Who lives", found.lives)):
        yield heading
        for name, one in shares.items():
            part = 100 * one.count / one.runs
            yield f"  {name or 'undecided':<20} {part:5.1f} %  ({one.low:.1f} to {one.high:.1f})"
    yield f"Rounds played on: {found.rounds:.2f} ({found.rounds_low:.2f} to {found.rounds_high:.2f})"


def _grid(db: Path, axes: tuple[str, ...], wanted: JsonObject, page_at: Path | None, form: str) -> None:
    """Play the grid and print it: its map and table, CSV or JSON."""
    from affray.replay.chance.balance import grid
    from affray.replay.chance.balance_report import make_grid_page, table, yield_grid_lines

    refuse_log(page_at, db)
    with reading(db) as store, watched() as progress:
        found = grid(store, axes, progress=progress, **wanted)
    if page_at is not None:
        with output(page_at, db) as file:
            file.write(make_grid_page(found).encode())
    rows = table(found).splitlines() if form == "csv" else yield_grid_lines(found)
    print_found(found, rows, form == "json")


def _event(db: Path, branch: str, seq: int, json: bool) -> None:
    from affray.replay.chance.outcome_odds import chances

    with reading(db) as store:
        found = chances(store, branch, [seq])
    if not found:
        raise AffrayError(f"no dice decided event {seq}: name a roll, an attack, a check, a save or damage")
    print_found(found, map(str, found), json)


# --- `affray luck`: the dice of a fight beside what was to be expected of them


@click.command(epilog="Example: affray luck fight.db")
@database
@on_branch
@as_json
def luck(db: Path, branch: str, json: bool) -> None:
    """Audit the luck of everybody and the fairness of the dice.

    Dice that people threw and typed are left out: they are not those of the encounter. A small p-value
    means that fair dice seldom scatter like that; with few throws it says little.
    """
    with reading(db) as store:
        found = audited(store, branch)
    print_found(found, _lines(found), json)


def _lines(found: Audit) -> Iterator[str]:
    names = [one.who for one in (*found.sides, *found.combatants)]
    width = max(map(len, names), default=4)
    heading = (
        f"{'':<{width}}  attacks  hits (expected)  damage (expected)  d20s (mean)  best and worst streak"
    )
    for title, rows in (("Sides", found.sides), ("Combatants", found.combatants)):
        yield from ([title, f"  {heading}"] if rows else ())
        for one in rows:
            hits = f"{one.hits} ({one.expected_hits:.2f})"
            damage = f"{one.damage} ({one.expected_damage:.2f})"
            d20s = f"{one.d20s} ({one.d20_mean:.2f})"
            best = counted(one.best.length, "hit") + (f" from #{one.best.seq}" if one.best.length else "")
            missed = "miss" if one.worst.length == 1 else "misses"
            worst = f"{one.worst.length} {missed}" + (f" from #{one.worst.seq}" if one.worst.length else "")
            sums = f"{one.attacks:>7}  {hits:>15}  {damage:>17}  {d20s:>11}"
            yield f"  {one.who:<{width}}  {sums}  {best}, {worst}"
    yield "Dice"
    for dice in found.dice:
        size = f"d{dice.sides}"
        yield (
            f"  {size:<5} {dice.thrown:>5} thrown, mean {dice.mean:.2f} (fair: {(dice.sides + 1) / 2:.2f}), "
            f"chi-square {dice.chi_square:.2f}, p = {dice.p_value:.4f}"
            f"{'' if dice.enough else ' (too few to judge)'}"
        )
    if found.by_hand:
        yield f"  {counted(found.by_hand, 'throw')} by hand or elsewhere left out"
