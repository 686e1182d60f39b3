"""The pages of the dialects say what the dialects read."""

from affray.engine.dialects import dialects
from affray.engine.vocabulary import vocabulary
from tests.house.word_docs import PAGES, pages


def test_the_pages_are_up_to_date() -> None:
    """Run `python tests/house/word_docs.py` after a dialect has learned something."""
    written = {file: file.read_text(encoding="utf-8") for file in PAGES.glob("*.md")}
    assert written == pages()


def test_every_field_is_described() -> None:
    """Each field that a dialect reads has a meaning, in the docstring of its act or for all acts."""
    silent = {
        f"{act.name} {field.name}"
        for name in dialects()
        for chapter in vocabulary(name).chapters
        for act in chapter.acts
        for field in act.fields
        if not field.meaning
    }
    assert not silent
