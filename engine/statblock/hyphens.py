"""Words that a page has cut at a hyphen: "Multi-" at the end of a line, "attack" at the head of the next."""

import re
from collections.abc import Callable, Iterable, Set
from typing import Final

#: More letters than any word has.
LONGEST_WORD: Final = 40
_CUT = re.compile(r"(?<![\w-])([A-Za-z][A-Za-z-]*)-$")
_REST = re.compile(r"[a-z]+")


#: Gives the words that are known, once they are needed.
Words = Callable[[], Set[str]]


def unhyphenated(
    lines: Iterable[tuple[int, str]], words: Words
) -> tuple[list[tuple[int, str]], dict[int, int]]:
    """Return the lines, those joined between which a known word was cut, with the length of their last parts.

    A compound keeps its hyphen; of what nobody knows the lines stay apart. Linear.
    """
    found: list[tuple[int, str]] = []
    ends: dict[int, int] = {}
    for number, line in lines:
        cut = _CUT.search(found[-1][1][-LONGEST_WORD:]) if found else None
        rest = _REST.match(line)
        if cut is not None and rest is not None:
            whole, compound = f"{cut[1]}{rest[0]}".lower(), f"{cut[1]}-{rest[0]}".lower()
            if whole in words() or compound in words():
                first, before = found[-1]
                found[-1] = (first, f"{before[:-1] if whole in words() else before}{line}")
                ends[first] = len(line)
                continue
        found.append((number, line))
    return found, ends
