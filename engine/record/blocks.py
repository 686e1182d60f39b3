"""Printed stat blocks, whatever the game: what a reader returns, and what it did not understand."""

from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct

from affray.events.errors import AffrayError
from affray.events.facts.sheet import Sheet

LONGEST_TEXT: Final = 60_000
"""Characters of a stat block."""


class StatBlockError(AffrayError):
    """The text is no stat block: an essential part of a combatant is missing."""


Grade = Literal["unread", "unplayed", "harmless"]


class Note(Struct, frozen=True, gc=False):
    """Something printed that the sheet does not have, or has in a different form: the place, the text and the
    reason.

    `grade` is "unread" for text that matters in a fight and was not understood (ask about it before the
    creature enters), "unplayed" for text that was read but that no rule plays as printed, and "harmless" for
    the rest.
    """

    line: int
    text: str
    reason: str
    grade: Grade = "harmless"


class OwnBlock(Struct, frozen=True, gc=False):
    """A stat block in the form of a dialect of its own, read.

    sheet: the sheet.
    dialect: the name of the dialect.
    notes: what the sheet lacks or has in another form.
    facts: what was read, in words, by name.
    """

    sheet: Sheet
    dialect: str
    notes: tuple[Note, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def unread(self) -> tuple[Note, ...]:
        """Return the notes on parts that matter and were not understood."""
        return tuple(one for one in self.notes if one.grade == "unread")


class BlockReader(Struct, frozen=True):
    """How a dialect reads stat blocks in a form of its own.

    recognizes: whether a text is in that form.
    read: the block of a text, given another name for the creature or ""; raises StatBlockError.
    """

    recognizes: Callable[[str], bool]
    read: Callable[[str, str], OwnBlock]
