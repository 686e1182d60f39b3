"""`affray combine`: several redacted copies of one line of play, or of one witness file, into one."""

from contextlib import ExitStack
from pathlib import Path

import click

from affray.events.wording import counted
from affray.replay.cli.base import as_json
from affray.replay.cli.output import output
from affray.replay.cli.printing import print_json, say
from affray.replay.cli.signing import opened
from affray.replay.cli.witness_file import put_witness, read_witness
from affray.replay.redaction import combine as combined
from affray.replay.witness.adding import joined
from affray.replay.witness.file import HEADER, is_witness

EXAMPLES = """\b
Examples:
  affray combine players.jsonl after-the-session.jsonl --out fuller.jsonl
  affray combine table.witness kims.witness --out table.witness"""


@click.command(epilog=EXAMPLES)
@click.argument(
    "copies", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The file to write.")
@as_json
def combine(copies: tuple[Path, ...], out: Path, json: bool) -> None:
    """Put copies together that show different events of one line of play.

    What one of COPIES shows the new one shows; a copy may be longer than another that was given away earlier.
    The same seal holds: compare it with affray verify FILE --seal SEAL.

    Copies of one witness file, each countersigned by another player, become one with all signatures, those
    included that the file to write holds already.
    Status 1: they part, as other seals are signed behind the same lines.
    """
    if any(map(_is_witness, copies)):
        _combine_witnesses(copies, out, json)
        return
    with ExitStack() as stack:
        files = [stack.enter_context(one.open("rb")) for one in copies]
        events, hidden = combined(files, stack.enter_context(output(out, copies[0])))
    if json:
        print_json({"events": events, "hidden": hidden})
    else:
        say(f"{counted(events, 'event')}, {hidden} hidden still")


def _is_witness(path: Path) -> bool:
    with path.open("rb") as file:
        return is_witness(file.read(len(HEADER)))


def _combine_witnesses(copies: tuple[Path, ...], out: Path, json: bool) -> None:
    """Put copies of one witness file together."""
    before = opened(out, None)[0]
    if before is not None and not any(out.samefile(one) for one in copies):
        copies = (out, *copies)
    whole, late = joined([(str(one), read_witness(one)) for one in copies])
    for told in late:
        say(told, err=True)
    put_witness(out, before, whole)
    signatures = sum(len(seal.lines) for seal in whole.seals)
    if json:
        print_json({"seals": len(whole.seals), "signatures": signatures, "late": late})
    else:
        say(f"{counted(len(whole.seals), 'seal')}, {counted(signatures, 'signature')}")
