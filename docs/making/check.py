"""Every link of a built site leads somewhere, and nothing is fetched from a network."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

ABROAD = re.compile(r"https://[\w.-]+\.[a-z]{2,}(/\S*)?")
"""The form of an address elsewhere, which is not followed."""


class Page(HTMLParser):
    """The addresses of a page, where it leads, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note down what a tag is called, leads to and loads."""
        found = {name: value or "" for name, value in attrs}
        self.ids |= {found[name] for name in ("id", "name") if found.get(name)}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag != "a":
            self.loaded += [found[name] for name in ("src", "href", "srcset", "poster") if name in found]


def faults(out: Path) -> Iterator[str]:
    """Yield in words each link that leads nowhere, and each thing that a page would load from elsewhere."""
    known: dict[Path, Page] = {}

    def at(path: Path) -> Page:
        if path not in known:
            known[path] = Page(path.read_text(encoding="utf-8"))
        return known[path]

    for path in sorted(out.rglob("*.html")):
        name = path.relative_to(out)
        for address in at(path).loaded:
            if re.match(r"(https?:)?//", address):
                yield f"{name} loads {address}"
        for address in at(path).links:
            if re.match(r"[a-z]+:", address):
                if not ABROAD.fullmatch(address) and not address.startswith("mailto:"):
                    yield f"{name} leads to {address}"
                continue
            there, _, anchor = unquote(address).partition("#")
            target = (path.parent / there).resolve() if there else path
            if not target.is_file():
                yield f"{name} leads to {address}, which is not there"
            elif anchor and target.suffix == ".html" and anchor not in at(target).ids:
                yield f"{name} leads to {address}, which has no such place"
    for path in sorted(out.rglob("*.css")):
        for address in re.findall(
            r"(?:url\(|@import )[\"']?((?:https?:)?//[^)\"']*)", path.read_text(encoding="utf-8")
        ):
            yield f"{path.relative_to(out)} loads {address}"
