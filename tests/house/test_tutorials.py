"""Every tutorial can be played along: what it shows is what is printed, and its pictures are of that."""

import re

import pytest

from tests.house.tutorial_docs import FOLDER, TUTORIALS, Shown, Walk, emptied, page_of, pieces

PICTURES = FOLDER / "pictures"
INSTALLATION = ["python3 -m venv .venv", ". .venv/bin/activate", "pip install "]
LARGEST = 150_000
"""Bytes of a screenshot."""


@pytest.mark.parametrize("name", TUTORIALS)
def test_a_tutorial_shows_what_is_printed(name: str) -> None:
    """Each block does what its reader does and shows all that is printed; drawings are as made now."""
    if "affray serve" in page_of(name).read_text(encoding="utf-8"):
        pytest.importorskip("uvicorn", reason="the extra serve is not installed")
    with emptied():
        for found in Walk().go(page_of(name).read_text(encoding="utf-8")):
            if isinstance(found, Shown):
                assert found.right, f"{found.piece.text}\n-- is printed as\n{found.printed}"
            else:
                kept = (PICTURES / found[0]).read_text(encoding="utf-8")
                assert kept == found[1], f"{found[0]}: python -m tests.house.tutorial_docs {name}"


@pytest.mark.parametrize("name", TUTORIALS)
def test_a_tutorial_says_all_that_is_typed_and_printed(name: str) -> None:
    """Nothing is left to another block: each of commands is followed by what it prints, or prints nothing."""
    kinds = [piece.kind for piece in pieces(page_of(name).read_text(encoding="utf-8"))]
    assert kinds.count("sh") >= 3
    assert set(kinds) <= {"sh", "console", "python", "toml", "text", "told", "picture"}


def test_all_begin_alike() -> None:
    """The lines that no test runs are those of the installation, and of a folder of one's own."""
    first = [next(pieces(page_of(name).read_text(encoding="utf-8"))).text for name in TUTORIALS]
    for text in first:
        *lines, made, into = text.splitlines()
        assert made.removeprefix("mkdir ") == into.removeprefix("cd ")
        assert [line.partition("'")[0] for line in lines] == INSTALLATION


def test_screenshots_are_small_and_all_are_shown() -> None:
    """No picture lies about that no page shows, and none is large."""
    pages = "".join(page_of(name).read_text(encoding="utf-8") for name in TUTORIALS)
    shown = set(re.findall(r"\(pictures/([\w.-]+)\)", pages))
    assert shown == {file.name for file in PICTURES.iterdir()}
    for name in shown:
        data = (PICTURES / name).read_bytes()
        assert len(data) < LARGEST, name
        assert data.startswith(b"\x89PNG\r\n" if name.endswith(".png") else b"<svg "), name
