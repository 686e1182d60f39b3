"""The figures that the mutation campaign leaves aside: each is there, and has a reason."""

from affray.engine.book import Book, dialects
from tests.campaigns.mutate import reviewed


def test_reviewed_figures_are_there() -> None:
    """Every address of unnoticed.toml is one of a figure, and has a reason."""
    known = [figure.address for dialect in dialects() for figure in Book.load(dialect).figures()]
    missing = [
        pattern.pattern
        for pattern, why in reviewed()
        if not why or not any(pattern.fullmatch(address) for address in known)
    ]
    assert missing == []
