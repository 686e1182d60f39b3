"""`affray odds`: how likely an event was, or how the fight will end from a position."""

from pathlib import Path

import click

from affray.events.wording import counted
from affray.replay.cli.base import as_json, database, on_branch, reading
from affray.replay.cli.playing_on import shared_work, until_interrupted, watched
from affray.replay.cli.printing import print_json, put, say

EXAMPLES = """\b
Examples:
  affray odds fight.db --event 52
  affray odds fight.db --at r2 --runs 500 --jobs 4
  affray odds fight.db --at r2 --runs 20000 --on ray
"""


@click.command(epilog=EXAMPLES)
@database
@click.option("--event", "seq", type=click.IntRange(min=1), help="How likely was this event?")
@click.option("--at", "position", help="Play on from here: 17, r3, r3.t2 or end.")
@click.option("--runs", type=click.IntRange(min=1), default=200, show_default=True, help="How often.")
@shared_work
@click.option("--seed", default="odds", show_default=True, help="The same seed gives the same table.")
@on_branch
@as_json
def odds(
    db: Path,
    seq: int | None,
    position: str | None,
    runs: int,
    jobs: int,
    on: str,
    seed: str,
    branch: str,
    json: bool,
) -> None:
    """Give the exact odds of a recorded event, or play the fight on many times and count how it ends.

    Shares come with their 95 % confidence interval.
    """
    if (seq is None) == (position is None):
        raise click.UsageError("say either --event SEQ or --at POSITION")
    if seq is not None:
        _event(db, branch, seq, json)
        return
    from affray.replay.odds import Share
    from affray.replay.odds import odds as simulated

    assert position is not None
    with reading(db) as store, until_interrupted() as going_on, watched() as watch:

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
    if json:
        print_json(found)
        return

    def row(name: str, share: Share) -> str:
        part = 100 * share.count / share.runs
        return f"  {name:<20} {part:5.1f} %  ({share.low:.1f} to {share.high:.1f})"

    place = f"event {found.seq} of {found.branch} (round {found.round})"
    put(f"{counted(found.runs, 'fight')} from {place}, seed {seed!r}")
    put("Who wins")
    for side, share in found.wins.items():
        put(row(side or "undecided", share))
    put("Who lives")
    for id, share in found.lives.items():
        put(row(id, share))
    put(f"Rounds played on: {found.rounds:.2f} ({found.rounds_low:.2f} to {found.rounds_high:.2f})")


def _event(db: Path, branch: str, seq: int, json: bool) -> None:
    from affray.events.errors import AffrayError
    from affray.replay.chances import chances

    with reading(db) as store:
        found = chances(store, branch, [seq])
    if not found:
        raise AffrayError(f"no dice decided event {seq}: name a roll, an attack, a check, a save or damage")
    if json:
        print_json(found)
        return
    for chance in found:
        put(str(chance))
