"""What a page says that its reader can do, and what it shows; docs/tutorials/README.md tells the form."""

import re
from collections.abc import Iterator
from typing import NamedTuple

PIECE = re.compile(
    r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$"
    r"|^!\[[^\]]*\]\(pictures/(?P<picture>[\w.-]+)\)$"
    r"|^<!-- (?P<told>[^\n]*?) -->$",
    re.MULTILINE | re.DOTALL,
)


class Piece(NamedTuple):
    """A block, a picture or a comment of a page, and where its text stands there."""

    kind: str
    text: str
    start: int
    end: int


class Shown(NamedTuple):
    """What a page shows, and what was printed there; both are the same where the page is right."""

    piece: Piece
    printed: str

    @property
    def renewed(self) -> str:
        """What the page is to show: all, but for the beginning where `...` and the row behind it say so."""
        first, _, rest = self.piece.text.partition("\n")
        row = f"{rest.partition(chr(10))[0]}\n"
        if first != "..." or rest.count("...") or row not in self.printed:
            return self.printed
        return f"...\n{self.printed[self.printed.rindex(row) :]}"

    @property
    def right(self) -> bool:
        """Whether what is shown is what was printed, but for what `...` leaves out."""
        left_out = r"(?:^[^\n]*\n)*?"
        said = "".join(
            left_out if row == "..." else ".*".join(map(re.escape, row.split("..."))) + "\n"
            for row in self.piece.text.splitlines()
        )
        return re.fullmatch(said, self.printed, re.MULTILINE) is not None


def pieces(text: str) -> Iterator[Piece]:
    """Yield what a page says that can be done, in order."""
    for found in PIECE.finditer(text):
        for group in ("picture", "told"):
            if found[group]:
                yield Piece(group, found[group], found.start(), found.end())
        if found["kind"]:
            yield Piece(found["kind"], found["text"], found.start("text"), found.end("text"))


def lines_of(text: str) -> Iterator[str]:
    """Yield the lines of the shell in a block; one whose quotes are open goes on in the next row."""
    line = ""
    for row in text.splitlines():
        line += row
        if line.count('"') % 2:
            line += "\n"
        else:
            yield line
            line = ""
