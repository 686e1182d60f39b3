"""A fight as a story: events in, the prose of a session out."""

from affray.events.errors import printable
from affray.replay.narrate.board import board
from affray.replay.narrate.cast import Cast, health, legend
from affray.replay.narrate.line import WIDTH, Line, markdown, plain, styled
from affray.replay.narrate.story import SILENT, TELLERS, Narrator, lines

__all__ = [
    "SILENT",
    "TELLERS",
    "WIDTH",
    "Cast",
    "Line",
    "Narrator",
    "board",
    "health",
    "legend",
    "lines",
    "markdown",
    "plain",
    "printable",
    "styled",
]
