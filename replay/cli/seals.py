"""`affray seal`, `countersign`: a line of play as 32 characters that two people can compare, and sign."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import click
from msgspec import Struct

from affray.events.errors import AffrayError
from affray.events.exports import MAX_LINE, import_jsonl, is_redacted
from affray.events.stores.memory import MemoryStore
from affray.events.validation import Unreadable, read_json
from affray.replay.cli.terminal.base import as_json, database, on_branch, reading
from affray.replay.cli.terminal.output import output, refuse_log
from affray.replay.cli.terminal.printing import exit_unless, print_found, print_json, put, say
from affray.replay.log_files import lock_folder
from affray.replay.verification.seals import (
    Growth,
    LogDigests,
    Proof,
    Seal,
    Verdict,
    compared,
    get_digests_of_copy,
    grown,
    held,
    parse_seal,
    prove,
    prove_growth,
    proven,
    sealed,
)
from affray.replay.verification.witness import (
    MAX_BYTES,
    NotSigned,
    NotWitnessed,
    NoWitness,
    Signed,
    SignedAlready,
    Signers,
    Statement,
    Witness,
    added,
    against,
    countersignature,
    find_followed_seal,
    joined,
    make_further_statement,
    now,
    parse_witness,
    sign,
)
from affray.replay.verification.witness import Proof as witness_Proof

# --- Witness files on the disk: read whole, and replaced as a whole by one command at a time


class WitnessChanged(AffrayError):
    """Another command wrote the witness file between reading and writing; what was there stays."""


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a witness file. Raises NoWitness for what can be none."""
    if path.exists() and not path.is_file():
        raise NoWitness(f"{path}: no witness file")
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise NoWitness(f"{path}: no witness file: it is longer than {MAX_BYTES} bytes")
    return data


def read_witness(path: Path) -> Witness:
    """Return what a witness file holds. Raises BadWitness, NoWitness, NewerLog."""
    return parse_witness(read_bytes(path), str(path))


def put_witness(path: Path, before: bytes | None, now: Witness, log: Path | None = None) -> None:
    """Put a witness file in the place of the one with the bytes `before`, None for no file. On the disk then.

    Whole or not at all; raises WitnessChanged if meanwhile it is another one, and AffrayError for a path that
    leads to a log, to `log` in any form, or to another kind of file.
    """
    with lock_folder(path):
        try:
            found: bytes | None = read_bytes(path)
        except FileNotFoundError:
            found = None
        if found != before:
            raise WitnessChanged(f"{path}: it was changed meanwhile; nothing was written, do it again")
        with output(path, log) as file:
            file.write(now.data)


# --- What the commands share that sign and check seals: their options, and the way of a line into a file

F = TypeVar("F", bound=Callable[..., object])

_FILE = click.Path(path_type=Path)

key_option = click.option(
    "--sign", "key", type=_FILE, help="A private key of SSH, or the .pub of one in the agent."
)
by_option = click.option(
    "--by", default="", help="The name to sign under, as in the file of allowed signers."
)
signers_option = click.option("--signers", type=_FILE, help="The allowed signers, as ssh-keygen reads them.")
revoked_option = click.option("--revoked", type=_FILE, help="Revoked keys, as ssh-keygen reads them.")


class Added(Struct, frozen=True):
    """What was signed and kept: the seal, by whom, when, and on which line of the file."""

    branch: str
    seq: int
    seal: str
    by: str
    when: str
    witness: str
    line: int


def read_allowed_signers(allowed: Path | None, revoked: Path | None) -> Signers | None:
    """Return who may sign, None where nobody said. Raises NoSigners, and UsageError for half of it."""
    if allowed is None:
        if revoked is not None:
            raise click.UsageError("--revoked goes with --signers")
        return None
    return Signers(allowed, revoked)


def opened(path: Path, log: Path | None) -> tuple[bytes | None, Witness]:
    """Return the bytes of a witness file to be written, None where there is none yet, and what it holds.

    Raises AffrayError, before anybody is asked to sign, for a path that leads to the log or to another file.
    """
    refuse_log(path, log)
    before = read_bytes(path) if path.exists() else None
    if before is None and not path.parent.is_dir():
        raise NoWitness(f"{path}: there is no such folder")
    return before, Witness() if before is None else parse_witness(before, str(path))


