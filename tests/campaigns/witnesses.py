"""The witness campaign: whatever is done to a witness file, or to the log behind it, is named.

    python tests/campaigns/witnesses.py [--dialect D ...] [--every N] [--seed N] [--json]

For a log of each dialect three people sign seals, with keys and signatures of the system's ssh-keygen. Then
every line is dropped, doubled, moved, swapped with each other one, and given the signature, text or proof of
each other one; every byte is changed; older seals are put in again, as they were and signed afresh; lines are
signed with another key, under another name, for another purpose; and the log is forked, cut off or exchanged
behind the file. Each by itself: the file must be found broken. That a countersignature of the newest seal is
gone is found only by asking for it (--signed-by), as is done here for lines that are dropped or moved. What
no file can miss is counted apart: its own end, cut off seal by seal, of which only a copy kept elsewhere
tells. Prints the counts; the exit status is 1 if one passed.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import permutations
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.table.scenario import play
from affray.events import MemoryStore, merkle
from affray.events.errors import NewerLog
from affray.events.stores.store import Store
from affray.replay.verification import witness
from affray.replay.verification.seals import LogDigests, held
from affray.replay.verification.witness import NoWitness, Signers, Statement, Witness, encoded, reckon, sign
from tests.campaigns.by_dialect import command, told_of
from tests.house.fights import demo
from tests.replay.signing import PEOPLE, make_keys, when, witnessed

Altered = tuple[str, bytes, LogDigests]
"""What was done, the file, and the log beside it."""

DROPPING = ("dropped", "moved")
"""What may take a countersignature from the newest seal, of which everybody's is asked for."""


