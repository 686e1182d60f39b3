"""The module for Foundry VTT at a thousand random places of each of many fights, while the past changes.

    python tests/campaigns/foundry.py [--seeks 1000] [--random 4] [--dialects srd35 woa] [--seed N] [--json]

The packaged fight of each dialect, and some that go at random, are served by a real server. At each place
every document of the stand-in is compared with the log; every hundred places something is undone or brought
again, or another line becomes the main one, and at times the module is loaded anew. The exit status is 1 if
anything differs.
"""

import argparse
import json
import random
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.events.facts import acts
from affray.events.stores.sqlite import SqliteStore
from affray.events.stores.store import Store
from tests.house.fights import DIALECTS, opened, play_wildly
from tests.serve.foundry.playing import foundry, in_step, played
from tests.serve.served import Served, server

BETWEEN = 100
"""So many places between two changes of the main line."""

TURNS = 400
REST = "the rest"
"""What a term is called that nothing explains."""


def written(log: Path, dialect: str, number: int) -> None:
    """Write a fight: the packaged one for 0, else one that goes at random."""
    if not number:
        played(log, dialect)
        return
    with SqliteStore(log, synchronous="OFF") as store:
        table = opened(dialect, store, number)
        table.declare(acts.Begin())
        play_wildly(table, random.Random(number), TURNS)


def changed(served: Served, store: Store, dice: random.Random) -> str:
    """Change the main line as the game master may; return how."""
    branches = [one.name for one in store.branches()]
    how = dice.choice(("undo", "redo", "fork", "promote"))
    if how == "undo":
        served.post(served.master, "/undo", count=dice.randint(1, 5))
    elif how == "redo":
        served.post(served.master, "/redo")
    elif how == "fork":
        last = store.head(store.main_line()).seq
        at, name = dice.randint(last // 2, last), f"fork-{len(branches)}"
        served.post(served.master, "/forks", at=str(at), name=name)
        served.post(served.master, "/promotions", branch=name)
    else:
        served.post(served.master, "/promotions", branch=dice.choice(branches))
    active = served.get(served.master, "/state")["encounter"]["active"]
    if active:
        served.declare(served.master, "end-turn", actor=active)
    return how


def sought(log: Path, seeks: int, dice: random.Random) -> dict[str, Any]:
    """Follow a fight and look at it at random places; return what was done. Raises what differs."""
    done: dict[str, Any] = {"seeks": 0, "events": 0, "changes": 0, "unexplained": 0}
    with SqliteStore(log) as store, server(log) as served, foundry(store) as world:

        def end() -> int:
            return store.head(store.main_line()).seq

        def follows() -> None:
            world("live")
            world.caught_up(served)
            in_step(world("dump"), store, end())

        world.begun(served)
        follows()
        for number in range(1, seeks + 1):
            at = dice.randint(0, end())
            world("seek", at=at)
            in_step(world("dump"), store, at)
            if number % BETWEEN == 0:
                changed(served, store, dice)
                done["changes"] += 1
                if dice.random() < 0.3:
                    world.loaded(served)
                follows()
        documents = world("dump")
        told = [one["_id"] for one in documents["messages"]]
        assert documents["counts"]["create"].get("ChatMessage", 0) == len({*told}), "an outcome fired twice"
        done |= {"seeks": seeks, "events": end(), "outcomes": len(told)}
        rolls = [roll for one in documents["messages"] for roll in one["rolls"]]
        done["rolls"], done["unexplained"] = len(rolls), sum(f"[{REST}]" in roll for roll in rolls)
    return done


def main() -> int:
    """Run the campaign; return 0 if every document was as the log says."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    words.add_argument("--seeks", type=int, default=1000)
    words.add_argument("--random", type=int, default=4, help="So many random fights of each dialect.")
    words.add_argument("--dialects", nargs="+", default=list(DIALECTS))
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--json", action="store_true")
    wanted = words.parse_args()
    failed = 0
    for dialect in wanted.dialects:
        for number in range(wanted.random + 1):
            began = time.monotonic()
            found: dict[str, Any] = {"dialect": dialect, "fight": number}
            with tempfile.TemporaryDirectory() as folder:
                log = Path(folder) / "fight.db"
                written(log, dialect, number and wanted.seed + number)
                try:
                    found |= sought(log, wanted.seeks, random.Random(f"{wanted.seed} {dialect} {number}"))
                except Exception as error:
                    failed += 1
                    steps = traceback.extract_tb(error.__traceback__)
                    found["failed"] = (
                        f"{steps[-1].line} ({steps[-1].lineno}): {type(error).__name__}: {error}"
                    )
            found["seconds"] = round(time.monotonic() - began, 1)
            print(json.dumps(found) if wanted.json else told_of(found), flush=True)
    return 1 if failed else 0


def told_of(found: dict[str, Any]) -> str:
    """Return a line that tells what became of a fight."""
    what = f"{found['dialect']} {'the packaged fight' if not found['fight'] else found['fight']}"
    if "failed" in found:
        return f"{what}: {found['failed']}"
    rolls = f"{found['rolls']} rolls ({found['unexplained']} with a term that nothing explains)"
    places = f"{found['seeks']} places of {found['events']} events, {found['changes']} changes of the past"
    return f"{what}: {places}, {found['outcomes']} outcomes, {rolls}, {found['seconds']} s"


if __name__ == "__main__":
    sys.exit(main())
