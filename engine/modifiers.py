"""Adding up modifiers: which stack, which overrule others, and the total.

All of them are kept: a modifier that does not count stays in the tally with the reason.
"""

from collections.abc import Iterable

from msgspec import Struct

from affray.events.facts.sheet import Modifier


class Tally(Struct, frozen=True, gc=False):
    """The sum of the modifiers that count, with every modifier that was considered.

    `parts` keeps the order of the input, suppressed ones with `denied` filled; `cites` are the rules
    that suppressed something here; `failed` is whether penalties alone make the roll fail, and `burden` is
    their total where advantages are graded.
    """

    total: int
    parts: tuple[Modifier, ...]
    cites: tuple[str, ...] = ()
    failed: bool = False
    burden: int = 0


def multiply(factors: Iterable[int]) -> int:
    """Return the single multiplier of several together: doubled twice is tripled, 1 + the sum of (m - 1)."""
    return 1 + sum(factor - 1 for factor in factors)
