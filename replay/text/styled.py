"""The lines of a story in the colours of a terminal."""

from collections.abc import Iterator

from affray.engine.text.lines import WIDTH, Line, plain
from affray.replay.text.ansi import painted

STYLES: dict[str, dict[str, bool | str]] = {
    "title": {"bold": True},
    "round": {"bold": True, "fg": "cyan"},
    "turn": {"bold": True},
    "hit": {"fg": "green"},
    "miss": {"dim": True},
    "hurt": {"fg": "red"},
    "note": {"dim": True},
    "chance": {"fg": "magenta"},
    "declared": {"dim": True},
    "refused": {"fg": "yellow"},
    "question": {"fg": "yellow", "bold": True},
    "ruling": {"fg": "yellow"},
}
"""Subject of a line -> its style."""


def styled(line: Line, width: int = WIDTH) -> Iterator[str]:
    """Yield the plain rows in the terminal colours of the line's kind."""
    style = STYLES.get(line.kind, {})
    for row in plain(line, width):
        yield painted(row, **style) if style and row else row
