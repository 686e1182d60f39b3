"""Closed vocabularies: the words that a field may hold, and how an unknown one is told.

A vocabulary is a collection of words, a `Form` that they must have, or a function that returns either for a
dialect, where its tables and figures name them. It is taken from what dispatches on the words, so that the
two cannot part.
"""

from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches
from typing import Any, TypeAlias

from msgspec import Struct

MOST_LISTED = 8
"""Where nothing is near, so many words are listed."""


class Form(Struct, frozen=True):
    """Words of a form, of which no list can be complete: what they are, and what tells them."""

    title: str
    fits: Callable[[str], bool]
    words: tuple[str, ...] = ()

    def __contains__(self, word: str) -> bool:
        return word in self.words or self.fits(word)


Known: TypeAlias = Collection[str] | Form
Words: TypeAlias = Known | Callable[[Any], Known]


class Judged(Struct, frozen=True):
    """Words that are told here, while the resolver itself refuses all others by a rule of its own."""

    words: Words


def known_words(words: Words, dialect: Any) -> Known:
    """Return the words of a vocabulary in a dialect."""
    return words(dialect) if callable(words) else words


def nearest_word(word: str, known: Iterable[str]) -> str:
    """Return the nearest known word, "" where none is near."""
    return next(iter(get_close_matches(word, [one for one in known if one and one != word], 1)), "")


def instead(word: str, known: Known) -> str:
    """Return what could have been meant, in words that follow ", but "; "" where there are too many."""
    near = nearest_word(word, known.words if isinstance(known, Form) else known)
    if near:
        return repr(near)
    if isinstance(known, Form):
        return known.title
    return ", ".join(repr(one) for one in known if one) if len(known) <= MOST_LISTED else ""
