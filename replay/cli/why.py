"""`affray why`: the whole explanation of one event."""

from importlib.resources import files
from pathlib import Path

import click
from msgspec.structs import replace

from affray.projections.timeline import parse
from affray.replay.cli.base import as_json, database, for_width, in_colour, on_branch, reading, width
from affray.replay.cli.printing import print_json, put_all
from affray.replay.cli.rule_links import lead_into, shows_links
from affray.replay.cli.rulebook_option import page_for, rulebook_option
from affray.replay.explanation import Why, text_rows
from affray.replay.explanation import why as explained
from affray.replay.painted import painted
from affray.replay.playhead import Playhead
from affray.replay.rulebook.address import rule_address, whole
from affray.replay.turn_explained import TurnExplained, turn_explained, turn_rows


def print_schema(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Print the schema and leave; no log is wanted for it."""
    if value and not ctx.resilient_parsing:
        put_all((files("affray.replay") / "why.schema.json").read_text(encoding="utf-8").splitlines())
        ctx.exit()


@click.command(
    epilog="\b\nExamples:\n  affray why fight.db 42\n  affray why fight.db r1.t3\n  affray why --schema\n"
    "  affray why fight.db 42 --rulebook https://example.org/rulebooks/"
)
@database
@click.argument("position", metavar="SEQ|TURN")
@on_branch
@rulebook_option("Have rules lead into this rulebook: a page (affray rules --page) or a folder of them.")
@as_json
@click.option(
    "--schema",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_schema,
    help="Print the JSON Schema of --json.",
)
def why(db: Path, position: str, branch: str, rulebook: str, json: bool) -> None:
    """Explain one event: declaration, dice, every modifier, the rules and their readings.

    For a turn (r1.t3) or a round (r1): everything that was decided in it, with the sums.
    With --rulebook each rule is a link on a terminal; where there are none, the addresses stand at the end.
    """
    with reading(db) as store:
        page = whole(page_for(store, rulebook, Path()))
        place = parse(position)
        if place.seq is None:
            turn = turn_explained(store, branch, position)
            rows = [] if json else list(turn_rows(store, turn, width()))
            found: Why | TurnExplained = turn
        else:
            found = explained(store, branch, Playhead(store, branch).timeline.seq_of(place))
            rows = text_rows(found, width())
    outcomes = [found] if isinstance(found, Why) else found.outcomes
    for one in outcomes if page else ():
        one.rules = [replace(rule, address=rule_address(page, rule.id)) for rule in one.rules]
    if json:
        print_json(found)
        return
    lead_into(page)
    for row in rows:
        hanging = " " * (len(row) - len(row.lstrip()) + 4)
        put_all(_coloured(row, one) if in_colour() else one for one in for_width(row, hanging))
    addresses = dict.fromkeys(rule.address for one in outcomes for rule in one.rules if rule.address)
    if addresses and not shows_links():
        put_all(("", "In the rulebook", *(f"  {address}" for address in addresses)))


def _coloured(row: str, part: str) -> str:
    """Return a part of a row of an explanation: headings set off and what did not count held back."""
    if row and not row.startswith(" "):
        return painted(part, bold=True)
    return painted(part, dim=True) if "  does not count: " in row else part
