"""Processes that declare into a fight that is served: by POST, or on the file as any other program does."""

import itertools
import json
import os
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from affray.engine.table.table import Table
from affray.events import MemoryStore, SqliteStore
from affray.events.facts import acts
from affray.events.facts.flow import AnyAct
from tests.bench.arena import opened, round_of
from tests.campaigns.served import Asking, Refused, Reply


def endless(table: Table) -> Iterator[AnyAct]:
    """Yield the declarations of the arena's fight, for ever, each to be declared before the next."""
    while True:
        yield from round_of(table)


def acts_of_arena(count: int) -> list[Any]:
    """Return the first declarations of the arena's fight as plain data; its dice fall the same everywhere."""
    table, found = opened(MemoryStore()), []
    for act in itertools.islice(endless(table), count):
        table.declare(act)
        found.append(msgspec.to_builtins(act))
    return found


def in_process(work: Callable[[], Any], told: Path) -> int:
    """Do some work in a process of its own that leaves what it returns in a file; return the process."""
    child = os.fork()
    if child:
        return child
    try:
        told.write_text(json.dumps(work()))
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    os._exit(3)


def is_over(child: int) -> bool:
    """Say whether a process has come to its end. Raises RuntimeError if that was a bad one."""
    found, status = os.waitpid(child, os.WNOHANG)
    if found and status:
        raise RuntimeError(f"process {child} failed")
    return bool(found)


def paced(every: float, count: int) -> Iterator[int]:
    """Count, each number so many seconds after the one before; what is late is made up for."""
    begin = time.monotonic() + every
    for number in range(count):
        time.sleep(max(0.0, begin + number * every - time.monotonic()))
        yield number


def posted(port: int, token: str, declared: list[Any], every: float) -> list[dict[str, float]]:
    """Declare by POST; return of each declaration its last event, when it was sent and when answered."""
    asking, times = Asking(port, token), []
    position = asking.ask("GET", "/session").told["position"]
    for number in paced(every, len(declared)):
        body = {"act": declared[number], "expected": position, "request": f"load {number}"}
        sent = time.monotonic()
        answer = asking.ask("POST", "/declarations", body)
        if answer.status != 200:
            raise RuntimeError(f"{answer}")
        position = answer.told["position"]
        times.append({"seq": int(position.rpartition(":")[2]), "sent": sent, "answered": time.monotonic()})
    return times


def appended(log: Path, count: int, every: float) -> list[dict[str, float]]:
    """Declare on the file itself; return of each declaration its last event and when it was committed."""
    times = []
    with SqliteStore(log) as store:
        table = Table(store)
        coming = endless(table)
        for _ in paced(every, count):
            act = next(coming)
            sent = time.monotonic()
            table.declare(act)
            times.append({"seq": table.seq, "sent": sent, "answered": time.monotonic()})
    return times


class Insistent:
    """Somebody who declares through a server that dies again and again, and repeats what was not answered."""

    def __init__(self, port: int, token: str, until: float, others: Sequence[int] = ()) -> None:
        """Begin; everything is given up at `until`, by the clock of `time.monotonic`."""
        self.asking, self.until = Asking(port, token, others), until
        self.position = ""
        self.done: dict[str, str] = {}
        """What was acknowledged: the source of the hazard by its request."""
        self.repeated = self.stale = 0

    def insist(self, path: str, body: dict[str, Any]) -> Reply:
        """Ask until there is an answer that is one."""
        tries = 0
        while time.monotonic() < self.until:
            tries += 1
            try:
                if not self.position:
                    self.position = self.asking.ask("GET", "/session").told["position"]
                answer = self.asking.ask("POST", path, {**body, "expected": self.position})
            except Refused:
                time.sleep(0.02)
                continue
            if answer.status == 429:
                time.sleep(0.2)
            elif answer.status == 409 and answer.told["error"]["code"] == "stale_position":
                self.stale += 1
                self.position = answer.told["position"]
            elif answer.status == 200:
                self.repeated += tries > 1
                self.position = answer.told["position"]
                return answer
            else:
                raise RuntimeError(f"{path} {body}: {answer}")
        raise RuntimeError(f"no answer in time: {path} {body}")

    def hazard(self, name: str) -> None:
        """Declare something that the log tells apart from everything else."""
        act = acts.Hazard(target="h1", source=name, save="ref", dc=12, damage="1d4", damage_type="fire")
        self.insist("/declarations", {"act": msgspec.to_builtins(act), "request": name})
        self.done[name] = name

    def undo(self, name: str, count: int) -> None:
        """Take something back."""
        self.insist("/undo", {"count": count, "request": name})

    def promote(self, name: str) -> None:
        """Begin a branch some events back, and make it the main line."""
        at = max(1, int(self.position.rpartition(":")[2]) - 7)
        self.insist("/forks", {"at": str(at), "name": name, "request": f"fork {name}"})
        self.insist("/promotions", {"branch": name, "request": f"promote {name}"})
