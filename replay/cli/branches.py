"""`affray fork`, `branches`, `promote`, `diff`, `merge`, `undo`, `redo`: lines of play."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from affray.events.errors import counted, shell_command
from affray.replay.cli.terminal.base import (
    as_json,
    complete_branches,
    database,
    is_at_prompt,
    on_branch,
    reading,
    wrap_row,
    writing,
)
from affray.replay.cli.terminal.printing import exit_unless, print_found, put
from affray.replay.log import branches as lines

if TYPE_CHECKING:
    from affray.replay.difference import Difference
    from affray.replay.merging.conflicts import Conflict
    from affray.replay.merging.merge import Merged
    from affray.replay.undo import Step


# --- `affray fork`, `affray branches`, `affray promote`: lines of play


@click.command(epilog="Example: affray fork fight.db --at r3 --as retry")
@database
@click.option("--at", "position", required=True, help="Where to leave: 17, r3, r3.t2 or end.")
@click.option("--as", "name", required=True, help="The name of the new branch.")
@on_branch
@as_json
def fork(db: Path, position: str, name: str, branch: str, json: bool) -> None:
    """Begin a branch: play on from an earlier position; what was played stays readable.

    A number leaves right after that event, a round or turn as soon as somebody can declare in it.
    """
    with writing(db) as store:
        made = lines.fork(store, position, name, branch)
    told = f"{made.name} leaves {made.parent} after event {made.at}"
    print_found({"name": made.name, "parent": made.parent, "at": made.at}, [told], json)


@click.command(epilog="Example: affray branches fight.db")
@database
@as_json
def branches(db: Path, json: bool) -> None:
    """List the branches: where each leaves its parent and where it ends; * is the main line."""
    with reading(db) as store:
        found = lines.branches(store)
    longest = max(len(line.name) for line in found)

    def rows() -> Iterator[str]:
        for line in found:
            left = f", leaves {line.parent} after event {line.at} ({line.left})" if line.parent else ""
            mark = "*" if line.main else " "
            ends = f"ends at event {line.head} ({line.ends}), {line.own} of its own"
            of = f", put together of {', '.join(line.merged)}" if line.merged else ""
            yield from wrap_row(f"{mark} {line.name:<{longest}}  {ends}{left}{of}", " " * (longest + 4))

    print_found(found, rows(), json)


@click.command(epilog="Example: affray promote fight.db retry")
@database
@click.argument("name", shell_complete=complete_branches)
@click.option("--by", default="", help="Who decides so.")
@as_json
def promote(db: Path, name: str, by: str, json: bool) -> None:
    """Make a branch the main line, by an event on it; the old line stays readable."""
    with writing(db) as store:
        seq = lines.promote(store, name, by)
    print_found({"main": name, "seq": seq}, [f"{name} is the main line from event {seq} on"], json)


# --- `affray diff`: two branches side by side


@click.command(epilog="Example: affray diff fight.db main whatif-1")
@database
@click.argument("a", shell_complete=complete_branches)
@click.argument("b", shell_complete=complete_branches)
@click.option("--events", "all_events", is_flag=True, help="List every event that differs as well.")
@as_json
def diff(db: Path, a: str, b: str, all_events: bool, json: bool) -> None:
    """Compare two branches: by combatant, declaration, roll and event. Status 1 if they differ."""
    from affray.replay.difference import diff as compared

    with reading(db) as store:
        found = compared(store, a, b)
    print_found(found, _lines(found, all_events), json)
    exit_unless(found.same)


def _lines(found: "Difference", all_events: bool) -> Iterator[str]:
    yield found.sentence
    if found.counted != found.sentence:
        yield found.counted
    if found.combatants:
        yield from ("", f"Combatants at the end ({found.a} | {found.b})")
        yield from (f"  {row}" for one in found.combatants for row in one.rows())
    if found.declarations:
        yield from ("", f"Declarations ({found.a} | {found.b})")
        for change in found.declarations:
            who = change.actor or "the game master"
            a, b = change.a or "not declared", change.b or "not declared"
            yield f"  {change.id} {who}, {change.act}: {a} | {b}"
    if found.rolls:
        yield from ("", f"Rolls ({found.a} | {found.b})")
        for roll in found.rolls:
            yield f"  {roll.key}: {_faces(roll.a)} | {_faces(roll.b)}"
    if found.events and all_events:
        yield from ("", "Events")
        for event in found.events:
            at = " | ".join(f"#{seq}" if seq else "-" for seq in (event.a, event.b))
            yield f"  {event.kind}: {event.what} ({at})"


def _faces(faces: tuple[int, ...]) -> str:
    return ", ".join(map(str, faces)) or "not rolled"


# --- `affray merge`: what was ruled on several branches put into one line

MERGE_EXAMPLES = """\b
Examples:
  affray merge fight.db ruling-R1 ruling-R2
  affray merge fight.db ruling-R1 ruling-R2 whatif-1 --as settled
  affray merge fight.db ruling-R1 ruling-R2 --take R2
