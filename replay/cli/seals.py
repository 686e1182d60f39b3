"""`affray seal`, `countersign`: a line of play as 32 characters that people can compare and sign."""

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

# --- Witness files: read whole, and replaced as a whole by one command at a time


class WitnessChanged(AffrayError):
    """Another command changed the witness file between reading and writing; its content stays."""


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a witness file. Raises NoWitness for another kind of file."""
    if path.exists() and not path.is_file():
        raise NoWitness(f"{path}: not a witness file")
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise NoWitness(f"{path}: not a witness file: it is longer than {MAX_BYTES} bytes")
    return data


def read_witness(path: Path) -> Witness:
    """Return the content of a witness file. Raises BadWitness, NoWitness, NewerLog."""
    return parse_witness(read_bytes(path), str(path))


def put_witness(path: Path, before: bytes | None, now: Witness, log: Path | None = None) -> None:
    """Replace a witness file that has the bytes `before` (None: no file), and flush it to disk.

    The file is replaced completely or not at all. Raises WitnessChanged if it has other bytes by now, and
    AffrayError for a path to a log, to `log` in any form, or to another kind of file.
    """
    with lock_folder(path):
        try:
            found: bytes | None = read_bytes(path)
        except FileNotFoundError:
            found = None
        if found != before:
            raise WitnessChanged(f"{path}: another command changed the file; nothing was written, try again")
        with output(path, log) as file:
            file.write(now.data)


# --- Shared by commands that sign and check seals: options, and adding a line to a file

F = TypeVar("F", bound=Callable[..., object])

_FILE = click.Path(path_type=Path)

key_option = click.option(
    "--sign", "key", type=_FILE, help="An SSH private key, or the .pub of one in the agent."
)
by_option = click.option("--by", default="", help="The name to sign with, as in the file of allowed signers.")
signers_option = click.option(
    "--signers", type=_FILE, help="The allowed signers, in the format of ssh-keygen."
)
revoked_option = click.option("--revoked", type=_FILE, help="Revoked keys, in the format of ssh-keygen.")


class Added(Struct, frozen=True):
    """A signed and stored line: its seal, signer, time and line number in the file."""

    branch: str
    seq: int
    seal: str
    by: str
    when: str
    witness: str
    line: int


def read_allowed_signers(allowed: Path | None, revoked: Path | None) -> Signers | None:
    """Return the allowed signers, None if no option names them. Raises NoSigners, and UsageError for half the
    options.
    """
    if allowed is None:
        if revoked is not None:
            raise click.UsageError("--revoked needs --signers")
        return None
    return Signers(allowed, revoked)


def opened(path: Path, log: Path | None) -> tuple[bytes | None, Witness]:
    """Return the bytes of a witness file to write (None if it does not exist yet) and its content.

    Raises AffrayError, before asking for a signature, for a path to the log or to another kind of file.
    """
    refuse_log(path, log)
    before = read_bytes(path) if path.exists() else None
    if before is None and not path.parent.is_dir():
        raise NoWitness(f"{path}: no such folder")
    return before, Witness() if before is None else parse_witness(before, str(path))


def check_signatures(witness: Witness, signers: Signers | None, file: Path) -> None:
    """Raise NotWitnessed for the first signature that is not its signer's; skip all without `signers`."""
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
    """Sign a statement, and replace the file that has the bytes `before` with one that includes it.

    A signature counts for all readers afterwards: a name that may not sign with this key is refused here.
    """
    said, proof = what
    if sys.stderr.isatty():  # ssh-keygen may ask for a passphrase here
        say(f"signing {said.seal} as {said.by} with {key}", err=True)
    signature = sign(said.text, key)
    if signers is not None and (fault := signers.fault(said, signature)):
        raise NotSigned(f"{key}: {fault}; nothing was stored")
    whole = added(witness, said, proof, signature)
    put_witness(path, before, whole, log)
    return _told(next(line for line in whole.lines if line.said == said), path)


def print_signed_already(witness: Witness, by: str, path: Path, reason: str, json: bool) -> None:
    """Print that the newest seal already has a signature of this name, which is not an error."""
    last = witness.last
    for line in last.lines if json and last is not None else ():
        if line.said.by == by:
            print_json(_told(line, path))
    if not json:
        put(f"{reason}: nothing to add")


def _told(line: Signed, path: Path) -> Added:
    said = line.said
    return Added(said.branch, said.seq, str(said.seal), said.by, said.when, str(path), line.number)


# --- Opening a log only for its digests: a database, an export, a players' copy


def is_exported(path: Path) -> bool:
    """Return whether a file is text that begins like an export, a copy, a proof or a witness file."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(1) == b"{"


@contextmanager
def holding(path: Path) -> Iterator[LogDigests]:
    """Yield the digests of a log, an export in jsonl or a redacted copy, checked as they are read."""
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


# --- `affray seal`: a line of play as 32 characters that people can compare and sign

MAX_PROOF = 1_000_000
"""Most bytes of a proof's file."""

