"""Calculate win chances in a separate process: python -m affray.replay.serve.win_chances RUNS [FOLDER...]

It reads the location of the log, a line of JSON, from standard input. It calculates the chances along the
main line from RUNS fights at each moment, with the packages in the folders. It prints its progress
("40 1200") line by line, then the result as JSON, or "! why not". It runs at low priority.
"""

import os
import sys
from pathlib import Path

import msgspec

from affray.engine.book.packages import packages_named
from affray.engine.text.narrate import Narrator
from affray.events.errors import AffrayError
from affray.replay.chance.swing import compute_stored_swing
from affray.replay.log_files import open_log, parse_log_location


def work_out(log: Path, runs: int) -> str:
    """Return the chances as JSON, "! why not" if there are none; print the progress."""

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
    for folder in sys.argv[2:]:
        packages_named(folder)
    place = parse_log_location(msgspec.json.decode(sys.stdin.buffer.readline(), type=str))
    sys.stdout.write(f"{work_out(place, int(sys.argv[1]))}\n")
