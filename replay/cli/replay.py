"""`affray replay`: decide fights again, under changed rules or another rulebook."""

from itertools import chain
from pathlib import Path

import click

from affray.events.errors import AffrayError, shell_command
from affray.replay.cli.terminal.base import (
    DIALECT,
    LOG,
    add_worker_options,
    as_json,
    creating,
    make_rulebook_option,
    on_branch,
    reading,
    watched,
)
from affray.replay.cli.terminal.output import output, refuse_log
from affray.replay.cli.terminal.printing import exit_unless, link_to_rulebook, print_found
from affray.replay.text.rulebook_links import settled, whole

EXAMPLES = """\b
Examples:
  affray replay logs/ --reading soft_cover_blocks_aoo=off
  affray replay logs/ fight.db --figure srd35.charge.attack.attack=3 --page errata.html
  affray replay logs/ --package my-rules/ --expect none
  affray replay logs/ --expect none
  affray replay fight.db --dialect pf1 --into fight-pf1.db
  affray replay fight.db --dialect pf1 --into fight-pf1.db --page differences.html
"""


@click.command(epilog=EXAMPLES)
@click.argument("logs", nargs=-1, required=True, metavar="LOG...", type=LOG)
@click.option("--reading", "readings", multiple=True, help="Another reading, OPTION=VALUE; repeat it.")
@click.option(
    "--figure",
    "figures",
    multiple=True,
    help="Another figure of the catalogue, RULE.FIGURE=VALUE; repeat it.",
)
@click.option(
    "--package",
    "packages",
    multiple=True,
    help="A dialect or house rules as they are now: a folder, a file or a name.",
)
@click.option("--dialect", type=DIALECT, help="The rulebook to decide by.")
@click.option("--into", type=LOG, help="Store one fight under another rulebook here.")
@click.option(
    "--page", "page_at", type=click.Path(path_type=Path), help="Also write the differences as a page."
)
@make_rulebook_option("The rulebook that rules link to, also in --page; for several dialects a folder.")
@click.option("--expect", type=click.Choice(["none", "some"]), help="Status 1 unless none, or some, change.")
@add_worker_options
@on_branch
@as_json
def replay(
    logs: tuple[Path, ...],
    readings: tuple[str, ...],
    figures: tuple[str, ...],
    packages: tuple[str, ...],
    dialect: str | None,
    into: Path | None,
    page_at: Path | None,
    rulebook: str,
    expect: str | None,
    jobs: int,
    on: str,
    branch: str,
    json: bool,
) -> None:
    """Decide fights again under changed rules with the same dice, and print the changes.

    LOG is a log, an export in jsonl, or a folder of these. Each is first decided as recorded, so that a
    difference is due to the change alone; without a change only this is done. The logs are not modified.
    Differences are counted by the rule at which a fight first differs.

    With --package, fights that were opened with another version of the package are decided with the one
    named, and compared with their records; house rules are added to all other fights of their dialect.

    With --into, one fight under another rulebook is stored as an ordinary log: verify, why and whatif
    read it like any other. The same roll has the same result; additional rolls of the rulebook use the same
    seed, once it is known. Parts that the rulebook does not know are listed: a fight with a combatant that
    cannot enter is refused, with all reasons.

    With --expect the status is 0 if the expectation holds, 1 if not, 2 if a log cannot be decided.
    """
    link_to_rulebook(whole(rulebook))
    if into is not None:
        if len(logs) != 1 or not dialect or readings or figures or packages or expect or on:
            raise click.UsageError("--into stores one fight under another --dialect, without other options")
        _kept(logs[0], dialect, into, page_at, branch, rulebook, json)
        return
    from affray.replay.redecide.rule_change import Change
    from affray.replay.rule_changes.report import make_errata_page, yield_errata_lines
    from affray.replay.rule_changes.survey import errata

    change = Change(
        readings=dict(map(_pair, readings)),
        figures=dict(map(_pair, figures)),
        packages=packages,
        dialect=dialect or "",
    )
    for log in logs:
        refuse_log(page_at, log)
    with watched("deciding again") as progress:
        found = errata(logs, change, branch=branch, jobs=jobs, on=on, progress=progress)
    if page_at is not None:
        with output(page_at, logs[0]) as file:
            file.write(make_errata_page(found, settled(rulebook, page_at.parent)).encode())
    print_found(found, yield_errata_lines(found), json)
    as_expected = not expect or bool(found.changed) == (expect == "some")
    if expect == "none" and change.empty:
        as_expected = not found.count("does not come out as recorded")
    exit_unless(as_expected)
    if expect and found.get_unjudged_logs:
        click.get_current_context().exit(2)


def _pair(said: str) -> tuple[str, str]:
    """Return name and value; the name of a row may contain an equals sign."""
    name, equals, value = said.rpartition("=")
    if not (name and equals):
        raise click.UsageError(f"{said!r} is not NAME=VALUE")
    return name.strip(), value.strip()


def _kept(
    db: Path, dialect: str, into: Path, page_at: Path | None, branch: str, rulebook: str, json: bool
) -> None:
    from affray.replay.rule_changes.another_dialect import decide_under, lines, page

    refuse_log(page_at, db)
    refuse_log(page_at, into)
    with reading(db) as store, creating(into, discard=(AffrayError,)) as new:
        found = decide_under(store, dialect, new, branch=branch)
    if page_at is not None:
        with output(page_at, db) as file:
            file.write(page(found, settled(rulebook, page_at.parent)).encode())
    look, check = shell_command("show", into), shell_command("verify", into)
    told = f"The new log is {into}. Read it with: {look}; check it with: {check}"
    print_found(found, chain(lines(found), ("", told)), json)
