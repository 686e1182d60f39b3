"""Power cuts: what the disk may hold when the machine itself stops, and not only the process.

    python tests/campaigns/power.py [--cuts 400] [--seed N] [--json]

A killed process loses nothing that it wrote, as the kernel still has it; a machine without power loses what
was not flushed. Needs strace: it records every write, flush and truncation of a fight that is played into a
log, and the notes of what was acknowledged in between. Then the disk is built as it may have been at many
moments: all that was flushed, and of what was written since any part, whole or torn at a sector. With FULL
everything acknowledged must be there; with NORMAL the newest may be missing. Either way the log opens, ends
with a whole declaration and verifies.
"""

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from msgspec import Struct, field

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.table.table import Table
from affray.events import SqliteStore
from affray.events.errors import AffrayError
from affray.events.stores.store import Store
from affray.replay.log.declarations import groups
from affray.replay.verification.verify import verify
from tests.campaigns.crash import can_trace
from tests.campaigns.judge import Broken, check, tell
from tests.campaigns.victim import next_command, perform
from tests.house.fights import DIALECTS, opened

CALLS = "pwrite64,write,fdatasync,fsync,ftruncate,unlink"
SECTOR = 512
_LINE = re.compile(r'(\w+)\((?:\d+<([^>]*)>|"([^"]*)")(?:, (.*))?\) += (-?\d+)')


class Disk(Struct):
    """One file: what is surely on the disk, and the writes that may or may not be."""

    flushed: bytearray = field(default_factory=bytearray)
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)

    def flush(self) -> None:
        """Everything written so far is on the disk."""
        for at, data in self.pending:
            write_at(self.flushed, at, data)
        self.pending.clear()

    def after_a_cut(self, dice: random.Random) -> bytes:
        """Return what the disk may hold: any of the pending writes, some of them torn."""
        found = bytearray(self.flushed)
        share = dice.choice((0.0, 0.5, 0.9, 1.0))
        for at, data in self.pending:
            if dice.random() >= share:
                continue
            if data is not None and dice.random() < 0.2:
                data = data[: dice.randrange(0, len(data) + 1, SECTOR)]
            write_at(found, at, data)
        return bytes(found)


def write_at(content: bytearray, at: int, data: bytes | None) -> None:
    """Write at a place; without data cut the file there."""
    if data is None:
        del content[at:]
        content.extend(bytes(at - len(content)))
        return
    if data and at > len(content):
        content.extend(bytes(at - len(content)))
    content[at : at + len(data)] = data


def play(path: Path, notes: Path, dialect: str, seed: int, synchronous: Any) -> None:
    """Play 60 commands into a new log, noting each acknowledgement in a file."""
    dice = random.Random(seed)
    with notes.open("ab", buffering=0) as acks, SqliteStore(path, synchronous=synchronous) as store:
        store._connection.execute("PRAGMA wal_autocheckpoint = 25")
        table = opened(dialect, store, seed)
        for number in range(60):
            command = next_command(table, dice)
            if command is None:
                break
            last = perform(table, command, f"{seed}.{number}").events[-1]
            acks.write(f"{last.seq} {last.digest.hex()}\n".encode())


def traced(
    folder: Path, dialect: str, seed: int, synchronous: str
) -> list[tuple[str, str, int, bytes | None]]:
    """Play a fight into `folder` under strace and return the calls on its files, see `recorded`."""
    trace, log, notes = folder / "trace", folder / "log.db", folder / "notes"
    watch = ["strace", "-qqq", "-y", "-xx", "-s", "100000", "-o", str(trace), "-e", f"trace={CALLS}"]
    player = [sys.executable, str(Path(__file__)), "--play", str(log), str(notes), dialect, str(seed)]
    subprocess.run([*watch, *player, synchronous], check=True)
    return recorded(trace, folder)


def recorded(trace: Path, folder: Path) -> list[tuple[str, str, int, bytes | None]]:
    """Return the calls on the log's files and its notes in order: (call, file, place, data)."""
    calls = []
    for line in trace.read_text().splitlines():
        found = _LINE.search(line)
        if found is None:
            continue
        call, name, unlinked, rest, result = found.groups()
        path = Path(unhexed(name if name is not None else unlinked).decode(errors="replace"))
        if path.parent != folder or path.name.endswith("-shm") or int(result) < 0:
            continue
        if "-secrets" in path.name:  # on the disk before there is anything to be opened by it
            continue
        if call in ("pwrite64", "write"):
            text, _, numbers = rest[1:].partition('"')
            data = unhexed(text)
            place = int(numbers.split(",")[2]) if call == "pwrite64" else 0
            check(len(data) == int(result), "a write was cut short in the trace")
            calls.append((call, path.name, place, data))
        elif call == "ftruncate":
            calls.append((call, path.name, int(rest), None))
        else:
            calls.append((call, path.name, 0, None))
    return calls


