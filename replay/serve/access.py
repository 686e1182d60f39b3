"""Who may look and who may act: the guests of a fight, each known by a token that stands in a link."""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hmac import compare_digest
from io import BytesIO, StringIO
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock
from typing import Annotated, Final, Literal, Self, get_args

import msgspec
import segno
from msgspec import Meta, Struct

from affray.events import logging
from affray.events.errors import AffrayError, LogUnavailable, NewerLog, did_you_mean, printable
from affray.events.facts.base import LONGEST_NAME, MOST_COMBATANTS, Name
from affray.events.secrets import read_private, write_private
from affray.events.stores.address import Address
from affray.events.stores.postgres import PostgresStore
from affray.replay.log_files import lock_folder
from affray.replay.serve.http import own_origin

# --- The file of the guests, kept beside the log: read whole or refused, replaced as a whole
#
#     {"format":"affray-serve","version":2,"guests":[{"token":"...","role":"game master"}],
#      "hidden":["imp"],"views":0}
#
# Whoever may read it may do what every guest may: it is its owner's alone from its first byte on.

FORMAT, FORMAT_VERSION = "affray-serve", 2
SUFFIX = "-serve"
"""What stands behind the name of the log in that of its guests."""

MAX_BYTES = 4_000_000
"""The most bytes that such a file is read of: one of another kind cannot fill the memory."""

MOST_GUESTS = 1000

Role = Literal["game master", "player", "onlooker"]
Token = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{32,200}\Z")]
"""What a guest is known by: long enough that nobody guesses it, and as it stands in a link."""

Ids = Annotated[tuple[Name, ...], Meta(max_length=MOST_COMBATANTS)]


