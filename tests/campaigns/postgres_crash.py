"""The crash campaign over PostgreSQL: writers, their connections and the server itself are killed.

    python tests/campaigns/postgres_crash.py [--kills 200] [--seed N] [--json]

Three processes declare into fights of one server that flushes, each command under an id, and note what was
acknowledged. Again and again one of three things happens at a random moment: a writer is killed (SIGKILL),
all connections are ended by the server, or the server and all its processes are killed (SIGKILL) and
started again. Then every acknowledgement must be in the log with its digest; the command that was under way
must be there wholly or not at all, and repeated under its id it must be there once; `verify` must pass. The
exit status is 1 if a promise was broken.
"""

import argparse
import os
import random
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import psycopg

from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.errors import Conflict, LogUnavailable
from affray.events.facts import acts
from affray.events.stores.postgres import PostgresStore
from affray.replay.verification.verify import verify
from tests import server
from tests.campaigns.judge import tell
from tests.house.fights import DIALECTS, opened

WRITERS = 3
PLACES = ("a writer", "its connection", "the server")
PER_LOG = 25
"""Kills after which new fights are begun, since each is verified as a whole."""


def act(words: str) -> acts.Hazard:
    """Return the command that is called so."""
    return acts.Hazard(target="ogre", source=words, save="ref", dc=12, damage="1d4", damage_type="fire")


def write(address: str, side: Path, life: int) -> None:
    """Declare for ever, and note each command before it is sent and once it was acknowledged."""
    dice, number = random.Random(f"{address}{life}"), 0
    with side.open("a") as notes:
        while True:
            try:
                with PostgresStore(address) as store:
                    table = Table(store)
                    while True:
                        number += 1
                        words = f"{life}/{number}"
                        print(f"sent {words}", file=notes, flush=True)
                        last = table.declare(act(words), request=words).events[-1]
                        print(f"told {words} {last.seq} {last.digest.hex()}", file=notes, flush=True)
                        time.sleep(dice.random() / 200)
            except (LogUnavailable, Conflict):
                print(f"lost {life}/{number}", file=notes, flush=True)
                time.sleep(0.05)


class Campaign:
    """A number of kills, and what was found after them."""

    def __init__(self, running: server.Server, seed: int, folder: Path) -> None:
        self.running, self.seed, self.folder = running, seed, folder
        self.dice = random.Random(seed)
        self.lives = self.logs = 0
        self.wrong: list[str] = []
        self.counts = dict.fromkeys(("acknowledged", "in doubt", "of these committed", "events verified"), 0)
        self.by_place = dict.fromkeys(PLACES, 0)
        self.begin()

    def begin(self) -> None:
        """Begin new fights."""
        self.logs += 1
        self.at = [self.running.address(fight=f"log{self.logs}-{number}") for number in range(WRITERS)]
        for number, address in enumerate(self.at):
            with PostgresStore(address) as store:
                opened(DIALECTS[(self.logs + number) % len(DIALECTS)], store, self.seed).declare(acts.Begin())

    def run(self, number: int) -> None:
        """Let writers write, kill something, and judge."""
        if number % PER_LOG == PER_LOG - 1:
            self.begin()
        sides = [self.folder / f"{self.logs}-{n}.notes" for n in range(WRITERS)]
        writing = [self._writer(address, side) for address, side in zip(self.at, sides, strict=True)]
        time.sleep(0.1 + self.dice.random() * 0.5)
        place = self.dice.choice(PLACES)
        self.by_place[place] += 1
        if place == "the server":
            self.running.crash()
            self.running.start()
            time.sleep(self.dice.random() * 0.3)
        elif place == "its connection":
            with psycopg.connect(self.running.address(), autocommit=True) as owner:
                owner.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'affray'"
                )
            time.sleep(self.dice.random() * 0.3)
        for child in writing:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        for address, side in zip(self.at, sides, strict=True):
            self.judge(address, side)

    def _writer(self, address: str, side: Path) -> int:
        self.lives += 1
        child = os.fork()
        if child:
            return child
        try:
            write(address, side, self.lives)
        except BaseException:
            traceback.print_exc()
        os._exit(3)

    def judge(self, address: str, side: Path) -> None:
        """Hold a fight against what its writers noted."""
        sent, told = [], {}
        for words in (line.split() for line in side.read_text().splitlines()):
            if words[0] == "sent":
                sent.append(words[1])
            elif words[0] == "told":
                told[words[1]] = words[2:]
        side.unlink()
        with PostgresStore(address) as store:
            events = {event.seq: event for event in store.read("main")}
            for words, (seq, digest) in told.items():
                if int(seq) not in events or events[int(seq)].digest.hex() != digest:
                    self.wrong.append(f"{address}: {words} was acknowledged and is lost")
            doubt = [words for words in sent if words not in told]
            table = Table(store)
            for words in doubt:
                self.counts["in doubt"] += 1
                self.counts["of these committed"] += bool(store.recorded(words))
                table.declare(act(words), request=words)
            line = [decode(event) for event in store.read("main") if event.type == "declared"]
            found = [one.act.source for one in line if isinstance(one.act, acts.Hazard)]
            if any(found.count(words) != 1 for words in sent):
                self.wrong.append(f"{address}: a command is there twice, or not at all")
            report = verify(store)
            if not report.ok:
                self.wrong.append(f"{address}: verify finds a problem")
            self.counts["acknowledged"] += len(told)
            self.counts["events verified"] += report.events


def main() -> None:
    """Run the campaign and print what was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=200, help="how often something is killed (200)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments and places (1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    began = time.monotonic()
    with server.running(()) as running:
        running.folder.joinpath("notes").mkdir()
        campaign = Campaign(running, wanted.seed, running.folder / "notes")
        for number in range(wanted.kills):
            campaign.run(number)
            if campaign.wrong:
                break
    found: dict[str, Any] = {
        "kills": sum(campaign.by_place.values()),
        **{f"killed: {place}": count for place, count in campaign.by_place.items()},
        **campaign.counts,
        "seconds": round(time.monotonic() - began, 1),
        "wrong": campaign.wrong,
    }
    tell(found, as_json=wanted.json)
    sys.exit(bool(campaign.wrong))


if __name__ == "__main__":
    main()
