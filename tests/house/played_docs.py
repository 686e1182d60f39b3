"""Writes what is printed into the pages that can be played along, and draws their pictures anew.

python -m tests.house.played_docs [tutorials/game-master] [how-to/the-die-was-typed-wrong] ...

With Chromium and selenium the screenshots of the tutorials too. What a page can say, and what is done for it,
stands in docs/tutorials/README.md.
"""

import sys
from pathlib import Path

from tests.house.page_pieces import Shown
from tests.house.walk import Shoots, Walk, emptied
from tests.server import Server

DOCS = Path(__file__).parents[2] / "docs"
TUTORIALS = ("tutorials/game-master", "tutorials/developer", "tutorials/analyst")
HOW_TOS = tuple(sorted(f"how-to/{page.stem}" for page in DOCS.glob("how-to/*.md") if page.stem != "README"))


def page_of(name: str) -> Path:
    """Return the file of a page."""
    return DOCS / f"{name}.md"


def walked(name: str, shoots: Shoots = None, postgres: Server | None = None) -> list[Shown | tuple[str, str]]:
    """Return all that a page shows, and its drawings, when its reader does what it says."""
    page = page_of(name)
    with emptied():
        reader = Walk(page.parent / "pictures", shoots, postgres)
        return list(reader.go(page.read_text(encoding="utf-8"), installed=name in HOW_TOS))


def renewed(name: str, shoots: Shoots = None) -> list[str]:
    """Write a page with what was printed, and its drawings; return what only people can put right."""
    found = walked(name, shoots)
    text, wrong = page_of(name).read_text(encoding="utf-8"), []
    for shown in reversed(found):
        if isinstance(shown, Shown):
            if not shown.right and "..." in shown.piece.text and "..." not in shown.renewed:
                wrong.append(f"{name}:\n{shown.piece.text}-- is printed as\n{shown.printed}")
            elif not shown.right:
                text = text[: shown.piece.start] + shown.renewed + text[shown.piece.end :]
        else:
            (page_of(name).parent / "pictures" / shown[0]).write_text(shown[1], encoding="utf-8")
    page_of(name).write_text(text, encoding="utf-8")
    return wrong


if __name__ == "__main__":
    try:
        from tests.house.screenshots import screenshot
    except ImportError:
        screenshot = None
    chosen = sys.argv[1:] or (*TUTORIALS, *HOW_TOS)
    if left := [one for name in chosen for one in renewed(name, screenshot)]:
        sys.exit("\n".join(left))
