"""`affray seal`: a line of play as 32 characters that two people can compare."""

from pathlib import Path

import click

from affray.events.errors import AffrayError
from affray.events.misfit import Unreadable, read_json
from affray.replay.cli.base import as_json, database, on_branch, reading
from affray.replay.cli.printing import print_json, put
from affray.replay.sealing import Proof, Seal, compared, parse_seal, prove, proven, sealed

MAX_PROOF = 1_000_000
"""The most bytes of a proof's file."""


@click.command(epilog="Example: affray seal fight.db  (and later: affray seal fight.db --check SEAL)")
@database
@on_branch
@click.option("--at", "seq", type=int, help="Seal the line up to this event instead of its end.")
@click.option("--check", "seal", help="Compare with this seal, whole or its eight groups alone.")
@click.option("--grown", is_flag=True, help="With --check: that the log went on since is fine.")
@click.option("--prove", "proving", type=int, help="Print the proof that this event stands in the log.")
@as_json
def seal(
    db: Path, branch: str, seq: int | None, seal: str | None, grown: bool, proving: int | None, json: bool
) -> None:
    """Print the seal of a log: so short that it can be read aloud, and nothing can change behind it.

    With --check the status is 1 if anything differs, and the line says what. DB may then also be a
    file that --prove printed: that one event stood in the log.
    """
    if seal is not None and (proving is not None or seq is not None):
        raise click.UsageError("--check goes with neither --prove nor --at: the seal says how far it reaches")
    if grown and seal is None:
        raise click.UsageError("--grown goes with --check")
    if seal is None:
        with reading(db) as store:
            if proving is not None:
                print_json(prove(store, proving, branch, seq))
                return
            made = sealed(store, branch, seq)
        if json:
            print_json({"branch": made.branch, "seq": made.seq, "seal": str(made)})
        else:
            put(str(made))
        return
    wanted = parse_seal(seal)
    if (proof := _proof(db)) is not None:
        _tell_proof(db, proof, wanted, json)
        return
    with reading(db) as store:
        verdict = compared(store, wanted, branch)
    ok = verdict.outcome == "same" or (grown and verdict.outcome == "longer")
    if json:
        print_json({"ok": ok, "outcome": verdict.outcome, "told": verdict.told, "seal": str(verdict.found)})
    else:
        put(verdict.told)
    if not ok:
        click.get_current_context().exit(1)


def _proof(path: Path) -> Proof | None:
    """Return the proof that a file holds, None if it is of another kind."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        if file.read(1) != b"{":
            return None
        file.seek(0)
        text = file.read(MAX_PROOF)
    try:
        found: Proof = read_json(text, Proof)
    except Unreadable as error:
        raise AffrayError(f"{path}: no log and no proof of one event") from error
    return found


def _tell_proof(path: Path, proof: Proof, wanted: Seal, json: bool) -> None:
    ok = proven(proof, wanted)
    told = (
        f"event {proof.seq} of {proof.branch} is in the sealed log, with the digest {proof.digest}"
        if ok
        else f"{path}: not proven: event {proof.seq} with this digest is not in the sealed log"
    )
    if json:
        print_json({"ok": ok, "branch": proof.branch, "seq": proof.seq, "digest": proof.digest})
    else:
        put(told)
    if not ok:
        click.get_current_context().exit(1)
