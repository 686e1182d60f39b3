"""What is wrong with a text of the notation, and where."""

from affray.events.errors import AffrayError

LONGEST_FOUND = 60


class NotationError(AffrayError):
    """A text of the notation that cannot be read: line, column (both from 1), and what was expected there."""

    def __init__(self, line: int, column: int, expected: str, found: str = "", file: str = "") -> None:
        where = f"{file}: " if file else ""
        shown = found if len(found) <= LONGEST_FOUND else f"{found[: LONGEST_FOUND - 3]}..."
        but = f", found {shown}" if shown else ""
        super().__init__(f"{where}line {line}, column {column}: expected {expected}{but}")
        self.line, self.column, self.expected, self.found = line, column, expected, found

    def in_file(self, file: str) -> "NotationError":
        """Return the same fault with the name of the file before it."""
        return NotationError(self.line, self.column, self.expected, self.found, file)
