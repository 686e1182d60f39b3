"""The page of words is what the dialects read."""

from tests.house.word_docs import PAGE, page


def test_the_page_of_words_is_up_to_date() -> None:
    """Run `python tests/house/word_docs.py` after a dialect has learned a word."""
    assert PAGE.read_text(encoding="utf-8") == page()
