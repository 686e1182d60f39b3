"""`affray replay`: a fight once more under another rulebook."""

from pathlib import Path

import click

from affray.engine.book import dialects
from affray.events.errors import AffrayError
from affray.replay.cli.base import LOG, as_json, creating, database, on_branch, reading
from affray.replay.cli.output import output, refuse_log
from affray.replay.cli.printing import print_json, put, put_all


@click.command(
    epilog="\b\nExamples:\n  affray replay fight.db --dialect pf1 --into fight-pf1.db\n"
    "  affray replay fight.db --dialect pf1 --into fight-pf1.db --page differences.html"
)
@database
@click.option("--dialect", required=True, type=click.Choice(dialects()), help="The rulebook to decide by.")
@click.option("--into", type=LOG, required=True, help="Keep the new log in this file.")
@click.option(
    "--page", "page_at", type=click.Path(path_type=Path), help="Write the differences as a page too."
)
@on_branch
@as_json
def replay(db: Path, dialect: str, into: Path, page_at: Path | None, branch: str, json: bool) -> None:
    """Decide a fight's declarations again under another rulebook, with the same dice, and say what differs.

    The new log stands by itself: verify, why and whatif read it like any other. The same roll shows the same
    faces; what the rulebook rolls besides follows from the same seed, once that is known. What it does not
    know is named: a fight in which somebody cannot enter is refused, with everything that is in the way.
    """
    from affray.replay.another_dialect import decide_under
    from affray.replay.crossing_told import lines, page

    refuse_log(page_at, db)
    refuse_log(page_at, into)
    with reading(db) as store, creating(into, discard=(AffrayError,)) as new:
        found = decide_under(store, dialect, new, branch=branch)
    if page_at is not None:
        with output(page_at, db) as file:
            file.write(page(found).encode())
    if json:
        print_json(found)
        return
    put_all(lines(found))
    put()
    put(f"The new log is {into}. Look at it with: affray show {into}; check it with: affray verify {into}")
