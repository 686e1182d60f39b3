"""The address of a rule in a rulebook: a page somewhere, or a folder with one page for each dialect."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit

from affray.events.errors import AffrayError

VARIABLE: Final = "AFFRAY_RULEBOOK"
"""The variable of the environment that names the rulebook for every command."""

ELSEWHERE: Final = re.compile(r"https?:|file:", re.IGNORECASE)
"""How an address begins that is not a file seen from where it is named."""

_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_RULE: Final = re.compile(r"(?<![\w./#-])[a-z][a-z0-9]*(?:\.[a-z0-9-]+)+")
"""What may be the id of a rule."""


class BadRulebook(AffrayError):
    """An address that no page of rules can have."""


def refuse_rulebook(address: str) -> None:
    """Raise BadRulebook for what a browser would run, or what names a place within a page already."""
    if _SCHEME.match(address) and not ELSEWHERE.match(address):
        raise BadRulebook("a file beside the page, or an address of http, https or file")
    if not address.isprintable() or any(sign in address for sign in '#<>"'):
        raise BadRulebook("the address of a page or folder, without a place in it (#), <, > or quotes")


def settled(rulebook: str, beside: Path | None = None) -> str:
    """Return an address that ends with / if it is a folder's; a path counts from the folder `beside`."""
    local = rulebook and not ELSEWHERE.match(rulebook) and not rulebook.endswith("/")
    return f"{rulebook}/" if local and ((beside or Path()) / rulebook).is_dir() else rulebook


def page_of(rulebook: str, dialect: str) -> str:
    """Return the address of a dialect's page: in a folder, which ends with /, it is DIALECT.html."""
    return f"{rulebook}{dialect}.html" if rulebook.endswith("/") else rulebook


def file_at(page: str, beside: Path | None = None) -> Path | None:
    """Return which file an address names, seen from the folder `beside`; None for one on a network."""
    if page.lower().startswith("file:"):
        from urllib.request import url2pathname  # slow to import, and seldom needed

        return Path(url2pathname(urlsplit(page).path))
    return None if ELSEWHERE.match(page) else (beside or Path()) / page


def whole(rulebook: str) -> str:
    """Return an address that leads there from anywhere; a path counts from the folder at hand."""
    if not rulebook or ELSEWHERE.match(rulebook):
        return quote(rulebook, safe="!#$%&'()*+,/:;=?@[]~")
    return Path(rulebook).absolute().as_uri() + "/" * settled(rulebook).endswith("/")


def rule_address(rulebook: str, id: str) -> str:
    """Return the address of a rule, "" for what is none of a shipped catalogue and stands in no rulebook."""
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
    """Return a text in which each rule stands as `link` makes it of its id and its address."""

    def made(found: re.Match[str]) -> str:
        address = rule_address(rulebook, found[0])
        return link(found[0], address) if address else found[0]

    return _RULE.sub(made, text) if rulebook else text
