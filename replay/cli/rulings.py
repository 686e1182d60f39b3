"""`affray dispute`, `ruling`, `rulings`, `report`: contesting an event, deciding on it, the register."""

from collections.abc import Callable
from pathlib import Path

import click

from affray.events.errors import shell_command
from affray.replay.cli.terminal.base import (
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

# --- `affray dispute`, `affray ruling`, `affray rulings`: contesting an event, deciding on it, the register

INDENT = "    "
"""Before what follows the first row of a ruling or a dispute: as wide as its id."""


@click.command(epilog='Example: affray dispute fight.db 52 --by Anna --claim "the stones cover her"')
@database
@click.argument("seq", type=click.IntRange(min=1))
@click.option("--by", default="", help="Who contests it.")
@click.option("--claim", required=True, help="What they say.")
@on_branch
@as_json
def dispute(db: Path, seq: int, by: str, claim: str, branch: str, json: bool) -> None:
    """Put on record that somebody contests an event; nothing else changes."""
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
@click.option("--dispute", default="", metavar="ID", help="The dispute that this settles.")
@click.option("--text", required=True, help="The reason.")
@click.option("--by", "author", required=True, help="Who rules.")
@click.option("--change", "changes", multiple=True, help=f"What it means; repeat it: {GRAMMAR}.")
@click.option("--revive", multiple=True, metavar="ID", help="Play what was refused when declared; repeat it.")
@click.option("--scope", type=click.Choice(SCOPES), default="event", show_default=True, help="How far.")
@click.option("--promote", "promoting", is_flag=True, help="Make the new branch the main line.")
@click.option("--as", "name", default="", help="The name of the new branch.")
@click.option("--policy", type=click.Choice(["auto", "cautious", "ask"]), help="Who answers new questions.")
@click.option("--void", is_flag=True, help="Close the declaration that is open as it stands.")
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
    """Rule on a past event, from now on, or on the declaration that is open.

    An event is upheld, overturned (its declaration is void unless --change says otherwise) or amended.
    To overturn or amend makes a branch with the rest of the fight decided again; what the rules refused
    when it was declared stays refused there, unless it is revived. Without a verdict,
    --void closes the declaration that is open: what was recorded remains, nothing more follows.
    """
    if verdict is None:
        _close(db, text, author, void, request, json)
        return
    from affray.engine.table.policies import NAMED
    from affray.replay.cli.whatif import became, leaving, named_by
    from affray.replay.explain.disputes import rule
    from affray.replay.log.branches import concerned
    from affray.replay.text.cast import Cast

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
        return
    from affray.replay.explain.why import format_ruling

    put_prose(format_ruling(done.ruling), INDENT)
    if done.whatif is None or done.difference is None:
        return
    made, found = done.whatif, done.difference
    for row in (*leaving(made), found.sentence, *became(made, found, cast, db)):
        put_prose(row)
    see = f"See also: {shell_command('report', db, '--ruling', done.ruling.id)}"
    put(f"{made.name} is the main line from now on" if done.promoted else see)


def _close(db: Path, text: str, author: str, void: bool, request: str, json: bool) -> None:
    """Void the declaration that is open."""
    from affray.engine.table.table import Table
    from affray.events.facts.acts import Rule
    from affray.replay.cli.declare import report

    if not void:
        raise click.UsageError("say uphold, overturn or amend, or --void for the declaration that is open")
    with writing(db) as store:
        table = Table(store)
        report(store, table, table.declare(Rule(text=text, author=author), request=request), db, json)


@click.command(epilog="Example: affray rulings fight.db")
@database
@as_json
def rulings(db: Path, json: bool) -> None:
    """List all disputes and rulings of a log; * marks the rulings that the main line holds."""
    from affray.replay.explain.why import format_ruling
    from affray.replay.log.register import register

    with reading(db) as store:
        found = register(store)
    if json:
        print_json(found)
        return
    if not found.disputes and not found.rulings:
        put("nothing was disputed and nothing ruled")
    for one in found.disputes:
        state = f"settled by {one.ruling}" if one.ruling else "open"
        who = one.by or "somebody"
        put_prose(
            f"  {one.id}  {who} on event {one.event} of {one.branch}: {one.claim} ({state})", f"  {INDENT}"
        )
    for verdict in found.rulings:
        mark = "*" if verdict.counts else " "
        lines = ", ".join((verdict.branch, *verdict.also))
        stands = "" if verdict.branch == verdict.parent and not verdict.also else f" [{lines}]"
        put_prose(f"{mark} {format_ruling(verdict)}{stands}", f"  {INDENT}")


# --- `affray report`: one page about a dispute or a ruling


@click.command(epilog="Example: affray report fight.db --ruling R1 --format html --out ruling.html")
@database
@click.option("--dispute", default="", metavar="ID", help="A dispute: Q1.")
@click.option("--ruling", default="", metavar="ID", help="A ruling: R1.")
@click.option(
    "--format", "kind", type=click.Choice(["markdown", "html", "json"]), default="markdown", show_default=True
)
@make_rulebook_option("The rulebook that rules link to: a page beside this one, a folder, an address.")
@click.option("--out", type=click.Path(path_type=Path), help="A file; standard output without it.")
def report(db: Path, dispute: str, ruling: str, kind: str, rulebook: str, out: Path | None) -> None:
    """Write one page: question, explanation, ruling, difference, and the digests of both lines."""
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
