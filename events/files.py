"""Reading files that the command line does not name, and replacing files atomically.

A file next to a log, or one named by another file, may be a pipe, a device, or a link to one of the user's
files. It is read only if it is a regular file of bounded size under the expected folder. Files are written
under a new name, created exclusively, and then replace the old file.
"""

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from affray.events.errors import LogMoved

_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_MADE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class UnfitFile(OSError):
    """A file that is not read because it is not regular, too large, or outside its folder."""

    def __init__(self, reason: str) -> None:
        """Store the reason in `strerror`, as in any OSError."""
        super().__init__(errno.EINVAL, reason)


def read_bytes(path: Path, most: int, within: Path | None = None) -> bytes:
    """Return the bytes of a file. With `within` another file named it; see `read_found`.

    Without it, the user named the file, which can be of any kind, including a pipe or device. Raises
    OSError, as UnfitFile for a file of more than `most` bytes.
    """
    if within is not None:
        return read_found(path, most, within)
    with path.open("rb") as file:
        return read_bounded(file, most)


def read_found(path: Path, most: int, within: Path) -> bytes:
    """Return the bytes of a file that the user did not name: a regular file under the folder `within`.

    Links are followed if they stay under it. Raises OSError, as UnfitFile for every other kind of
    file, for one elsewhere, and for one of more than `most` bytes.
    """
    with open_found(path, within) as file:
        return read_bounded(file, most)


def open_found(path: Path, within: Path) -> BinaryIO:
    """Open a regular file under the folder `within` for reading. Raises as `read_found`."""
    place = resolve_within(path, within)
    # A plain open would wait for a pipe without a writer, and opening some devices has an effect.
    if not stat.S_ISREG(os.stat(place).st_mode):
        raise UnfitFile("no regular file")
    handle = os.open(place, _READ | getattr(os, "O_NOFOLLOW", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise UnfitFile("no regular file")
    return os.fdopen(handle, "rb")


def is_found(path: Path, within: Path) -> bool:
    """Return whether there is a regular file, all links followed, under the folder `within`."""
    try:
        return stat.S_ISREG(os.stat(resolve_within(path, within)).st_mode)
    except OSError:
        return False


def read_bounded(file: BinaryIO, most: int) -> bytes:
    """Return the rest of an open file. Raises UnfitFile for more than `most` bytes."""
    # A device has no size: read at most one byte too many.
    data = file.read(most + 1)
    if len(data) > most:
        raise UnfitFile(f"larger than {most // 1000} kB")
    return data


def resolve_within(path: Path, within: Path) -> Path:
    """Return a path with links resolved. Raises UnfitFile if it is not under `within`."""
    place = Path(os.path.realpath(path))
    if not place.is_relative_to(os.path.realpath(within)):
        raise UnfitFile(f"not under the folder {within}")
    return place


@contextmanager
def replacing(path: Path, mode: int = 0o666, *, new: bool = False) -> Iterator[BinaryIO]:
    """Yield a new file to write to, which is flushed and replaces `path`, as in `atomic_path`."""
    with atomic_path(path, mode, new=new) as beside, beside.open("r+b") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def atomic_path(path: Path, mode: int = 0o666, *, new: bool = False) -> Iterator[Path]:
    """Yield the path of an empty new file that replaces `path` when the block ends without an error.

    On an error the new file is removed and `path` is unchanged. The file has the mode `mode` from the first
    byte on. With `new`, an existing `path` raises FileExistsError. Raises OSError, which names `path` where
    it is about the file (a full disk names none).
    """
    beside = _name_beside(path)
    try:
        os.close(os.open(beside, _MADE, mode))
        yield beside
        if new:
            _named(beside, path)
        else:
            os.replace(beside, path)
    except OSError as fault:
        if fault.filename is None or str(fault.filename) == str(beside):
            fault.filename, fault.filename2 = str(path), None
        raise
    finally:
        for suffix in ("", "-journal"):  # SQLite's own files, if the file is a database
            with suppress(OSError):
                os.unlink(f"{beside}{suffix}")


@contextmanager
def atomic_folder(folder: Path) -> Iterator[Path]:
    """Yield a new folder that becomes `folder` when the block succeeds; otherwise it is removed.

    Parent folders are created. Raises OSError, which names `folder` if no other file is at fault, and
    FileExistsError if a file or folder of that name exists.
    """
    if os.path.lexists(folder):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = _name_beside(folder)
    beside.mkdir()
    try:
        yield beside
        os.replace(beside, folder)
    except BaseException as fault:
        if isinstance(fault, OSError) and fault.filename is None:
            fault.filename = str(folder)
        shutil.rmtree(beside, ignore_errors=True)
        raise


def _name_beside(path: Path) -> Path:
    return path.with_name(f".{path.name[:100]}.{token_hex(6)}.tmp")


def _named(beside: Path, path: Path) -> None:
    """Rename a written file. Raises FileExistsError if another file has the name."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links: the locked log has no other writer
        if path.exists():
            raise FileExistsError(path) from None
        os.rename(beside, path)


# --- Checks that the file of an open log was not moved
#
# A file can be renamed, replaced or deleted while it is open, and still accepts writes. But SQLite finds the
# newest commits by the file's name: under a new name it does not look for them, and in a deleted file they
# are lost with the process.

Identity = tuple[int, int]


class FileIdentity:
    """The identity of a file and of its write-ahead log when they were opened."""

    def __init__(self, path: Path) -> None:
        """Read the identity of the file. Raises LogMoved if it no longer exists."""
        self._path = os.path.abspath(path)  # absolute, because the process may change its folder
        self._wal = f"{os.path.realpath(self._path)}-wal"
        self._told = path
        self._file = _identity(self._path)
        self._newest: Identity | None = None
        self.check()

    def check(self) -> None:
        """Raise LogMoved unless the path leads to the same file."""
        if self._file is None or _identity(self._path) != self._file:
            raise self._moved("the file of the log")

    def check_commit(self) -> None:
        """Raise LogMoved unless the last commit is in the file that a new reader opens."""
        self.check()
        wal = _identity(self._wal)
        if self._newest is None:
            self._newest = wal
        elif wal != self._newest:
            raise self._moved("the -wal file of the log, which holds the newest commits,")

    def _moved(self, what: str) -> LogMoved:
        return LogMoved(
            f"{self._told}: {what} was renamed, replaced or deleted while it was open; "
            "nothing more is recorded here: put it back, or open the log where it is now"
        )


def _identity(path: str) -> Identity | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
