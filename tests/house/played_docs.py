"""Writes what is printed into the pages that can be played along, and draws their pictures anew.

python -m tests.house.played_docs [tutorials/game-master] [how-to/the-die-was-typed-wrong] ...

Drawings of explanations are made anew with any of them, with selenium the screenshots of tutorials too. What
a page can say, and what is done for it, stands in docs/tutorials/README.md.
"""

import re
import sys
from pathlib import Path

from tests.house.page_pieces import Shown
from tests.house.walk import Shoots, Walk, emptied
from tests.server import Server

DOCS = Path(__file__).parents[2] / "docs"
TUTORIALS = ("tutorials/game-master", "tutorials/developer", "tutorials/analyst", "dialects")
HOW_TOS = tuple(sorted(f"how-to/{page.stem}" for page in DOCS.glob("how-to/*.md") if page.stem != "README"))

EXPLANATIONS = tuple(
    sorted(f"explanations/{page.stem}" for page in DOCS.glob("explanations/*.md") if page.stem != "README")
)
PAGES = TUTORIALS + HOW_TOS + EXPLANATIONS

DRAWING = re.compile(r"^!\[(?P<alt>[^\]]+)\]\(pictures/(?P<name>[\w-]+)\.svg\)$", re.MULTILINE)


def page_of(name: str) -> Path:
    """Return the file of a page."""
    return DOCS / f"{name}.md"


def walked(name: str, shoots: Shoots = None, postgres: Server | None = None) -> list[Shown | tuple[str, str]]:
    """Return all that a page shows, and its drawings, when its reader does what it says."""
    page = page_of(name)
    text = page.read_text(encoding="utf-8")
    if name in EXPLANATIONS:  # their drawings are of what the code is, not of what is printed
        text = DRAWING.sub(lambda found: " " * len(found[0]), text)
    with emptied():
        reader = Walk(page.parent / "pictures", shoots, postgres)
        return list(reader.go(text, installed=name not in TUTORIALS))


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
    chosen = sys.argv[1:] or PAGES
    if set(chosen) & set(EXPLANATIONS):
        sys.path.insert(0, str(DOCS))
        from making import explained

        explained.write(explained.KEPT)
    if left := [one for name in chosen for one in renewed(name, screenshot)]:
        sys.exit("\n".join(left))