def check_signatures(witness: Witness, signers: Signers | None, file: Path) -> None:
    """Raise NotWitnessed for the first signature that is not its signer's; nobody named looks at none."""
    for line in witness.lines if signers is not None else ():
        if signers is not None and (fault := signers.fault(line.said, line.signature)):
            raise NotWitnessed(f"line {line.number} of {file}: {fault}; nothing was signed")


def sign_and_keep(
    path: Path,
    witness: Witness,
    what: tuple[Statement, witness_Proof],
    key: Path,
    *,
    signers: Signers | None,
    before: bytes | None,
    log: Path | None,
) -> Added:
    """Have a statement signed, and put the file with it in the place of the one with the bytes `before`.

    What is signed counts for everybody afterwards: a name that may not sign with this key is refused here.
    """
    said, proof = what
    if sys.stderr.isatty():  # where ssh-keygen may ask for a passphrase
        say(f"signing {said.seal} as {said.by} with {key}", err=True)
    signature = sign(said.text, key)
    if signers is not None and (fault := signers.fault(said, signature)):
        raise NotSigned(f"{key}: {fault}; nothing was kept")
    whole = added(witness, said, proof, signature)
    put_witness(path, before, whole, log)
    return _told(next(line for line in whole.lines if line.said == said), path)


def print_signed_already(witness: Witness, by: str, path: Path, reason: str, json: bool) -> None:
    """Say that the newest seal bears this name already: that is no fault."""
    last = witness.last
    for line in last.lines if json and last is not None else ():
        if line.said.by == by:
            print_json(_told(line, path))
    if not json:
        put(f"{reason}: nothing to add")


def _told(line: Signed, path: Path) -> Added:
    said = line.said
    return Added(said.branch, said.seq, str(said.seal), said.by, said.when, str(path), line.number)


# --- Opening what is held of a log for its digests alone: a database, an export, a players' copy


def is_exported(path: Path) -> bool:
    """Say whether a file is text that begins like an export, a copy, a proof or a witness file."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(1) == b"{"


@contextmanager
def holding(path: Path) -> Iterator[LogDigests]:
    """Give the digests of a log, an export in jsonl or a redacted copy, checked as they are read."""
    if not is_exported(path):
        with reading(path) as store:
            yield held(store)
        return
    with path.open("rb") as file:
        first = file.readline(MAX_LINE)
        file.seek(0)
        if is_redacted(first):
            yield get_digests_of_copy(file)
            return
        with MemoryStore() as store:
            import_jsonl(file, store)
            yield held(store)


# --- `affray seal`: a line of play as 32 characters that two people can compare, and sign

MAX_PROOF = 1_000_000
"""The most bytes of a proof's file."""

SEAL_EXAMPLES = """\b
Examples:
  affray seal fight.db
  affray seal fight.db --check SEAL --grown
  affray seal fight.db --consistent-with SEAL > proof.json
  affray seal fight.db --sign ~/.ssh/id_ed25519 --by alex --witness table.witness"""


