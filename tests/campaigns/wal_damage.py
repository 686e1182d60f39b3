"""Damage to the write-ahead log: what a crash and a bad disk leave beside a fight that was being played.

    python tests/campaigns/wal_damage.py [--every N] [--seed N] [--json]

A fight is copied while it is open: its file, and the -wal in which its last commits are. Of the -wal single
bits are flipped, it is cut, stretches are zeroed, frames are repeated and swapped, bytes are put behind it.
Each by itself, with and without the -shm; then every command that reads must give what stood after one of the
commits, which verifies, or end in one clear line; one that writes plays on from there or is refused. The -wal
of another fight, which is whole, is named by `verify`. Prints the counts; the exit status is 1 if anything
else came of it.
"""

import argparse
import json
import random
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.table import policies
from affray.engine.table.tactics import next_act
from affray.events import SqliteStore
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.secrets import secrets_path
from tests.campaigns.spoiling import called
from tests.campaigns.tampering import READING
from tests.house.fights import opened

HEADER, FRAME = 32, 24
"""Bytes of the header of a -wal, and of that of each of its frames, which a page of the file follows."""


ANOTHER = "of another fight"


def wal_of(path: Path) -> Path:
    """Return where SQLite keeps the write-ahead log of a file."""
    return path.with_name(f"{path.name}-wal")


def shm_of(path: Path) -> Path:
    """Return where SQLite keeps what processes share of a file that is open."""
    return path.with_name(f"{path.name}-shm")


def crashed(folder: Path, seed: int = 3) -> tuple[Path, list[bytes]]:
    """Play a fight and copy it while it is open; return the copy, and the last digest after each commit."""
    log, copy, heads = folder / "played.db", folder / "crashed.db", list[bytes]()
    with SqliteStore(log, synchronous="NORMAL") as store:
        table = opened("srd35", store, seed)
        table.use(answers=policies.auto)
    with SqliteStore(log, synchronous="NORMAL") as store:
        table = type(table)(store, answers=policies.auto)
        heads.append(store.head("main").digest)
        for number in range(12):
            act = acts.Begin() if not number else next_act(table)
            assert act is not None
            table.declare(act)
            heads.append(store.head("main").digest)
        for part in (log, wal_of(log), shm_of(log), secrets_path(log)):
            shutil.copy(part, part.with_name(part.name.replace(log.name, copy.name)))
    return copy, heads


def damages(wal: bytes, other: bytes, every: int, dice: random.Random) -> Iterator[tuple[str, bytes]]:
    """Yield what may become of a -wal, each `every` bytes; `other` is that of another fight."""
    page = int.from_bytes(wal[8:12], "big") + FRAME
    frames = [wal[at : at + page] for at in range(HEADER, len(wal), page)]
    for at in [*range(HEADER), *range(HEADER, len(wal), every)]:
        bit = 1 << dice.randrange(8)
        yield f"bit {bit} of byte {at} flipped", wal[:at] + bytes([wal[at] ^ bit]) + wal[at + 1 :]
        yield f"cut at {at}", wal[:at]
    for at in range(0, len(wal), every * 4):
        yield f"512 bytes zeroed at {at}", wal[:at] + bytes(len(wal[at : at + 512])) + wal[at + 512 :]
    for number in range(len(frames)):
        a, b = number, dice.randrange(len(frames))
        swapped = frames.copy()
        swapped[a], swapped[b] = frames[b], frames[a]
        yield f"frames {a} and {b} swapped", wal[:HEADER] + b"".join(swapped)
        yield f"frame {b} put in at {a}", wal[:HEADER] + b"".join([*frames[:a], frames[b], *frames[a:]])
        yield f"frame {a} left out", wal[:HEADER] + b"".join(frames[:a] + frames[a + 1 :])
        yield f"the first {a} frames put behind", wal + b"".join(frames[:a])
    yield "bytes behind it", wal + dice.randbytes(5000)
    yield ANOTHER, other
    yield "nothing but bytes", dice.randbytes(len(wal))
    yield "text", b"not a write-ahead log\n" * 400


class Campaign:
    """What came of damage to the -wal of one fight."""

    def __init__(self, folder: Path) -> None:
        """Play the fight, and another one."""
        (folder / "other").mkdir()
        self.base, self.heads = crashed(folder)
        other, _ = crashed(folder / "other", 4)
        self.wal, self.other = wal_of(self.base).read_bytes(), wal_of(other).read_bytes()
        self.path = folder / "fight.db"
        self.counts: Counter[str] = Counter()
        self.found: list[str] = []

    def lay(self, wal: bytes, *, shm: bool) -> None:
        """Put the files as the crash left them, with this -wal."""
        for part in self.path.parent.glob(f"{self.path.name}*"):
            part.unlink()
        shutil.copy(self.base, self.path)
        shutil.copy(secrets_path(self.base), secrets_path(self.path))
        wal_of(self.path).write_bytes(wal)
        if shm:
            shutil.copy(shm_of(self.base), shm_of(self.path))

    def run(self, every: int, dice: random.Random, part: int = 1, listen: int = 20) -> None:
        """Damage it in every `part`-th of these ways; after every `listen`-th call all commands."""
        ways = [*damages(self.wal, self.other, every, dice)]
        for number, (name, wal) in enumerate(ways[dice.randrange(part) :: part]):
            self.lay(wal, shm=number % 2 == 0)
            self._judge(name, all_commands=number % listen == 0)

    def _judge(self, name: str, *, all_commands: bool) -> None:
        verified = self._call(name, "verify", self.path)
        try:
            with SqliteStore(self.path, readonly=True) as store:
                head = store.head("main").digest
        except AffrayError:
            head = b""
        if head in self.heads and verified == 0:
            self.counts[f"what stood after {'all' if head == self.heads[-1] else 'some'} commits"] += 1
        elif verified == 2 and not head:
            self.counts["refused in one line"] += 1
        elif verified == 1 and name == ANOTHER:
            self.counts["named by verify"] += 1
        else:
            self._find(f"{name}: verify says {verified}, and the log is of no commit")
        for command, lines in READING.items() if all_commands else ():
            for line in lines:
                words = [str(self.path) if word == "DB" else word for word in line.split()]
                self._call(name, command, *words)
        written = self._call(name, "auto", self.path)
        if written == 0 and verified == 0 and self._call(name, "verify", self.path):
            self._find(f"{name}: it was played on, and does not verify")
        self.counts["played on" if written == 0 else "not played on"] += 1

    def _call(self, name: str, *words: object) -> int:
        """Run a command and return its status; it has to end in one clear line where it fails."""
        result = called(*words)
        lines = result.stderr.strip().splitlines()
        errors = [line for line in lines if line.startswith("affray: ")]
        if "unexpected" in result.output or result.exit_code not in (0, 1, 2) or len(errors) > 1:
            self._find(f"{name}: {' '.join(map(str, words))}: {result.exit_code} {result.output[-300:]}")
        return result.exit_code

    def _find(self, what: str) -> None:
        self.found.append(what)
        print(what, file=sys.stderr, flush=True)


def main() -> None:
    """Run the campaign and print its counts."""
    import tempfile

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--every", type=int, default=400, help="bytes from one damage to the next (400)")
    parser.add_argument("--seed", type=int, default=1, help="of what is left to chance (1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wal-") as folder:
        campaign = Campaign(Path(folder))
        campaign.run(wanted.every, random.Random(wanted.seed))
    counts = dict(campaign.counts)
    print(json.dumps(counts) if wanted.json else "\n".join(f"{n:6} {name}" for name, n in counts.items()))
    sys.exit(bool(campaign.found))


if __name__ == "__main__":
    main()
