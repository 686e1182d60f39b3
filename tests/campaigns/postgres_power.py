"""Power cuts of a PostgreSQL server: what its disk may hold when the machine itself stops.

    python tests/campaigns/postgres_power.py [--cuts 200] [--seed N] [--json]

Needs strace: it records every write, flush, truncation and renaming of all processes of a server while fights
are declared into it, one command after the other, with checkpoints in between; the one who declares notes
when each was acknowledged. Then the data directory is built as it may have been at many moments: all that was
flushed, and of what was written since any part, whole or torn at a sector. A server is started over it and
recovers. With FULL everything acknowledged must be there, with NORMAL (synchronous_commit=off) the newest may
be missing; either way the log verifies, ends with a whole declaration and goes on. That files exist, and are
called as they are, is taken for granted. The exit status is 1 if a promise was broken.
"""

import argparse
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct, field

sys.path.insert(0, str(Path(__file__).parents[2]))

import psycopg

from affray.events.errors import AffrayError
from affray.events.stores.postgres import PostgresStore
from affray.events.stores.postgres_connection import Synchronous
from tests import server
from tests.campaigns.crash import can_trace
from tests.campaigns.judge import Broken, tell
from tests.campaigns.power import SECTOR, judge_log, unhexed, write_at
from tests.campaigns.victim import next_command, perform
from tests.house.fights import DIALECTS, opened

CALLS = (
    "pwrite64,pwritev,pwritev2,write,fdatasync,fsync,ftruncate,fallocate,openat,rename,renameat,renameat2,"
    "link,linkat,unlink,unlinkat"
)
COMMANDS = 60
SETTINGS = ("checkpoint_timeout=1h", "bgwriter_delay=10ms", "wal_writer_delay=200ms")
LIVING = ("postmaster.pid", "postmaster.opts")
"""Files that speak of a server that runs: after a power cut there is none."""
_LINE = re.compile(r"^\d+ +(\d+\.\d+) (\w+)\((.*)\) += (-?\d+)(?:<[^>]*>)?.* <(\d+\.\d+)>$")
_BEGUN = re.compile(r"^(\d+) +(\d+\.\d+) (\w+)\((.*) <unfinished \.\.\.>$")
_ENDED = re.compile(r"^(\d+) +\d+\.\d+ <\.\.\. \w+ resumed>(.*)$")
_FILE = re.compile(r"^\d+<([^>]*)>")
_TEXT = re.compile(r'"([^"]*)"')


class Call(Struct):
    """A call on a file of the data directory: from when to when, on what, where, with which bytes."""

    began: float
    ended: float
    kind: str
    name: str
    place: int = 0
    data: bytes = b""
    to: str = ""


class File(Struct):
    """One file: what is surely on the disk, and the writes that may or may not be, with when they ended."""

    flushed: bytearray = field(default_factory=bytearray)
    pending: list[tuple[float, int, bytes | None]] = field(default_factory=list)

    def flush(self, began: float) -> None:
        """What was written before a flush began is on the disk when it ends."""
        for ended, at, data in self.pending:
            if ended <= began:
                write_at(self.flushed, at, data)
        self.pending = [one for one in self.pending if one[0] > began]

    def after_a_cut(self, dice: random.Random) -> bytes:
        """Return what the disk may hold."""
        found = bytearray(self.flushed)
        share = dice.choice((0.0, 0.5, 0.9, 1.0))
        for _, at, data in self.pending:
            if dice.random() >= share:
                continue
            if data is not None and dice.random() < 0.2:
                data = data[: dice.randrange(0, len(data) + 1, SECTOR)]
            write_at(found, at, data)
        return bytes(found)


