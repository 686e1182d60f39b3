"""`affray dispute`, `ruling`, `rulings`, `report`: dispute an event, rule on it, list rulings."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from affray.events.errors import shell_command
from affray.replay.cli.terminal.base import (
    Refused,
    as_json,
    database,
    find_rulebook_page,
    make_rulebook_option,
    on_branch,
    put_prose,
    reading,
    request_id,
    writing,
)
from affray.replay.cli.terminal.output import output, refuse_log
from affray.replay.cli.terminal.printing import encode_json_line, print_json, put
from affray.replay.redecide.rulings import GRAMMAR, SCOPES

if TYPE_CHECKING:
    from affray.replay.explain.disputes import Decided

# --- `affray dispute`, `affray ruling`, `affray rulings`: dispute an event, rule on it, list all

INDENT = "    "
"""The indent after the first row of a ruling or a dispute: the width of its id."""


@click.command(epilog='Example: affray dispute fight.db 52 --by Anna --claim "the stones cover her"')
@database
@click.argument("seq", type=click.IntRange(min=1))
@click.option("--by", default="", help="Name of the claimant.")
@click.option("--claim", required=True, help="The reason for the dispute.")
@on_branch
@as_json
def dispute(db: Path, seq: int, by: str, claim: str, branch: str, json: bool) -> None:
    """Record a dispute of an event; nothing else changes."""
    from affray.replay.explain.disputes import dispute as record

    with writing(db) as store:
        made = record(store, seq, by, claim, branch)
    if json:
        print_json(made)
        return
    put_prose(f"{made.id}: {by or 'somebody'} disputes event {seq} of {made.branch}: {claim}")
    decided = shell_command("ruling", db, "uphold", "--dispute", made.id)
    put(f'Decide it with: {decided} --text "..."')


RULINGS_EXAMPLES = """\b
Examples:
  affray ruling fight.db uphold --dispute Q1 --text "stones do not cover" --by GM
  affray ruling fight.db amend --at 52 --by GM --text "covered" --change "sorcerer.defense+4:cover"
  affray ruling fight.db amend --by GM --text "he meant the ogre" --change "d9.target=ogre"
  affray ruling fight.db amend --by GM --text "his back" --change "before d9: opening rogue opponent=ogre"
  affray ruling fight.db amend --by GM --text "the other way" --change "swap d9 d10"
  affray ruling fight.db amend --by GM --text "rested" --change "bran.hp=40" --scope fight
  affray ruling fight.db amend --by GM --text "wrong sheet" --change "bran.sheet.base_attack=6"
  affray ruling fight.db amend --at 52 --by GM --text "cocked die" --change "attack=miss"
  affray ruling fight.db overturn --at 52 --by GM --text "he never said that" --promote
  affray ruling fight.db amend --at 52 --by GM --text "no wall" --change "rogue.at=4,3" --revive x1
  affray ruling fight.db amend --scope onward --by GM --text "higher" --change "fighter.attack+1"
  affray ruling fight.db --void --text "let it rest" --by GM
