"""The secrets of a SQLite log: in the file beside it, or, of a log from earlier days, in the log itself."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from typing import Any, Protocol

import msgspec

from affray.events.errors import BrokenLog, LogUnavailable, SecretKept, SecretsMissing
from affray.events.secrets import (
    SEED,
    Secrets,
    keep_secret,
    not_its_own,
    put_secrets,
    read_secrets,
    secrets_path,
)
from affray.events.store import MAIN, Store
from affray.events.wording import shell_command

MARK = "mark"
"""The note by which a log and the file of its secrets know each other: 16 random bytes."""

_GUARD = "secrets_no_delete"


class _Opening(msgspec.Struct):
    commitment: str = ""


class Log(Store, Protocol):
    """What is asked of a SQLite store here."""

    def writing(self) -> AbstractContextManager[Any]:
        """Hold the write lock for the block, one transaction; it is read and written through that."""
        ...


class SqliteSecrets:
    """The secrets of one log by name. Nothing here is remembered: the file may come and go."""

    def __init__(self, store: Log, path: Path) -> None:
        self._store = store
        self.log = path
        self.path = secrets_path(path)

    def get(self, name: str) -> bytes | None:
        """Return a secret, None if none of that name is kept.

        Raises SecretsMissing if the file is not there though the log has one, or belongs to another log.
        """
        found = self.found()
        if found is not None and (kept := found.get(name)) is not None:
            return kept
        if (old := self._store.note(name)) is not None:
            return old
        if found is None and _marked(self._store) and self._store.head(MAIN).seq:
            raise SecretsMissing(
                f"{self.path}: no such file, and without it the seed of the dice of this log is not known; "
                f"put it there, or say where it is: {shell_command('secrets', self.log, '--from', 'PATH')}"
            )
        return None

    def found(self) -> Secrets | None:
        """Return what the file beside the log holds, None without a file. Raises SecretsMissing."""
        return self._found(self._store)

    def _found(self, log: Any) -> Secrets | None:
        found = read_secrets(self.path)
        if found is not None and not _owns(log, found):
            raise SecretsMissing(not_its_own(self.path))
        return found

    def keep(self, name: str, value: bytes) -> None:
        """Keep a secret, once; afterwards it is on the disk. See Store.keep_secret.

        First the mark, then the file: whatever lies beside a log that has none is another's.
        """
        old = self._store.note(name)
        if old is not None:
            if old != value:
                raise SecretKept(f"secret {name!r} is kept already, with another value")
            return
        self._mark()
        with self._store.writing() as held:
            found = self._found(held)
            keep_secret(self.path, found.log if found is not None else _marked(held), name, value)

    def bring(self, file: Path) -> Secrets:
        """Put a copy of the file of this log's secrets, from wherever it is, to its place; return it.

        Raises SecretsMissing if it is none, or of another log, or if there is another one already.
        """
        brought = read_secrets(file)
        if brought is None:
            raise SecretsMissing(f"{file}: no such file")
        if not _owns(self._store, brought):
            raise SecretsMissing(f"{file}: these are the secrets of another log")
        with self._store.writing():
            if read_secrets(self.path) != brought:
                put_secrets(self.path, brought)
        return brought

    def move_out(self, execute: Callable[..., Any]) -> bool:
        """Move the seed of an old log out of it into the file; return whether there was one in it.

        Afterwards no byte of it is left in the log. Raises LogUnavailable while others use the log; then the
        seed stands in one place or in both, and the same call goes on from there.
        """
        seed = self._store.note(SEED)
        if seed is None:
            return False
        self._mark()
        with self._store.writing() as held:
            self._found(held)
            keep_secret(self.path, _marked(held), SEED, seed)
        execute("PRAGMA secure_delete = ON")
        with self._store.writing() as held:
            ((guard,),) = held.execute("SELECT sql FROM sqlite_master WHERE name = ?", (_GUARD,)).fetchall()
            held.execute(f"DROP TRIGGER {_GUARD}")
            held.execute("DELETE FROM secrets WHERE name = ?", (SEED,))
            held.execute(guard)
        # What the pages held before still stands in the write-ahead log, perhaps in unused pages too.
        execute("VACUUM")
        ((busy, _, _),) = execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        if busy:
            raise LogUnavailable(
                f"{self.log}: others read it, so its -wal file holds the seed still: try again"
            )
        return True

    def _mark(self) -> None:
        """Mark the log, if it is not marked yet."""
        if not _marked(self._store):
            with self._store.writing() as held:
                if not _marked(held):  # else another process was faster
                    held.keep(MARK, token_bytes(16))


def _owns(log: Any, found: Secrets) -> bool:
    """Say whether secrets are those of a log: by its mark, or as the seed opens its commitment."""
    if found.log and found.log == _marked(log):
        return True
    seed = found.get(SEED)
    return seed is not None and is_its_seed(log, seed)


def is_its_seed(log: Any, seed: bytes) -> bool:
    """Say whether a seed opens the commitment in the first event of a log."""
    return sha256(seed).hexdigest() == _commitment(log)


def _marked(log: Any) -> str:
    mark = log.note(MARK)
    return mark.hex() if mark is not None else ""


def _commitment(log: Any) -> str:
    try:
        opening = list(log.read(MAIN, 0, 1))
        return msgspec.json.decode(opening[0].data, type=_Opening).commitment if opening else ""
    except (BrokenLog, msgspec.MsgspecError):
        return ""
