"""In how many ways dice come to each total: exactly."""

from functools import lru_cache
from itertools import product

from affray.engine.dice import Notation, parse, rethrow
from affray.engine.dice.notation import Dice, Number
from affray.events.errors import AffrayError

MOST = 20_000
"""As many throws are listed one by one; dice with more have no exact odds."""


@lru_cache(maxsize=256)
def total_of(notations: tuple[str, ...]) -> dict[int, int]:
    """Return in how many ways each total of these dice together comes up, exactly.

    O(dice x sides x range). Raises AffrayError for dice that are rolled again and for more throws than
    can be listed.
    """
    sums = {0: 1}
    for text in notations:
        sums = _added(sums, _cases(parse(text)))
    return sums


def _cases(notation: Notation) -> dict[int, int]:
    sums = {0: 1}
    for term in notation.terms:
        if isinstance(term, Number):
            sums = {total + term.value: n for total, n in sums.items()}
        elif term.keep is None and term.reroll is None and term.explode is None:
            die = dict.fromkeys((term.sign * face for face in range(1, term.sides + 1)), 1)
            for _ in range(term.count):
                sums = _added(sums, die)
        else:
            sums = _added(sums, _listed(term))
    return sums


def _listed(dice: Dice) -> dict[int, int]:
    if dice.reroll is not None or dice.explode is not None or dice.sides**dice.count > MOST:
        raise AffrayError(f"{dice} has no exact odds")
    notation = parse(str(dice))
    sums: dict[int, int] = {}
    for shown in product(range(1, dice.sides + 1), repeat=dice.count):
        total = dice.sign * rethrow(notation, shown).total
        sums[total] = sums.get(total, 0) + 1
    return sums


def _added(a: dict[int, int], b: dict[int, int]) -> dict[int, int]:
    made: dict[int, int] = {}
    for one, ways in a.items():
        for other, more in b.items():
            made[one + other] = made.get(one + other, 0) + ways * more
    return made
