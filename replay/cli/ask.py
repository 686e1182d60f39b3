"""`affray ask`: a question to the rows of fights, in SQL, with a chart."""

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from affray.events.wording import counted
from affray.replay.cli.base import as_json
from affray.replay.cli.output import output, refuse_log
from affray.replay.cli.playing_on import watched
from affray.replay.cli.printing import passed_over, print_json, put_all
from affray.replay.rows.asking import answer, asked_of, question_of
from affray.replay.rows.questions import QUESTIONS, Answer, Question

EXAMPLES = """\b
Examples:
  affray ask luck fight.db
  affray ask flanking logs/ --page flanking.html
  affray ask all fight.db --page questions.html
  affray ask cover fight.rows.db --svg cover.svg
  affray ask "SELECT weapon, avg(total) FROM damage GROUP BY weapon" fight.db
  affray ask --list
"""


@click.command(epilog=EXAMPLES)
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
        return _list_questions(json)
    if not question or not logs:
        raise click.UsageError("which question, and to which logs? (affray ask --list)")
    asked = list(QUESTIONS.values()) if question == "all" else [question_of(question)]
    if svg is not None and (len(asked) > 1 or not asked[0].bars):
        raise click.UsageError("--svg goes with one of the ten questions")
    for log in logs:
        for out in filter(None, (svg, page)):
            refuse_log(out, Path(log))
    with watched("making rows") as progress, asked_of(logs, progress, passed_over) as connection:
        found = [(one, answer(connection, one)) for one in asked]
    if svg is not None:
        from affray.replay.rows.chart import chart

        with output(svg, None) as file:
            file.write(chart(found[0][0], found[0][1].rows).encode() + b"\n")
    if page is not None:
        from affray.replay.rows.page import answers_page

        with output(page, None) as file:
            file.write(answers_page(found).encode())
    if json:
        print_json([one for _, one in found] if question == "all" else found[0][1])
    else:
        put_all(answer_lines(found))


def _list_questions(json: bool) -> None:
    if json:
        print_json(list(QUESTIONS.values()))
    else:
        put_all(
            line
            for one in QUESTIONS.values()
            for line in (f"{one.name}: {one.asked}", *(f"    {row}" for row in one.sql.strip().split("\n")))
        )


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