def unhexed(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", "")) if text.startswith("\\x") else text.encode()


def cuts(
    calls: list[tuple[str, str, int, bytes | None]], folder: Path, full: bool, count: int, dice: random.Random
) -> dict[str, int]:
    """Cut the power `count` times and judge what is left. Raises Broken."""
    # Before the log is complete nothing was acknowledged; a cut there is judged too, but seldom.
    opening = next(at for at, call in enumerate(calls) if call[0] == "write")
    moments = sorted(dice.randrange(opening if dice.random() < 0.95 else 0, len(calls)) for _ in range(count))
    disks: dict[str, Disk] = {}
    acks: list[tuple[int, str]] = []
    figures = {"cuts": 0, "acknowledged": 0, "lost acknowledgements": 0, "cuts that lost some": 0}
    at = 0
    for moment in moments:
        for call, name, place, data in calls[at:moment]:
            if call == "write":
                seq, digest = (data or b"").decode().split()
                acks.append((int(seq), digest))
            elif call in ("fsync", "fdatasync"):
                disks.setdefault(name, Disk()).flush()
            elif call == "unlink":
                disks.pop(name, None)
            else:
                disks.setdefault(name, Disk()).pending.append((place, data))
        at = moment
        scene = folder / "cut"
        scene.mkdir()
        for name, disk in disks.items():
            (scene / name).write_bytes(disk.after_a_cut(dice))
        if (beside := folder / "log.db-secrets").exists():
            shutil.copy(beside, scene)
        lost = judge(scene / "log.db", acks, full, figures["cuts"] % 8 == 0)
        figures["cuts"] += 1
        figures["acknowledged"] += len(acks)
        figures["lost acknowledgements"] += lost
        figures["cuts that lost some"] += lost > 0
        for file in scene.iterdir():
            file.unlink()
        scene.rmdir()
    return figures


def judge(path: Path, acks: list[tuple[int, str]], full: bool, thoroughly: bool) -> int:
    """Return how many acknowledged commands are missing. Raises Broken if that is not allowed."""
    with SqliteStore(path) as store:
        return judge_log(store, acks, full, thoroughly)


def judge_log(store: Store, acks: list[tuple[int, str]], full: bool, thoroughly: bool) -> int:
    """Return the same of an open log."""
    events = list(store.read("main"))
    lost = [seq for seq, digest in acks if seq > len(events)]
    check(not (full and lost), f"acknowledged were {[seq for seq, _ in acks][-3:]}, left is {len(events)}")
    for seq, digest in acks[: len(acks) - len(lost)]:
        check(events[seq - 1].digest.hex() == digest, f"event {seq} is not the one acknowledged")
    if events and thoroughly:
        report = verify(store)
        check(report.ok, "; ".join(str(one.problem) for one in report.checks if one.problem))
        ends = [group[-1].seq for group in groups(events)]
        check(ends[-1] == len(events), "the log ends in the middle of a declaration")
        table = Table(store)
        command = next_command(table, random.Random(1))
        if command is not None:
            perform(table, command, "afterwards")
            check(verify(store).ok, "the fight did not go on")
    return len(lost)


def main() -> None:
    """Run the campaign, or with --play the process that is traced."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cuts", type=int, default=400, help="power cuts for each setting (default 400)")
    parser.add_argument("--seed", type=int, default=1, help="which moments and losses (default 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--play", nargs=5, help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.play:
        path, notes, dialect, seed, synchronous = wanted.play
        play(Path(path), Path(notes), dialect, int(seed), synchronous)
        return
    if not can_trace():
        sys.exit("nothing was tested: strace is not installed, or may not trace here")
    result: dict[str, Any] = {}
    broken, began = "", time.monotonic()
    dice = random.Random(wanted.seed)
    try:
        for synchronous in ("FULL", "NORMAL"):
            sums: dict[str, int] = {}
            for number, dialect in enumerate(DIALECTS):
                with tempfile.TemporaryDirectory(prefix="power-") as made:
                    folder = Path(made).resolve()
                    calls = traced(folder, dialect, wanted.seed + number, synchronous)
                    count = wanted.cuts // len(DIALECTS)
                    for name, value in cuts(calls, folder, synchronous == "FULL", count, dice).items():
                        sums[name] = sums.get(name, 0) + value
                print(f"\r{synchronous}: {sums['cuts']} of {wanted.cuts}", end="", file=sys.stderr)
            result[synchronous] = sums
    except (Broken, AffrayError) as error:
        broken = f"{synchronous}: {error!r}"
    print(file=sys.stderr)
    result["seconds"] = round(time.monotonic() - began, 1)
    result["broken"] = broken
    tell(result, as_json=wanted.json)
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
