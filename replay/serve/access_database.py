"""The guests of a fight in a database: a row beside it, which all servers of the fight share."""

import time
from collections.abc import Callable
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock
from typing import Final, Self

import msgspec

from affray.events import oplog
from affray.events.address import Address
from affray.events.errors import AffrayError
from affray.events.postgres import PostgresStore
from affray.replay.serve.access import TOKEN_BYTES, Access, BadInvitation
from affray.replay.serve.access_file import BadAccess, Guest, Kept, fault_of, parsed_access

LOOK_SECONDS: Final = 0.2
"""So long what was read holds, before it is asked whether another server has changed it."""

AWAY_SECONDS: Final = 2.0
"""So long after the database could not be asked it is asked again."""


class DatabaseAccess(Access):
    """Access whose truth is a row of the database: what another server has changed holds here soon after."""

    def __init__(self, store: PostgresStore, kept: Kept, data: bytes) -> None:
        """Know the guests that were read of a row; see `open`."""
        super().__init__(store.path, kept, ())
        self._store, self._data = store, data
        self._asking, self._until = Lock(), 0.0

    @classmethod
    def open(cls, log: Path) -> Self:  # type: ignore[override]
        """Return the guests of a fight: those of its row, or one game master in a new one."""
        assert isinstance(log, Address)
        PostgresStore(log, readonly=True).close()  # says so where there is no such fight
        store = PostgresStore(log)
        new = Kept(guests=(Guest(token_urlsafe(TOKEN_BYTES), "game master"),))
        if store.beside().guests() is None:
            store.beside().put_guests(None, msgspec.json.encode(new), ())
        data = store.beside().guests() or b""
        return cls(store, parsed_access(log, data), data)

    def _current(self) -> Kept:
        now = time.monotonic()
        if now < self._until or not self._asking.acquire(blocking=False):
            return self._held[1]
        try:
            self._until = now + LOOK_SECONDS
            self._read()
        except AffrayError as error:
            oplog.warning("serve.guests", error=str(error))
            self._until = time.monotonic() + AWAY_SECONDS
        finally:
            self._asking.release()
        return self._held[1]

    def _read(self) -> None:
        data = self._store.beside().guests()
        if data is not None and data != self._data:
            self._held, self._data = ((), parsed_access(self.path, data)), data

    def _change(self, change: Callable[[Kept], Kept]) -> None:
        """Put what `change` makes of the row in its place, whoever else changes it. Raises AffrayError."""
        with self._changing, self._asking:
            while True:
                self._read()
                before = self._held[1]
                now = change(before)
                if fault := fault_of(now):
                    raise BadInvitation(fault)
                if now == before:
                    return
                data = msgspec.json.encode(now)
                if self._store.beside().put_guests(self._data, data, now.hidden):
                    self._held, self._data = ((), now), data
                    return
                if self._store.beside().guests() is None:
                    raise BadAccess(f"{self.path}: its guests are gone; serve the fight anew")


def guests_of(log: Path) -> Access:
    """Return the guests of a log, wherever it is. Raises AffrayError where they cannot be read."""
    return DatabaseAccess.open(log) if isinstance(log, Address) else Access.open(log)
