"""Sequential stopping: when the runs of a cell are looked at, and how sure what is said then is.

A grid that stops as soon as an interval is narrow enough looks more than once, and the first narrow interval is
more often wrong than a single one. So the looks are fixed beforehand, and each of K looks is made at 1 - 0.05/K:
by Bonferroni's inequality all K intervals hold at once with 95 %, hence the one at which a cell stops too, for
whatever reason it stops there.
"""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

from affray.replay.odds import wilson

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
    while looks[-1] < most and half_width(looks[-1] // 2, looks[-1], quantile(len(looks))) > precision:
        looks.append(min(2 * looks[-1], most))
    # The last look need not have twice as many: only as many as are enough for a share of a half.
    low, high, z = (looks[-2] if len(looks) > 1 else 1), looks[-1], quantile(len(looks))
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if half_width(middle // 2, middle, z) <= precision else (middle, high)
    return (*looks[:-1], high)


def half_width(count: int, runs: int, z: float) -> float:
    """Return half the width of a Wilson interval, in points."""
    low, high = wilson(count, runs, z)
    return 50 * (high - low)


def paired(base: Sequence[bool], other: Sequence[bool], z: float) -> tuple[float, float, float]:
    """Return by how many points the share of `other` is above that of `base`, with its interval.

    Both have the same dice run by run, so only the runs in which they differ tell: the interval of Agresti and
    Min for matched pairs, which adds half a run to each of the four cases.
    """
    pairs = list(zip(base, other, strict=True))
    gained, lost = sum(two and not one for one, two in pairs), sum(one and not two for one, two in pairs)
    runs = len(pairs)
    middle = (gained - lost) / (runs + 2)
    spread = sqrt(max(0.0, gained + lost + 1 - (gained - lost) ** 2 / (runs + 2))) / (runs + 2)
    share = (gained - lost) / runs
    low, high = max(-1.0, min(share, middle - z * spread)), min(1.0, max(share, middle + z * spread))
    return 100 * share, 100 * low, 100 * high