"""


@click.command(epilog=MERGE_EXAMPLES)
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
    from affray.replay.merging.conflicts import MergeConflict
    from affray.replay.merging.merge import merge as put_together

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
        print_found({"conflicts": error.conflicts}, _conflicts(error.conflicts, db, names), json)
        click.get_current_context().exit(error.status)
    print_found(done, _summary(done, db), json)


def _conflicts(found: "list[Conflict]", db: Path, names: tuple[str, ...]) -> Iterator[str]:
    yield f"nothing is written: {counted(len(found), 'conflict')}"
    for one in found:
        yield f"  {one.why}"
        for each in one.sides:
            yield f"    {each.told()}"
    first = found[0].sides[0]
    side = first.what if first.what.startswith("R") and first.event else first.branches[0]
    yield f"Settle it with: {shell_command('merge', db, *names, '--take', side)}"


def _summary(done: "Merged", db: Path) -> Iterator[str]:
    again = counted(done.redecided, "declaration")
    yield f"{done.name} leaves {done.parent} after event {done.at}; {again} again"
    for fate, sides in (
        ("holds", done.held),
        ("says the same, and holds once", done.agreed),
        ("gives way", done.dropped),
        ("without an object already on a branch of its own", done.idle),
    ):
        yield from (f"  {fate}: {side.told()}" for side in sides)
    for fate, by_branch in (
        ("played on there, and taken over", done.added),
        ("not taken over", done.left_out),
    ):
        yield from (f"  {fate} from {branch}: {', '.join(ids)}" for branch, ids in by_branch.items())
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


# --- `affray undo`, `affray redo`: taking back the last declarations, and bringing them again

UNDO_EXAMPLES = """\b
Examples:
  affray undo fight.db
  affray undo fight.db 3 --by GM
"""


@click.command(epilog=UNDO_EXAMPLES)
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
    print_found(step, told("took back", step, said, also), json)
    if json:
        return
    if step.closed:
        put("  the encounter had been closed: the seed of its dice is known")
    put(f"{step.line} is the main line now, {where(step)}; {step.left} keeps what was taken back")
    again = "redo" if is_at_prompt() else shell_command("redo", db)
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
    print_found(step, told("brought again", step, said, also), json)
    if not json:
        put(f"{step.line} is the main line now, {where(step)}")


def told(did: str, step: "Step", said: dict[str, str], also: list[str]) -> Iterator[str]:
    """Yield what was taken back or brought again, as wide as a terminal."""
    for ruling in step.rulings:
        named = f" {ruling.id}" if ruling.id else ""
        by = f" by {ruling.author}" if ruling.author else ""
        yield from wrap_row(f"{did} the ruling{named}{by}: {ruling.text or 'no reason given'}")
    for one in step.declarations:
        refused = " (refused)" if one.refused else ""
        yield from wrap_row(f"{did} {one.id}: {said[one.id]}{refused}")
    for words in also:
        yield from wrap_row(f"{did} {words}")


def where(step: "Step") -> str:
    """Return where the fight stands."""
    return f"at r{step.round}.t{step.turn}" if step.turn else f"at r{step.round}"
