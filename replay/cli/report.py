"""`affray report`: one page about a dispute or a ruling."""

from collections.abc import Callable
from pathlib import Path

import click

from affray.replay.cli.base import database, reading
from affray.replay.cli.output import output, refuse_log
from affray.replay.cli.printing import json_of
from affray.replay.cli.rulebook_option import page_for, rulebook_option


@click.command(epilog="Example: affray report fight.db --ruling R1 --format html --out ruling.html")
@database
@click.option("--dispute", default="", metavar="ID", help="A dispute: Q1.")
@click.option("--ruling", default="", metavar="ID", help="A ruling: R1.")
@click.option(
    "--format", "kind", type=click.Choice(["markdown", "html", "json"]), default="markdown", show_default=True
)
@rulebook_option("The rulebook that rules link to: a page beside this one, a folder, an address.")
@click.option("--out", type=click.Path(path_type=Path), help="A file; standard output without it.")
def report(db: Path, dispute: str, ruling: str, kind: str, rulebook: str, out: Path | None) -> None:
    """Write one page: question, explanation, ruling, difference, and the digests of both lines."""
    from affray.replay.dispute_page import Page, html, markdown, page

    if bool(dispute) == bool(ruling):
        raise click.UsageError("name either a --dispute or a --ruling")
    refuse_log(out, db)
    with reading(db) as store:
        at = page_for(store, rulebook, out.parent if out else None)
        found = page(store, dispute=dispute, ruling=ruling, rulebook=at)
    writers: dict[str, Callable[[Page], str]] = {
        "json": lambda page: f"{json_of(page)}\n",
        "html": lambda page: html(page, at),
        "markdown": markdown,
    }
    text = writers[kind](found)
    with output(out, db) as file:
        file.write(text.encode())
