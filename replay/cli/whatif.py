"""`affray whatif`, `pivots`: the rest of a fight under another ruling, and which changes matter."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import click

from affray.engine.book.card import wrapped
from affray.engine.language.cast import Cast
from affray.events.errors import counted, shell_command
from affray.events.stores.store import Store
from affray.replay.chance.outcome_odds import percent
from affray.replay.chance.summaries import Pivot, Pivots
from affray.replay.cli.terminal.base import (
    add_worker_options,
    as_json,
    complete_branches,
    complete_outcomes,
    database,
    on_branch,
    reading,
    watched,
    width,
    wrap_row,
    writing,
)
from affray.replay.cli.terminal.printing import print_found
from affray.replay.difference import Difference, diff
from affray.replay.log.playhead import state_at
from affray.replay.redecide.rulings import GRAMMAR
from affray.replay.whatif.pivots import pivot_branch
from affray.replay.whatif.pivots import pivots as found_by
from affray.replay.whatif.what_if import WhatIf

# --- `affray whatif`: the rest of a fight under another ruling

WHATIF_EXAMPLES = """\b
Examples:
  affray whatif fight.db --at 42 --faces d9/ogre/attack/1=4
  affray whatif fight.db --reading soft_cover=none --as open-field
  affray whatif fight.db --at 42 --ruling "the wall covers her" --effect "rogue.defense+4:cover"
  affray whatif fight.db --at 42 --ruling "he never said that"
  affray whatif fight.db --ruling "she stayed" --effect "d10=total-defense"
  affray whatif fight.db --at 42 --ruling "no wall" --effect "rogue.at=4,3" --revive x1
"""


@click.command(epilog=WHATIF_EXAMPLES)
@database
@click.option("--at", "position", help="An event of the declaration, or a position r3.t2.")
@click.option(
    "--faces", multiple=True, metavar="KEY=4,6", help="Other dice results for a roll (see affray why)."
)
@click.option("--reading", multiple=True, metavar="OPTION=VALUE", help="Another reading of a contested rule.")
@click.option("--ruling", metavar="TEXT", help="A ruling on the declaration; without --effect it is void.")
@click.option("--effect", multiple=True, help=f"The changes of the ruling: {GRAMMAR}.")
@click.option("--revive", multiple=True, metavar="ID", help="Play a declaration that was refused; repeat it.")
@click.option("--by", default="", help="Author of the ruling.")
@click.option("--as", "name", default="", help="The name of the new branch.")
@click.option(
    "--policy",
    type=click.Choice(["auto", "cautious", "ask"]),
    help="Policy for new questions; with ask the branch waits for you. Default: each combatant's policy.",
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
    """Decide the rest of a fight again on a new branch, and print what would have changed.

    The same roll has the same result; the same question, the same answer. Declarations that are no longer
    possible are recorded as such; new questions are answered by policy. Declarations that were refused stay
    refused unless they are revived.
    """
    from affray.engine.table.policies import NAMED
    from affray.replay.log.branches import concerned
    from affray.replay.whatif.what_if import Ruling, what_if

    if effect and ruling is None:
        raise click.UsageError("--effect needs --ruling")
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
        print_branch_changes(store, done, db, json)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.rpartition("=")
    if not equals or not key or not value:
        raise click.UsageError(f"{text!r}: write NAME=VALUE")
    return key, value


def _numbers(key: str, value: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in value.replace(",", " ").split())
    except ValueError:
        raise click.UsageError(f"{value!r} is not a list of dice results for {key}: write 4,6") from None


# --- The results of declarations decided again, for what-ifs and rulings


def named_by(store: Store, done: WhatIf) -> Cast:
    """Return the names of the combatants in the fight at the end of a what-if's branch."""
    return Cast.of(state_at(store, done.name, done.head))


def print_branch_changes(store: Store, done: WhatIf, db: Path, json: bool) -> None:
    """Print what has changed on the branch of a what-if."""
    found = diff(store, done.parent, done.name)
    cast = named_by(store, done)
    more = f"See more with: {shell_command('diff', db, done.parent, done.name)}"
    counts = () if found.counted == found.sentence else (found.counted,)
    rows = chain(leaving(done), (found.sentence, *counts), became(done, found, cast, db), [more])
    told = (row for prose in rows for row in wrap_row(prose))
    print_found({"whatif": done, "difference": found}, told, json)


def leaving(done: WhatIf) -> Iterator[str]:
    """Yield where the branch of a what-if leaves its parent, and how much was decided again on it."""
    again = counted(done.redecided, "declaration")
    yield f"{done.name} leaves {done.parent} after event {done.at}; {again} again"


