"""What the commands share that sign and check seals: their options, and the way of a line into a file."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec import Struct

from affray.replay.cli.output import refuse_log
from affray.replay.cli.printing import print_json, put, say
from affray.replay.cli.witness_file import put_witness, read_bytes
from affray.replay.witness.adding import NotWitnessed, Proof, added
from affray.replay.witness.file import NoWitness, Signed, Witness, parse_witness
from affray.replay.witness.ssh import NotSigned, Signers, sign
from affray.replay.witness.statement import Statement

F = TypeVar("F", bound=Callable[..., Any])

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


def signers_of(allowed: Path | None, revoked: Path | None) -> Signers | None:
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
    what: tuple[Statement, Proof],
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


def told_again(witness: Witness, by: str, path: Path, reason: str, json: bool) -> None:
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
