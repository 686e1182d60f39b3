"""What a check is: it looks on as events come, each before and after it is entered in the books.

A check names its hooks after the type of event that it looks at: `before_moved` is asked before a `moved`
is entered, `after_turn_began` once a `turn.began` is. `settled` is asked when a declaration is over, with
no question open. Each yields its objections as sentences.
"""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from tests.referee.book import Book, Fact

Hook = Callable[[Book, Fact], Iterator[str]]


class Check:
    """One thing that the referee looks after, in the dialects that have it."""

    name: ClassVar[str]
    dialects: ClassVar[tuple[str, ...]] = ("srd35", "pf1", "futurepath", "woa")

    def hook(self, when: str, type: str) -> Hook | None:
        """Return what the check does `when` ("before" or "after") an event of that type is entered."""
        found: Any = getattr(self, f"{when}_{type.replace('.', '_').replace('-', '_')}", None)
        return found

    def settled(self, book: Book) -> Iterator[str]:
        """Look at the books between two declarations."""
        return iter(())