class Guest(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who holds a link: a game master, a player with combatants, or an onlooker; perhaps with a name."""

    token: Token
    role: Role
    combatants: Ids = ()
    name: Name = ""


class GuestFile(Struct, frozen=True, forbid_unknown_fields=True):
    """What the file holds: the guests, and the ids of the combatants that players do not see.

    `views` counts how often somebody was hidden or shown of whom the log spoke: players saw another past from
    then on. Files of version 1 lack it.
    """

    format: Literal["affray-serve"] = "affray-serve"
    version: Annotated[int, Meta(ge=1)] = FORMAT_VERSION
    guests: Annotated[tuple[Guest, ...], Meta(max_length=MOST_GUESTS)] = ()
    hidden: Ids = ()
    views: Annotated[int, Meta(ge=0)] = 0


class BadAccess(AffrayError):
    """A file of guests that is none, is damaged, or may not be read."""


class _Head(Struct):
    format: str
    version: int


def access_path(log: str | os.PathLike[str]) -> Path:
    """Return where the guests of a log are kept: beside the file itself, whatever link leads there."""
    path = Path(os.path.realpath(log))
    return path.with_name(path.name + SUFFIX)


def read_access(path: Path) -> GuestFile | None:
    """Return what a file of guests holds, None if there is no file. Raises BadAccess, and NewerLog.

    One that others may read too is noted as `serve.exposed`.
    """
    try:
        data = read_private(path, MAX_BYTES, "serve.exposed")
    except OSError as error:
        raise BadAccess(f"{path}: the guests cannot be read: {error.strerror}") from error
    return None if data is None else parse_access(path, data)


def parse_access(path: Path, data: bytes) -> GuestFile:
    """Return what the bytes of a file of guests say; `path` is where they are. Raises as read_access."""
    try:
        head = msgspec.json.decode(data, type=_Head)
        if head.format != FORMAT:
            raise BadAccess(f"{path}: no file of guests")
        if head.version > FORMAT_VERSION:
            raise NewerLog(
                f"{path}: guests of version {head.version}, this Affray reads up to {FORMAT_VERSION}"
            )
        found = msgspec.json.decode(data, type=GuestFile)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadAccess(f"{path}: it is damaged, or no file of guests ({error})") from None
    if fault := fault_of(found):
        raise BadAccess(f"{path}: {fault}")
    return msgspec.structs.replace(found, version=FORMAT_VERSION)


def fault_of(kept: GuestFile) -> str:
    """Return what is wrong with a list of guests, "" if it can be written and read again."""
    try:
        msgspec.json.decode(msgspec.json.encode(kept), type=GuestFile)
    except (msgspec.MsgspecError, ValueError) as error:
        return str(error)
    if len({guest.token for guest in kept.guests}) < len(kept.guests):
        return "two guests have the same token"
    if all(guest.role != "game master" for guest in kept.guests):
        return "no guest is the game master"
    return next(filter(None, map(explain_invalid_guest, kept.guests)), "")


def explain_invalid_guest(guest: Guest) -> str:
    """Return what is wrong with a guest, "" if nothing is."""
    if guest.role == "player" and not guest.combatants:
        return "a player has at least one combatant"
    if guest.role != "player" and guest.combatants:
        return f"combatants are a player's: a guest with the role {guest.role} has none"
    if "" in guest.combatants or len(set(guest.combatants)) < len(guest.combatants):
        return "each combatant of a player is named once"
    return ""


def write_access(path: Path, kept: GuestFile, *, new: bool) -> None:
    """Write the file of guests, whole and on the disk. Raises LogUnavailable; see write_private."""
    write_private(path, msgspec.json.encode(kept) + b"\n", new=new)


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

    def __init__(self, path: Path, kept: GuestFile, mark: tuple[int, ...]) -> None:
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
                kept = GuestFile(guests=(Guest(token_urlsafe(TOKEN_BYTES), "game master"),))
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
        if fault := explain_invalid_guest(guest):
            raise BadInvitation(fault)

        def add(kept: GuestFile) -> GuestFile:
            if len(kept.guests) >= MOST_GUESTS:
                raise BadInvitation(f"there are {MOST_GUESTS} guests already; withdraw some")
            return msgspec.structs.replace(kept, guests=(*kept.guests, guest))

        self._change(add)
        return guest

    def withdraw(self, token: str) -> None:
        """Let a token hold no longer. Raises BadInvitation if nobody has it, or the last game master."""

        def drop(kept: GuestFile) -> GuestFile:
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

    def _current(self) -> GuestFile:
        """Return what the file holds, read again if it is another one; what it held last if it is spoilt."""
        mark, (known, kept) = _mark(self.path), self._held
        if mark == known:
            return kept
        try:
            kept = read_access(self.path) or kept
        except AffrayError as error:
            logging.warning("serve.guests", error=str(error))
        # Asked again only when the file changes again: the fight goes on with the guests it had.
        self._held = mark, kept
        return kept

    def _change(self, change: Callable[[GuestFile], GuestFile]) -> None:
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


def _with_hidden(kept: GuestFile, hidden: set[str], heard_of: bool) -> GuestFile:
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
        with lock_folder(path):
            yield
    except OSError as error:
        raise LogUnavailable(f"{path}: the guests cannot be kept: {error.strerror}") from error


# --- The guests of a fight in a database: a row beside it, which all servers of the fight share

LOOK_SECONDS: Final = 0.2
"""So long what was read holds, before it is asked whether another server has changed it."""

AWAY_SECONDS: Final = 2.0
"""So long after the database could not be asked it is asked again."""


class DatabaseAccess(Access):
    """Access whose truth is a row of the database: what another server has changed holds here soon after."""

    def __init__(self, store: PostgresStore, kept: GuestFile, data: bytes) -> None:
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
        new = GuestFile(guests=(Guest(token_urlsafe(TOKEN_BYTES), "game master"),))
        if store.beside().guests() is None:
            store.beside().put_guests(None, msgspec.json.encode(new), ())
        data = store.beside().guests() or b""
        return cls(store, parse_access(log, data), data)

    def _current(self) -> GuestFile:
        now = time.monotonic()
        if now < self._until or not self._asking.acquire(blocking=False):
            return self._held[1]
        try:
            self._until = now + LOOK_SECONDS
            self._read()
        except AffrayError as error:
            logging.warning("serve.guests", error=str(error))
            self._until = time.monotonic() + AWAY_SECONDS
        finally:
            self._asking.release()
        return self._held[1]

    def _read(self) -> None:
        data = self._store.beside().guests()
        if data is not None and data != self._data:
            self._held, self._data = ((), parse_access(self.path, data)), data

    def _change(self, change: Callable[[GuestFile], GuestFile]) -> None:
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


def load_guests(log: Path) -> Access:
    """Return the guests of a log, wherever it is. Raises AffrayError where they cannot be read."""
    return DatabaseAccess.open(log) if isinstance(log, Address) else Access.open(log)


# --- The address that a guest is given: it holds the token, in the part that no server and no log ever sees

QUIET = 4
"""Modules of white around a code, which readers need."""


def page_address(host: str, port: int) -> str:
    """Return the address of the page at a host: http://127.0.0.1:8417/ (see `own_origin`)."""
    return f"{own_origin(host, port)}/"


def link_of(guest: Guest, page: str) -> str:
    """Return the link of a guest to the page at an address (see `page_address`)."""
    return f"{page}#t={guest.token}"


def draw_qr_text(link: str) -> str:
    """Return the QR code of a link for a terminal, two modules to a character, white where there is a block.

    On a dark ground that is the code; on a light one its negative, which most readers take too.
    """
    out = StringIO()
    _code(link).terminal(out, border=QUIET, compact=True)
    return out.getvalue().rstrip("\n")


def draw_qr_svg(link: str) -> str:
    """Return the QR code of a link as an SVG element, black on white, that may stand in a page as it is."""
    out = BytesIO()
    _code(link).save(
        out, kind="svg", border=QUIET, xmldecl=False, dark="#000", light="#fff", omitsize=True, nl=False
    )
    return out.getvalue().decode()


def _code(link: str) -> segno.QRCode:
    return segno.make(link, error="m", micro=False)


__all__ = [
    "Access",
    "BadInvitation",
    "Guest",
]
