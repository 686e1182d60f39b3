"""Time by size: no reader takes much more than twice as long for twice as much.

    python tests/campaigns/doubling.py [--every 1] [--seed N] [--only TEXT ...] [--json]

Each kind of input (tests/fuzz/growing.py) is doubled from the first size on that takes 50 milliseconds of
processor time. Where a doubling takes more than 2.5 times as long twice in a row, by the best of three, or an
input takes longer than LONGEST seconds, the kind is named, and the exit status is 1. A kind ends at the size
past which its reader refuses more or nobody needs it, or after DOUBLINGS. `--every 10` takes each tenth kind
only. All of it takes some hours.
"""

import argparse
import gc
import json
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.campaigns.by_dialect import told_of
from tests.fuzz.growing import Kind, close, kinds, read

FIRST = 0.05
"""So many seconds the first input takes that is compared."""

DOUBLINGS = 4
MOST_TIMES = 2.5
LONGEST = 20.0


class Grown(NamedTuple):
    """What came of a kind: seconds by size, the refusal of the largest, and what is wrong."""

    kind: str
    seconds: dict[int, float]
    refused: str
    fault: str


class TooLong(BaseException):
    """An input takes longer than LONGEST."""


def measured(kind: Kind, first: float = FIRST, doublings: int = DOUBLINGS) -> Grown:
    """Double a kind, and once more where it is at fault: on a busy machine one measure may mislead."""
    found = grown(kind, first, doublings)
    return grown(kind, first, doublings) if found.fault else found


def grown(kind: Kind, first: float = FIRST, doublings: int = DOUBLINGS) -> Grown:
    """Double a kind; return what came of it."""
    seconds: dict[int, float] = {}
    size, steep, compared, refused, fault = kind.first, 0, 0, "", ""
    before = 0.0
    while size <= kind.most and compared <= doublings and not fault:
        made = kind.made(size)
        try:
            taken, refused = _best(kind, made, 1)
            if before >= first and taken > MOST_TIMES * before:
                taken, refused = _best(kind, made, 2, taken)
                before = seconds[size // 2] = _best(kind, kind.made(size // 2), 2, before)[0]
        except TooLong:
            taken, fault = LONGEST, f"more than {LONGEST:.0f} s"
        seconds[size] = round(taken, 4)
        if before >= first:
            compared += 1
            steep = steep + 1 if taken > MOST_TIMES * before else 0
            if steep == 2:
                fault = fault or f"twice more than {MOST_TIMES} times as long"
        elif taken >= first:
            compared = 1
        before, size = taken, size * 2
    return Grown(kind.name, seconds, refused, fault)


def _best(kind: Kind, made: Any, tries: int, best: float = float("inf")) -> tuple[float, str]:
    refused = ""
    for _ in range(tries):
        with _within(LONGEST):
            gc.disable()
            begun = time.process_time()
            try:
                refused = read(kind, made)
            finally:
                best = min(best, time.process_time() - begun)
                gc.enable()
    return best, refused


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    """Raise TooLong in a block that takes longer, in processor time."""

    def late(number: int, frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def campaign(
    every: int = 1,
    seed: int = 0,
    only: tuple[str, ...] = ("",),
    first: float = FIRST,
    doublings: int = DOUBLINGS,
    *,
    rows: bool = False,
) -> list[Grown]:
    """Run the campaign; return what came of each kind. Those with a fault are printed, with `rows` all."""
    found = []
    chosen = [one for number, one in enumerate(kinds()) if (number + seed) % every == 0]
    chosen = [one for one in chosen if any(text in one.name for text in only)]
    try:
        for kind in told_of("kinds", chosen):
            found.append(measured(kind, first, doublings))
            if rows or found[-1].fault:
                print(_row(found[-1]), file=sys.stderr, flush=True)
    finally:
        close()
    return found


def _row(one: Grown) -> str:
    told = ", ".join(f"{size}: {seconds:.3f} s" for size, seconds in [*one.seconds.items()][-4:])
    return f"{one.kind}: {one.fault or 'in proportion'} ({told})"


def main() -> int:
    """Run the campaign; 0 if everything holds, else 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--every", type=int, default=1, help="take each so-manieth kind only")
    parser.add_argument("--seed", type=int, default=0, help="with which kind to begin")
    parser.add_argument(
        "--only", action="append", help="only kinds whose name holds this, or another such text"
    )
    parser.add_argument("--first", type=float, default=FIRST, help="seconds of the first input compared")
    parser.add_argument("--rows", action="store_true", help="print a row for each kind")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = campaign(given.every, given.seed, tuple(given.only or ("",)), given.first, rows=given.rows)
    faults = [one for one in found if one.fault]
    if given.json:
        print(json.dumps([one._asdict() for one in found]))
    else:
        print(f"{len(found)} kinds, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
