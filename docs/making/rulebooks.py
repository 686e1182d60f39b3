"""The rulebooks: for each dialect one page of its rules, each with its code, scenarios and readings."""

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from affray.engine.book import Book, dialects
from affray.engine.dialects import load

FOLDER = "rulebooks"


def told() -> str:
    """Return the list of the rulebooks, with links."""
    return "\n".join(
        f'- <a href="{FOLDER}/{name}.html">{load(name).title}</a> (`{name}`): {len(Book.load(name))} rules, '
        f"{len(Book.load(name).contested)} options where they can be read in two ways"
        for name in dialects()
    )


def write(out: Path) -> None:
    """Write the page of each dialect."""
    (out / FOLDER).mkdir(exist_ok=True)
    with ProcessPoolExecutor(2) as workers:
        for name, page in zip(dialects(), workers.map(_page, dialects()), strict=True):
            (out / FOLDER / f"{name}.html").write_text(page, encoding="utf-8")


def _page(name: str) -> str:
    from affray.replay.rulebook.page import rulebook, woven

    return rulebook(name, load(name).title, woven(name))
