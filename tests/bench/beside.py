"""Playing on in this tree beside another one: windows of fights in turn, by the processor's time.

    git worktree add /tmp/then/affray COMMIT
    python tests/bench/beside.py /tmp/then/affray [--windows 40] [--fights 8]

Each tree plays in a process of its own, a window each in turn, the order turned round every time: what else
the machine does befalls both alike. Told are fights a second, of the best window and the median, the median
of the pairs' ratios with the quartiles, and whether all fights ended alike. The other tree is a folder called
`affray`.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

WORKS = ("anew", "one start", "played on", "srd35", "pf1", "futurepath", "woa")
"""What is played: fights of four on four, each from a beginning of its own (like `fights_kept` in `play.py`)
or all from one, each as a fight of its own; one fight played on again and again; the packaged fights so."""


def plays(work: str, first: int, count: int) -> Iterator[Callable[[], str]]:
    """Yield what plays one fight after the other, each with other dice, and tells how it ended."""
    from affray.engine.dialects import load
    from affray.engine.fight.fight import Fight
    from affray.engine.table.scenario import packaged, set_up
    from affray.engine.table.tactics import play_on
    from affray.events import MemoryStore
    from affray.events.facts import acts
    from affray.projections.state import digest, duplicate
    from affray.replay.chance.odds import Scratch
    from tests.bench.play import mortal

    def begun(number: int) -> Scratch:
        if work in WORKS[:3]:
            table = mortal(MemoryStore(), b"fight %d" % (number if work == "anew" else 0))
        else:
            table = set_up(packaged(f"demo_{work}"), MemoryStore(), seed=b"beside")
            table.declare(acts.Begin())
        state = duplicate(table.state)
        # What older trees have too, by these names and no others.
        rules = load(state.dialect, None, state.tables, state.packages)
        return Scratch(Fight(state, rules), [].append)

    def played(scratch: Scratch, number: int) -> str:
        scratch.again(b"fight %d" % number)
        play_on(scratch, 60)
        return digest(scratch.state)

    one = None
    for number in range(first, first + count):
        if one is None or work in WORKS[:2]:
            one = begun(number)
        yield lambda scratch=one, number=number: played(scratch, number)


def child(work: str, windows: int, fights: int) -> None:
    """Play a window whenever a line is read, and write the seconds it took and how its fights ended.

    A fight is let go once it is over: what it has found out is the next one's.
    """
    for window in range(windows + 1):  # the first is for the caches
        games = list(plays(work, window * fights, fights))[::-1]
        sys.stdin.readline()
        ends = []
        began = time.process_time()
        while games:  # whoever is done with a fight lets go of it, as balance does and odds do
            ends.append(games.pop()())
        print(time.process_time() - began, *ends, flush=True)


def beside(work: str, trees: tuple[Path, Path], windows: int, fights: int) -> str:
    """Let both trees play, and return what came of it as a line."""
    wanted = [f"--child={work}", f"--windows={windows}", f"--fights={fights}"]
    players = [
        subprocess.Popen(
            [sys.executable, __file__, str(tree), *wanted],
            env={**os.environ, "PYTHONPATH": f"{tree.parent}{os.pathsep}{tree}"},
            cwd=tree,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for tree in trees
    ]
    seconds: list[list[float]] = [[], []]
    alike = True
    for window in range(windows + 1):
        said = ["", ""]
        for which in (0, 1) if window % 2 else (1, 0):
            to, by = players[which].stdin, players[which].stdout
            assert to is not None
            assert by is not None
            to.write("\n")
            to.flush()
            took, _, said[which] = by.readline().partition(" ")
            if window:
                seconds[which].append(float(took))
        alike = alike and said[0] == said[1]
    for player in players:
        player.communicate()
    ratios = sorted(then / now for then, now in zip(*seconds, strict=True))
    told = [f"{fights / min(each):6.1f} / {fights / statistics.median(each):6.1f}" for each in seconds]
    quarter = len(ratios) // 4
    return (
        f"{work:10} then {told[0]}  now {told[1]}  times as fast {statistics.median(ratios):.2f} "
        f"({ratios[quarter]:.2f} to {ratios[-1 - quarter]:.2f}), {'alike' if alike else 'NOT ALIKE'}"
    )


def main() -> None:
    """Play everything in both trees and print a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tree", type=Path, help="a checkout of the other tree, in a folder called affray")
    parser.add_argument("--windows", type=int, default=40)
    parser.add_argument("--fights", type=int, default=8, help="fights in a window")
    parser.add_argument("--only", choices=WORKS, action="append", help="leave out the others")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.child:
        child(wanted.child, wanted.windows, wanted.fights)
        return
    trees = wanted.tree.resolve(), Path(__file__).resolve().parents[2]
    print("fights/s, best / median window, by the processor's time")
    for work in wanted.only or WORKS:
        print(beside(work, trees, wanted.windows, wanted.fights), flush=True)


if __name__ == "__main__":
    main()
