"""`affray merge`: what was ruled on several branches put into one line."""

from collections.abc import Iterator
from pathlib import Path

import click

from affray.events.wording import counted, shell_command
from affray.replay.cli.base import as_json, database, writing
from affray.replay.cli.completing import complete_branches
from affray.replay.cli.printing import print_json, put_all
from affray.replay.merge_branches import Merged
from affray.replay.merge_conflicts import Conflict

EXAMPLES = """\b
Examples:
  affray merge fight.db ruling-R1 ruling-R2
  affray merge fight.db ruling-R1 ruling-R2 whatif-1 --as settled
  affray merge fight.db ruling-R1 ruling-R2 --take R2
"""


@click.command(epilog=EXAMPLES)
@database
@click.argument(
    "names", nargs=-1, required=True, metavar="BRANCH BRANCH...", shell_complete=complete_branches
)
@click.option("--as", "name", default="", help="The name of the new branch.")
@click.option(
    "--take", multiple=True, metavar="SIDE", help="In a conflict this branch or ruling holds; repeat it."
)
@click.option(
    "--policy",
    type=click.Choice(["auto", "cautious", "ask"]),
    help="Who answers new questions; with ask the line waits for you. The combatants' own without it.",
)
@as_json
def merge(
    db: Path, names: tuple[str, ...], name: str, take: tuple[str, ...], policy: str | None, json: bool
) -> None:
    """Put what was changed by hand on two or more branches into one new line, and say what came of it.

    The fight is decided again from where the branches part, with every ruling of each in its place; their
    order does not matter. What finds nothing to rule on any more, or contradicts what another branch holds,
    is a conflict: both sides are named, nothing is written, and the status is 1. --take settles it.
    """
    from affray.engine.table.policies import NAMED
    from affray.replay.merge_branches import merge as put_together
    from affray.replay.merge_conflicts import MergeConflict

    try:
        with writing(db) as store:
            done = put_together(
                store,
                names,
                name=name,
                take=take,
                answers=NAMED[policy] if policy else None,
                leave_open=policy == "ask",
            )
    except MergeConflict as error:
        if json:
            print_json({"conflicts": error.conflicts})
        else:
            put_all(_conflicts(error.conflicts, db, names))
        click.get_current_context().exit(error.status)
    if json:
        print_json(done)
    else:
        put_all(_summary(done, db))


def _conflicts(found: list[Conflict], db: Path, names: tuple[str, ...]) -> Iterator[str]:
    yield f"nothing is written: {counted(len(found), 'conflict')}"
    for one in found:
        yield f"  {one.why}"
        for each in one.sides:
            yield f"    {each.told()}"
    first = found[0].sides[0]
    side = first.what if first.what.startswith("R") and first.event else first.branches[0]
    yield f"Settle it with: {shell_command('merge', db, *names, '--take', side)}"


def _summary(done: Merged, db: Path) -> Iterator[str]:
    again = counted(done.redecided, "declaration")
    yield f"{done.name} leaves {done.parent} after event {done.at}; {again} again"
    for side in done.held:
        yield f"  holds: {side.told()}"
    for side in done.agreed:
        yield f"  says the same, and holds once: {side.told()}"
    for side in done.dropped:
        yield f"  gives way: {side.told()}"
    for side in done.idle:
        yield f"  without an object already on a branch of its own: {side.told()}"
    for branch, ids in done.added.items():
        yield f"  played on there, and taken over from {branch}: {', '.join(ids)}"
    for branch, ids in done.left_out.items():
        yield f"  not taken over from {branch}: {', '.join(ids)}"
    for id, (reason, rule) in done.invalidated.items():
        yield f"  impossible now: {id}: {reason}{f' [{rule}]' if rule else ''}"
    for id in done.allowed:
        yield f"  stays refused, though it would be allowed now: {id}"
    for id, (reason, _) in done.refused.items():
        yield f"  the rules refuse it: {id}: {reason}"
    for key, answer in done.asked.items():
        yield f"  answered by policy: {key}: {answer}"
    for key, answer in done.unasked.items():
        yield f"  nobody asks any more: {key} (answered: {answer})"
    if done.waiting:
        rest = f"; not reached: {', '.join(done.left)}" if done.left else ""
        yield f"  {done.name} waits: {done.waiting}{rest}"
        yield f"  (answer with: {shell_command('choose', db, 'ANSWER', '--branch', done.name)})"
    for found in done.differences:
        yield f"Against {found.a}: {found.sentence}"
    yield f"state {done.digest}"
    yield f"See more with: {shell_command('diff', db, done.branches[0], done.name)}"
    yield f"Make it the main line with: {shell_command('promote', db, done.name)}"
