"""Works out chances in a process of its own: python -m affray.replay.serve.win_chances RUNS

It reads where the log is, a line of JSON, from standard input. The chances are those along the main line,
from so many fights at each moment. It prints how far it is ("40 1200"), line by line, then what it came to
as JSON, or "! why not". It yields to whatever else the machine has to do.
"""

import os
import sys
from pathlib import Path

import msgspec

from affray.events.errors import AffrayError
from affray.replay.chance.swing import compute_stored_swing
from affray.replay.log_files import open_log, parse_log_location
from affray.replay.text.narrate import Narrator


def work_out(log: Path, runs: int) -> str:
    """Return the chances as JSON, "! why not" where there are none; how far it is is printed meanwhile."""

    def progress(done: int, of: int) -> None:
        print(done, of, flush=True)

    try:
        with open_log(log, readonly=True) as store:
            found = compute_stored_swing(
                store,
                log,
                runs=runs,
                progress=progress,
                told=lambda state, declared: Narrator(state).brief(declared),
            )
    except AffrayError as error:
        return f"! {error}"
    return msgspec.json.encode(found).decode()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(15)
    place = parse_log_location(msgspec.json.decode(sys.stdin.buffer.readline(), type=str))
    sys.stdout.write(f"{work_out(place, int(sys.argv[1]))}\n")
