"""`affray rows`, `ask`: logs as tables for SQL, data frames and spreadsheets, and questions to them."""

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct

from affray.events.errors import AffrayError, counted, did_you_mean, shell_command
from affray.projections.rows import FIGHTS, LINES, TABLES, Kinds
from affray.replay.cli.terminal.base import as_json, cores, watched
from affray.replay.cli.terminal.output import output, refuse_log
from affray.replay.cli.terminal.printing import passed_over, print_found
from affray.replay.rows.questions import (
    QUESTIONS,
    Answer,
    Question,
    answer,
    encode_rows_metadata,
    open_rows_for_queries,
    question_of,
)
from affray.replay.rows.source import Sources, sources

# --- `affray rows`: logs as tables for SQL, data frames and spreadsheets

FORMATS = ("sqlite", "parquet", "arrow", "csv")
UNNAMED = "?"
"""What `--columns` is without a table."""

ROWS_EXAMPLES = """\b
Examples:
  affray rows fight.db
  affray rows fight.db --metadata fight.metadata.json
  affray rows logs/ --format parquet --into rows
  affray rows fight.db --for heroes --into for_players.db
  affray rows --columns attacks
"""


class RowsResult(Struct):
    """What was made: where, how many rows of each table, of which logs, and what was passed over."""

    into: str
    format: str
    rows: dict[str, int]
    logs: list[str]
    copies: dict[str, str]
    unread: dict[str, str]


@click.command("rows", epilog=ROWS_EXAMPLES)
@click.argument("logs", nargs=-1, type=click.Path())
@click.option("--format", "kind", type=click.Choice(FORMATS), default="sqlite", help="What is made.")
@click.option("--into", type=click.Path(path_type=Path), help="The file, or the new folder of a data set.")
@click.option("--for", "side", default="", help="Only what this side may see, without numbers of others.")
@click.option("--hide", multiple=True, help="Nothing of this combatant.")
@click.option("--date", default="", metavar="YYYY-MM", help="The month of the logs; else that of each file.")
@click.option("--metadata", type=click.Path(path_type=Path), help="Write what Datasette tells of the file.")
@click.option(
    "--columns",
    default="",
    metavar="TABLE",
    is_flag=False,
    flag_value=UNNAMED,
    help="List the columns of a table, or of all.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Workers of a data set; as many as there are cores.")
@as_json
def rows_(
    logs: tuple[str, ...],
    kind: str,
    into: Path | None,
    side: str,
    hide: tuple[str, ...],
    date: str,
    metadata: Path | None,
    columns: str,
    jobs: int | None,
    json: bool,
) -> None:
    """Make tables of logs: one row an event, with how both stood, every sum and the exact chance beforehand.

    sqlite, the default, is a file beside the log (fight.rows.db of fight.db): a view for each table has the
    main line, *_by_line every line of play. parquet, arrow and csv are a folder with a data set of the main
    lines, in which dialect=/year=/month= say whose files are where. The log holds no date: it is the month in
    which its file was last written. Nothing secret is in the rows: no seed, no secrets, no notes.
    """
    if columns:
        return _columns(columns, json)
    if not logs:
        raise click.UsageError("which logs? Name files or folders, or list what there is with --columns all")
    if date and not _is_month(date):
        raise click.UsageError("--date: a year and a month, as in 2026-11")
    if metadata is not None and kind != "sqlite":
        raise click.UsageError("--metadata goes with --format sqlite")
    found = sources(logs, date)
    into = into or _beside(logs, found, kind)
    _guard(found, into, metadata)
    with watched("making rows") as progress:
        counts = _make(found, into, kind, side, hide, jobs or cores(), progress)
    if metadata is not None:
        with output(metadata, None) as file:
            file.write(encode_rows_metadata(into))
    made = RowsResult(str(into), kind, counts, [one.path for one in found.logs], found.copies, found.unread)
    for path, fault in found.unread.items():
        passed_over(path, fault)
    print_found(made, _yield_made_lines(made, metadata), json)


def _make(
    found: Sources,
    into: Path,
    kind: Any,
    side: str,
    hide: tuple[str, ...],
    jobs: int,
    progress: Callable[[int, int], None],
) -> dict[str, int]:
    if kind == "sqlite":
        from affray.replay.rows.rows_file import make_rows_file

        return make_rows_file(into, found.logs, side=side, hide=hide, progress=progress)
    from affray.replay.rows.dataset import make_dataset

    return make_dataset(into, found.logs, kind, side=side, hide=hide, jobs=jobs, progress=progress)


def _beside(logs: tuple[str, ...], found: Sources, kind: str) -> Path:
    """Return the file beside the only log. Raises UsageError where there is no such place."""
    several = len(found.logs) > 1
    if kind != "sqlite" or several:
        into = ("--format", kind, "--into", "rows") if kind != "sqlite" else ("--into", "fights.rows.db")
        whose = f"rows of {counted(len(found.logs), 'log')}" if several else f"rows as {kind}"
        raise click.UsageError(f"where to? Name a place for {whose}: {shell_command('rows', *logs, *into)}")
    from affray.replay.rows.rows_file import rows_path

    return rows_path(found.logs[0].place)


