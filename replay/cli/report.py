"""`affray report`: one page about a dispute or a ruling."""

from pathlib import Path

import click

from affray.replay.cli.base import database, reading
from affray.replay.cli.output import output, refuse_log
from affray.replay.cli.printing import json_of


@click.command(epilog="Example: affray report fight.db --ruling R1 --format html --out ruling.html")
@database
@click.option("--dispute", default="", metavar="ID", help="A dispute: Q1.")
@click.option("--ruling", default="", metavar="ID", help="A ruling: R1.")
@click.option(
    "--format", "kind", type=click.Choice(["markdown", "html", "json"]), default="markdown", show_default=True
)
@click.option("--out", type=click.Path(path_type=Path), help="A file; standard output without it.")
def report(db: Path, dispute: str, ruling: str, kind: str, out: Path | None) -> None:
    """Write one page: question, explanation, ruling, difference, and the digests of both lines."""
    from affray.replay.dispute_page import html, markdown, page

    if bool(dispute) == bool(ruling):
        raise click.UsageError("name either a --dispute or a --ruling")
    refuse_log(out, db)
    with reading(db) as store:
        found = page(store, dispute=dispute, ruling=ruling)
    writers = {"json": lambda page: f"{json_of(page)}\n", "html": html, "markdown": markdown}
    text = writers[kind](found)
    with output(out, db) as file:
        file.write(text.encode())
