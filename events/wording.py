"""Counts in sentences."""


def counted(count: int, word: str, several: str = "") -> str:
    """Return a count with its word: "1 round", "3 rounds", "0 dice" with `several` for what has no -s."""
    return f"{count} {word if count == 1 else several or word + 's'}"
