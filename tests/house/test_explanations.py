"""Every explanation has one drawing, as it is made now; test_played_docs.py plays its blocks."""

from pathlib import Path

import pytest

from tests.house.page_pieces import pieces
from tests.house.played_docs import DOCS, DRAWING, EXPLANATIONS, page_of

AGAIN = "python -m tests.house.played_docs explanations/..."


def said(name: str) -> str:
    """Return the text of a page."""
    return page_of(name).read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def making(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the modules be there that make the drawings."""
    monkeypatch.syspath_prepend(DOCS)


def test_the_drawings_are_as_they_are_made_now(tmp_path: Path) -> None:
    """What is kept is, byte for byte, what comes of the code and of the fights that are played for it."""
    from making import explained

    explained.write(tmp_path)
    kept = {file.name: file.read_bytes() for file in explained.KEPT.iterdir()}
    made = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert kept.keys() == made.keys()
    for name, drawn in made.items():
        assert kept[name] == drawn, f"{name}: {AGAIN}"


@pytest.mark.parametrize("name", EXPLANATIONS)
def test_an_explanation_has_one_drawing_and_says_what_is_to_be_seen(name: str) -> None:
    """Whoever cannot see it is told, on the page and in the drawing, and nobody has to scroll to the side."""
    (found,) = DRAWING.finditer(said(name))
    assert len(found["alt"].split()) > 20
    drawn = (DOCS / "explanations" / "pictures" / f"{found['name']}.svg").read_text(encoding="utf-8")
    head = drawn.partition(">")[0]
    assert 'role="img" aria-label="' in head
    assert int(head.partition('width="')[2].partition('"')[0]) <= 900
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "")


def test_every_drawing_is_on_a_page() -> None:
    """Nothing is drawn for nobody."""
    shown = {found["name"] for name in EXPLANATIONS for found in DRAWING.finditer(said(name))}
    assert shown == {file.stem for file in (DOCS / "explanations" / "pictures").iterdir()}


def test_the_log_that_is_drawn_is_the_one_of_the_page() -> None:
    """Whoever plays along gets the seal of the drawing, from the fight that stands on the page."""
    from making.explained.seal_tree import logs

    ours, other = logs()
    seals = [
        piece.text.strip()
        for piece in pieces(said("explanations/what-a-seal-proves"))
        if piece.kind == "text"
    ]
    assert ours.seal in seals
    assert other.seal != ours.seal
    assert len(other.events) == len(ours.events)


def test_words_that_do_not_fit_are_found() -> None:
    """A drawing that nobody has looked at has no words over others, beside their box or below the edge."""
    from making.explained.svg import Drawing, Misdrawn

    drawing = Drawing("two words")
    with pytest.raises(Misdrawn, match="takes 46 pixels at 10, there are 40"):
        drawing.words((10, 20), "mmmm", room=40)
    drawing.words((10, 20), "one")
    drawing.words((40, 20), "two")
    assert 'aria-label="two words"' in drawing.svg(40)
    drawing.words((20, 24), "three")
    with pytest.raises(Misdrawn, match="'one' and 'three' lie over each other"):
        drawing.svg(40)
    low = Drawing("low")
    low.words((10, 40), "four")
    with pytest.raises(Misdrawn, match="'four' is outside"):
        low.svg(40)
