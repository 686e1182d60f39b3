"""The address of a rule in a rulebook: a page, or a folder with one page for each dialect."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

from affray.events.errors import AffrayError

VARIABLE: Final = "AFFRAY_RULEBOOK"
"""The environment variable that names the rulebook for every command."""

ELSEWHERE: Final = re.compile(r"https?:|file:", re.IGNORECASE)
"""The beginning of an address that is not a relative or local path."""

_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_RULE: Final = re.compile(r"(?<![\w./#-])[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\.[a-z0-9-]+)+")
"""The form of rule ids."""


class BadRulebook(AffrayError):
    """An address that cannot be that of a page of rules."""


def refuse_rulebook(address: str) -> None:
    """Raise BadRulebook for an address that a browser would execute, or that already points to a place in a
    page.
    """
    if _SCHEME.match(address) and not ELSEWHERE.match(address):
        raise BadRulebook("must be a file next to the page, or an address with http, https or file")
    if not address.isprintable() or any(sign in address for sign in '#<>"'):
        raise BadRulebook("must be the address of a page or folder, without #, <, > or quotes")


def settled(rulebook: str, beside: Path | None = None) -> str:
    """Return an address, with / at the end for a folder; paths are relative to the folder `beside`."""
    local = rulebook and not ELSEWHERE.match(rulebook) and not rulebook.endswith("/")
    return f"{rulebook}/" if local and ((beside or Path()) / rulebook).is_dir() else rulebook


def page_of(rulebook: str, dialect: str) -> str:
    """Return the address of a dialect's page: in a folder, which ends with /, it is DIALECT.html."""
    return f"{rulebook}{dialect}.html" if rulebook.endswith("/") else rulebook


def file_at(page: str, beside: Path | None = None) -> Path | None:
    """Return the file of an address, relative to the folder `beside`; None for one on a network."""
    if page.lower().startswith("file:"):
        from urllib.request import url2pathname  # slow to import, and rarely needed

        return Path(url2pathname(urlsplit(page).path))
    return None if ELSEWHERE.match(page) else (beside or Path()) / page


def whole(rulebook: str) -> str:
    """Return an absolute address; paths are relative to the current folder."""
    if not rulebook or ELSEWHERE.match(rulebook):
        return quote(rulebook, safe="!#$%&'()*+,/:;=?@[]~")
    return Path(rulebook).absolute().as_uri() + "/" * settled(rulebook).endswith("/")


def rule_address(rulebook: str, id: str) -> str:
    """Return the address of a rule, "" if it is not in an included catalogue."""
    from affray.engine.book import Book, dialects

    dialect = id.partition(".")[0]
    if not rulebook or dialect not in dialects() or id not in Book.load(dialect):
        return ""
    return f"{page_of(rulebook, dialect)}#{id}"


def find_named_rules(text: str, rulebook: str) -> Iterator[tuple[str, str]]:
    """Yield each rule that a text names, once, with its address."""
    for id in dict.fromkeys(_RULE.findall(text)):
        if address := rule_address(rulebook, id):
            yield id, address


def link_rules(text: str, rulebook: str, link: Callable[[str, str], str]) -> str:
    """Return a text with each rule replaced by the result of `link` for its id and its address."""

    def made(found: re.Match[str]) -> str:
        address = rule_address(rulebook, found[0])
        return link(found[0], address) if address else found[0]

    return _RULE.sub(made, text) if rulebook else text
