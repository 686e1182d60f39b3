"""What a witness file comes to: its signatures, its seals beside the log, who has signed and who has not."""

from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct

from affray.events.errors import UnknownStream
from affray.events.wording import counted
from affray.replay.held import Held, roots
from affray.replay.report import Check, Problem
from affray.replay.witness.file import BadWitness, Witness, parse_witness
from affray.replay.witness.ssh import Signers

MOST_FAULTS = 20
"""After so many signatures that do not count no others are looked at: each takes the system some time."""


class Beside(Struct, frozen=True):
    """What the seals of a file are beside a log: the faults with their lines, what could not be compared.

    `since` is how many events the log holds behind the newest seal.
    """

    faults: tuple[tuple[int, str], ...] = ()
    unseen: tuple[str, ...] = ()
    since: int = 0


class Reckoning(Struct, frozen=True):
    """What was found of a file: the checks, and the file itself where it hangs together.

    `faults` says of lines by number what is wrong with the seal or the signature.
    """

    checks: tuple[Check, ...]
    witness: Witness | None
    expected: tuple[str, ...]
    faults: dict[int, str] = {}

    @property
    def ok(self) -> bool:
        """Whether every check passed."""
        return all(check.ok for check in self.checks)

    def missing(self, number: int) -> tuple[str, ...]:
        """Return who is expected, or has signed another seal, but not that of this number (from 0)."""
        if self.witness is None:
            return ()
        signed = self.witness.seals[number].signers
        return tuple(one for one in self.expected if one not in signed)


def against(witness: Witness, held: Held) -> Beside:
    """Compare every seal of a file with what is held of a log. O(events).

    A copy that holds one line of play alone says nothing of other lines.
    """
    sizes: dict[str, set[int]] = defaultdict(set)
    for seal in witness.seals:
        sizes[seal.said.branch].add(seal.said.seq)
    found, ends, first = {}, {}, {}
    for branch, wanted in sizes.items():
        try:
            digests = held.digests(branch)
        except UnknownStream:
            continue
        found[branch], ends[branch] = roots(digests, wanted), len(digests)
        first[branch] = digests[0].hex() if digests else ""
    faults, unseen = [], []
    good: dict[str, int] = {}
    for seal in witness.seals:
        said, line = seal.said, seal.first.number
        place = f"{said.branch}:{said.seq}, signed by {', '.join(seal.signers)}"
        if said.branch not in found:
            if held.whole:
                faults.append((line, f"{place}: the log has no line of play {said.branch!r}"))
            else:
                unseen.append(str(said.seal))
        elif first[said.branch] != said.log:
            faults.append((line, f"{place}, is of another log: its first event is not the one here"))
        elif said.seq > ends[said.branch]:
            faults.append((line, f"{place}: here {said.branch} ends at event {ends[said.branch]}"))
        elif found[said.branch][said.seq] != said.root:
            agreed = good.get(said.branch, 0)
            faults.append((line, f"{place}: a fork: events {agreed + 1} to {said.seq} are not those sealed"))
        else:
            good[said.branch] = said.seq
    last = witness.last
    end = ends.get(last.said.branch, 0) if last is not None else 0
    since = end - last.said.seq if last is not None and not faults and end else 0
    return Beside(tuple(faults), tuple(unseen), since)


def reckon(
    data: bytes, file: str, signers: Signers, held: Held | None = None, expected: Sequence[str] = ()
) -> Reckoning:
    """Check a witness file: its lines, its signatures, and where a log is held every seal beside that.

    The newest seal must be signed by all who are `expected`. Raises NoWitness, NewerLog, NoTool.
    """
    asks = "each seal is of this log and" if held is not None else "each seal"
    seals = Check("witness", f"{asks} continues the one before")
    signed = Check("signed", "every signature is its signer's")
    try:
        witness = parse_witness(data, file)
    except BadWitness as error:
        _bad(seals, file, error.line, error.reason)
        return Reckoning((seals,), None, tuple(expected))
    seals.count = len(witness.seals)
    faults: dict[int, str] = {}
    if held is not None:
        beside = against(witness, held)
        for line, told in beside.faults:
            faults[line] = told
            _bad(seals, file, line, told)
        notes = [f"{counted(beside.since, 'event')} since"] if beside.since else []
        if beside.unseen:
            notes.append(f"not compared, of other lines of play: {', '.join(beside.unseen)}")
        seals.note = "; ".join(notes)
    for one in witness.lines:
        if signed.problems == MOST_FAULTS:
            signed.note = f"only the first {signed.count} were looked at"
            break
        signed.count += 1
        if fault := signers.fault(one.said, one.signature):
            faults.setdefault(one.number, fault)
            _bad(signed, file, one.number, fault)
    last = witness.last
    if last is None:
        _bad(seals, file, 1, "it holds no seal")
    for name in expected:
        if last is not None and name not in last.signers:
            _bad(signed, file, last.first.number, f"{last.said.seal} is not signed by {name}")
    everybody = dict.fromkeys((*witness.everybody, *expected))
    return Reckoning((seals, signed), witness, tuple(everybody), faults)


def _bad(check: Check, file: str, line: int, what: str) -> None:
    check.problems += 1
    check.problem = check.problem or Problem(file, line, what)