class Disk:
    """The data directory as calls come to it, from a copy on."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.files: dict[str, File | None] = {}

    def take(self, call: Call) -> None:
        """Let a call have its effect."""
        if call.kind == "flush":
            if (found := self._file(call.name)) is not None:
                found.flush(call.began)
        elif call.kind == "unlink":
            self.files[call.name] = None
        elif call.kind in ("rename", "link"):
            self.files[call.to] = self._file(call.name)
            if call.kind == "rename":
                self.files[call.name] = None
        elif call.kind == "create":
            if self._file(call.name) is None:
                self.files[call.name] = File()
        else:
            found = self._file(call.name) or File()
            self.files[call.name] = found
            data = None if call.kind == "cut" else call.data
            found.pending.append((call.ended, call.place, data))

    def _file(self, name: str) -> File | None:
        path = self.base / name
        if name not in self.files and path.is_file():
            self.files[name] = File(bytearray(path.read_bytes()))
        return self.files.get(name)

    def cut(self, data: Path, dice: random.Random) -> None:
        """Make a copy of the directory be as it may be after a power cut."""
        for name, file in sorted(self.files.items()):
            path = data / name
            if file is None:
                path.unlink(missing_ok=True)
                continue
            is_new = not path.exists()
            path.write_bytes(file.after_a_cut(dice))
            if is_new:
                shutil.copymode(data / "PG_VERSION", path)
                owner = data.stat()
                shutil.chown(path, owner.st_uid, owner.st_gid)


def recorded(trace: Path, data: Path) -> list[Call]:
    """Return the calls on files of a data directory, in the order in which their effect is there."""
    calls, written = list[Call](), dict[str, int]()
    for began, ended, kind, rest, value in _calls(trace):
        for call in _call(began, ended, kind, rest, data) if value >= 0 else ():
            if call.kind == "open":
                written[call.name] = 0
                continue
            if kind == "write":  # one after the other from where the file was opened
                call.place = written.get(call.name, 0)
                written[call.name] = call.place + len(call.data)
            calls.append(call)
    # A write may be on the disk as soon as it has begun; a flush is done when it has ended.
    return sorted(calls, key=lambda one: one.began if one.kind == "write" else one.ended)


def _calls(trace: Path) -> Iterator[tuple[float, float, str, str, int]]:
    """Yield when each call began and ended, its name, its arguments as text and its result."""
    begun: dict[str, tuple[str, str]] = {}
    for row in trace.read_text(errors="replace").splitlines():
        if half := _BEGUN.match(row):
            pid, began, kind, rest = half.groups()
            begun[pid] = (f"{pid} {began} {kind}({rest}", began)
            continue
        if half := _ENDED.match(row):
            pid, rest = half.groups()
            if pid not in begun:
                continue
            row = begun.pop(pid)[0] + rest
        if found := _LINE.match(row):
            at, kind, rest, value, took = found.groups()
            yield float(at), float(at) + float(took), kind, rest, int(value)


def _call(began: float, ended: float, kind: str, rest: str, data: Path) -> Iterator[Call]:
    def inside(text: str) -> str:
        path = Path(unhexed(text).decode(errors="replace"))
        path = path if path.is_absolute() else data / path
        return str(path.relative_to(data)) if path.is_relative_to(data) and path.name not in LIVING else ""

    if kind.startswith(("rename", "link")):
        names = [inside(one) for one in _TEXT.findall(rest)]
        if all(names):
            yield Call(began, ended, "link" if kind.startswith("link") else "rename", names[0], to=names[1])
        return
    if kind in ("unlink", "unlinkat", "openat"):
        name = inside(_TEXT.search(rest)[1])  # type: ignore[index]
        if name and kind != "openat":
            yield Call(began, ended, "unlink", name)
        elif name:
            yield Call(began, ended, "open", name)
        if name and kind == "openat" and "O_CREAT" in rest:
            yield Call(began, ended, "create", name)
        if name and kind == "openat" and "O_TRUNC" in rest:
            yield Call(began, ended, "cut", name)
        return
    file = _FILE.match(rest)
    name = inside(file[1]) if file is not None else ""
    if not name:
        return
    numbers = re.sub(r'"[^"]*"|\[.*\]', "", rest).split(",")
    if kind in ("fsync", "fdatasync"):
        yield Call(began, ended, "flush", name)
    elif kind == "ftruncate":
        yield Call(began, ended, "cut", name, int(numbers[1]))
    elif kind == "fallocate":
        yield Call(began, ended, "write", name, int(numbers[2]), bytes(int(numbers[3])))
    else:
        written = b"".join(unhexed(one) for one in _TEXT.findall(rest))
        place = int(numbers[-1]) if kind == "pwritev" else 0 if kind == "write" else int(numbers[3])
        yield Call(began, ended, "write", name, place, written)


def play(running: server.Server, seed: int, synchronous: Synchronous) -> list[Any]:
    """Declare into new fights and return what was acknowledged: (when, fight, event, digest)."""
    acks: list[tuple[float, str, int, str]] = []
    with psycopg.connect(running.address(), autocommit=True) as owner:
        for number, dialect in enumerate(DIALECTS):
            dice, fight = random.Random(seed + number), f"cut{number}"
            with PostgresStore(running.address(fight=fight), synchronous=synchronous) as store:
                table = opened(dialect, store, seed + number)
                for each in range(COMMANDS):
                    command = next_command(table, dice)
                    if command is None:
                        break
                    last = perform(table, command, f"{seed}.{each}").events[-1]
                    acks.append((time.time(), fight, last.seq, last.digest.hex()))
                    if dice.random() < 0.04:
                        owner.execute("CHECKPOINT")
    return acks


def traced(folder: Path, seed: int, synchronous: Synchronous) -> tuple[Path, list[Call], list[Any]]:
    """Play under strace; return the data directory as it was before, the calls, and what was acknowledged."""
    live = folder / "live"
    live.mkdir()
    running = server.Server(live, SETTINGS)
    running.start()
    # The tables are made, and a segment of the WAL begun, before anything is recorded.
    with PostgresStore(running.address(fight="before")) as store:
        opened("srd35", store, seed)
    with psycopg.connect(running.address(), autocommit=True) as owner:
        owner.execute("SELECT pg_switch_wal()")
        owner.execute("CHECKPOINT")
    running.stop()
    shutil.copytree(running.data, folder / "base", symlinks=True)
    if (user := live.stat()).st_uid:
        for path in (folder / "base", *(folder / "base").rglob("*")):
            shutil.chown(path, user.st_uid, user.st_gid)
    trace = folder / "trace"
    running.start(
        ["strace", "-f", "-qqq", "-y", "-xx", "-ttt", "-T", "-s", "1000000", "-o", str(trace),
         "-e", f"trace={CALLS}"]
    )  # fmt: skip
    try:
        acks = play(running, seed, synchronous)
    finally:
        running.crash()
    return folder / "base", recorded(trace, running.data), acks


def cuts(
    base: Path, calls: list[Call], acks: list[Any], full: bool, count: int, dice: random.Random
) -> dict[str, int]:
    """Cut the power `count` times and judge what is left. Raises Broken."""
    figures = {"cuts": 0, "acknowledged": 0, "lost acknowledgements": 0, "cuts that lost some": 0}
    first, last = acks[0][0], acks[-1][0]
    moments = sorted(first + dice.random() * (last - first) for _ in range(count))
    disk, at = Disk(base), 0
    for moment in moments:
        while (
            at < len(calls) and (calls[at].began if calls[at].kind == "write" else calls[at].ended) <= moment
        ):
            disk.take(calls[at])
            at += 1
        told = [ack for ack in acks if ack[0] <= moment]
        lost = _after(disk, base, told, full, dice, figures["cuts"] % 8 == 0)
        figures["cuts"] += 1
        figures["acknowledged"] += len(told)
        figures["lost acknowledgements"] += lost
        figures["cuts that lost some"] += lost > 0
    return figures


def _after(disk: Disk, base: Path, told: list[Any], full: bool, dice: random.Random, close: bool) -> int:
    """Start a server over what a power cut has left, and return how many acknowledgements it lost."""
    with tempfile.TemporaryDirectory(prefix="cut-", dir="/tmp") as made:
        again = server.Server(Path(made), (), like=base)
        disk.cut(again.data, dice)
        try:
            again.start()
        except RuntimeError as error:
            raise Broken(f"the server does not recover: {str(error)[-800:]}") from error
        try:
            lost = 0
            for fight in sorted({ack[1] for ack in told}):
                with PostgresStore(again.address(fight=fight)) as store:
                    mine = [(seq, digest) for _, name, seq, digest in told if name == fight]
                    lost += judge_log(store, mine, full, close)
            return lost
        finally:
            again.stop()


def main() -> None:
    """Run the campaign."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cuts", type=int, default=200, help="power cuts for each setting (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="which moments and losses (default 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    if not can_trace() or server.lacking():
        sys.exit(
            f"nothing was tested: {server.lacking() or 'strace is not installed, or may not trace here'}"
        )
    result: dict[str, Any] = {}
    broken, began = "", time.monotonic()
    try:
        for synchronous in ("FULL", "NORMAL"):
            with tempfile.TemporaryDirectory(prefix="power-") as made:
                folder = Path(made).resolve()
                folder.chmod(0o755)
                base, calls, acks = traced(folder, wanted.seed, synchronous)
                dice = random.Random(wanted.seed)
                result[synchronous] = cuts(base, calls, acks, synchronous == "FULL", wanted.cuts, dice)
            print(f"{synchronous}: {result[synchronous]['cuts']} cuts", file=sys.stderr)
    except (Broken, AffrayError) as error:
        broken = f"{synchronous}: {error!r}"
    result["seconds"] = round(time.monotonic() - began, 1)
    result["broken"] = broken
    tell(result, as_json=wanted.json)
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
