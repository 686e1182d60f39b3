"""Monstrous logs: every command on every one of them ends in time, in bounds of memory, in one clear line.

    python tests/campaigns/bounds.py [--every 1] [--seed N] [--only TEXT ...] [--json]

Makes a log for each field of each fact: at its bounds, one past them, and far past; and logs of monstrous
build: nested, long, branching, about nobody. All of them hang together: their digests fit. What is past its
bounds must be refused by `import` and `verify` with file, line, field, value and bound; then every command is
run on the same log in a database, in a process of its own that has the program loaded, and must end within
two seconds of processor time and 300 MB; `odds`, which plays on, within twenty. `--every 100` takes each
hundredth field only. The exit status is 1 if anything does not hold.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.campaigns.by_dialect import told_of
from tests.fuzz.commands import Ended, ended, filled
from tests.fuzz.giants import Giant, giants
from tests.fuzz.monsters import PAST, Monster, exported, monsters, rows, stored

READERS = ("show", "log", "verify", "why", "do")
"""What is run on a log whose odd field is past its bound; each reads the facts by another way."""


class Tally(NamedTuple):
    """What came of a campaign."""

    logs: int
    commands: int
    slowest: float
    largest: float
    faults: list[str]


def words_for(folder: Path, name: str = "") -> dict[str, str]:
    """Return what stands for a log in the words of commands."""
    return {
        "db": str(folder / "log.db"),
        "file": str(folder / "log.jsonl"),
        "new": str(folder / "new.db"),
        "out": str(folder / "out"),
        "id": "fighter",
        "seq": "12",
        "last": "40",
        "text": "word",
    }


def run_all(folder: Path, only: tuple[str, ...] = ()) -> Iterator[Ended]:
    """Run every command on the log that lies in a folder, and yield how each ended."""
    for words in filled(words_for(folder)):
        if words[0] != "import" and (not only or words[0] in only):
            (folder / "new.db").unlink(missing_ok=True)
            yield ended(words, folder)


def imported(folder: Path, refused: bool | None, field: str) -> Iterator[tuple[Ended, str]]:
    """Import and verify the export in a folder; yield how each ended, and what is wrong with that."""
    file = str(folder / "log.jsonl")
    for words in (("import", file, "--db", str(folder / "imported.db")), ("verify", file)):
        found = ended(words, folder)
        fault = found.fault
        said = found.err.decode("utf-8", "replace")
        if refused and not fault and (found.status == 0 or "line" not in said or file not in said):
            fault = f"{words[0]} does not refuse it by file and line: {found.status} {said[:200]}"
        if refused and field and not fault and field not in said:
            fault = f"{words[0]} does not name the field {field}: {said[:300]}"
        yield found, fault


def cases(every: int, seed: int, only: tuple[str, ...]) -> Iterator[Monster | Giant]:
    """Yield the logs to make, one at a time: what this process holds, each command's process begins with."""
    chosen = (one for number, one in enumerate(monsters()) if (number + seed) % every == 0)
    return (one for one in chain(chosen, giants()) if any(text in one.name for text in only))


def campaign(every: int = 1, seed: int = 0, only: tuple[str, ...] = ("",)) -> Tally:
    """Run the campaign; return what came of it."""
    logs = commands = 0
    slowest = largest = 0.0
    faults: list[str] = []
    for case in told_of("logs", cases(every, seed, only)):
        logs += 1
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            past = case.kind == PAST
            if isinstance(case, Giant):
                case.write(folder)
            else:
                events = rows(case.fact)
                (folder / "log.jsonl").write_bytes(exported(events))
                stored(folder / "log.db", events)
            found = list(imported(folder, past, "")) if (folder / "log.jsonl").exists() else []
            if (folder / "log.db").exists():
                quick = READERS if past and isinstance(case, Monster) else ()
                found += [(one, one.fault) for one in run_all(folder, quick)]
            for one, fault in found:
                commands += 1
                slowest, largest = max(slowest, one.seconds), max(largest, one.megabytes)
                if fault:
                    faults.append(f"{case.name} {case.kind}: {fault}")
                    print(faults[-1], file=sys.stderr, flush=True)
    return Tally(logs, commands, slowest, largest, faults)


def main() -> int:
    """Run the campaign; 0 if everything holds, else 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--every", type=int, default=1, help="take each so-manieth field only")
    parser.add_argument("--seed", type=int, default=0, help="with which field to begin")
    parser.add_argument(
        "--only", action="append", help="only logs whose name holds this, or another such text"
    )
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    tally = campaign(given.every, given.seed, tuple(given.only or ("",)))
    if given.json:
        print(json.dumps(tally._asdict()))
    else:
        print(
            f"{tally.logs} logs, {tally.commands} commands, the slowest {tally.slowest:.2f} s, "
            f"the largest {tally.largest:.0f} MB, {len(tally.faults)} faults"
        )
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
