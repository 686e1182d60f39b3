"""The secrets of a log, stored in a file next to it: the seed of its dice until that is revealed.

A small text file, named like the log plus `-secrets`, that only its owner may read:

    {"format":"affray-secrets","version":1,"log":"0f3c...","secrets":{"seed":"9b1d..."}}

`log` is the mark of the log that it belongs to, also stored in that log; secrets have names and are written
in hexadecimal digits. Names that a release does not know are preserved.

The file is created whole and with its permissions: it is written under another name first. Only one writer
may add to it at a time; the SQLite store holds the lock of the log while it does.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct, field

from affray.events import logging
from affray.events.errors import LogUnavailable, NewerLog, SecretExists, SecretsMissing
from affray.events.files import open_found, read_bounded, replacing

FORMAT = "affray-secrets"
VERSION = 1
SUFFIX = "-secrets"
"""The suffix of the file of secrets, after the name of the log."""

SEED = "seed"
"""The secret that is the seed of the dice."""

MAX_BYTES = 1_000_000
"""The most bytes that are read of such a file, so that no other file can fill the memory."""


class Secrets(Struct, frozen=True):
    """The contents of such a file: the mark of its log, and the secrets by name, in hexadecimal digits."""

    format: str
    version: int
    log: str
    secrets: dict[str, str] = field(default_factory=dict)

    def get(self, name: str) -> bytes | None:
        """Return a secret, None if no secret has that name."""
        kept = self.secrets.get(name)
        return None if kept is None else bytes.fromhex(kept)


def secrets_path(log: str | os.PathLike[str]) -> Path:
    """Return the path of a log's secrets: next to the real file, links resolved."""
    path = Path(os.path.realpath(log))
    return path.with_name(path.name + SUFFIX)


def read_secrets(path: Path) -> Secrets | None:
    """Return the contents of a file of secrets, None if there is no file.

    Raises SecretsMissing for a file that is not one, is damaged or cannot be read, and NewerLog. A file that
    other users may read is logged as `secrets.exposed`.
    """
    try:
        data = read_private(path, MAX_BYTES, "secrets.exposed")
    except OSError as error:
        raise SecretsMissing(f"{path}: the secrets of the log cannot be read: {error.strerror}") from error
    if data is None:
        return None
    try:
        found = msgspec.json.decode(data, type=Secrets)
        if found.format == FORMAT and found.version > VERSION:
            raise NewerLog(f"{path}: secrets of version {found.version}, this Affray reads up to {VERSION}")
        for value in found.secrets.values():
            bytes.fromhex(value)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise SecretsMissing(f"{path}: it is damaged, or no file of secrets ({error})") from None
    if found.format != FORMAT:
        raise SecretsMissing(f"{path}: no file of secrets of a log")
    return found


def read_private(path: Path, most: int, exposed: str) -> bytes | None:
    """Return the bytes of a file next to a log, None without a file. Raises OSError (see `open_found`).

    A file that other users may read is logged as `exposed`.
    """
    try:
        with open_found(path, path.parent) as file:
            data = read_bounded(file, most)
            mode = os.fstat(file.fileno()).st_mode
    except FileNotFoundError:
        return None
    if is_exposed(mode):
        logging.warning(exposed, path=str(path), mode=f"{stat.S_IMODE(mode):o}")
    return data


def is_exposed(mode: int) -> bool:
    """Return whether other users than the owner may read or write a file of this mode."""
    return os.name == "posix" and bool(mode & (stat.S_IRWXG | stat.S_IRWXO))


def keep_secret(path: Path, log: str, name: str, value: bytes) -> None:
    """Store a secret in the file of the log with that mark, once; afterwards it is on disk.

    Storing the same value again is no error. Raises SecretKept if there is another value, and LogUnavailable
    if the file cannot be written, which is then unchanged. The caller checks that the file belongs to the
    log.
    """
    found = read_secrets(path)
    if found is None:
        _write(path, Secrets(FORMAT, VERSION, log, {name: value.hex()}), new=True)
        return
    kept = found.get(name)
    if kept is None:
        _write(path, Secrets(FORMAT, VERSION, log, {**found.secrets, name: value.hex()}), new=False)
    elif kept != value:
        raise SecretExists(f"secret {name!r} is kept already, with another value")


def put_secrets(path: Path, secrets: Secrets) -> None:
    """Write a new file of secrets.

    Raises SecretsMissing if there is a file already, LogUnavailable if it cannot be written.
    """
    _write(path, secrets, new=True)


def foreign_secrets_message(path: Path) -> str:
    """Return the message about a file of secrets that belongs to another log."""
    return f"{path}: these are the secrets of another log; move them away, or name another file for the log"


def _write(path: Path, secrets: Secrets, *, new: bool) -> None:
    write_private(path, msgspec.json.encode(secrets) + b"\n", new=new)


def write_private(path: Path, data: bytes, *, new: bool) -> None:
    """Write a file that only its owner can ever read, and that is complete when it has its name.

    Raises SecretsMissing if a new file would replace another, LogUnavailable.
    """
    try:
        with replacing(path, 0o600, new=new) as file:
            file.write(data)
        _settle(path.parent)
    except FileExistsError as error:
        raise SecretsMissing(f"{path}: there is a file already, which is not overwritten") from error
    except OSError as error:
        raise LogUnavailable(f"{path}: it cannot be written: {error.strerror}") from error


def _settle(folder: Path) -> None:
    """Flush the name of the file to disk, if folders can be flushed."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