class Campaign:
    """A log, the keys, a good witness file, and what came of altering it."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.keys, self.signers = folder, Signers(make_keys(folder, (*PEOPLE, "mallory")))
        lines = self.signers.allowed.read_text(encoding="ascii").splitlines(keepends=True)
        self.signers.allowed.write_text("".join(lines[: len(PEOPLE)]), encoding="ascii")
        self.log = held(store)
        self.digests = self.log.digests()
        end = len(self.digests)
        early, middle = end // 4, end // 2
        self.steps = (
            ("alex", early),
            ("kim", 0),
            ("alex", middle),
            ("lee", 0),
            ("alex", end),
            ("kim", 0),
            ("lee", 0),
        )
        self.file = witnessed(folder, self.steps, self.log)
        self.rows = self.file.data.splitlines(keepends=True)
        self.counts: Counter[str] = Counter()
        self.found: list[str] = []
        if fault := self.fault(self.file.data, self.log, PEOPLE):
            raise AssertionError(fault)

    def fault(self, data: bytes, log: LogDigests, expected: Sequence[str] = ()) -> str:
        """Return what is found wrong with a file, "" if nothing is."""
        try:
            found = reckon(data, "file", self.signers, log, expected)
        except (NoWitness, NewerLog) as error:
            return str(error)
        return next(
            (f"line {one.problem.seq}: {one.problem.what}" for one in found.checks if one.problem), ""
        )

    def run(self, altered: Iterable[Altered]) -> None:
        """Look at each altered file; what is not named is kept in `found`."""
        for what, data, log in altered:
            if data == self.file.data and log is self.log:
                continue
            kind = what.partition(":")[0]
            if not self.fault(data, log, PEOPLE if kind in DROPPING else ()):
                self.found.append(f"{what}: nothing is named")
                kind = "NOT NAMED"
            self.counts[kind] += 1

    def altered(self, every: int, dice: random.Random) -> Iterator[Altered]:
        """Yield every alteration, of the changed bytes only each so many-th."""
        for what, rows in self._moved():
            yield what, b"".join(rows), self.log
        for what, data in (*self._mixed(), *self._forged(), *self._bytes(every, dice)):
            yield what, data, self.log
        for what, log in self._logs():
            yield what, self.file.data, log

    def cut(self) -> list[str]:
        """Return what is told of the file with its newest seals cut off: only that events followed."""
        told = []
        for seal in self.file.seals[:0:-1]:
            data = b"".join(self.rows[: seal.first.number - 1])
            found = reckon(data, "file", self.signers, self.log)
            if not found.ok or " since" not in found.checks[0].note:
                self.found.append(f"cut off before line {seal.first.number}: {found.checks}")
            told.append(found.checks[0].note)
        return told

    def _moved(self) -> Iterator[tuple[str, list[bytes]]]:
        rows, places = self.rows, range(len(self.rows))
        for at in places:
            yield f"dropped: line {at + 1}", rows[:at] + rows[at + 1 :]
            for to in (*places, len(rows)):
                yield f"put in again: line {at + 1} before {to + 1}", [*rows[:to], rows[at], *rows[to:]]
                rest = rows[:at] + rows[at + 1 :]
                yield f"moved: line {at + 1} to {to + 1}", [*rest[:to], rows[at], *rest[to:]]
        for one, other in permutations(places, 2):
            swapped = list(rows)
            swapped[one], swapped[other] = swapped[other], swapped[one]
            yield f"swapped: lines {one + 1} and {other + 1}", swapped

    def _mixed(self) -> Iterator[tuple[str, bytes]]:
        """Give each line a field of each other one."""
        parsed = [msgspec.json.decode(row) for row in self.rows[1:]]
        for one, other in permutations(range(len(parsed)), 2):
            for field in ("text", "proof", "signature"):
                rows = [self.rows[0], *map(msgspec.json.encode, parsed)]
                rows[one + 1] = msgspec.json.encode({**parsed[one], field: parsed[other][field]})
                yield (
                    f"mixed: {field} of line {other + 2} on line {one + 2}",
                    b"\n".join(map(bytes.strip, rows)) + b"\n",
                )

    def _forged(self) -> Iterator[tuple[str, bytes]]:
        """Sign lines that do not fit: with good keys, with bad ones, for other purposes."""
        last, end = self.file.seals[-1], len(self.digests)
        short = Witness(b"".join(self.rows[:4]), self.file.seals[:2])
        for seq in (1, end // 4, end // 2, end - 1, end):
            yield f"signed afresh: the seal of {seq} events", self._signed(self.file, "alex", seq=seq)
        other = [*self.digests[:-1], sha256(b"other").digest()]
        for root, what in ((merkle.root(other), "other events"), (merkle.root(other[::-1]), "another log")):
            yield f"signed afresh: {what}", self._signed(short, "alex", seq=end, root=root)
        for key, by in (("mallory", "alex"), ("kim", "alex"), ("mallory", "mallory")):
            yield f"another key: of {key} as {by}", self._signed(short, key, seq=end, by=by)
        for purpose in ("file", "git", "affray-seal2"):
            yield f"another purpose: {purpose}", self._signed(short, "alex", seq=end, purpose=purpose)
        said = last.lines[-1].said
        yield (
            "another key: a countersignature",
            self.file.data[: -len(self.rows[-1])]
            + encoded(said.text, (), sign(said.text, self.keys / "mallory")),
        )

    def _signed(
        self,
        file: Witness,
        key: str,
        *,
        seq: int,
        by: str = "",
        root: bytes = b"",
        purpose: str = witness.NAMESPACE,
    ) -> bytes:
        """Return a file with one more line that nobody asks whether it may be there."""
        before = file.seals[-1].said
        size = min(before.seq, seq)
        proof = merkle.consistency(self.digests[:seq], size)
        log, top = before.log, root or merkle.root(self.digests[:seq])
        said = Statement(log, "main", seq, top, when(900), by or key, file.digest)
        own, witness.NAMESPACE = witness.NAMESPACE, purpose
        try:
            return file.data + encoded(said.text, proof, sign(said.text, self.keys / key))
        finally:
            witness.NAMESPACE = own

    def _bytes(self, every: int, dice: random.Random) -> Iterator[tuple[str, bytes]]:
        data = self.file.data
        for at in range(dice.randrange(every), len(data), every):
            changed = bytearray(data)
            changed[at] ^= 1 << dice.randrange(7)
            yield f"a byte changed: {at}", bytes(changed)
            yield f"a byte taken out: {at}", data[:at] + data[at + 1 :]

    def _logs(self) -> Iterator[tuple[str, LogDigests]]:
        """Put other logs behind the file: forked at each sealed event or next to it, cut off, another."""
        end = len(self.digests)
        for seal in self.file.seals:
            for at in {max(1, seal.said.seq - 1), min(seal.said.seq, end - 1), end - 1}:
                fork = self.digests[:at] + [sha256(one).digest() for one in self.digests[at:]]
                yield f"forked: behind event {at}", _held(fork)
        for size in (0, 1, end // 4, end // 2, end - 1):
            yield f"cut off: at {size}", _held(self.digests[:size])
        yield "another log: all events", _held([sha256(one).digest() for one in self.digests])
        yield "another log: its first event", _held([sha256(b"").digest(), *self.digests[1:]])


def _held(digests: list[bytes]) -> LogDigests:
    return LogDigests("main", lambda branch: digests, whole=True)


def run(dialect: str, folder: Path, every: int, dice: random.Random) -> tuple[Counter[str], list[str]]:
    """Alter a witness file for a log of a dialect, of its bytes every so many-th."""
    store = MemoryStore()
    play(demo(dialect), store)
    campaign = Campaign(store, folder)
    campaign.run(told_of(dialect, list(campaign.altered(every, dice))))
    campaign.counts["seals cut off at the end, told by what followed"] = len(campaign.cut())
    return campaign.counts, campaign.found


if __name__ == "__main__":
    sys.exit(command(__doc__, "byte", run))
