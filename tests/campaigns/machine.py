"""The state machine of the stores at length: every order of appends, forks, reads and repeats.

    python tests/campaigns/machine.py [--examples 1000] [--steps 50] [--sqlite] [--seed N]

A memory store and a fight of a PostgreSQL database (with --sqlite a file) do the same and are held against a
model that is nothing but lists, after each step. The exit status is 1 if they ever differ.
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from hypothesis import HealthCheck, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests import server
from tests.events.test_machine import Fights, Stores


def main() -> None:
    """Run the machine, and say how often."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--examples", type=int, default=1000, help="so many logs (1000)")
    parser.add_argument("--steps", type=int, default=50, help="steps in each at most (50)")
    parser.add_argument("--sqlite", action="store_true", help="in a file, not in a database")
    parser.add_argument("--seed", type=int, default=1, help="of the steps (1)")
    wanted = parser.parse_args()
    at_length = settings(
        max_examples=wanted.examples,
        stateful_step_count=wanted.steps,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    began, made = time.monotonic(), [0]

    def run(kind: type[Stores]) -> None:
        class Counted(kind):  # type: ignore[valid-type,misc]
            def __init__(self) -> None:
                made[0] += 1
                super().__init__()

        run_state_machine_as_test(seed(wanted.seed)(Counted), settings=at_length)

    if wanted.sqlite:
        run(Stores)
    else:
        with server.running() as Fights.server:
            run(Fights)
    print(f"{made[0]} logs of up to {wanted.steps} steps in {time.monotonic() - began:.0f} s: all alike")


if __name__ == "__main__":
    main()
