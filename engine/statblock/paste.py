"""Blocks as people paste them: tables, labels on lines of their own, lines broken at any column."""

import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Final

from affray.engine.statblock.hyphens import Words, unhyphenated
from affray.engine.statblock.lines import StatBlockError, plain_lines

ABILITIES: Final = frozenset({"str", "dex", "con", "int", "wis", "cha"})
#: Longer lines than this are paragraphs: then no column has broken them.
WIDEST_COLUMN: Final = 130
#: Rows with several values that make a table of several creatures.
SIDE_BY_SIDE: Final = 3
#: Semicolons at least in a block in the one-line form.
FIELDS_OF_PARAGRAPH: Final = 6
SEPARATOR: Final = "|"
_GAP = re.compile(r"(?:\t| {3,})[ \t]*")
_RULE = re.compile(r"^[-:=+ |]*$")
_SPLIT_WORD = re.compile(r"[A-Za-z]-$|[0-9][-/]$")
_UNFINISHED = re.compile(r"^[A-Za-z0-9+-]")

Lines = list[tuple[int, str]]
#: Says which label a text begins with, with the length of the label; "" for none.
Labelled = Callable[[str], str]


def logical_lines(
    text: str, label: Labelled, labels: Iterable[str], sections: frozenset[str], words: Words
) -> Lines:
    """Return the lines of a pasted block as they were before a page or a table has cut them. Linear.

    Raises StatBlockError for a text too long, and for several creatures side by side.
    """
    refuse_columns(text, label)
    cut = rows(plain_lines(text), label)
    lines, lengths = unhyphenated(cut, words)
    column = max((len(line) for _, line in cut), default=0)
    paragraph = " ".join(line for _, line in lines)
    if paragraph.count(";") >= FIELDS_OF_PARAGRAPH and all(
        len(one) + 1 + len(after.split(" ", 1)[0]) > column for (_, one), (_, after) in pairwise(cut)
    ):
        # The one-line form, broken: a paragraph has no short line but its last.
        return [(lines[0][0], paragraph)]
    joined, ends = alone(lines, label)
    if column > WIDEST_COLUMN:
        return joined
    ends = lengths | ends
    broken = [(number, line, ends.get(number, len(line)) + 1) for number, line in joined]
    return whole(broken, column, label, frozenset(labels), sections)


def refuse_columns(text: str, label: Labelled) -> None:
    """Refuse a text in which two creatures stand side by side, parted by gaps."""
    several = 0
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > WIDEST_COLUMN * 4 or SEPARATOR in line:
            continue
        pieces = [one.strip() for one in _GAP.split(line.strip()) if one.strip()]
        first = label(pieces[0]) if len(pieces) > 1 else ""
        if not first:
            continue
        bare = pieces[0].rstrip(": ").lower() == first.lower()
        others = pieces[1:] if bare else pieces
        same = len(pieces) > 1 and any(label(one) == first for one in pieces[1:])
        several += len(others) > 1 and not any(label(one) for one in others[1:])
        if same or several >= SIDE_BY_SIDE:
            raise side_by_side(number)


def side_by_side(number: int) -> StatBlockError:
    """Return the error of a text with several creatures in columns."""
    return StatBlockError(f"line {number}: several creatures side by side: paste one column alone")


def rows(lines: Lines, label: Labelled) -> Lines:
    """Return the lines with the rows of tables, cells parted by bars, written out as labels and values."""
    found: Lines = []
    heads: list[str] = []
    for number, line in lines:
        if SEPARATOR not in line:
            found.append((number, line))
            continue
        if _RULE.match(line):
            continue
        cells = [one.strip(" *_!") for one in line.strip("|! ").split(SEPARATOR)]
        cells = [one for one in cells if one]
        if len(cells) > 2 and all(_is_head(one, label) for one in cells):
            heads = cells
        elif heads and len(cells) == len(heads):
            found.append((number, _pairs(heads, cells)))
            heads = []
        elif len(cells) > 1 and _is_head(cells[0], label):
            if len(cells) % 2 == 0 and all(_is_head(one, label) for one in cells[::2]):
                found.append((number, _pairs(cells[::2], cells[1::2])))
            else:
                raise side_by_side(number)
        elif cells:
            found.append((number, " ".join(cells)))
    return found


def _is_head(cell: str, label: Labelled) -> bool:
    """Say whether a cell is a label and nothing else."""
    plain = cell.rstrip(": ")
    return plain.lower() in ABILITIES or (bool(plain) and label(f"{plain}:").lower() == plain.lower())


def _pairs(heads: list[str], cells: list[str]) -> str:
    """Return labels and their values in one line."""
    names = [one.rstrip(": ") for one in heads]
    if all(one.lower() in ABILITIES for one in names):
        return ", ".join(f"{name.title()} {cell}" for name, cell in zip(names, cells, strict=True))
    return "; ".join(f"{name}: {cell}" for name, cell in zip(names, cells, strict=True))


def alone(lines: Lines, label: Labelled) -> tuple[Lines, dict[int, int]]:
    """Return the lines, a label alone on its line joined with what follows it, and how long that was."""
    found: Lines = []
    ends: dict[int, int] = {}
    waiting: tuple[int, str] | None = None
    for number, line in lines:
        if waiting is not None:
            if label(line):
                found.append(waiting)
            else:
                ends[waiting[0]] = len(line)
                number, line = waiting[0], f"{waiting[1].rstrip(':')}: {line}"
            waiting = None
        plain = line.rstrip(": ")
        if label(f"{plain}:") == plain and (line.endswith(":") or label(f"{plain} +1 (1") == plain):
            waiting = (number, line)
        else:
            found.append((number, line))
    return ([*found, waiting] if waiting is not None else found), ends


def whole(
    lines: list[tuple[int, str, int]],
    column: int,
    label: Labelled,
    labels: frozenset[str],
    sections: frozenset[str],
) -> Lines:
    """Return the lines, those joined that were broken because the next word found no room in the column.

    The longest line is as wide as the column, or nearly. With each line comes the place where one more word
    would have begun.
    """
    found: Lines = []
    begun = False
    last = 0
    for number, line, end in lines:
        full = last + len(line.split(" ", 1)[0]) > column
        full = full and (begun or found[-1][1].endswith(" CR"))
        last = end
        lone = label(f"{line.rstrip(':')}:") == line.rstrip(":")  # its value is not here: no label
        if full:
            before = found[-1][1]
            moved = _label_across(before, line, labels)
            if moved:
                line = f"{moved} {line}"
                found[-1] = (found[-1][0], before[: -len(moved)].rstrip())
            elif (not label(line) or lone) and line.lower().rstrip(":") not in sections:
                glue = "" if _SPLIT_WORD.search(before) and _UNFINISHED.match(line) else " "
                found[-1] = (found[-1][0], f"{before}{glue}{line}")
                continue
        begun = begun or bool(label(line))
        found.append((number, line))
    return found


def _label_across(before: str, line: str, labels: frozenset[str]) -> str:
    """Return the words at the end of a line that are a label only with the words of the next; "" for none."""
    words = before.rsplit(" ", 2)
    for count in (1, 2):
        tail = " ".join(words[-count:])
        joined = f"{tail} {line}"
        if any(one.startswith(f"{tail} ") and joined.startswith(one) for one in labels):
            return tail
    return ""
