"""Everybody carried out of random fights into new ones, and compared field by field.

    python tests/campaigns/carrying.py [--fights 100] [--dialect D] [--seed N] [--json]

After each fight everybody is carried into a new one, with and without a time in between: every field of the
state is what it was, or what stays is told; the new fight is played on and verified,
and all are followed back to what they left. Prints a line for each dialect; the exit status is 1 if anything
failed.
"""

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.table.tactics import next_act
from affray.events.facts import acts
from affray.replay import Between, Logs, follow_back, verify
from tests.campaigns.by_dialect import fight_by_fight
from tests.replay.carried import all_carried, differences, fought

PLAYED_ON = 15
TIMES = (Between(), Between(after=0), Between(after=0, gathered=True, renewed=("all",)))
"""What is said of the time between; where things are gathered up and uses renewed, other fields differ."""


def carried(dialect: str, seed: int, counts: Counter[str]) -> list[str]:
    """Play a random fight, carry everybody, and return what is wrong."""
    store = fought(dialect, seed)
    wrong: list[str] = []
    for between in TIMES:
        former, following, made = all_carried(store, between)
        for one in made:
            counts["carried"] += 1
            counts["left behind"] += len(one.leaving.left)
            if one.outcome.refused is not None:
                wrong.append(f"{one.id} is refused: {one.outcome.refused.reason}")
            elif not between.gathered:
                wrong += differences(former.state, following.state, one)
        following.declare(acts.Begin())
        for _ in range(PLAYED_ON):
            if following.waiting is not None:
                asked = following.waiting
                following.choose(asked.options[0] if asked.options else "roll")
            elif (act := next_act(following)) is not None:
                following.declare(act)
        counts["events"] += following.seq
        report = verify(following.store)
        wrong += [str(check.problem) for check in report.checks if check.problem is not None]
        found = follow_back(following.store, Logs([("the former", store)]))
        wrong += [str(one) for one in found.followed if not one.ok]
        counts["followed"] += len(found.followed)
    return wrong


if __name__ == "__main__":
    sys.exit(fight_by_fight(__doc__, carried))
