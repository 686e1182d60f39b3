"""`affray whatif`: the rest of a fight under another ruling."""

from pathlib import Path

import click

from affray.replay.cli.base import as_json, database, on_branch, writing
from affray.replay.ruling import GRAMMAR

EXAMPLES = """\b
Examples:
  affray whatif fight.db --at 42 --faces d9/ogre/attack/1=4
  affray whatif fight.db --reading soft_cover=none --as open-field
  affray whatif fight.db --at 42 --ruling "the wall covers her" --effect "rogue.defense+4:cover"
  affray whatif fight.db --at 42 --ruling "he never said that"
  affray whatif fight.db --ruling "she stayed" --effect "d10=total-defense"
  affray whatif fight.db --at 42 --ruling "no wall" --effect "rogue.at=4,3" --revive x1
"""


@click.command(epilog=EXAMPLES)
@database
@click.option("--at", "position", help="An event of the declaration concerned, or a position r3.t2.")
@click.option("--faces", multiple=True, metavar="KEY=4,6", help="Other faces for a roll (see affray why).")
@click.option("--reading", multiple=True, metavar="OPTION=VALUE", help="Another reading of a contested rule.")
@click.option("--ruling", metavar="TEXT", help="A ruling on the declaration; without --effect it is void.")
@click.option("--effect", multiple=True, help=f"What the ruling means: {GRAMMAR}.")
@click.option("--revive", multiple=True, metavar="ID", help="Play what was refused when declared; repeat it.")
@click.option("--by", default="", help="Who rules.")
@click.option("--as", "name", default="", help="The name of the new branch.")
@click.option(
    "--policy",
    type=click.Choice(["auto", "cautious", "ask"]),
    help="Who answers new questions; with ask the branch waits for you. The combatants' own without it.",
)
@on_branch
@as_json
def whatif(
    db: Path,
    position: str | None,
    faces: tuple[str, ...],
    reading: tuple[str, ...],
    ruling: str | None,
    effect: tuple[str, ...],
    revive: tuple[str, ...],
    by: str,
    name: str,
    policy: str | None,
    branch: str,
    json: bool,
) -> None:
    """Decide the rest of a fight again on a new branch, and say what would have changed.

    Same roll, same faces; same question, same answer. Declarations that have become impossible are
    recorded as such, new questions are answered by policy. What the rules refused when it was declared
    stays refused, unless it is revived.
    """
    from affray.engine.table.policies import NAMED
    from affray.replay.branch import concerned
    from affray.replay.cli.became import told_line
    from affray.replay.whatif import Ruling, what_if

    if effect and ruling is None:
        raise click.UsageError("--effect says what a --ruling means: give the ruling")
    shown = {key: _numbers(key, value) for key, value in map(_pair, faces)}
    with writing(db) as store:
        branch = branch or store.main_line()
        done = what_if(
            store,
            branch,
            at=None if position is None else concerned(store, branch, position),
            faces=shown,
            reading=dict(map(_pair, reading)),
            ruling=None if ruling is None else Ruling(ruling, effect, by),
            revive=revive,
            name=name,
            answers=NAMED[policy] if policy else None,
            leave_open=policy == "ask",
        )
        told_line(store, done, db, json)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.rpartition("=")
    if not equals or not key or not value:
        raise click.UsageError(f"{text!r}: write NAME=VALUE")
    return key, value


def _numbers(key: str, value: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in value.replace(",", " ").split())
    except ValueError:
        raise click.UsageError(f"{value!r} are no faces for {key}: write 4,6") from None
