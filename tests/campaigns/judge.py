"""What has to hold of a log whose writer was killed."""

import json
import random
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from affray.engine.table import policies
from affray.engine.table.table import Table
from affray.events import MemoryStore, SqliteStore
from affray.events.chain import SALT_KEY, salt_key, verified
from affray.events.envelope import Event
from affray.events.errors import RequestReused
from affray.events.facts import acts
from affray.events.secrets import secrets_path
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.projections.state import Encounter, digest
from affray.replay.log.declarations import groups
from affray.replay.log.playhead import PROJECTION, version
from affray.replay.verification.verify import verify
from tests.campaigns.victim import next_command, perform
from tests.house.fights import opened


class Broken(AssertionError):
    """A promise that the log did not keep."""


def tell(found: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what a campaign found: one JSON object, or a line for each name."""
    if as_json:
        print(json.dumps(found, indent=2))
        return
    wide = max(map(len, found))
    for name, value in found.items():
        print(f"{name:{wide}}  {value}")


class Found(Struct):
    """What was seen after one kill."""

    events: int = 0
    acknowledged: int = 0
    in_doubt: bool = False
    committed_unacknowledged: bool = False
    begun: bool = False
    over: bool = False
    waiting: bool = False
    wal_bytes: int = 0


class Notes(Struct):
    """What the side file says: acknowledgements, and the one command that was under way."""

    acks: list[dict[str, Any]]
    doubt: dict[str, Any] | None = None
    ready: int = 0

    @classmethod
    def read(cls, side: Path) -> "Notes":
        """Read whole lines; one that the kill cut short was never said."""
        made = cls([])
        text = side.read_bytes() if side.exists() else b""
        for line in text.split(b"\n")[:-1]:
            note = json.loads(line)
            if "ready" in note:
                made.ready, made.doubt = note["ready"], None
            elif "intent" in note:
                made.doubt = note
            elif "ack" in note:
                made.acks.append(note)
                made.doubt = None
        return made

    @property
    def last(self) -> int:
        """The last position that anybody was told of."""
        return max(self.ready, *(ack["last"] for ack in self.acks), 0)


def check(holds: bool, what: str) -> None:
    """Raise Broken unless it holds."""
    if not holds:
        raise Broken(what)


def judge(path: Path, side: Path, dialect: str, seed: int, life: int) -> Found:
    """Reopen a log after a kill, hold it against what was acknowledged, and play on. Raises Broken."""
    dice = random.Random(f"judge {seed}/{life}")
    notes = Notes.read(side)
    found = Found(acknowledged=len(notes.acks), in_doubt=notes.doubt is not None)
    wal = path.with_name(path.name + "-wal")
    found.wal_bytes = wal.stat().st_size if wal.exists() else 0
    # Not before the schema is committed: until then the file is empty, and a reader says so.
    copy = _copied(path, wal) if notes.ready and dice.random() < 0.25 else None
    with SqliteStore(path) as store:
        events = list(verified(store.read("main")))
        if copy is not None:
            with SqliteStore(copy, readonly=True) as other:
                check(list(other.read("main")) == events, "a copy with its WAL holds something else")
            shutil.rmtree(copy.parent)
        found.events = len(events)
        if not notes.ready:
            _unprepared(store, events, dialect, seed)
            return found
        _acknowledged(events, notes)
        _checkpoint(store, events)
        base = notes.last
        wanted = _wanted(store, events[:base], notes.doubt)
        tail = events[base:]
        check(tail == [] or tail == wanted, f"the tail is neither nothing nor one whole command: {tail}")
        found.committed_unacknowledged = bool(tail)
        _verified(store)
        table = Table(store, answers=policies.auto)
        found.begun, found.waiting = table.state.begun, table.waiting is not None
        check(digest(table.state) == digest(fold(events)), "the table's state is not what the log folds to")
        if notes.doubt is not None:
            _asked_again(store, table, notes.doubt, wanted, base)
        found.over = not _played_on(table, dice, side, life)
        _verified(store)
    with closing(sqlite3.connect(path)) as connection:
        (answer,) = connection.execute("PRAGMA integrity_check").fetchone()
        check(answer == "ok", f"SQLite finds the file damaged: {answer}")
    return found


def _copied(path: Path, wal: Path) -> Path:
    """Copy the database and its WAL elsewhere, as a backup taken after the crash would."""
    folder = path.parent / "copied"
    folder.mkdir()
    copy = Path(shutil.copy(path, folder))
    for beside in (wal, secrets_path(path)):
        if beside.exists():
            shutil.copy(beside, folder)
    return copy


def _unprepared(store: Store, events: list[Event], dialect: str, seed: int) -> None:
    """Before the victim was ready: whole declarations of the same setting up, and it can be done again."""
    model = MemoryStore()
    opened(dialect, model, seed)
    wanted = list(model.read("main"))
    ends = {0, *(group[-1].seq for group in groups(wanted))}
    check(events == wanted[: len(events)] and len(events) in ends, "half a declaration of the setting up")
    if events:
        _verified(store)
    else:
        opened(dialect, store, seed)
        check(list(store.read("main")) == wanted, "setting up again led elsewhere")


def _acknowledged(events: list[Event], notes: Notes) -> None:
    check(len(events) >= notes.last, f"the log ends at {len(events)}, acknowledged was {notes.last}")
    for ack in notes.acks:
        there = events[ack["last"] - 1]
        check(there.digest.hex() == ack["digest"], f"event {ack['last']} is not the one acknowledged")


def _wanted(store: Store, before: list[Event], doubt: dict[str, Any] | None) -> list[Event]:
    """Return what the command in doubt leads to, decided in memory from what stood before it."""
    if doubt is None:
        return []
    model = MemoryStore()
    model.restore(store.branches(), before)
    seed = store.secret("seed")
    assert seed is not None
    model.keep_secret("seed", seed)
    model.keep_secret(SALT_KEY, salt_key(seed))
    table = Table(model, answers=policies.ask if doubt["ask"] else policies.auto)
    return list(perform(table, doubt, doubt["intent"]).events)


def _checkpoint(store: Store, events: list[Event]) -> None:
    found = store.checkpoint("main", PROJECTION, version(), len(events))
    if found is not None:
        state = msgspec.json.decode(found.state, type=Encounter)
        told = digest(fold(events[: found.seq]))
        check(digest(state) == told, f"the checkpoint at {found.seq} is not the state there")


def _verified(store: Store) -> None:
    report = verify(store)
    check(report.ok, "; ".join(str(one.problem) for one in report.checks if one.problem))


def _asked_again(store: Store, table: Table, doubt: dict[str, Any], wanted: list[Event], base: int) -> None:
    """Repeat the command in doubt under its id, twice: it is applied once and the answer is the same."""
    table.use(answers=policies.ask if doubt["ask"] else policies.auto)
    for _ in range(2):
        again = perform(table, doubt, doubt["intent"])
        check(list(again.events) == wanted, "the repeated request was answered with something else")
    check(store.head("main").seq == base + len(wanted), "the repeated request was applied twice")
    check(digest(table.state) == digest(fold(store.read("main"))), "the table folded the answer twice")
    try:
        table.declare(acts.Speak(actor="nobody", words="another command"), request=doubt["intent"])
    except RequestReused:
        return
    raise Broken("another command was taken under the same request id")


def _played_on(table: Table, dice: random.Random, side: Path, life: int) -> bool:
    """Declare two more; False when the fight is over."""
    table.use(answers=policies.auto)
    for number in range(2):
        command = next_command(table, dice)
        if command is None:
            return False
        perform(table, command, f"after {life}.{number}")
    line = {"ready": table.seq}
    with side.open("ab") as notes:
        if side.read_bytes()[-1:] not in (b"\n", b""):
            notes.write(b"\n")
        notes.write(json.dumps(line).encode() + b"\n")
    return True
