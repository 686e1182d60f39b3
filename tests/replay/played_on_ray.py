"""Work shared on a Ray of our own, in a process of its own: prints what came of it as JSON."""

import json
import sys
import tempfile
from pathlib import Path

import shares_of_work

from affray.engine.table.scenario import packaged, set_up
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.replay.chance.odds import odds
from affray.replay.workers import fan_out, own


def main(folder: str) -> None:
    found: dict[str, object] = {}
    tempfile.tempdir = folder
    marks = Path(folder, "marks")
    marks.mkdir()
    fight = MemoryStore()
    set_up(packaged("demo_srd35"), fight, seed=b"odds").declare(acts.Begin())
    alone = odds(fight, "end", runs=1000, seed="x")
    found["the same odds"] = odds(fight, "end", runs=1000, seed="x", jobs=2, on="ray") == alone
    # A Ray that this process is connected to is used, and left as it is.
    with own(2):
        parts = [(number, str(marks)) for number in range(60)]
        found["killed"] = list(fan_out(shares_of_work.killed_once, parts, jobs=2, on="ray"))
        found["kills"] = len(list(marks.iterdir()))
        for name in ("never", "killed_always"):
            try:
                found[name] = list(fan_out(getattr(shares_of_work, name), range(60), jobs=2, on="ray"))
            except AffrayError as error:
                found[name] = str(error)
        heard = next(fan_out(shares_of_work.listening, range(60), jobs=2, on="ray"))
        found["listening"] = sorted(set(heard))
    found["left"] = [path.name for path in Path(folder).iterdir() if path != marks]
    print(json.dumps(found))


main(sys.argv[1])
