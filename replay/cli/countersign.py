"""`affray countersign`: a player's signature below the newest seal of a witness file."""

from pathlib import Path

import click

from affray.replay.cli.base import as_json
from affray.replay.cli.holding import holding
from affray.replay.cli.printing import print_json, put, say
from affray.replay.cli.signing import (
    by_option,
    check_signatures,
    key_option,
    opened,
    revoked_option,
    sign_and_keep,
    signers_of,
    signers_option,
    told_again,
)
from affray.replay.cli.witness_file import put_witness, read_bytes, read_witness
from affray.replay.witness.adding import (
    NotWitnessed,
    SignedAlready,
    countersignature,
    follows_from,
    joined,
)
from affray.replay.witness.file import Witness
from affray.replay.witness.reckoning import against
from affray.replay.witness.statement import now

EXAMPLES = """\b
Examples:
  affray countersign table.witness --sign ~/.ssh/id_ed25519 --by kim \\
      --signers allowed_signers --with players.jsonl
  affray countersign mine.witness --from table.witness --sign ~/.ssh/id_ed25519 --by kim \\
      --signers allowed_signers"""


@click.command(epilog=EXAMPLES)
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
    allowed = signers_of(signers, revoked)
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
        told_again(whole, by, witness, str(error), json)
        return
    kept = sign_and_keep(witness, whole, (said, ()), key, signers=allowed, before=before, log=copy)
    if json:
        print_json(kept)
    else:
        put(kept.seal)
        put(f"countersigned by {by} on line {kept.line} of {witness}")


def _check_newest(whole: Witness, mine: Witness, by: str, copy: Path | None) -> None:
    """Raise NotWitnessed unless the newest seal is what is held, or follows from what was signed before."""
    last = whole.last
    if last is None:
        return
    reason = f"{last.said.seal} continues nothing that {by} has signed"
    follows = follows_from(whole, by, mine) is not None
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
