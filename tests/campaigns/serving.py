"""The served fight under stress: killed, followed by many, for long, and by one who does not read.

    python tests/campaigns/serving.py [kills] [several] [load] [costly] [memory] [unread] [--json] ...

Each part starts the real command `affray serve` on a log of its own. The clients are cheap, in one process,
and share the clock of the machine with who declares. The exit status is 1 if anything is not as it should be.

kills   the server is killed and started again while one declares (and repeats what was not answered), others
        follow, and the main line changes: no gap, no repeat, nothing lost, nothing done twice.
several three servers share one fight of a PostgreSQL database, any of which is killed; else as kills. Without
        a server's programs it is left out, saying so.
load    many look on while a declaration is posted, or made on the file, every so often: how long until they
        have it.
costly  one guest asks for pages of a long fight without pause: how long the others wait.
memory  many events go by: what the server holds does not grow.
unread  one who follows does not read: it is dropped, the others do not notice, and it goes on where it was.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests import server
from tests.campaigns import serving_kills, serving_load, serving_long
from tests.ports import free_port

PARTS = ("kills", "several", "load", "costly", "memory", "unread")


def runs(wanted: argparse.Namespace, folder: Path) -> dict[str, Callable[[], dict[str, Any]]]:
    """Return what is to be run, by name."""
    port = wanted.port or free_port(serving_kills.SERVERS)
    made: dict[str, Callable[[], dict[str, Any]]] = {}
    if "kills" in wanted.parts:
        made["kills"] = lambda: serving_kills.campaign(folder, port, wanted.kills, wanted.seed)
    if "several" in wanted.parts:

        def several() -> dict[str, Any]:
            with server.running() as running:
                at = running.address(fight="served")
                return serving_kills.campaign(folder, port, wanted.kills, wanted.seed, at)

        made["several"] = several
    if "load" in wanted.parts:
        for way in ("posted", "appended"):
            made[f"load, {way}"] = lambda way=way: serving_load.campaign(  # type: ignore[misc]
                folder, port, wanted.onlookers, wanted.every / 1000, wanted.seconds, way
            )
    if "costly" in wanted.parts:
        made["costly"] = lambda: serving_load.asked_without_pause(folder, port, wanted.seconds)
    if "memory" in wanted.parts:
        made["memory"] = lambda: serving_long.flat(folder, port, wanted.events)
    if "unread" in wanted.parts:
        made["unread"] = lambda: serving_long.unread(folder, port)
    return made


def main() -> None:
    """Run the parts and print their figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (all of them)")
    parser.add_argument("--kills", type=int, default=50, help="how often it is killed (50)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments at which it is (1)")
    parser.add_argument("--onlookers", type=int, default=200, help="who look on under load (200)")
    parser.add_argument("--every", type=float, default=50, help="milliseconds between declarations (50)")
    parser.add_argument("--seconds", type=float, default=20, help="how long that goes on (20)")
    parser.add_argument("--events", type=int, default=100_000, help="that go by in the part memory (100000)")
    parser.add_argument("--port", type=int, help="where the server listens (the first of three free ones)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    if unknown := [one for one in wanted.parts if one not in PARTS]:
        parser.error(f"no part {unknown[0]!r}: there is {', '.join(PARTS)}")
    wanted.parts = wanted.parts or list(PARTS)
    if "several" in wanted.parts and (lacking := server.lacking()):
        print(f"several is left out: {lacking}", file=sys.stderr)
        wanted.parts.remove("several")
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="serving-") as folder:
        for name, run in runs(wanted, Path(folder)).items():
            found[name] = run()
            if not wanted.json:
                print(name)
                for label, value in found[name].items():
                    print(f"  {label:40} {value}", flush=True)
    if wanted.json:
        print(json.dumps(found, indent=2))
    sys.exit(any(one["wrong"] for one in found.values()))


if __name__ == "__main__":
    main()
