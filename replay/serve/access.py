"""The guests of a fight: who may read and act, each identified by the token in a link."""

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

# --- The guests' file, next to the log: read whole or rejected, replaced as a whole
#
#     {"format":"affray-serve","version":2,"guests":[{"token":"...","role":"game master"}],
#      "hidden":["imp"],"views":0}
#
# A reader of this file may do what every guest may: from its first byte on, only its owner may read it.

FORMAT, FORMAT_VERSION = "affray-serve", 2
SUFFIX = "-serve"
"""The suffix of the log's name in the name of its guests' file."""

MAX_BYTES = 4_000_000
"""Most bytes read of such a file: a file of another kind cannot fill the memory."""

MOST_GUESTS = 1000

Role = Literal["game master", "player", "onlooker"]
Token = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{32,200}\Z")]
"""Bytes of a token: too many to guess; written as in a link."""

Ids = Annotated[tuple[Name, ...], Meta(max_length=MOST_COMBATANTS)]


class Guest(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A guest with a link: a game master, a player with combatants, or an onlooker; it may have a name."""

    token: Token
    role: Role
    combatants: Ids = ()
    name: Name = ""


class GuestFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the file: the guests, and the ids of the combatants that players do not see.

    `views` counts how often a combatant mentioned by the log was hidden or revealed: each time, players see
    another past from then on. Files of version 1 lack it.
    """

    format: Literal["affray-serve"] = "affray-serve"
    version: Annotated[int, Meta(ge=1)] = FORMAT_VERSION
    guests: Annotated[tuple[Guest, ...], Meta(max_length=MOST_GUESTS)] = ()
    hidden: Ids = ()
    views: Annotated[int, Meta(ge=0)] = 0


class BadAccess(AffrayError):
    """A guests' file that is of another kind, damaged, or not readable."""


class _Head(Struct):
    format: str
    version: int


def access_path(log: str | os.PathLike[str]) -> Path:
    """Return the path of the guests' file of a log: next to the log itself, also for a link to it."""
    path = Path(os.path.realpath(log))
    return path.with_name(path.name + SUFFIX)


def read_access(path: Path) -> GuestFile | None:
    """Return the content of a guests' file, None if there is no file. Raises BadAccess, and NewerLog.

    A file that other users may read is logged as `serve.exposed`.
    """
    try:
        data = read_private(path, MAX_BYTES, "serve.exposed")
    except OSError as error:
        raise BadAccess(f"{path}: the guests' file cannot be read: {error.strerror}") from error
    return None if data is None else parse_access(path, data)


def parse_access(path: Path, data: bytes) -> GuestFile:
    """Parse the bytes of a guests' file; `path` is its location. Raises as read_access."""
    try:
        head = msgspec.json.decode(data, type=_Head)
        if head.format != FORMAT:
            raise BadAccess(f"{path}: not a guests' file")
        if head.version > FORMAT_VERSION:
            raise NewerLog(
                f"{path}: guests of version {head.version}, this Affray reads up to {FORMAT_VERSION}"
            )
        found = msgspec.json.decode(data, type=GuestFile)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadAccess(f"{path}: damaged, or not a guests' file ({error})") from None
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
        return "a player needs at least one combatant"
    if guest.role != "player" and guest.combatants:
        return f"only players have combatants: a guest with the role {guest.role} may not have any"
    if "" in guest.combatants or len(set(guest.combatants)) < len(guest.combatants):
        return "each combatant of a player must be named once"
    return ""


def write_access(path: Path, kept: GuestFile, *, new: bool) -> None:
    """Write the guests' file, completely and flushed to disk. Raises LogUnavailable; see write_private."""
    write_private(path, msgspec.json.encode(kept) + b"\n", new=new)


TOKEN_BYTES = 24


class BadInvitation(AffrayError):
    """An invitation or withdrawal that is not possible."""


class Access:
    """The guests of one log, and the combatants hidden from players, as stored in the file next to it.

    The file is authoritative: every change reads it again first. Several servers and commands can share it,
    and changes by others take effect with the next question. At least one guest is always the game master.
    Thread-safe; a change waits for the disk and for other changes, a question never waits.
    """

    def __init__(self, path: Path, kept: GuestFile, mark: tuple[int, ...]) -> None:
        """Start with the guests read from the file; see `open`."""
        self.path = path
        self._held = mark, kept
        self._changing = Lock()

    @classmethod
    def open(cls, log: str | os.PathLike[str]) -> Self:
        """Return the guests of a log: those of the file next to it, or one game master in a new file.

        Raises AffrayError for a file that cannot be read, is damaged, newer or of another kind; it is not
        replaced.
        """
        path = access_path(log)
        with _in_its_folder(path):
            mark = _mark(path)
            kept = read_access(path)
            if kept is None:  # no other process can have created one, as the folder is locked
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
        """The guests, the hidden combatants, and how often a mentioned combatant was hidden or revealed."""
        kept = self._current()
        return kept.guests, kept.hidden, kept.views

    def guest_of(self, token: str) -> Guest | None:
        """Return the guest with a token, None if there is none.

        Every guest's token is compared, each in a time that does not depend on its content.
        """
        found = None
        for guest in self._current().guests:
            if _has(guest, token):
                found = guest
        return found

    def invite(self, role: str, combatants: Iterable[str] = (), name: str = "") -> Guest:
        """Create a guest and return it after writing the file. Raises BadInvitation for an invalid one."""
        if role not in get_args(Role):
            known = get_args(Role)
            raise BadInvitation(f"no role {role!r}{did_you_mean(role, known)}")
        if len(name) > LONGEST_NAME or name != printable(name):
            raise BadInvitation(f"a guest's name may have at most {LONGEST_NAME} characters, all printable")
        guest = Guest(token_urlsafe(TOKEN_BYTES), role, tuple(combatants), name)  # type: ignore[arg-type]
        if fault := explain_invalid_guest(guest):
            raise BadInvitation(fault)

        def add(kept: GuestFile) -> GuestFile:
            if len(kept.guests) >= MOST_GUESTS:
                raise BadInvitation(f"there are {MOST_GUESTS} guests already; withdraw some first")
            return msgspec.structs.replace(kept, guests=(*kept.guests, guest))

        self._change(add)
        return guest

    def withdraw(self, token: str) -> None:
        """Invalidate a token. Raises BadInvitation if no guest has it, and for the last game master."""

        def drop(kept: GuestFile) -> GuestFile:
            left = tuple(one for one in kept.guests if not _has(one, token))
            if len(left) == len(kept.guests):
                raise BadInvitation("no guest has that token")
            if all(one.role != "game master" for one in left):
                raise BadInvitation("the last game master cannot be withdrawn: invite another one first")
            return msgspec.structs.replace(kept, guests=left)

        self._change(drop)

    def hide(self, combatant: str, *, heard_of: bool = True) -> None:
        """Hide a combatant from all except the game master; no effect if it is hidden already.

        A combatant may be hidden before it enters. With `heard_of` false the log does not mention it, and no
        reader can notice that it was hidden. Raises BadInvitation for an invalid id.
        """
        if not combatant or len(combatant) > LONGEST_NAME or combatant != printable(combatant):
            raise BadInvitation(f"an id must have 1 to {LONGEST_NAME} characters, all printable")
        self._change(lambda kept: _with_hidden(kept, {*kept.hidden, combatant}, heard_of))

    def unhide(self, combatant: str, *, heard_of: bool = True) -> None:
        """Show a hidden combatant to all again; no effect if it is visible. `heard_of` is as in `hide`."""
        self._change(lambda kept: _with_hidden(kept, {*kept.hidden} - {combatant}, heard_of))

    def _current(self) -> GuestFile:
        """Return the content of the file, read again if it has changed; the last valid content if it is
        damaged.
        """
        mark, (known, kept) = _mark(self.path), self._held
        if mark == known:
            return kept
        try:
            kept = read_access(self.path) or kept
        except AffrayError as error:
            logging.warning("serve.guests", error=str(error))
        # Read again only when the file changes again: the fight continues with the guests it had.
        self._held = mark, kept
        return kept

    def _change(self, change: Callable[[GuestFile], GuestFile]) -> None:
        """Replace the file's content with the result of `change`. Raises AffrayError if it is gone or
        damaged.
        """
        with self._changing, _in_its_folder(self.path):
            before = read_access(self.path)
            if before is None:
                raise BadAccess(f"{self.path}: the file is gone; put it back, or serve the fight again")
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
    """Return whether a guest has a token, in a time that does not depend on their content."""
    return compare_digest(guest.token.encode(), token.encode("utf-8", "surrogatepass"))


def _mark(path: Path) -> tuple[int, ...]:
    """Return a value that changes when a file is replaced or written, () if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_ino, found.st_mtime_ns, found.st_size


@contextmanager
def _in_its_folder(path: Path) -> Iterator[None]:
    """Hold the lock for changing the file. Raises LogUnavailable if its folder cannot be opened."""
    try:
        with lock_folder(path):
            yield
    except OSError as error:
        raise LogUnavailable(f"{path}: cannot store the guests: {error.strerror}") from error


# --- The guests of a fight in a database: a row next to it, which all servers of the fight share

LOOK_SECONDS: Final = 0.2
"""Seconds that a read row stays valid before checking whether another server has changed it."""

AWAY_SECONDS: Final = 2.0
"""Seconds before asking the database again after a failure."""


class DatabaseAccess(Access):
    """Access stored in a row of the database: changes by another server take effect soon after."""

    def __init__(self, store: PostgresStore, kept: GuestFile, data: bytes) -> None:
        """Start with the guests read from a row; see `open`."""
        super().__init__(store.path, kept, ())
        self._store, self._data = store, data
        self._asking, self._until = Lock(), 0.0

    @classmethod
    def open(cls, log: Path) -> Self:  # type: ignore[override]
        """Return the guests of a fight: those of its row, or one game master in a new one."""
        assert isinstance(log, Address)
        PostgresStore(log, readonly=True).close()  # raises if there is no such fight
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
        """Replace the row's content with the result of `change`, despite concurrent changes. Raises
        AffrayError.
        """
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
                    raise BadAccess(f"{self.path}: its guests are gone; serve the fight again")


def load_guests(log: Path) -> Access:
    """Return the guests of a log in a file or a database. Raises AffrayError if they cannot be read."""
    return DatabaseAccess.open(log) if isinstance(log, Address) else Access.open(log)


# --- The address for a guest: it holds the token, in the part that no server and no log ever sees

QUIET = 4
"""White modules around a code, which scanners need."""


def page_address(host: str, port: int) -> str:
    """Return the address of the page at a host: http://127.0.0.1:8417/ (see `own_origin`)."""
    return f"{own_origin(host, port)}/"


def link_of(guest: Guest, page: str) -> str:
    """Return the link of a guest to the page at an address (see `page_address`)."""
    return f"{page}#t={guest.token}"


def draw_qr_text(link: str) -> str:
    """Return the QR code of a link for a terminal, two modules per character, white as a block.

    On a dark background that is the code; on a light one its negative, which most scanners accept too.
    """
    out = StringIO()
    _code(link).terminal(out, border=QUIET, compact=True)
    return out.getvalue().rstrip("\n")


def draw_qr_svg(link: str) -> str:
    """Return the QR code of a link as an SVG element, black on white, for use in a page."""
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
