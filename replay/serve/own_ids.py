"""Own ids: the ids of declarations, disputes and rulings as a reader counts them, in little room.

A fight of 100,000 events has tens of thousands of them, for each reader; a dictionary of texts would grow by
some hundred bytes each.
"""

import re
from array import array
from bisect import bisect_left
from collections import defaultdict
from typing import Final

_COUNTED: Final = re.compile(r"([a-zA-Z])([1-9][0-9]{0,8}|0)")
"""An id as the runner gives it: a letter, and the number."""


class _OfLetter:
    """The ids with one letter, in their order: number, how many are told up to it, its place if it is not.

    The place is how many events were told before, and one, so that no two that are not told are called alike.
    """

    __slots__ = ("numbers", "places", "told")

    def __init__(self) -> None:
        self.numbers, self.told, self.places = array("I"), array("I"), array("I")


class OwnIds:
    """The ids of a line -> those of one reader."""

    def __init__(self) -> None:
        """Know none."""
        self._many: defaultdict[str, int] = defaultdict(int)
        self._in_order: defaultdict[str, _OfLetter] = defaultdict(_OfLetter)
        self._others: dict[str, str] = {}
        """Of ids of another form, or out of order, which only a log that was written by hand has."""

    def name(self, id: str, letter: str, place: int) -> None:
        """Count an id by a letter: as told if `place` is 0, else as one that is not, at a place."""
        self._many[letter] += not place
        own = self._many[letter]
        found = _COUNTED.fullmatch(id)
        if found is not None and found[1] == letter:
            of, number = self._in_order[letter], int(found[2])
            if not of.numbers or number > of.numbers[-1]:
                of.told.append(own)
                of.places.append(place)
                of.numbers.append(number)  # last: whoever looks meanwhile finds the rest
                return
        self._others[id] = f"{letter}{own}.{place}" if place else f"{letter}{own}"

    def get(self, id: str, otherwise: str) -> str:
        """Return what an id is called for the reader; what is said otherwise where it has none."""
        if id in self._others:
            return self._others[id]
        found = _COUNTED.fullmatch(id)
        of = self._in_order.get(found[1]) if found is not None else None
        if found is None or of is None:
            return otherwise
        number = int(found[2])
        at = bisect_left(of.numbers, number)
        if at == len(of.numbers) or of.numbers[at] != number:
            return otherwise
        return f"{found[1]}{of.told[at]}.{of.places[at]}" if of.places[at] else f"{found[1]}{of.told[at]}"
