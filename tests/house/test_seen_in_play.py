"""What declarations are said to roll and ask is what they do in play."""

import pytest

from affray.engine.book.source import shipped
from tests.house.seen_in_play import place, text


@pytest.mark.parametrize("dialect", shipped())
def test_what_was_seen_in_play_is_up_to_date(dialect: str) -> None:
    """Run `python tests/house/seen_in_play.py`, then `python tests/house/word_docs.py`."""
    assert place(dialect).read_text(encoding="utf-8") == text(dialect)
