"""`affray demo`: a packaged fight from first die to verified log."""

from pathlib import Path

import click

from affray.engine.dialects import dialects
from affray.engine.table.scenario import packaged
from affray.events.codec import decode
from affray.events.facts.combat import AttackResolved
from affray.events.store import Store
from affray.events.wording import counted, shell_command
from affray.replay.cli.base import LOG, as_json, creating
from affray.replay.cli.output import output, refuse_log
from affray.replay.cli.play import play_through
from affray.replay.cli.printing import print_json, say
from affray.replay.narrate.words import notable
from affray.replay.verification import Report, verify


@click.command(epilog="Example: affray demo --dialect srd35 --db demo.db")
@click.option(
    "--dialect", type=click.Choice(dialects()), default="srd35", show_default=True, help="The rules."
)
@click.option("--db", type=LOG, help="The new file of the log.")
@click.option("--html", type=click.Path(path_type=Path), help="Write the fight as a page to replay, too.")
@click.option("--seed", default="", help="Other dice than the usual ones: any text.")
@as_json
def demo(dialect: str, db: Path | None, html: Path | None, seed: str, json: bool) -> None:
    """Play the packaged fight of a dialect to its end, verify it and keep its log.

    The log is DIALECT-demo.db unless --db names another new file. --html writes the page with which any
    browser replays the fight.

    With --json the events as JSON Lines, and a last line with the report.
    """
    db = db or Path(f"{dialect}-demo.db")
    if html is not None:
        refuse_log(html, db)
    with creating(db) as store:
        played = play_through(packaged(f"demo_{dialect}"), store, seed=seed, ask=False, json=json, db=db)
        report = verify(store, played.table.branch)
        hit = striking(store, played.table.branch)
        if html is not None:
            from affray.replay.viewer import build

            with output(html, db) as file:
                file.write(build(store, played.table.branch).encode())
    if json:
        print_json({"db": str(db), "ok": report.ok, "report": report})
    else:
        tell_end(db, report, hit)
        if html is not None:
            say()
            say(f"Open {html} in a browser to replay it.")
    if not report.ok:
        raise SystemExit(1)


def striking(store: Store, branch: str) -> int:
    """Return the position of the hit with most to explain; 0 if nobody hit anybody."""
    best, place = (-1, -1), 0
    for event in store.read(branch):
        if event.type == "attack.resolved":
            fact: AttackResolved = decode(event)
            parts = (*fact.attack, *fact.defense)
            worth = (len(notable(parts)), len(parts))
            if fact.result != "miss" and worth > best:
                best, place = worth, event.seq
    return place


def tell_end(db: Path, report: Report, hit: int) -> None:
    """Print what verify found and what to try next."""
    say()
    if report.ok:
        checked = ", ".join(f"{check.name} {check.count}" for check in report.checks)
        say(f"Verified: {counted(report.events, 'event')}, every check passed ({checked}).")
    for check in report.checks:
        if not check.ok:
            say(f"Broken: {check.name}: {check.problem}")
    say(f"The log is {db}. Try next:")
    say()
    tries = [
        *([(shell_command("why", db, hit), "why that attack hit, down to every modifier")] if hit else []),
        (shell_command("show", db, "--at", "r2"), "the state as round 2 begins"),
        (shell_command("log", db, "--from", "r2", "--to", "r3"), "its events"),
        (shell_command("verify", db), "dice, digests and decisions, checked again"),
        (shell_command("export", db, "--format", "markdown"), "the session as a report"),
        (
            shell_command("export", db, "--format", "html", "--out", "fight.html"),
            "the fight as a page to replay",
        ),
    ]
    wide = max(len(typed) for typed, _ in tries)
    for typed, what in tries:
        say(f"  {typed:<{wide}}  {what}")
