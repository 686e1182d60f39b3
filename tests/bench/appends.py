"""Appends a second: into a file and into a database, by one writer and by several, each commit flushed.

    python tests/bench/appends.py [--appends 2000] [--writers 8]

An append is what one attack comes to: 10 events, one transaction, one flush. The server is one of our own on
this machine with its default settings; the load that others put on the machine is printed beside.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.events import SqliteStore
from affray.events.envelope import Entry
from affray.events.errors import Conflict
from affray.events.stores.postgres import PostgresStore
from affray.events.stores.store import Store
from tests import server

EVENTS = 10


def batch(number: int) -> list[Entry]:
    """Return the entries of one append, of the usual size."""
    words = b"x" * 200
    data = [
        b'{"type":"attack.rolled","n":%d,"at":%d,"words":"%s"}' % (number, n, words) for n in range(EVENTS)
    ]
    return [Entry("attack.rolled", 1, 1, 1, "ogre", 1, one) for one in data]


def write(store: Store, appends: int) -> None:
    """Append so often, from wherever the head is."""
    done, head = 0, store.head("main").seq
    while done < appends:
        try:
            head = store.append("main", batch(done), head)[-1].seq
            done += 1
        except Conflict as conflict:
            head = conflict.actual


def rate(stores: list[Callable[[], Store]], appends: int) -> float:
    """Return the appends a second of as many processes as there are stores, all together."""
    gate, start = os.pipe()
    children = []
    for opened in stores:
        child = os.fork()
        if not child:
            try:
                os.close(start)
                with opened() as store:
                    os.read(gate, 1)
                    write(store, appends // len(stores))
                os._exit(0)
            finally:
                os._exit(3)
        children.append(child)
    time.sleep(1 + len(stores) / 4)  # all of them are open
    os.close(gate)
    began = time.perf_counter()
    os.close(start)
    failed = [child for child in children if os.waitpid(child, 0)[1]]
    if failed:
        sys.exit(f"{len(failed)} writers failed")
    return appends / (time.perf_counter() - began)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--appends", type=int, default=2000, help="in each row (default 2000)")
    parser.add_argument("--writers", type=int, default=8, help="at once (default 8)")
    wanted = parser.parse_args()
    many = wanted.writers
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {wanted.appends} appends of {EVENTS} events"
    )
    with tempfile.TemporaryDirectory(prefix="appends-", dir=os.environ.get("TMPDIR")) as folder:
        paths = [Path(folder, f"{number}.db") for number in range(many + 1)]
        for path in paths:
            SqliteStore(path).close()

        def file(path: Path) -> Callable[[], Store]:
            return lambda: SqliteStore(path, busy_seconds=60)

        rows = [("a file", [file(paths[0])]), (f"{many} files", [file(path) for path in paths[1:]])]
        tell([(name, rate(stores, wanted.appends)) for name, stores in rows])
    if lacking := server.lacking():
        sys.exit(f"no database: {lacking}")
    with server.running(()) as running:

        def fight(name: str) -> Callable[[], Store]:
            return lambda: PostgresStore(running.address(fight=name))

        for name in ["one", "all", *(f"of{number}" for number in range(many))]:
            fight(name)().close()
        rows = [
            ("a fight", [fight("one")]),
            (f"{many} fights, a writer each", [fight(f"of{number}") for number in range(many)]),
            (f"a fight, {many} writers", [fight("all")] * many),
        ]
        tell([(name, rate(stores, wanted.appends)) for name, stores in rows])
        bytes_of = sum(path.stat().st_size for path in running.data.rglob("*") if path.is_file())
        print(f"the database stands at {bytes_of / 1e6:.0f} MB with {3 * wanted.appends * EVENTS:,} events")


def tell(rows: list[tuple[str, float]]) -> None:
    """Print rates."""
    for name, found in rows:
        print(f"{name:<28} {found:8.0f} appends a second, {found * EVENTS:8.0f} events")


if __name__ == "__main__":
    main()
