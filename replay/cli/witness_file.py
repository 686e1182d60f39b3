"""Witness files on the disk: read whole, and replaced as a whole by one command at a time."""

from pathlib import Path

from affray.events.errors import AffrayError
from affray.replay.cli.output import output
from affray.replay.folder_lock import alone_in_folder
from affray.replay.witness.file import MAX_BYTES, NoWitness, Witness, parse_witness


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
    with alone_in_folder(path):
        try:
            found: bytes | None = read_bytes(path)
        except FileNotFoundError:
            found = None
        if found != before:
            raise WitnessChanged(f"{path}: it was changed meanwhile; nothing was written, do it again")
        with output(path, log) as file:
            file.write(now.data)