def _guard(found: Sources, into: Path, metadata: Path | None) -> None:
    """Raise AffrayError if something that is written would overwrite a log or what belongs to one."""
    from affray.replay.rows.rows_file import is_rows_file

    for one in found.logs:
        if not is_rows_file(into):
            refuse_log(into, one.place)
        if metadata is not None:
            refuse_log(metadata, one.place)


def _is_month(text: str) -> bool:
    year, _, month = text.partition("-")
    return len(year) == 4 and len(month) == 2 and (year + month).isdecimal() and 1 <= int(month) <= 12


def _yield_made_lines(made: RowsResult, metadata: Path | None) -> Iterator[str]:
    yield f"{made.into}: rows of {counted(len(made.logs), 'log')}"
    width = max(map(len, made.rows), default=0)
    yield from (f"  {name:<{width}}  {count:>9}" for name, count in made.rows.items() if count)
    for copy, kept in made.copies.items():
        yield f"  {copy} is a copy of {kept}, whose rows are there once"
    if metadata is not None:
        yield f"Look at it: datasette {made.into} --metadata {metadata}"
    elif made.format == "sqlite":
        yield f"Ask it: {shell_command('ask', 'luck', made.into)}"


def _columns(name: str, json: bool) -> None:
    tables = {**TABLES, "fights": FIGHTS, "lines": LINES}
    if name == UNNAMED:
        raise click.UsageError("--columns of which table? affray rows --columns all lists them")
    if name != "all" and name not in tables:
        meant = did_you_mean(name, tables, whole="affray rows --columns all")
        raise AffrayError(f"there is no table {name!r}{meant}")
    shown = [table for table in tables.values() if name in ("all", table.name)]
    print_found(shown, chain.from_iterable(map(_table_lines, shown)), json)


def _table_lines(table: Kinds) -> Iterator[str]:
    yield f"{table.name}: one row is {table.row}"
    for one in table.columns:
        yield f"  {one.name:<22} {one.kind:<8} {one.meaning}" + (f" ({one.unit})" if one.unit else "")


# --- `affray ask`: a question to the rows of fights, in SQL, with a chart

ASK_EXAMPLES = """\b
Examples:
  affray ask luck fight.db
  affray ask flanking logs/ --page flanking.html
  affray ask all fight.db --page questions.html
  affray ask cover fight.rows.db --svg cover.svg
  affray ask "SELECT weapon, avg(total) FROM damage GROUP BY weapon" fight.db
  affray ask --list
"""


@click.command(epilog=ASK_EXAMPLES)
@click.argument("question", default="")
@click.argument("logs", nargs=-1, type=click.Path())
@click.option("--list", "listed", is_flag=True, help="List the questions, each with its SQL.")
@click.option("--svg", type=click.Path(path_type=Path), help="Write the chart as a drawing.")
@click.option("--page", type=click.Path(path_type=Path), help="Write a page: chart, table and SQL.")
@as_json
def ask(
    question: str, logs: tuple[str, ...], listed: bool, svg: Path | None, page: Path | None, json: bool
) -> None:
    """Put a question to fights: one of ten by its name, all of them, or SQL that begins with SELECT.

    LOGS are logs, folders of logs, or one file that `affray rows` made. What the tables hold says
    `affray rows --columns all`. Nothing is written but the drawing or the page.
    """
    if listed:
        return print_found(list(QUESTIONS.values()), _question_lines(), json)
    if not question or not logs:
        raise click.UsageError("which question, and to which logs? (affray ask --list)")
    asked = list(QUESTIONS.values()) if question == "all" else [question_of(question)]
    if svg is not None and (len(asked) > 1 or not asked[0].bars):
        raise click.UsageError("--svg goes with one of the ten questions")
    for log in logs:
        for out in filter(None, (svg, page)):
            refuse_log(out, Path(log))
    with watched("making rows") as progress, open_rows_for_queries(logs, progress, passed_over) as connection:
        found = [(one, answer(connection, one)) for one in asked]
    if svg is not None:
        from affray.replay.rows.charts import chart

        with output(svg, None) as file:
            file.write(chart(found[0][0], found[0][1].rows).encode() + b"\n")
    if page is not None:
        from affray.replay.rows.charts import make_answers_page

        with output(page, None) as file:
            file.write(make_answers_page(found).encode())
    told = [one for _, one in found] if question == "all" else found[0][1]
    print_found(told, answer_lines(found), json)


def _question_lines() -> Iterator[str]:
    for one in QUESTIONS.values():
        yield f"{one.name}: {one.asked}"
        yield from (f"    {row}" for row in one.sql.strip().split("\n"))


def answer_lines(found: list[tuple[Question, Answer]]) -> Iterator[str]:
    for question, one in found:
        yield from (question.asked,) if question.asked else ()
        cells = [one.columns, *([_answer_cell(value) for value in row] for row in one.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        for row in cells:
            told = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
            yield f"  {'  '.join(told)}".rstrip()
        if not one.rows:
            yield f"  {counted(0, 'row')}"


def _answer_cell(value: object) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
