"""Who may look and who may act: the guests of a fight, each known by a token that stands in a link."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hmac import compare_digest
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock
from typing import Self, get_args

import msgspec

from affray.events import oplog
from affray.events.errors import AffrayError, LogUnavailable, did_you_mean, printable
from affray.events.facts.base import LONGEST_NAME
from affray.replay.folder_lock import alone_in_folder
from affray.replay.serve.access_file import (
    MOST_GUESTS,
    BadAccess,
    Guest,
    Kept,
    Role,
    access_path,
    fault_of,
    fault_of_guest,
    read_access,
    write_access,
)

__all__ = ["Access", "BadInvitation", "Guest"]

TOKEN_BYTES = 24


class BadInvitation(AffrayError):
    """A guest that cannot be invited or withdrawn as it was asked for."""


class Access:
    """The guests of one log, and the combatants hidden from players, as its file beside the log has them.

    The file is the truth: every change reads it again first, so that several servers and commands share it,
    and what others have changed holds here from the next question on. At least one guest is always the game
    master. Safe from several threads; a change waits for the disk and for others who change, a question for
    nobody.
    """

    def __init__(self, path: Path, kept: Kept, mark: tuple[int, ...]) -> None:
        """Know the guests that were read of the file; see `open`."""
        self.path = path
        self._held = mark, kept
        self._changing = Lock()

    @classmethod
    def open(cls, log: str | os.PathLike[str]) -> Self:
        """Return the guests of a log: those of the file beside it, or one game master in a new file.

        Raises AffrayError for a file that cannot be read, is damaged, newer or another one: none is begun
        anew in its place.
        """
        path = access_path(log)
        with _in_its_folder(path):
            mark = _mark(path)
            kept = read_access(path)
            if kept is None:  # nobody can have begun one since, as the folder is ours
                kept = Kept(guests=(Guest(token_urlsafe(TOKEN_BYTES), "game master"),))
                write_access(path, kept, new=True)
                mark = _mark(path)
        return cls(path, kept, mark)

    @property
    def guests(self) -> tuple[Guest, ...]:
        """All guests, in the order in which they were invited."""
        return self._current().guests

    @property
    def hidden(self) -> tuple[str, ...]:
        """The ids of the combatants that only the game master sees, in order."""
        return self._current().hidden

    @property
    def known(self) -> tuple[tuple[Guest, ...], tuple[str, ...], int]:
        """The guests, the hidden, and how often somebody was hidden or shown of whom the log spoke."""
        kept = self._current()
        return kept.guests, kept.hidden, kept.views

    def guest_of(self, token: str) -> Guest | None:
        """Return the guest who holds a token, None if nobody does.

        Every guest's token is compared, each in a time that does not depend on what is in it.
        """
        found = None
        for guest in self._current().guests:
            if _has(guest, token):
                found = guest
        return found

    def invite(self, role: str, combatants: Iterable[str] = (), name: str = "") -> Guest:
        """Return a new guest, who is on the disk then. Raises BadInvitation for one that there cannot be."""
        if role not in get_args(Role):
            known = get_args(Role)
            raise BadInvitation(f"no role {role!r}{did_you_mean(role, known)}")
        if len(name) > LONGEST_NAME or name != printable(name):
            raise BadInvitation(f"the name of a guest has at most {LONGEST_NAME} characters, all printable")
        guest = Guest(token_urlsafe(TOKEN_BYTES), role, tuple(combatants), name)  # type: ignore[arg-type]
        if fault := fault_of_guest(guest):
            raise BadInvitation(fault)

        def add(kept: Kept) -> Kept:
            if len(kept.guests) >= MOST_GUESTS:
                raise BadInvitation(f"there are {MOST_GUESTS} guests already; withdraw some")
            return msgspec.structs.replace(kept, guests=(*kept.guests, guest))

        self._change(add)
        return guest

    def withdraw(self, token: str) -> None:
        """Let a token hold no longer. Raises BadInvitation if nobody has it, or the last game master."""

        def drop(kept: Kept) -> Kept:
            left = tuple(one for one in kept.guests if not _has(one, token))
            if len(left) == len(kept.guests):
                raise BadInvitation("no guest has that token")
            if all(one.role != "game master" for one in left):
                raise BadInvitation("the last game master stays: invite another one first")
            return msgspec.structs.replace(kept, guests=left)

        self._change(drop)

    def hide(self, combatant: str, *, heard_of: bool = True) -> None:
        """Let only the game master see a combatant; who is hidden stays so.

        One that has not entered yet may be hidden beforehand. With `heard_of` false nothing in the log speaks
        of it: then nobody can tell that it was hidden. Raises BadInvitation for what can be no id.
        """
        if not combatant or len(combatant) > LONGEST_NAME or combatant != printable(combatant):
            raise BadInvitation(f"an id has at most {LONGEST_NAME} characters, all printable")
        self._change(lambda kept: _with_hidden(kept, {*kept.hidden, combatant}, heard_of))

    def unhide(self, combatant: str, *, heard_of: bool = True) -> None:
        """Let everybody see a combatant again; who is seen stays so. `heard_of` is as in `hide`."""
        self._change(lambda kept: _with_hidden(kept, {*kept.hidden} - {combatant}, heard_of))

    def _current(self) -> Kept:
        """Return what the file holds, read again if it is another one; what it held last if it is spoilt."""
        mark, (known, kept) = _mark(self.path), self._held
        if mark == known:
            return kept
        try:
            kept = read_access(self.path) or kept
        except AffrayError as error:
            oplog.warning("serve.guests", error=str(error))
        # Asked again only when the file changes again: the fight goes on with the guests it had.
        self._held = mark, kept
        return kept

    def _change(self, change: Callable[[Kept], Kept]) -> None:
        """Put what `change` makes of the file in its place. Raises AffrayError if it is gone or spoilt."""
        with self._changing, _in_its_folder(self.path):
            before = read_access(self.path)
            if before is None:
                raise BadAccess(f"{self.path}: it is gone; put it back, or serve the fight anew")
            now = change(before)
            if fault := fault_of(now):
                raise BadInvitation(fault)
            if now != before:
                write_access(self.path, now, new=False)
            self._held = _mark(self.path), now


def _with_hidden(kept: Kept, hidden: set[str], heard_of: bool) -> Kept:
    if hidden == {*kept.hidden}:
        return kept
    views = kept.views + heard_of
    return msgspec.structs.replace(kept, hidden=tuple(sorted(hidden)), views=views)


def _has(guest: Guest, token: str) -> bool:
    """Say whether a guest's token is that one, in a time that does not depend on what is in them."""
    return compare_digest(guest.token.encode(), token.encode("utf-8", "surrogatepass"))


def _mark(path: Path) -> tuple[int, ...]:
    """Return what is another one once a file has been replaced or written, nothing if there is none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_ino, found.st_mtime_ns, found.st_size


@contextmanager
def _in_its_folder(path: Path) -> Iterator[None]:
    """Be the only one that changes the file. Raises LogUnavailable where its folder cannot be opened."""
    try:
        with alone_in_folder(path):
            yield
    except OSError as error:
        raise LogUnavailable(f"{path}: the guests cannot be kept: {error.strerror}") from error