SEAL_EXAMPLES = """\b
Examples:
  affray seal fight.db
  affray seal fight.db --check SEAL --grown
  affray seal fight.db --consistent-with SEAL > proof.json
  affray seal fight.db --sign ~/.ssh/id_ed25519 --by alex --witness table.witness"""


@click.command(epilog=SEAL_EXAMPLES)
@database
@on_branch
@click.option("--at", "seq", type=int, help="Seal the line up to this event; default: its end.")
@click.option("--check", "seal", help="Compare with this seal, complete or only its eight groups.")
@click.option("--grown", "may_grow", is_flag=True, help="With --check: accept a log that has grown since.")
@click.option("--prove", "proving", type=int, help="Print the proof that this event is in the log.")
@click.option(
    "--consistent-with", "earlier", help="Print the proof that the log continues this earlier seal."
)
@key_option
@by_option
@click.option("--witness", type=click.Path(path_type=Path), help="The witness file to add a signed seal to.")
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
    """Print the seal of a log: short enough to read aloud, and it changes with any change of the log.

    With --check the status is 1 if anything differs, and the line says what. DB may then also be a file
    printed by --prove: it proves that one event was in the log. --consistent-with prints a proof that the log
    is the sealed one, grown; given a file with such a proof, it checks it without the log, with --check for
    the later seal.

    With --sign, ssh-keygen signs the seal, and it is added to the witness file if the log continues all seals
    in it.
    """
    signing = key is not None or bool(by) or witness is not None or signers is not None
    if signing and (key is None or not by or witness is None):
        raise click.UsageError("signing needs all three: --sign KEY, --by NAME and --witness FILE")
    proof = _proof(db)
    asked = {
        "--sign": signing,
        "--prove": proving is not None,
        "--consistent-with": earlier is not None,
        # Of a proof from an earlier seal to a later one, it names the later one.
        "--check": seal is not None and not (isinstance(proof, Growth) and earlier is not None),
    }
    if sum(asked.values()) > 1:
        raise click.UsageError(f"use only one of {' and '.join(name for name, on in asked.items() if on)}")
    if seq is not None and (seal is not None or proof is not None):
        raise click.UsageError("--at excludes --check and proofs: the seal determines how far it reaches")
    if may_grow and (seal is None or proof is not None):
        raise click.UsageError("--grown needs --check and a log")
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
    """Sign the line of play and add it to the witness file."""
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
    """Print the proof that a log continues an earlier seal, or the result of a file with such a proof."""
    wanted = parse_seal(earlier)
    if proof is None:
        with holding(db) as held:
            print_json(prove_growth(held.upto(branch, seq), branch or held.main, wanted))
        return
    if isinstance(proof, Proof):
        raise AffrayError(f"{db}: this file proves one event, not that a log has grown")
    verdict = grown(proof, wanted, None if seal is None else parse_seal(seal))
    _tell_verdict(verdict, verdict.outcome != "other", json)


def _tell_verdict(verdict: Verdict, ok: bool, json: bool) -> None:
    """Print the result of a comparison with a seal; exit with 1 unless it is `ok`."""
    found = {"ok": ok, "outcome": verdict.outcome, "told": verdict.told, "seal": str(verdict.found)}
    print_found(found, [verdict.told], json)
    exit_unless(ok)


def _compare(
    db: Path, branch: str, wanted: Seal, proof: Proof | Growth | None, may_grow: bool, json: bool
) -> None:
    """Compare a log, or the one event that a file proves, with a seal."""
    if isinstance(proof, Growth):
        raise click.UsageError("a proof that a log has grown needs the earlier seal too: --consistent-with")
    if proof is not None:
        _tell_proof(db, proof, wanted, json)
        return
    if is_exported(db):
        raise AffrayError(
            f"{db}: neither a log nor a proof; to compare an export or copy: affray verify FILE --seal SEAL"
        )
    with reading(db) as store:
        verdict = compared(store, wanted, branch)
    _tell_verdict(verdict, verdict.outcome == "same" or (may_grow and verdict.outcome == "longer"), json)


def _proof(path: Path) -> Proof | Growth | None:
    """Return the proof in a file, None if it holds none."""
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


# --- `affray countersign`: a player's signature under the newest seal of a witness file

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
    "--from", "newer", type=click.Path(path_type=Path), help="Add the lines of this newer copy first."
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
    """Sign the newest seal in a witness file after checking everything before it.

    This checks all signatures, that each seal continues the one before, and the newest seal itself: against
    the log or players' copy of --with, or else by its proof that it continues a seal that the same name has
    signed before. A seal that fails is not signed. With --from the file is first updated from a newer copy,
    if that continues it.

    Status 1: refused; nothing was signed or written.
    """
    if key is None or not by or signers is None:
        raise click.UsageError("signing needs --sign KEY, --by NAME and --signers FILE")
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
    """Raise NotWitnessed unless the newest seal matches the copy, or continues a seal signed before."""
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
        raise NotWitnessed(
            f"{copy} does not contain {last.said.branch!r}, which was sealed; nothing was signed"
        )
    if not follows and by in (*whole.everybody, *mine.everybody):
        say(f"{reason}: it seals another line of play, the one in {copy}", err=True)
