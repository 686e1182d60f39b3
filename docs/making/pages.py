"""The pages as they are built: made parts put in, links to other files led to where the site has them."""

import os
import re
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

from making import commands, errors, gallery, library, options, rulebooks, schemas

MADE: dict[str, Callable[[], str]] = {
    "commands": commands.told,
    "library engine": lambda: library.told("affray.engine"),
    "library events": lambda: library.told("affray.events"),
    "library replay": lambda: library.told("affray.replay"),
    "errors": errors.told,
    "schemas": schemas.told,
    "schema of scenarios": schemas.scenario_told,
    "options": options.told,
    "rulebooks": rulebooks.told,
    "gallery": gallery.told,
}
"""What can be put in, by name."""

MARK = re.compile(r"^<!-- made: ([a-z ]+) -->$", re.MULTILINE)
WHOLE = re.compile(r"^<!-- the page: (\S+) -->$", re.MULTILINE)
"""In place of a page that says so stands a file of the checkout's own folder."""

LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\(([^()\s]+)\)")
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
OWN = {
    "README.md": "readme",
    "CHANGELOG.md": "changes",
    "CONTRIBUTING.md": "contributing",
    "SECURITY.md": "security",
}
"""The pages that stand beside the docs, and what they are called in docs/project."""


def made(docs: Path) -> list[str]:
    """Return the names of the pages that hold anything that is made: they are read anew in every build."""
    return [
        str(page.relative_to(docs).with_suffix(""))
        for page in sorted(docs.rglob("*.md"))
        if re.search(r"^<!-- (made|the page): ", page.read_text(encoding="utf-8"), re.MULTILINE)
    ]


def filled(docs: Path, name: str, text: str) -> str:
    """Return the text of a page with what is made in it, and with its links as the site has them."""
    page = docs / f"{name}.md"
    came_from = page
    if whole := WHOLE.search(text):
        came_from = docs.parent / whole[1]
        text = came_from.read_text(encoding="utf-8")
    parts = FENCED.split(text)
    parts[::2] = [LINK.sub(lambda found: _led(found, docs, page, came_from), part) for part in parts[::2]]
    return MARK.sub(lambda found: MADE[found[1]](), "".join(parts))


def _led(link: re.Match[str], docs: Path, page: Path, came_from: Path) -> str:
    """Return a link of a page as the site has it."""
    words, address = link[1], link[2]
    path, _, anchor = address.partition("#")
    if not path or re.match(r"[a-z]+:", path):
        return link[0]
    target = (came_from.parent / path).resolve()
    shown = target
    if target.parent == docs.parent and target.name in OWN:
        shown = docs / "project" / f"{OWN[target.name]}.md"
    elif target.suffix != ".md" or docs not in target.parents:
        up = "../" * (len(page.relative_to(docs).parts) - 1)
        words = re.sub("`([^`]*)`", r"<code>\1</code>", escape(words))
        return f'<a href="{up}checkout/{target.relative_to(docs.parent)}.html">{words}</a>'
    return f"[{words}]({os.path.relpath(shown, page.parent)}{'#' * bool(anchor)}{anchor})"


def files_linked(docs: Path) -> Iterator[Path]:
    """Yield the files and folders of the checkout that pages link to and that are no pages, each once."""
    found: dict[Path, None] = {}
    for page in [*sorted(docs.rglob("*.md")), *(docs.parent / name for name in OWN)]:
        for part in FENCED.split(page.read_text(encoding="utf-8"))[::2]:
            for _, address in LINK.findall(part):
                target = (page.parent / address.partition("#")[0]).resolve()
                if not re.match(r"[a-z]+:|#", address) and target.suffix != ".md":
                    found[target] = None
    yield from found
