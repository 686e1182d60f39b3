"""Plays what an explanation plays, and makes its drawing.

python -m tests.house.explanation_docs [PAGE]...

writes what was printed into the pages, and all drawings. On a page can stand what can stand in a tutorial
(`tutorial_docs.py`); besides lines `! affray ...`, which must end with status 1, and `affray ... > FILE`.
"""

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from click.testing import CliRunner

from affray.replay.cli import affray
from tests.house.test_pages import EXCERPT
from tests.house.tutorial_docs import Shown, Walk, emptied

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "explanations"
PAGES = tuple(sorted(file.stem for file in FOLDER.glob("*.md") if file.stem != "README"))

DRAWING = re.compile(r"^!\[(?P<alt>[^\]]+)\]\(pictures/(?P<name>[\w-]+)\.svg\)$", re.MULTILINE)
INSTALLED = "```sh\n```\n"
"""What a tutorial begins with, where nothing is to be installed."""


class Reading(Walk):
    """A reader in an empty folder who does what an explanation says; Affray is installed."""

    def line(self, line: str) -> str:
        """Do one line of the shell, and return what it printed; it must succeed, but for `!`."""
        if line.startswith("! "):
            result = CliRunner().invoke(affray, shlex.split(line)[2:], prog_name="affray")
            assert result.exit_code == 1, (line, result.output)
            return "".join(f"{row.rstrip()}\n" for row in click.unstyle(result.output).splitlines())
        typed, _, file = line.partition(" > ")
        if file in ("", "/dev/null"):
            return super().line(line)
        Path(file).write_text(super().line(typed), encoding="utf-8")
        return ""


def text_of(name: str) -> str:
    """Return the text of a page."""
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def played(name: str) -> Iterator[Shown]:
    """Do what a page says; yield what it shows with what was printed, at its place in the page."""
    text = text_of(name)
    for pattern in (EXCERPT, DRAWING):  # compared elsewhere: nothing is to be done for them
        text = pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    with emptied():
        for shown in Reading().go(INSTALLED + text):
            assert isinstance(shown, Shown)
            start, end = (place - len(INSTALLED) for place in (shown.piece.start, shown.piece.end))
            yield shown._replace(piece=shown.piece._replace(start=start, end=end))


def renewed(name: str) -> None:
    """Write a page with what was printed."""
    text = text_of(name)
    for shown in reversed(list(played(name))):
        if not shown.right:
            text = text[: shown.piece.start] + shown.renewed + text[shown.piece.end :]
    (FOLDER / f"{name}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(DOCS))
    from making import explained

    for one in sys.argv[1:] or PAGES:
        renewed(one)
    explained.write(explained.KEPT)
