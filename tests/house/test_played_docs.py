"""Every tutorial, how-to and explanation shows what is printed, and its pictures are of that."""

import re

import pytest

from tests.house.page_pieces import Shown, pieces
from tests.house.played_docs import DOCS, HOW_TOS, PAGES, TUTORIALS, page_of, walked

pytestmark = pytest.mark.slow

INSTALLATION = ["python3 -m venv .venv", ". .venv/bin/activate", "pip install "]
NEEDED = {
    "affray serve": ("uvicorn", "serve"),
    "<!-- with a database": ("psycopg", "postgres"),
    ".parquet": ("pyarrow", "tables"),
}
"""What a page that says so needs, and the extra that has it."""

LARGEST = 150_000
"""Bytes of a screenshot."""


def said(name: str) -> str:
    """Return the text of a page."""
    return page_of(name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_what_is_printed(name: str, request: pytest.FixtureRequest) -> None:
    """Each block does what its reader does and shows all that is printed; drawings are as made now."""
    for words, (module, extra) in NEEDED.items():
        if words in said(name):
            pytest.importorskip(module, reason=f"the extra {extra} is not installed")
    postgres = request.getfixturevalue("postgres") if "<!-- with a database" in said(name) else None
    for found in walked(name, postgres=postgres):
        if isinstance(found, Shown):
            assert found.right, f"{found.piece.text}\n-- is printed as\n{found.printed}"
        else:
            kept = (page_of(name).parent / "pictures" / found[0]).read_text(encoding="utf-8")
            assert kept == found[1], f"{found[0]}: python -m tests.house.played_docs {name}"


@pytest.mark.parametrize("name", TUTORIALS)
def test_a_tutorial_says_all_that_is_typed_and_printed(name: str) -> None:
    """Nothing is left to another block: each of commands is followed by what it prints, or prints nothing."""
    kinds = [piece.kind for piece in pieces(said(name))]
    assert kinds.count("sh") >= 3
    assert set(kinds) <= {"sh", "console", "python", "toml", "json", "text", "told", "picture"}


def test_all_tutorials_begin_alike() -> None:
    """The lines that no test runs are those of the installation, and of a folder of one's own."""
    for name in TUTORIALS:
        *lines, made, into = next(pieces(said(name))).text.splitlines()
        assert made.removeprefix("mkdir ") == into.removeprefix("cd ")
        assert [line.partition("'")[0] for line in lines] == INSTALLATION


@pytest.mark.parametrize("folder", ["tutorials", "how-to"])
def test_pictures_are_small_and_all_are_shown(folder: str) -> None:
    """No picture lies about that no page shows, and none is large."""
    pages = "".join(page.read_text(encoding="utf-8") for page in (DOCS / folder).glob("*.md"))
    shown = set(re.findall(r"\(pictures/([\w.-]+)\)", pages))
    assert shown == {file.name for file in (DOCS / folder).glob("pictures/*")}
    for name in shown:
        data = (DOCS / folder / "pictures" / name).read_bytes()
        assert len(data) < LARGEST, name
        assert data.startswith(b"\x89PNG\r\n" if name.endswith(".png") else b"<svg "), name


def test_the_list_of_how_tos_has_each_of_them() -> None:
    """The list names every page once by its own title, and no page is of another size than a task's."""
    listed = re.findall(r"\[([^\]]+)\]\(([\w-]+)\.md\)", said("how-to/README"))
    assert sorted(f"how-to/{name}" for _, name in listed) == list(HOW_TOS)
    for title, name in listed:
        text = said(f"how-to/{name}")
        assert text.startswith(f"# {title}\n"), name
        assert "\n```sh\n" in text, f"{name} does nothing"
        assert 100 < len(text.split()) < 1500, name
