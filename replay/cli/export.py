"""`affray export`: a log in another format."""

from collections.abc import Callable, Sequence
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO

import click

from affray.events.store import Store
from affray.replay.cli.base import database, on_branch, reading
from affray.replay.cli.output import output, refuse_log

Writer = Callable[[Store, str, BinaryIO], None]


def write_jsonl(store: Store, branch: str, out: BinaryIO) -> None:
    """Write the whole log, every branch: the portable form that `affray import` reads."""
    from affray.events.jsonl import export_jsonl

    export_jsonl(store, out)


def write_redacted(store: Store, branch: str, out: BinaryIO, *, side: str, hide: Sequence[str]) -> None:
    """Write one line of play with what a side may not see left out."""
    from affray.replay.redaction import Redaction, export_redacted

    export_redacted(store, branch, out, Redaction(store, branch, side=side, hide=hide))


def write_markdown(store: Store, branch: str, out: BinaryIO) -> None:
    """Write one line of play as the report of a session."""
    from affray.events.codec import decode
    from affray.projections.fold import fold
    from affray.replay.installed import book_of
    from affray.replay.narrate import Narrator, markdown

    narrator = Narrator(book=book_of(fold(store.read(branch, upto=1))))
    for row in markdown(narrator.tell(decode(event) for event in store.read(branch))):
        out.write(row.encode() + b"\n")


def write_html(store: Store, branch: str, out: BinaryIO) -> None:
    """Write the whole log as a page that replays it in any browser, opening on one line of play."""
    from affray.replay.viewer import build

    out.write(build(store, branch).encode())


def write_csv(store: Store, branch: str, out: BinaryIO, *, table: str = "events") -> None:
    """Write one line of play as a table, the one of all events unless another is named."""
    from affray.projections.csv_table import write
    from affray.projections.tables import columns

    columns(table)
    text = TextIOWrapper(out, encoding="utf-8", newline="")
    try:
        write(store.read(branch), table, text)
    finally:
        text.detach()  # flushed, and left to its owner


FORMATS: dict[str, Writer] = {
    "csv": write_csv,
    "html": write_html,
    "jsonl": write_jsonl,
    "markdown": write_markdown,
}
"""What can be written, by name."""


EXAMPLES = """\b
Examples:
  affray export fight.db --format html --out fight.html
  affray export fight.db --format csv --table attack.resolved"""


@click.command(epilog=EXAMPLES)
@database
@click.option("--format", "kind", type=click.Choice(sorted(FORMATS)), required=True, help="The format.")
@click.option("--out", type=click.Path(path_type=Path), help="A file; standard output without it.")
@click.option("--table", default="", help="csv: events (the default), or a type such as attack.resolved.")
@click.option("--for", "side", default="", help="jsonl: hide the numbers of all other sides.")
@click.option("--hide", multiple=True, help="jsonl: hide every event that names this combatant.")
@on_branch
def export(
    db: Path, kind: str, out: Path | None, table: str, side: str, hide: tuple[str, ...], branch: str
) -> None:
    """Write a log in another format.

    jsonl is the whole log with all its branches, proves itself and can be imported again; html is a page
    that replays it in any browser without a network and carries that same log; markdown is the report of
    one line of play; csv is a table for a spreadsheet: every event, or all fields of one type of event.
    With --for or --hide jsonl is one line of play with events left out, which still verifies against the
    same seal.
    """
    redacted = bool(side or hide)
    if redacted and kind != "jsonl":
        raise click.UsageError("--for and --hide go with --format jsonl")
    if table and kind != "csv":
        raise click.UsageError("--table goes with --format csv")
    if kind == "jsonl" and branch and not redacted:
        raise click.UsageError("--branch: jsonl always carries every branch")
    refuse_log(out, db)
    with reading(db) as store:
        line = branch or store.main_line()
        store.head(line)
        write = FORMATS[kind]
        if redacted:
            write = partial(write_redacted, side=side, hide=hide)
        elif table:
            write = partial(write_csv, table=table)
        with output(out, db) as file:
            write(store, line, file)
