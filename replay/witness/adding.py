"""What may be added to a witness file: a further seal, a countersignature, the lines of another copy."""

from collections.abc import Iterable, Sequence

from affray.events import merkle
from affray.events.errors import AffrayError
from affray.replay.held import Held
from affray.replay.witness.file import Signed, SignedSeal, Witness, encoded, parse_witness
from affray.replay.witness.reckoning import against
from affray.replay.witness.statement import Statement, check_name

Proof = tuple[bytes, ...] | None


class NotWitnessed(AffrayError):
    """What was to be signed or put together is not what was signed before: the answer is no."""

    status = 1


class SignedAlready(AffrayError):
    """Nothing to add: the same name has signed the same seal."""


def further_seal(
    witness: Witness, held: Held, branch: str, *, by: str, when: str, seq: int | None = None
) -> tuple[Statement, Proof]:
    """Return what is to be signed of a line of play, up to event `seq`, and its proof. O(events).

    That is a countersignature where the newest seal in the file is this very one. Raises NotWitnessed where
    the file holds a seal that the line does not continue, SignedAlready, BadName, NotThere, UnknownStream.
    """
    branch = branch or held.main
    digests = held.upto(branch, seq)
    if not digests:
        raise NotWitnessed(f"{branch}: without an event there is nothing to sign")
    _check_clock(witness, check_name(by), when)
    if faults := against(witness, held).faults:
        line, told = faults[0]
        raise NotWitnessed(f"line {line} of the witness file: {told}; nothing was signed")
    log, root = digests[0].hex(), merkle.root(digests)
    last = witness.last
    if last is not None and (last.said.branch, last.said.seq, last.said.root) == (branch, len(digests), root):
        return countersignature(witness, by=by, when=when), ()
    follows, proof = witness.followed(branch), None
    if follows is not None:
        was = follows.said
        if was.branch == branch and was.seq >= len(digests):
            raise NotWitnessed(f"the witness file has {was.seal} already: nothing older is signed behind it")
        if was.seq <= len(digests) and merkle.root(digests[: was.seq]) == was.root:
            proof = merkle.consistency(digests, was.seq)
    return Statement(log, branch, len(digests), root, when, by, witness.digest), proof


def countersignature(witness: Witness, *, by: str, when: str) -> Statement:
    """Return what a further signer of the newest seal signs; its proof is empty.

    Raises NotWitnessed for a file without a seal, SignedAlready, BadName.
    """
    last = witness.last
    if last is None:
        raise NotWitnessed("the witness file holds no seal that could be countersigned")
    _check_clock(witness, check_name(by), when)
    for line in last.lines:
        if line.said.by == by:
            raise SignedAlready(f"{by} has signed {last.said.seal} already, on line {line.number}")
    said = last.said
    return Statement(said.log, said.branch, said.seq, said.root, when, by, last.before)


def follows_from(witness: Witness, by: str, known: Witness) -> SignedSeal | None:
    """Return the seal signed by `by`, in `witness` or a file known before, which the newest seal continues.

    None if there is none: then the newest seal does not follow from anything that `by` has signed.
    """
    mine = {
        (seal.said.branch, seal.said.seq, seal.said.root)
        for file in (witness, known)
        for seal in file.seals
        if by in seal.signers
    }
    seal = witness.last
    while seal is not None and (seal.said.branch, seal.said.seq, seal.said.root) not in mine:
        seal = seal.follows
    return seal


def added(witness: Witness, said: Statement, proof: Proof, signature: str) -> Witness:
    """Return the file with one more signed line, at its place. Raises BadWitness where it does not fit."""
    row = encoded(said.text, proof, signature)
    last = witness.last
    if last is None or said.after != last.before:
        return parse_witness(witness.data + row)
    further = [*last.lines[1:], Signed(0, row, said, (), signature)]
    return parse_witness(_until(witness, last) + b"".join(_in_order(further)))


def joined(copies: Sequence[tuple[str, Witness]]) -> tuple[Witness, tuple[str, ...]]:
    """Return one file with the lines of several copies, each named, and what came too late to be taken in.

    Too late is a countersignature that was not there when the next seal was signed. Raises NotWitnessed where
    two copies part: two seals are signed as the next one after the same lines.
    """
    names, late = [name for name, _ in copies[:1]], []
    whole = copies[0][1] if copies else Witness()
    for name, other in copies[1:]:
        shorter, longer = sorted((whole, other), key=lambda one: len(one.seals))
        for one, two in zip(shorter.seals, longer.seals, strict=False):
            if one.first.data != two.first.data:
                told = " and ".join(f"{side.said.seal} by {side.said.by}" for side in (one, two))
                where = f"{', '.join(names)} and {name} part at line {one.first.number}"
                raise NotWitnessed(f"{where}: {told} are signed as the next seal after the same lines")
        names.append(name)
        if shorter.last is None:
            whole = longer
        elif len(shorter.seals) == len(longer.seals):
            whole = _united(whole, other)
        else:
            end = longer.seals[len(shorter.seals) - 1]
            missed = [by for by in shorter.last.signers if by not in end.signers]
            late += [f"{by} signed {end.said.seal} too late: the next seal had been signed" for by in missed]
            whole = longer
    return whole, tuple(late)


def _united(one: Witness, other: Witness) -> Witness:
    """Return a file with the countersignatures of both; of who signed twice, the earlier one."""
    last = one.last
    found: dict[str, Signed] = {}
    if last is None or other.last is None:
        return one
    both = [*last.lines[1:], *other.last.lines[1:]]
    for line in sorted(both, key=lambda line: (line.said.when, line.said.by, line.data)):
        if line.said.by != last.said.by:
            found.setdefault(line.said.by, line)
    return parse_witness(_until(one, last) + b"".join(_in_order(found.values())))


def _until(witness: Witness, last: SignedSeal) -> bytes:
    """Return the bytes of a file up to and with the first line of its newest seal."""
    return witness.data[: len(witness.data) - sum(len(line.data) for line in last.lines[1:])]


def _in_order(lines: Iterable[Signed]) -> list[bytes]:
    return [line.data for line in sorted(lines, key=lambda line: (line.said.when, line.said.by))]


def _check_clock(witness: Witness, by: str, when: str) -> None:
    latest = max((line.said.when for line in witness.lines if line.said.by == by), default="")
    if when < latest:
        raise NotWitnessed(f"this machine's clock says {when}, but {by} signed at {latest} already")
