"""`affray seal`: a line of play as 32 characters that two people can compare, and sign."""

from pathlib import Path

import click

from affray.events.errors import AffrayError
from affray.events.misfit import Unreadable, read_json
from affray.replay.cli.base import as_json, database, on_branch, reading
from affray.replay.cli.holding import holding, is_exported
from affray.replay.cli.printing import print_json, put
from affray.replay.cli.signing import (
    by_option,
    check_signatures,
    key_option,
    opened,
    sign_and_keep,
    signers_of,
    signers_option,
    told_again,
)
from affray.replay.growth import Growth, grown, prove_growth
from affray.replay.sealing import Proof, Seal, compared, parse_seal, prove, proven, sealed
from affray.replay.witness.adding import SignedAlready, further_seal
from affray.replay.witness.statement import now

MAX_PROOF = 1_000_000
"""The most bytes of a proof's file."""

EXAMPLES = """\b
Examples:
  affray seal fight.db
  affray seal fight.db --check SEAL --grown
  affray seal fight.db --consistent-with SEAL > proof.json
  affray seal fight.db --sign ~/.ssh/id_ed25519 --by alex --witness table.witness"""


@click.command(epilog=EXAMPLES)
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
        if json:
            print_json({"branch": made.branch, "seq": made.seq, "seal": str(made)})
        else:
            put(str(made))


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
    allowed = signers_of(signers, None)
    before, known = opened(witness, db)
    check_signatures(known, allowed, witness)
    with holding(db) as held:
        try:
            what = further_seal(known, held, branch, by=by, when=now(), seq=seq)
        except SignedAlready as error:
            told_again(known, by, witness, str(error), json)
            return
    kept = sign_and_keep(witness, known, what, key, signers=allowed, before=before, log=db)
    if json:
        print_json(kept)
    else:
        put(kept.seal)
        put(f"signed by {by} on line {kept.line} of {witness}")


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
    ok = verdict.outcome != "other"
    if json:
        print_json({"ok": ok, "outcome": verdict.outcome, "told": verdict.told, "seal": str(verdict.found)})
    else:
        put(verdict.told)
    _leave(ok)


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
    ok = verdict.outcome == "same" or (may_grow and verdict.outcome == "longer")
    if json:
        print_json({"ok": ok, "outcome": verdict.outcome, "told": verdict.told, "seal": str(verdict.found)})
    else:
        put(verdict.told)
    _leave(ok)


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
    if json:
        print_json({"ok": ok, "branch": proof.branch, "seq": proof.seq, "digest": proof.digest})
    else:
        put(told)
    _leave(ok)


def _leave(ok: bool) -> None:
    if not ok:
        click.get_current_context().exit(1)
