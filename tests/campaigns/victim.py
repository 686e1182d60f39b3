"""The process that plays fights into a log until it is killed, and the places where that happens.

It writes what it is about to declare and what it was told was recorded into a side file, one JSON object
a line: `{"intent": ...}` before the call, `{"ack": ...}` after it returned. A write to a file outlives
the process, so the side file tells afterwards what a client would have known.

    python tests/campaigns/victim.py LOG SIDE DIALECT SEED LIFE    (no place: something else kills it)
"""

import json
import os
import random
import signal
import sqlite3
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.table import policies
from affray.engine.table.appending import Outcome
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events import SqliteStore
from affray.events.facts import acts
from affray.events.facts.flow import AnyAct
from affray.events.stores import sqlite_file
from affray.replay.log.playhead import PROJECTION, version
from tests.house.fights import opened, random_act

PLACES = (
    "a random moment",
    "opening a new log",
    "before BEGIN",
    "after BEGIN",
    "inside a statement",
    "between two events",
    "after the events",
    "after the request row",
    "before COMMIT",
    "inside COMMIT",
    "after COMMIT",
    "after the acknowledgement",
    "before the state checkpoint",
    "inside the state checkpoint's COMMIT",
    "inside the WAL checkpoint",
)
"""Where a victim dies by its own hand; at a random moment its parent kills it."""

_STATEMENTS = {
    "BEGIN": "BEGIN",
    "COMMIT": "COMMIT",
    "INSERT INTO events": "the events",
    "INSERT INTO requests": "the request row",
    "INSERT OR REPLACE INTO checkpoints": "the state checkpoint",
    "PRAGMA wal_checkpoint": "the WAL checkpoint",
}
_TIMED = {"inside COMMIT", "inside the state checkpoint's COMMIT", "inside the WAL checkpoint"}


class Death:
    """The end of a process: the `nth` time it comes to a place. `delay` is in seconds, for the timed ones."""

    def __init__(self, place: str, nth: int, delay: float, steps: int) -> None:
        self.place, self.nth, self.delay, self.steps = place, nth, delay, steps
        self.armed = False

    def comes(self, place: str) -> None:
        """Die here if this is the place, for the nth time."""
        if self.armed and place == self.place:
            self.nth -= 1
            if self.nth <= 0:
                if place in _TIMED:
                    # The kernel ends the process by itself, wherever in the call it is by then.
                    signal.signal(signal.SIGALRM, signal.SIG_DFL)
                    signal.setitimer(signal.ITIMER_REAL, self.delay)
                else:
                    os.kill(os.getpid(), signal.SIGKILL)


class Fragile(sqlite3.Connection):
    """A connection that tells a Death where it is."""

    death: Death
    checkpointing = False

    def execute(self, sql: str, values: Any = ()) -> sqlite3.Cursor:
        """Execute between two chances to die."""
        death = self.death
        death.comes("opening a new log")
        name = next((told for start, told in _STATEMENTS.items() if sql.startswith(start)), "")
        if name:
            death.comes(f"before {name}")
        if name == "COMMIT":
            death.comes("inside the state checkpoint's COMMIT" if self.checkpointing else "inside COMMIT")
        elif name == "the WAL checkpoint":
            death.comes("inside the WAL checkpoint")
        elif name == "the state checkpoint":
            self.checkpointing = True
        cursor = super().execute(sql, values)
        if name == "COMMIT":
            self.checkpointing = False
        if name:
            death.comes(f"after {name}")
        return cursor

    def executemany(self, sql: str, rows: Iterable[Any]) -> sqlite3.Cursor:
        """Execute one row at a time, with a chance to die in the middle of a statement and between two."""
        cursor = self.cursor()
        for number, row in enumerate(rows):
            if number:
                self.death.comes("between two events")
            if self.death.armed and self.death.place == "inside a statement":
                self.set_progress_handler(self._stepped, self.death.steps)
            cursor.execute(sql, row)
        self.death.comes("after the events")
        return cursor

    def _stepped(self) -> int:
        self.death.comes("inside a statement")
        return 0


def fragile(death: Death) -> None:
    """Make every log that this process opens from now on a fragile one."""

    class Doomed(Fragile):
        pass

    Doomed.death = death

    def open_(uri: str, busy_seconds: float) -> sqlite3.Connection:
        return sqlite3.connect(uri, uri=True, timeout=busy_seconds, isolation_level=None, factory=Doomed)

    sqlite_file._open = open_


def play(path: Path, side: Path, dialect: str, seed: int, life: int, death: Death | None = None) -> None:
    """Play into the log until something ends it, or until there is nothing left to play."""
    dice = random.Random(f"{seed}/{life}")
    notes = os.open(side, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    death = death or Death("", 0, 0, 0)
    death.armed = death.place == "opening a new log"
    ask = life % 2 == 1
    with SqliteStore(path) as store:
        # Small, so that the WAL goes back into the database in every few commits and not in one of hundreds.
        store._connection.execute(f"PRAGMA wal_autocheckpoint = {dice.choice((4, 16, 1000))}")
        answers = policies.ask if ask else policies.auto
        table = Table(store, answers=answers) if store.head("main").seq else opened(dialect, store, seed)
        table.use(answers=answers)
        _note(notes, {"ready": table.seq})
        death.armed = True
        for number in range(60):
            command = next_command(table, dice)
            if command is None:
                break
            request = f"{life}.{number}"
            _note(notes, {"intent": request, "ask": ask, **command})
            outcome = perform(table, command, request)
            last = outcome.events[-1]
            _note(
                notes,
                {
                    "ack": request,
                    "first": outcome.events[0].seq,
                    "last": last.seq,
                    "digest": last.digest.hex(),
                    **command,
                },
            )
            death.comes("after the acknowledgement")
            if number % 3 == 0:
                state = msgspec.json.encode(table.state)
                store.save_checkpoint("main", PROJECTION, version(), last.seq, last.digest, state)
            if number % 4 == 3:
                store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    _note(notes, {"over": table.seq})


def next_command(table: Table, dice: random.Random) -> dict[str, Any] | None:
    """Return what is declared or answered next: sensible more often than not; None when all is over."""
    if table.waiting is not None:
        return {"answer": dice.choice(table.waiting.options)}
    if not table.state.begun:
        return {"act": _plain(acts.Begin())}
    act = next_act(table)
    if act is None:
        return None
    return {"act": _plain(act if dice.random() < 0.6 else random_act(dice, table.fight))}


def perform(table: Table, command: dict[str, Any], request: str) -> Outcome:
    """Declare or choose what a line of the side file says."""
    if "answer" in command:
        return table.choose(command["answer"], "crash", request)
    act: Any = msgspec.convert(command["act"], AnyAct)
    return table.declare(act, "crash", request)


def _plain(act: Any) -> Any:
    return msgspec.to_builtins(act)


def _note(notes: int, line: dict[str, Any]) -> None:
    os.write(notes, json.dumps(line).encode() + b"\n")


if __name__ == "__main__":
    play(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