@click.command(epilog=SEAL_EXAMPLES)
@database
@on_branch
@click.option("--at", "seq", type=int, help="Seal the line up to this event instead of its end.")
@click.option("--check", "seal", help="Compare with this seal, whole or its eight groups alone.")
@click.option("--grown", "may_grow", is_flag=True, help="With --check: that the log went on since is fine.")
@click.option("--prove", "proving", type=int, help="Print the proof that this event stands in the log.")
@click.option(
    "--consistent-with", "earlier", help="Print the proof that the log continues this earlier seal."
)
@key_option
@by_option
@click.option(
    "--witness", type=click.Path(path_type=Path), help="The witness file that a signed seal goes to."
)
@signers_option
@as_json
def seal(
    db: Path,
    branch: str,
    seq: int | None,
    seal: str | None,
    may_grow: bool,
    proving: int | None,
    earlier: str | None,
    key: Path | None,
    by: str,
    witness: Path | None,
    signers: Path | None,
    json: bool,
) -> None:
    """Print the seal of a log: so short that it can be read aloud, and nothing can change behind it.

    With --check the status is 1 if anything differs, and the line says what. DB may then also be a
    file that --prove printed: that one event stood in the log. --consistent-with prints a proof that the log
    is what was sealed before, grown; of a file with such a proof it says so without the log, with --check for
    the seal that it grew to.

    With --sign the seal is signed by ssh-keygen and goes to the end of the witness file, if the log continues
    all seals that are in it.
    """
    signing = key is not None or bool(by) or witness is not None or signers is not None
    if signing and (key is None or not by or witness is None):
        raise click.UsageError("to sign name all three: --sign KEY, --by NAME and --witness FILE")
    proof = _proof(db)
    asked = {
        "--sign": signing,
        "--prove": proving is not None,
        "--consistent-with": earlier is not None,
        # Of a proof from an earlier seal to a later one it names the later one.
        "--check": seal is not None and not (isinstance(proof, Growth) and earlier is not None),
    }
    if sum(asked.values()) > 1:
        raise click.UsageError(f"{' and '.join(name for name, on in asked.items() if on)}: one of them")
    if seq is not None and (seal is not None or proof is not None):
        raise click.UsageError(
            "--at does not go with --check, nor with a proof: the seal says how far it reaches"
        )
    if may_grow and (seal is None or proof is not None):
        raise click.UsageError("--grown goes with --check of a log")
    if key is not None and witness is not None:
        _sign(db, branch, seq, key=key, by=by, witness=witness, signers=signers, json=json)
    elif earlier is not None:
        _tell_growth(db, branch, seq, earlier=earlier, seal=seal, proof=proof, json=json)
    elif seal is not None:
        _compare(db, branch, parse_seal(seal), proof, may_grow, json)
    elif proving is not None:
        with reading(db) as store:
            print_json(prove(store, proving, branch, seq))
    else:
        with reading(db) as store:
            made = sealed(store, branch, seq)
        print_found({"branch": made.branch, "seq": made.seq, "seal": str(made)}, [str(made)], json)


def _sign(
    db: Path,
    branch: str,
    seq: int | None,
    *,
    key: Path,
    by: str,
    witness: Path,
    signers: Path | None,
    json: bool,
) -> None:
    """Sign the line of play and put it behind what the witness file holds."""
    allowed = read_allowed_signers(signers, None)
    before, known = opened(witness, db)
    check_signatures(known, allowed, witness)
    with holding(db) as held:
        try:
            what = make_further_statement(known, held, branch, by=by, when=now(), seq=seq)
        except SignedAlready as error:
            print_signed_already(known, by, witness, str(error), json)
            return
    kept = sign_and_keep(witness, known, what, key, signers=allowed, before=before, log=db)
    print_found(kept, (kept.seal, f"signed by {by} on line {kept.line} of {witness}"), json)


def _tell_growth(
    db: Path,
    branch: str,
    seq: int | None,
    *,
    earlier: str,
    seal: str | None,
    proof: Proof | Growth | None,
    json: bool,
) -> None:
    """Print the proof that a log continues an earlier seal, or say what a file with such a proof shows."""
    wanted = parse_seal(earlier)
    if proof is None:
        with holding(db) as held:
            print_json(prove_growth(held.upto(branch, seq), branch or held.main, wanted))
        return
    if isinstance(proof, Proof):
        raise AffrayError(f"{db}: it proves one event, not that a log has grown")
    verdict = grown(proof, wanted, None if seal is None else parse_seal(seal))
    _tell_verdict(verdict, verdict.outcome != "other", json)


def _tell_verdict(verdict: Verdict, ok: bool, json: bool) -> None:
    """Print what a comparison with a seal showed; leave with 1 unless it is `ok`."""
    found = {"ok": ok, "outcome": verdict.outcome, "told": verdict.told, "seal": str(verdict.found)}
    print_found(found, [verdict.told], json)
    exit_unless(ok)


def _compare(
    db: Path, branch: str, wanted: Seal, proof: Proof | Growth | None, may_grow: bool, json: bool
) -> None:
    """Say whether a log, or the one event that a file proves, is what was sealed."""
    if isinstance(proof, Growth):
        raise click.UsageError("of a proof that a log has grown name the earlier seal too: --consistent-with")
    if proof is not None:
        _tell_proof(db, proof, wanted, json)
        return
    if is_exported(db):
        raise AffrayError(
            f"{db}: no log and no proof; compare an export or copy: affray verify FILE --seal SEAL"
        )
    with reading(db) as store:
        verdict = compared(store, wanted, branch)
    _tell_verdict(verdict, verdict.outcome == "same" or (may_grow and verdict.outcome == "longer"), json)


