"""Printed stat blocks from a file, from what is pasted, or out of a folder of them by name."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from affray.engine.statblock import PRINTED_FOR, Block, StatBlockError, read
from affray.engine.statblock.paste import LONGEST_TEXT
from affray.events.errors import did_you_mean
from affray.events.facts.sheet import Sheet
from affray.events.files import is_found
from affray.events.wording import counted, shell_command
from affray.replay.cli.printing import put


def sheet_of_block(dialect: str, place: Path, use: str, accept_unread: bool) -> Sheet:
    """Return the sheet of a printed stat block; say what of it was not understood.

    The place is a file, - for standard input, or a folder out of which `use` names one. Raises UsageError
    where it names none, StatBlockError for what cannot be read, and for what is unread and matters unless
    that is accepted.
    """
    file = place
    if str(place) != "-" and place.is_dir():
        file = chosen_of(place, use, dialect)
    block = read_file(file, dialect)
    if block.unread and not accept_unread:
        said = "; ".join(f"line {one.line}: {one.reason}" for one in block.unread[:3])
        more = f" and {len(block.unread) - 3} more" if len(block.unread) > 3 else ""
        raise StatBlockError(f"{file}: {said}{more} (take it so with --accept-unread)")
    if block.notes:
        remarks = counted(len(block.notes), "remark")
        put(f"{remarks} on what was read; see: {shell_command('statblock', file)}", err=True)
    return block.sheet


def chosen_of(folder: Path, use: str, dialect: str) -> Path:
    """Return the file of a folder of blocks that `use` names: a file, without its ending too, or a creature.

    Upper and lower case are alike. Raises UsageError where it names none, or several.
    """
    files = files_in(folder)
    if not files:
        raise click.UsageError(f"{folder} holds no stat block")
    wanted = use.casefold()
    for known in ([(one.name, one) for one in files], [(one.stem, one) for one in files]):
        if found := [file for name, file in known if name.casefold() == wanted]:
            return _only(found, use, folder)
    printed = list(_printed(files, dialect))
    if found := [file for name, file in printed if name.casefold() == wanted]:
        return _only(found, use, folder)
    if not use:
        raise click.UsageError(f"{folder} is a folder; choose with --use: {_listed(files, printed)}")
    meant = did_you_mean(use, [*(one.stem for one in files), *(name for name, _ in printed)])
    raise click.UsageError(f"{folder} holds no block {use!r}{meant}")


def files_in(folder: Path) -> list[Path]:
    """Return the files of a folder of blocks, hidden ones left out, in the order of their names."""
    return sorted(one for one in folder.iterdir() if is_found(one, folder) and not one.name.startswith("."))


def _printed(files: list[Path], dialect: str) -> Iterator[tuple[str, Path]]:
    """Yield what each creature is called in its block, where that can be read."""
    for file in files:
        try:
            yield read_file(file, dialect).sheet.name, file
        except StatBlockError:
            continue


def _listed(files: list[Path], printed: list[tuple[str, Path]]) -> str:
    """Return what a folder holds: each file, and the name of its creature where that is another."""
    names = {file: name for name, file in printed if name.casefold() != file.stem.casefold()}
    stems = [one.stem for one in files]
    shown = {one: one.stem if stems.count(one.stem) == 1 else one.name for one in files}
    return ", ".join(shown[one] + (f" ({names[one]})" if one in names else "") for one in files)


def _only(found: list[Path], use: str, folder: Path) -> Path:
    if len(found) > 1:
        names = ", ".join(one.name for one in found)
        raise click.UsageError(f"{use!r} is in {folder} more than once; choose with --use one of {names}")
    return found[0]


def read_file(file: Path, dialect: str) -> Block:
    """Return the block in a file, "-" being standard input. Raises StatBlockError, OSError."""
    data = sys.stdin.buffer.read(4 * LONGEST_TEXT + 1) if str(file) == "-" else _bytes(file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise StatBlockError(f"{file}: not a UTF-8 text") from None
    try:
        return read(text, dialect=dialect if dialect in PRINTED_FOR else "")
    except StatBlockError as error:
        raise StatBlockError(f"{file}: {error}") from None


def _bytes(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(4 * LONGEST_TEXT + 1)
