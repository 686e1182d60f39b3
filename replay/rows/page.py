"""Answers as a page: each with its chart, its table and its SQL."""

from collections.abc import Iterator, Sequence

from affray.replay.html_page import framed, markup_free
from affray.replay.rows.chart import chart
from affray.replay.rows.questions import Answer, Question


def answers_page(found: Sequence[tuple[Question, Answer]]) -> str:
    """Return answers as one self-contained HTML file, each chart with the table and the SQL below it."""
    title = found[0][0].asked if len(found) == 1 and found[0][0].asked else "Questions"
    return framed(title, [block for question, one in found for block in _blocks(question, one, len(found))])


def _blocks(question: Question, one: Answer, of: int) -> Iterator[str]:
    if question.asked and of > 1:
        yield f"<h2>{markup_free(question.asked)}</h2>"
    if question.bars:
        yield chart(question, one.rows)
    heads = "".join(f"<th scope=col>{markup_free(name)}</th>" for name in one.columns)
    rows = "".join(
        f"<tr>{''.join(f'<td>{markup_free(_words(value))}</td>' for value in row)}</tr>" for row in one.rows
    )
    yield f"<table><tr>{heads}</tr>{rows}</table>"
    yield f"<pre>{_lines_free(one.sql)}</pre>"


def _lines_free(text: str) -> str:
    """Return lines of text in which nothing is markup."""
    return "\n".join(markup_free(line) for line in text.split("\n"))


def _words(value: object) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
