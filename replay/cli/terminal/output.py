"""Files that commands write: whole or not at all, and never onto a log."""

import os
import stat
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from affray.events.errors import AffrayError
from affray.events.files import replacing
from affray.events.secrets import FORMAT as SECRETS
from affray.events.secrets import SUFFIX
from affray.events.stores.address import Address
from affray.replay.chain_file import FORMAT as CHAIN
from affray.replay.cli.terminal.printing import make_visible_output

BESIDE = ("", "-wal", "-shm", "-journal", SUFFIX)
"""What follows the name of a log in the names of the files that belong to it."""

_SQLITE = b"SQLite format 3\x00"
_STREAMS = ("/dev/", "/proc/")


@contextmanager
def output(out: Path | None, log: Path | None) -> Iterator[BinaryIO]:
    """Give a binary file to write to: standard output for None, else one that is at `out` afterwards.

    A file that was there is replaced when the block has ended well, and stays what it was if it does not:
    what is written lies beside it until then. A link stays a link. Raises AffrayError, before anything is
    written, where that would change `log` (None: there is none), a file beside it, any other database, or
    secrets or a chain, which nobody could make anew.
    """
    refuse_log(out, log)
    if out is None:
        yield make_visible_output(sys.stdout.buffer)
    elif _is_stream(out):
        with out.open("wb") as file:
            yield make_visible_output(file)
    else:
        with _replacing(Path(os.path.realpath(out))) as file:
            yield file


def refuse_log(out: Path | None, log: Path | None) -> None:
    """Raise AffrayError if writing to `out`, standard output for None, would change the log or another one.

    Whatever it is called: by a link of either kind, another case, a number in /proc/self/fd.
    """
    if out is None:
        if any(_is_standard_output(one) for one in _files(log)):
            raise AffrayError(f"standard output is {log}: what is written would go into the log itself")
        return
    if any(_same(out, one) for one in _files(log)):
        raise AffrayError(f"{out}: that would overwrite the log {log} itself, or a file that belongs to it")
    with suppress(OSError):
        if stat.S_ISREG(out.stat().st_mode) and _is_kept(out):
            raise AffrayError(
                f"{out}: a database, the secrets of a log or a chain of links, which no command replaces"
            )


def _files(log: Path | None) -> Iterator[Path]:
    if log is None or isinstance(log, Address):
        return
    for base in dict.fromkeys((log, Path(os.path.realpath(log)))):
        for suffix in BESIDE:
            yield Path(f"{base}{suffix}")


def _same(one: Path, other: Path) -> bool:
    """Say whether two paths are, or would be, one file."""
    if one.exists():
        return other.exists() and os.path.samefile(one, other)
    # Not there yet: it would be the same file if the folder is the same and the names differ in no more than
    # some file systems see, which ignore case and forms of Unicode.
    a, b = (Path(os.path.realpath(path)) for path in (one, other))
    try:
        return os.path.samefile(a.parent, b.parent) and _folded(a.name) == _folded(b.name)
    except OSError:
        return False


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _is_standard_output(path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(sys.stdout.fileno()), path.stat())
    except (OSError, ValueError, AttributeError):  # no such file, or standard output is none
        return False


def _is_kept(path: Path) -> bool:
    with path.open("rb") as file:
        first = file.read(100)
    return first.startswith(_SQLITE) or any(f'"{one}"'.encode() in first for one in (SECRETS, CHAIN))


def _is_stream(path: Path) -> bool:
    """Say whether a path leads to something that cannot be replaced: a pipe, a terminal, an open file."""
    if os.path.abspath(path).startswith(_STREAMS):
        return True
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    """Give a new file that takes the place of `path`, and its rights, when the block has ended well."""
    try:
        with replacing(path) as file:
            yield file
            with suppress(FileNotFoundError):
                os.chmod(file.name, stat.S_IMODE(path.stat().st_mode))
    except OSError as fault:
        if fault.filename != str(path):
            raise
        raise AffrayError(f"{path}: cannot be written: {fault.strerror}") from fault
