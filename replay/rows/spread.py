"""What dice come to: their mean, and the chance of so much or more, worked out once for each notation."""

from functools import lru_cache

from msgspec import Struct

from affray.engine.dice import parse
from affray.engine.dice.notation import Dice
from affray.events.errors import AffrayError
from affray.replay.sums import total_of


class Spread(Struct, frozen=True):
    """The totals of some dice together: their mean, the chance of each or more, and the sides of the dice.

    `sides` is None where they differ or there are none.
    """

    mean: float
    low: int
    chances: tuple[float, ...]
    sides: int | None

    def at_least(self, total: int) -> float:
        """Return the chance of `total` or more."""
        place = total - self.low
        return 1.0 if place < 0 else self.chances[place] if place < len(self.chances) else 0.0


@lru_cache(maxsize=4096)
def spread_of(notations: tuple[str, ...]) -> Spread | None:
    """Return what these dice come to together; None where that cannot be counted. Remembered."""
    try:
        cases = total_of(notations)
        terms = [term for text in notations for term in parse(text).terms if isinstance(term, Dice)]
    except AffrayError:
        return None
    sizes = {term.sides for term in terms}
    possible = sum(cases.values())
    low, high = min(cases), max(cases)
    chances, left = [], possible
    for total in range(low, high + 1):
        chances.append(left / possible)
        left -= cases.get(total, 0)
    mean = sum(total * ways for total, ways in cases.items()) / possible
    return Spread(mean, low, tuple(chances), sizes.pop() if len(sizes) == 1 else None)