"""


@click.command(epilog=RULINGS_EXAMPLES)
@database
@click.argument("verdict", type=click.Choice(["uphold", "overturn", "amend"]), required=False)
@click.option("--at", "position", help="The event ruled on, or a position r3.t2.")
@click.option("--dispute", default="", metavar="ID", help="The dispute that this resolves.")
@click.option("--text", required=True, help="The reason.")
@click.option("--by", "author", required=True, help="Author of the ruling.")
@click.option("--change", "changes", multiple=True, help=f"A change; repeat it: {GRAMMAR}.")
@click.option("--revive", multiple=True, metavar="ID", help="Play a declaration that was refused; repeat it.")
@click.option(
    "--scope", type=click.Choice(SCOPES), default="event", show_default=True, help="Scope of the ruling."
)
@click.option("--promote", "promoting", is_flag=True, help="Make the new branch the main line.")
@click.option("--as", "name", default="", help="The name of the new branch.")
@click.option("--policy", type=click.Choice(["auto", "cautious", "ask"]), help="Policy for new questions.")
@click.option("--void", is_flag=True, help="Close the open declaration without further events.")
@request_id
@on_branch
@as_json
def ruling(
    db: Path,
    verdict: str | None,
    position: str | None,
    dispute: str,
    text: str,
    author: str,
    changes: tuple[str, ...],
    revive: tuple[str, ...],
    scope: str,
    promoting: bool,
    name: str,
    policy: str | None,
    void: bool,
    request: str,
    branch: str,
    json: bool,
) -> None:
    """Rule on a past event, from now on, or on the open declaration.

    An event is upheld, overturned (its declaration is void unless --change says otherwise) or amended.
    Overturning and amending make a branch with the rest of the fight decided again; declarations that were
    refused stay refused there unless they are revived. Without a verdict, --void closes the open declaration:
    its recorded events remain, and no more follow.
    """
    if verdict is None:
        _close(db, text, author, void, request, json)
        return
    from affray.engine.language.cast import Cast
    from affray.engine.table.policies import NAMED
    from affray.replay.cli.whatif import became, leaving, named_by
    from affray.replay.explain.disputes import rule
    from affray.replay.log.branches import concerned

    with writing(db) as store:
        line = branch or store.main_line()
        done = rule(
            store,
            verdict,
            text,
            by=author,
            at=None if position is None else concerned(store, line, position),
            dispute=dispute,
            changes=("void",) if void and not changes else changes,
            revive=revive,
            scope=scope,
            branch=branch,
            name=name,
            answers=NAMED[policy] if policy else None,
            leave_open=policy == "ask",
            promoting=promoting,
        )
        cast = Cast() if done.whatif is None else named_by(store, done.whatif)
    if json:
        print_json(done)
        _report_unpromoted(done, promoting, line)
        return
    from affray.replay.explain.why import format_ruling

    put_prose(format_ruling(done.ruling), INDENT)
    if done.whatif is None or done.difference is None:
        return
    made, found = done.whatif, done.difference
    for row in (*leaving(made), found.sentence, *became(made, found, cast, db)):
        put_prose(row)
    _report_unpromoted(done, promoting, line)
    see = f"See also: {shell_command('report', db, '--ruling', done.ruling.id)}"
    put(f"{made.name} is the main line from now on" if done.promoted else see)


def _report_unpromoted(done: "Decided", promoting: bool, line: str) -> None:
    """Raise Refused if a ruling should have become the main line, but changes nothing."""
    if promoting and done.whatif is not None and not done.promoted:
        raise Refused(f"{done.whatif.name} is not promoted: the ruling changes nothing on {line}")


def _close(db: Path, text: str, author: str, void: bool, request: str, json: bool) -> None:
    """Void the open declaration."""
    from affray.engine.table.table import Table
    from affray.events.facts.acts import Rule
    from affray.replay.cli.declare import report

    if not void:
        raise click.UsageError("choose uphold, overturn or amend, or --void for the open declaration")
    with writing(db) as store:
        table = Table(store)
        report(store, table, table.declare(Rule(text=text, author=author), request=request), db, json)


@click.command(epilog="Example: affray rulings fight.db")
@database
@as_json
def rulings(db: Path, json: bool) -> None:
    """List all disputes and rulings of a log; * marks rulings in force on the main line."""
    from affray.replay.explain.why import format_ruling
    from affray.replay.log.register import register

    with reading(db) as store:
        found = register(store)
    if json:
        print_json(found)
        return
    if not found.disputes and not found.rulings:
        put("no disputes and no rulings")
    for one in found.disputes:
        state = f"resolved by {one.ruling}" if one.ruling else "open"
        who = one.by or "somebody"
        put_prose(
            f"  {one.id}  {who} on event {one.event} of {one.branch}: {one.claim} ({state})", f"  {INDENT}"
        )
    for verdict in found.rulings:
        mark = "*" if verdict.counts else " "
        lines = ", ".join((verdict.branch, *verdict.also))
        stands = "" if verdict.branch == verdict.parent and not verdict.also else f" [{lines}]"
        put_prose(f"{mark} {format_ruling(verdict)}{stands}", f"  {INDENT}")


# --- `affray report`: a page about a dispute or a ruling


@click.command(epilog="Example: affray report fight.db --ruling R1 --format html --out ruling.html")
@database
@click.option("--dispute", default="", metavar="ID", help="A dispute: Q1.")
@click.option("--ruling", default="", metavar="ID", help="A ruling: R1.")
@click.option(
    "--format", "kind", type=click.Choice(["markdown", "html", "json"]), default="markdown", show_default=True
)
@make_rulebook_option("The rulebook that rules link to: a page next to this one, a folder, an address.")
@click.option("--out", type=click.Path(path_type=Path), help="A file; standard output without it.")
def report(db: Path, dispute: str, ruling: str, kind: str, rulebook: str, out: Path | None) -> None:
    """Write a page: question, explanation, ruling, difference, and the digests of both lines."""
    from affray.replay.explain.dispute_page import Page, html, markdown, page

    if bool(dispute) == bool(ruling):
        raise click.UsageError("name either a --dispute or a --ruling")
    refuse_log(out, db)
    with reading(db) as store:
        at = find_rulebook_page(store, rulebook, out.parent if out else None)
        found = page(store, dispute=dispute, ruling=ruling, rulebook=at)
    writers: dict[str, Callable[[Page], str]] = {
        "json": lambda page: f"{encode_json_line(page)}\n",
        "html": lambda page: html(page, at),
        "markdown": markdown,
    }
    text = writers[kind](found)
    with output(out, db) as file:
        file.write(text.encode())
