"""An answer as a drawing: a bar for each of its rows, and a mark for an expected value."""

from collections.abc import Iterator, Sequence
from typing import Any

from affray.replay.rows.questions import Answer, Question
from affray.replay.text.html import framed, strip_markup

BAR, LEFT_OF, WIDE, ROOM = 26, 190, 400, 70
"""Pixels: of a row, of the margin left of the bars, of the longest bar, and of the space for the figure."""
ABOVE = 8
"""Pixels free above the first row, which keep its mark off the edge."""
MOST_BARS = 40
"""Most rows drawn; the table below has all."""
MOST_SHOWN = 26
"""Most letters of a bar's label; the tooltip has the rest."""
DARK = "<style>@media (prefers-color-scheme: dark) { svg { color: #ddd } }</style>"
"""Light letters for a dark page, also if the drawing is a separate file."""
INK, MARK = "#2f6db3", "#c0392b"


def chart(question: Question, rows: Sequence[Sequence[object]]) -> str:
    """Return the answer to a question as SVG; every text in it is free of markup. O(rows)."""
    drawn = [row for row in rows if isinstance(row[1], int | float)][:MOST_BARS]
    most = max([float(abs(one)) for row in drawn for one in _figures(question, row)], default=0.0) or 1.0
    told = [f"Bars: {question.bars}."] + ([f"Marks: {question.marks}."] if question.marks else [])
    below = ABOVE + BAR * (len(drawn) or 1)
    height = below + 20 * len(told) + 14
    width = LEFT_OF + WIDE + ROOM
    body = "".join(_bars(question, drawn, most)) or _text_at(LEFT_OF, ABOVE + BAR, "no data")
    key = "".join(_text_at(LEFT_OF, below + 22 + 20 * at, line) for at, line in enumerate(told))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" style="max-width:100%" role="img" aria-label="{strip_markup(question.asked)}" '
        f'font-family="system-ui, sans-serif" font-size="13" fill="currentColor">{DARK}{body}'
        f"{key}</svg>"
    )


def _bars(question: Question, rows: Sequence[Sequence[Any]], most: float) -> Iterator[str]:
    for at, row in enumerate(rows):
        top, name = ABOVE + at * BAR + 6, str(row[0])
        short = name if len(name) <= MOST_SHOWN else f"{name[: MOST_SHOWN - 1]}…"
        length = abs(row[1]) / most * WIDE
        yield f"<g><title>{strip_markup(f'{name}: {row[1]:g}')}</title>"
        yield _text_at(LEFT_OF - 8, top + 14, short, "end")
        yield f'<rect x="{LEFT_OF}" y="{top}" width="{length:.1f}" height="{BAR - 8}" fill="{INK}"/>'
        end = LEFT_OF + length
        if question.marks and isinstance(row[2], int | float):
            place = LEFT_OF + abs(row[2]) / most * WIDE
            yield f'<rect x="{place - 1.5:.1f}" y="{top - 3}" width="3" height="{BAR - 2}" fill="{MARK}"/>'
            end = max(end, place)
        yield _text_at(round(end) + 6, top + 14, f"{row[1]:g}") + "</g>"


def _figures(question: Question, row: Sequence[object]) -> Sequence[int | float]:
    return [one for one in row[1 : 3 if question.marks else 2] if isinstance(one, int | float)]


def _text_at(x: int, y: int, words: str, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{strip_markup(words)}</text>'


# --- Answers as a page: each with its chart, its table and its SQL


def make_answers_page(found: Sequence[tuple[Question, Answer]]) -> str:
    """Return answers as one self-contained HTML file, each chart with the table and the SQL below it."""
    title = found[0][0].asked if len(found) == 1 and found[0][0].asked else "Questions"
    return framed(title, [block for question, one in found for block in _blocks(question, one, len(found))])


def _blocks(question: Question, one: Answer, of: int) -> Iterator[str]:
    if question.asked and of > 1:
        yield f"<h2>{strip_markup(question.asked)}</h2>"
    if question.bars:
        yield chart(question, one.rows)
    heads = "".join(f"<th scope=col>{strip_markup(name)}</th>" for name in one.columns)
    rows = "".join(
        f"<tr>{''.join(f'<td>{strip_markup(_words(value))}</td>' for value in row)}</tr>" for row in one.rows
    )
    yield f"<table><tr>{heads}</tr>{rows}</table>"
    yield f"<pre>{_lines_free(one.sql)}</pre>"


def _lines_free(text: str) -> str:
    """Return lines of text without markup."""
    return "\n".join(strip_markup(line) for line in text.split("\n"))


def _words(value: object) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
