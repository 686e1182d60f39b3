"""`affray undo`, `affray redo`: taking back the last declarations, and bringing them again."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from affray.events.wording import shell_command
from affray.replay.cli.base import as_json, at_a_prompt, database, put_prose, writing
from affray.replay.cli.printing import print_json, put

if TYPE_CHECKING:
    from affray.replay.undo import Step

EXAMPLES = """\b
Examples:
  affray undo fight.db
  affray undo fight.db 3 --by GM
"""


@click.command(epilog=EXAMPLES)
@database
@click.argument("count", type=click.IntRange(min=1), default=1, metavar="[N]")
@click.option("--by", default="", help="Who takes it back, for the record.")
@as_json
def undo(db: Path, count: int, by: str, json: bool) -> None:
    """Take back the last N declarations and rulings of the main line, one without N.

    A ruling is taken back before the declaration that it is about: what was decided before it counts again.
    What was refused has changed nothing and does not count. A new line without them becomes the main line;
    the old one stays as it is, and affray redo brings it back. The same act declared again shows the same
    faces.
    """
    from affray.replay.undo import spoken
    from affray.replay.undo import undo as back

    with writing(db) as store:
        step = back(store, count, by)
        said, also = spoken(store, step)
    if json:
        print_json(step)
        return
    tell("took back", step, said, also)
    if step.closed:
        put("  the encounter had been closed: the seed of its dice is known")
    put(f"{step.line} is the main line now, {where(step)}; {step.left} keeps what was taken back")
    again = "redo" if at_a_prompt() else shell_command("redo", db)
    put(f"(bring it again with: {again})")


@click.command(epilog="Example: affray redo fight.db")
@database
@click.option("--by", default="", help="Who brings it again, for the record.")
@as_json
def redo(db: Path, by: str, json: bool) -> None:
    """Bring again what the last undo took back, as long as nothing else was declared since.

    After several undos each redo brings one of them again, the last first.
    """
    from affray.replay.undo import redo as forth
    from affray.replay.undo import spoken

    with writing(db) as store:
        step = forth(store, by)
        said, also = spoken(store, step)
    if json:
        print_json(step)
        return
    tell("brought again", step, said, also)
    put(f"{step.line} is the main line now, {where(step)}")


def tell(did: str, step: "Step", said: dict[str, str], also: list[str]) -> None:
    """Print what was taken back or brought again."""
    for ruling in step.rulings:
        named = f" {ruling.id}" if ruling.id else ""
        by = f" by {ruling.author}" if ruling.author else ""
        put_prose(f"{did} the ruling{named}{by}: {ruling.text or 'no reason given'}")
    for one in step.declarations:
        refused = " (refused)" if one.refused else ""
        put_prose(f"{did} {one.id}: {said[one.id]}{refused}")
    for words in also:
        put_prose(f"{did} {words}")


def where(step: "Step") -> str:
    """Return where the fight stands."""
    return f"at r{step.round}.t{step.turn}" if step.turn else f"at r{step.round}"