def _proof(path: Path) -> Proof | Growth | None:
    """Return the proof that a file holds, None if it holds none."""
    if not is_exported(path):
        return None
    with path.open("rb") as file:
        text = file.read(MAX_PROOF)
    for kind in (Proof, Growth):
        try:
            found: Proof | Growth = read_json(text, kind)
        except Unreadable:
            continue
        return found
    return None


def _tell_proof(path: Path, proof: Proof, wanted: Seal, json: bool) -> None:
    ok = proven(proof, wanted)
    told = (
        f"event {proof.seq} of {proof.branch} is in the sealed log, with the digest {proof.digest}"
        if ok
        else f"{path}: not proven: event {proof.seq} with this digest is not in the sealed log"
    )
    print_found({"ok": ok, "branch": proof.branch, "seq": proof.seq, "digest": proof.digest}, [told], json)
    exit_unless(ok)


# --- `affray countersign`: a player's signature below the newest seal of a witness file

COUNTERSIGN_EXAMPLES = """\b
Examples:
  affray countersign table.witness --sign ~/.ssh/id_ed25519 --by kim \\
      --signers allowed_signers --with players.jsonl
  affray countersign mine.witness --from table.witness --sign ~/.ssh/id_ed25519 --by kim \\
      --signers allowed_signers"""


@click.command(epilog=COUNTERSIGN_EXAMPLES)
@click.argument("witness", type=click.Path(path_type=Path))
@key_option
@by_option
@signers_option
@revoked_option
@click.option(
    "--with", "copy", type=click.Path(path_type=Path), help="A log, export or players' copy to compare."
)
@click.option(
    "--from", "newer", type=click.Path(path_type=Path), help="Take in the lines of this newer copy first."
)
@as_json
def countersign(
    witness: Path,
    key: Path | None,
    by: str,
    signers: Path | None,
    revoked: Path | None,
    copy: Path | None,
    newer: Path | None,
    json: bool,
) -> None:
    """Sign the newest seal in a witness file, after everything before it has been checked.

    Checked are all signatures, that each seal continues the one before, and the newest one itself: against
    the log or the players' copy that --with names, or else by its proof that it continues a seal which the
    same name has signed before. What does not follow is not signed. With --from the file is first brought up
    to a newer copy of it, if that is the same file gone on.

    Status 1: it is refused; nothing is signed or written then.
    """
    if key is None or not by or signers is None:
        raise click.UsageError("name the key, --by whom it signs, and the allowed --signers")
    allowed = read_allowed_signers(signers, revoked)
    if newer is None:
        read_bytes(witness)
    before, mine = opened(witness, copy)
    whole = mine
    if newer is not None:
        whole, late = joined([(str(witness), mine), (str(newer), read_witness(newer))])
        for one in late:
            say(one, err=True)
    check_signatures(whole, allowed, newer or witness)
    _check_newest(whole, mine, by, copy)
    try:
        said = countersignature(whole, by=by, when=now())
    except SignedAlready as error:
        if whole.data != before:
            put_witness(witness, before, whole, copy)
        print_signed_already(whole, by, witness, str(error), json)
        return
    kept = sign_and_keep(witness, whole, (said, ()), key, signers=allowed, before=before, log=copy)
    print_found(kept, (kept.seal, f"countersigned by {by} on line {kept.line} of {witness}"), json)


def _check_newest(whole: Witness, mine: Witness, by: str, copy: Path | None) -> None:
    """Raise NotWitnessed unless the newest seal is what is held, or follows from what was signed before."""
    last = whole.last
    if last is None:
        return
    reason = f"{last.said.seal} continues nothing that {by} has signed"
    follows = find_followed_seal(whole, by, mine) is not None
    if copy is None:
        if not follows:
            raise NotWitnessed(f"{reason}: compare it with a log or copy (--with); nothing was signed")
        return
    with holding(copy) as held:
        beside = against(whole, held)
    if beside.faults:
        line, fault = beside.faults[0]
        raise NotWitnessed(f"line {line}: {fault} (compared with {copy}); nothing was signed")
    if str(last.said.seal) in beside.unseen:
        raise NotWitnessed(f"{copy} does not hold {last.said.branch!r}, which was sealed; nothing was signed")
    if not follows and by in (*whole.everybody, *mine.everybody):
        say(f"{reason}: it is another line of play, as it stands in {copy}", err=True)