def became(done: WhatIf, found: Difference, cast: Cast, db: Path) -> Iterator[str]:
    """Yield changes without effect, declarations no longer or newly possible, and answers by policy."""
    yield from (f"  without effect: {why}" for why in found.idle if why not in found.sentence)
    yield from (f"  impossible now: {id}: {_cited(*why)}" for id, why in done.invalidated.items())
    yield from (f"  possible again: {id}" for id in done.possible)
    for id, why in done.allowed.items():
        yield f"  stays refused, though allowed now: {id}: {_cited(*why)}"
        yield f"  (play it with: --revive {id})"
    yield from (f"  revived: {id}" for id in done.revived)
    yield from (f"  the rules refuse it: {id}: {_cited(*why)}" for id, why in done.refused.items())
    yield from (f"  answered by policy: {key}: {answer}" for key, answer in done.asked.items())
    for who, turns in Counter(done.ended.values()).items():
        yield f"  {passed(cast.name(who), turns) if who else 'a turn without a combatant is skipped'}"
    if done.waiting:
        rest = f"; not reached: {', '.join(done.left)}" if done.left else ""
        yield f"  {done.name} waits: {done.waiting}{rest}"
        yield f"  (answer with: {shell_command('choose', db, 'ANSWER', '--branch', done.name)})"


def passed(name: str, turns: int) -> str:
    """Return a sentence on turns that only exist on this line, without declarations."""
    if turns == 1:
        return f"{name} has a turn here without declarations: it passes"
    return f"{name} has {counted(turns, 'turn')} here without declarations: they pass"


def _cited(reason: str, rule: str) -> str:
    return f"{reason} [{rule}]" if rule else reason


# --- `affray pivots`: every single change that would have changed an outcome

PIVOTS_EXAMPLES = """\b
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
"""Most pivots printed without `--all`."""


@click.command(epilog=PIVOTS_EXAMPLES)
@database
@click.option(
    "--outcome", "text", required=True, shell_complete=complete_outcomes, help="The outcome (see below)."
)
@click.option(
    "--branch", "number", type=int, metavar="N", help="Make pivot N a branch, and print what changes."
)
@click.option("--as", "name", default="", help="The name of that branch.")
@click.option(
    "--line", default="", shell_complete=complete_branches, help="A branch; default: the main line."
)
@add_worker_options
@click.option("--all", "everything", is_flag=True, help=f"Print all, not only the first {MOST}.")
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
    """List every single change that would have changed an outcome, the likeliest first.

    Each change is tried alone: all results of each die, the other answers to each question, each modifier
    removed, and each other reading of a contested rule. The rest is decided again as by affray whatif: the
    same roll has the same result.
    """
    if name and number is None:
        raise click.UsageError("--as needs --branch N")
    with reading(db) as store, watched("trying single changes") as progress:
        found = found_by(store, text, branch=line, jobs=jobs, on=on, progress=progress)
    if number is not None:
        with writing(db) as store:
            print_branch_changes(store, pivot_branch(store, found, number, name), db, json)
    else:
        print_found(found, _pivots_told(found, everything), json)


def _pivots_told(found: Pivots, everything: bool) -> Iterator[str]:
    so = "this is true" if found.holds else "this is not true"
    yield from wrapped(f"{found.outcome}: {so} on {found.branch}.", width(), "", "  ")
    tried = f"{counted(found.tried, 'single change')} (of {counted(found.rolls, 'roll')}, of answers,"
    tried = f"{tried} modifiers and readings)"
    if not found.pivots:
        yield from wrapped(f"None of {tried} would have made the difference.", width(), "", "  ")
    else:
        alone = f"Of {tried} each of these would have made the difference:"
        yield from wrapped(alone, width(), "", "  ")
    shown = found.pivots if everything else found.pivots[:MOST]
    for number, one in enumerate(shown, 1):
        yield from _numbered(number, one, everything)
    if len(shown) < len(found.pivots):
        yield f"  ... and {len(found.pivots) - len(shown)} more (--all)"
    for unknown in found.unknown[: None if everything else 3]:
        told = f"Unknown for {unknown.key} (#{unknown.seq}): {unknown.reason}"
        yield from wrapped(told, width(), "", "  ")
    if len(found.unknown) > 3 and not everything:
        yield f"  ... and for {len(found.unknown) - 3} more (--all)"


def _numbered(number: int, one: Pivot, reasons: bool) -> Iterator[str]:
    chance = "" if one.chance is None else percent(one.chance)
    place = f"#{one.seq}" if one.kind != "reading" else ""
    yield from wrapped(f"{number:>3}  {chance:>7}  {place:<5} {one.told}", width(), "", " " * 20)
    if one.impossible:
        said = (f"{id} ({reason})" if reasons else id for id, reason, _ in one.impossible)
        ids = ", ".join(said)
        yield from wrapped(f"impossible then: {ids}", width(), " " * 20, " " * 22)
