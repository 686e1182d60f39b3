"""Reading everything: writers whose commits are held back and overtake one another; readers skip nothing.

    python tests/campaigns/everything.py [--appends 40000] [--writers 8] [--seed N] [--json]

Each writer appends to fights of its own in one database. Some appends are held back: the events are in, but
the commit waits, up to a tenth of a second, while the others go on, so that what was begun first is seen
last. Two readers follow everything meanwhile; one of them leaves off again and again and goes on from the
cursor it kept. Each must be told every event once, in the order of its fight. The exit status is 1 if one
was skipped or told twice.
"""

import argparse
import multiprocessing
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.events.envelope import Entry
from affray.events.stores.postgres import Cursor, Everything, PostgresStore
from tests import server
from tests.campaigns.judge import tell

HELD = 0.05
"""So many of the commits are held back."""

FIGHTS = 4
"""So many fights each writer appends to."""


def write(database: str, writer: int, appends: int, seed: int) -> None:
    """Append to the fights of a writer, and hold some commits back."""
    dice = random.Random(f"{seed}/{writer}")
    stores = [PostgresStore(f"{database}#w{writer}-{number}") for number in range(FIGHTS)]
    heads = [0] * FIGHTS
    for number in range(appends):
        which = dice.randrange(FIGHTS)
        store, count = stores[which], dice.randint(1, 3)
        entries = [Entry("turn.began", 1, 1, 1, "a", 1, b'{"n":%d}' % number)] * count
        if dice.random() < HELD:
            with store._wire.transaction():
                store.append("main", entries, heads[which])
                time.sleep(dice.random() / 10)
        else:
            store.append("main", entries, heads[which])
        heads[which] += count


def read(database: str, leaves: bool, stop: Any, told: Any) -> None:
    """Follow everything until `stop`, and say what was told how often, and what came out of order."""
    seen: Counter[tuple[str, int]] = Counter()
    last: dict[str, int] = {}
    cursor, disordered, ends = Cursor(), 0, False
    while not ends:
        with Everything(database) as everything:
            ends = stop.is_set()
            until = time.monotonic() + 0.2
            for passed in everything.follow(
                cursor,
                poll_seconds=0.05,
                stop=lambda until=until: stop.is_set() or (leaves and time.monotonic() > until),
            ):
                cursor = passed.cursor
                seen[passed.fight, passed.event.seq] += 1
                disordered += passed.event.seq != last.get(passed.fight, 0) + 1
                last[passed.fight] = passed.event.seq
    told.put((sum(seen.values()), sum(count - 1 for count in seen.values()), disordered))


def campaign(database: str, appends: int, writers: int, seed: int) -> dict[str, Any]:
    """Run writers and readers over a database, and return the counts."""
    context = multiprocessing.get_context("fork")
    stop, told = context.Event(), context.SimpleQueue()
    readers = [context.Process(target=read, args=(database, leaves, stop, told)) for leaves in (False, True)]
    writing = [
        context.Process(target=write, args=(database, number, appends // writers, seed))
        for number in range(writers)
    ]
    PostgresStore(f"{database}#w0-0").close()  # so that readers find the schema
    began = time.monotonic()
    for one in (*readers, *writing):
        one.start()
    for one in writing:
        one.join()
    failed = sum(bool(one.exitcode) for one in writing)
    stop.set()
    for one in readers:
        one.join()
    results = [told.get() for one in readers if not one.exitcode]
    failed += len(readers) - len(results)
    events = 0
    for writer in range(writers):
        for number in range(FIGHTS):
            with PostgresStore(f"{database}#w{writer}-{number}", readonly=True) as store:
                events += store.head("main").seq
    return {
        "appends": appends // writers * writers,
        "writers": writers,
        "events": events,
        "skipped": sum(events - (count - doubled) for count, doubled, _ in results),
        "doubled": sum(doubled for _, doubled, _ in results),
        "out of order": sum(disordered for _, _, disordered in results),
        "failed": failed,
        "seconds": round(time.monotonic() - began, 1),
    }


def main() -> None:
    """Run the campaign and print the counts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--appends", type=int, default=40_000, help="appends of all writers (default 40000)")
    parser.add_argument("--writers", type=int, default=8, help="writers at once (default 8)")
    parser.add_argument("--seed", type=int, default=1, help="which commits are held back (default 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    with server.running() as running:
        found = campaign(running.address(), wanted.appends, wanted.writers, wanted.seed)
    tell(found, as_json=wanted.json)
    sys.exit(any(found[name] for name in ("skipped", "doubled", "out of order", "failed")))


if __name__ == "__main__":
    main()
