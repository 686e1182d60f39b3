"""Sequential stopping: when the runs of a cell are looked at, and how sure what is said then is.

A grid that stops as soon as an interval is narrow enough looks more than once, and the first narrow interval
is more often wrong than a single one. So the looks are fixed beforehand, and each of K looks is made at
1 - 0.05/K: by Bonferroni's inequality all K intervals hold at once with 95 %, hence the one at which a cell
stops too, for whatever reason it stops there. For that each must hold as often as it says, also where the
odds are near 0 or 1: so these are the exact intervals of Clopper and Pearson, which never hold less often.
Wilson's hold 95 % of the time on the average of all odds, and are enough for a single look.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, exp, floor, lgamma, log, log1p, sqrt
from statistics import NormalDist

from affray.replay.odds import Share

FIRST = 100
"""Runs at the first look; at each further one there are twice as many, or what the last one wants."""
UNSURE = 0.05
"""How often an interval may miss."""
MOST_LOOKS = 20
MOST_RUNS = 1_000_000


def quantile(looks: int) -> float:
    """Return the two-sided quantile of the normal distribution for one of so many looks."""
    return NormalDist().inv_cdf(1 - UNSURE / looks / 2)


def schedule(precision: float, most: int) -> tuple[int, ...]:
    """Return after how many runs each look is taken, so that the last is narrow enough whatever the share.

    `precision` is half the width of an interval in points; `most` the runs at which it ends all the same.
    """
    looks = [min(FIRST, most)]
    while looks[-1] < most and half_width(looks[-1] // 2, looks[-1], len(looks)) > precision:
        looks.append(min(2 * looks[-1], most))
    # The last look need not have twice as many: only as many as are enough for a share of a half.
    low, high, all_looks = (looks[-2] if len(looks) > 1 else 1), looks[-1], len(looks)
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (
            (low, middle) if half_width(middle // 2, middle, all_looks) <= precision else (middle, high)
        )
    return (*looks[:-1], high)


def half_width(count: int, runs: int, looks: int) -> float:
    """Return half the width of the exact interval at one of so many looks, in points."""
    low, high = exact(count, runs, UNSURE / looks)
    return 50 * (high - low)


def share_at(count: int, runs: int, looks: int) -> Share:
    """Return a share with its exact interval at one of so many looks, which is rounded outwards."""
    low, high = exact(count, runs, UNSURE / looks)
    return Share(count, runs, floor(1000 * low) / 10, ceil(1000 * high) / 10)


@lru_cache(maxsize=4096)
def exact(count: int, runs: int, unsure: float) -> tuple[float, float]:
    """Return the interval of Clopper and Pearson of a proportion, which misses it at most so often."""
    low = _where(unsure / 2, count, runs - count + 1) if count else 0.0
    high = _where(1 - unsure / 2, count + 1, runs - count) if count < runs else 1.0
    return low, high


def _where(chance: float, a: int, b: int) -> float:
    """Return where the beta distribution has come to a chance, by halving."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _beta(middle, a, b) < chance else (low, middle)
    return (low + high) / 2


def _beta(x: float, a: int, b: int) -> float:
    """Return the incomplete beta function, regularized: by its continued fraction, after Lentz."""
    if not 0 < x < 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    tiny = 1e-300
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or tiny)
    found = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1 / ((1 + step * d) or tiny)
            c = (1 + step / c) or tiny
            found *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * found


def paired(base: Sequence[bool], other: Sequence[bool], z: float) -> tuple[float, float, float]:
    """Return by how many points the share of `other` is above that of `base`, with its interval.

    Both have the same dice run by run, so only the runs in which they differ tell: the interval of Agresti
    and Min for matched pairs, which adds half a run to each of the four cases.
    """
    pairs = list(zip(base, other, strict=True))
    gained, lost = sum(two and not one for one, two in pairs), sum(one and not two for one, two in pairs)
    runs = len(pairs)
    middle = (gained - lost) / (runs + 2)
    spread = sqrt(max(0.0, gained + lost + 1 - (gained - lost) ** 2 / (runs + 2))) / (runs + 2)
    share = (gained - lost) / runs
    low, high = max(-1.0, min(share, middle - z * spread)), min(1.0, max(share, middle + z * spread))
    return 100 * share, 100 * low, 100 * high
