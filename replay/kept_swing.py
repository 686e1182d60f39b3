"""What was worked out of a fight's chances, kept in a file beside the log so that it need not be again."""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from affray.events.files import read_found, replacing
from affray.events.store import Store
from affray.replay.drawn_chances import Swing
from affray.replay.swing import RUNS, Kept, Told, plainly, swing

FORMAT, FORMAT_VERSION = "affray-swing", 1
MOST_BYTES = 20_000_000
"""A file beyond that is begun anew."""


def beside(log: Path) -> Path:
    """Return where the results for a log are kept: beside the file itself, whatever link leads there."""
    path = Path(os.path.realpath(log))
    return path.with_name(f"{path.name}-swing")


def kept_swing(
    store: Store,
    log: Path,
    *,
    branch: str = "",
    runs: int = RUNS,
    jobs: int = 1,
    on: str = "",
    seed: str = "swing",
    progress: Callable[[int, int], None] | None = None,
    told: Told = plainly,
) -> Swing:
    """Return the chances along a line (see `swing`), and keep beside the log what was played for them.

    What is kept goes by the digest of the event that was played on from: it fits no other log. A file that
    cannot be read counts for nothing; one that cannot be written is left alone.
    """
    kept = _read(beside(log))
    before = len(kept)
    try:
        return swing(
            store,
            branch=branch,
            runs=runs,
            jobs=jobs,
            on=on,
            seed=seed,
            kept=kept,
            progress=progress,
            told=told,
        )
    finally:
        if len(kept) > before:
            _write(beside(log), kept)


def _read(path: Path) -> Kept:
    with suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
        found = json.loads(read_found(path, MOST_BYTES, path.parent))
        if (found["format"], found["version"]) == (FORMAT, FORMAT_VERSION):
            wins = found["wins"].items()
            return {str(name): {str(side): int(count) for side, count in one.items()} for name, one in wins}
    return {}


def _counts(wins: dict[str, int]) -> dict[str, int]:
    return {str(side): int(count) for side, count in wins.items()}


def _write(path: Path, kept: Kept) -> None:
    written = json.dumps({"format": FORMAT, "version": FORMAT_VERSION, "wins": kept}, separators=(",", ":"))
    with suppress(OSError), replacing(path) as file:
        file.write(written.encode())
