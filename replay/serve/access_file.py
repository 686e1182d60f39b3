"""The file of the guests, kept beside the log: read whole or refused, replaced as a whole.

    {"format":"affray-serve","version":2,"guests":[{"token":"...","role":"game master"}],
     "hidden":["imp"],"views":0}

Whoever may read it may do what every guest may: it is its owner's alone from its first byte on.
"""

import os
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from affray.events.errors import AffrayError, NewerLog
from affray.events.facts.base import MOST_COMBATANTS, Name
from affray.events.secrets import read_private, write_private

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


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
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


def read_access(path: Path) -> Kept | None:
    """Return what a file of guests holds, None if there is no file. Raises BadAccess, and NewerLog.

    One that others may read too is noted as `serve.exposed`.
    """
    try:
        data = read_private(path, MAX_BYTES, "serve.exposed")
    except OSError as error:
        raise BadAccess(f"{path}: the guests cannot be read: {error.strerror}") from error
    return None if data is None else parsed_access(path, data)


def parsed_access(path: Path, data: bytes) -> Kept:
    """Return what the bytes of a file of guests say; `path` is where they are. Raises as read_access."""
    try:
        head = msgspec.json.decode(data, type=_Head)
        if head.format != FORMAT:
            raise BadAccess(f"{path}: no file of guests")
        if head.version > FORMAT_VERSION:
            raise NewerLog(
                f"{path}: guests of version {head.version}, this Affray reads up to {FORMAT_VERSION}"
            )
        found = msgspec.json.decode(data, type=Kept)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadAccess(f"{path}: it is damaged, or no file of guests ({error})") from None
    if fault := fault_of(found):
        raise BadAccess(f"{path}: {fault}")
    return msgspec.structs.replace(found, version=FORMAT_VERSION)


def fault_of(kept: Kept) -> str:
    """Return what is wrong with a list of guests, "" if it can be written and read again."""
    try:
        msgspec.json.decode(msgspec.json.encode(kept), type=Kept)
    except (msgspec.MsgspecError, ValueError) as error:
        return str(error)
    if len({guest.token for guest in kept.guests}) < len(kept.guests):
        return "two guests have the same token"
    if all(guest.role != "game master" for guest in kept.guests):
        return "no guest is the game master"
    return next(filter(None, map(fault_of_guest, kept.guests)), "")


def fault_of_guest(guest: Guest) -> str:
    """Return what is wrong with a guest, "" if nothing is."""
    if guest.role == "player" and not guest.combatants:
        return "a player has at least one combatant"
    if guest.role != "player" and guest.combatants:
        return f"combatants are a player's: a guest with the role {guest.role} has none"
    if "" in guest.combatants or len(set(guest.combatants)) < len(guest.combatants):
        return "each combatant of a player is named once"
    return ""


def write_access(path: Path, kept: Kept, *, new: bool) -> None:
    """Write the file of guests, whole and on the disk. Raises LogUnavailable; see write_private."""
    write_private(path, msgspec.json.encode(kept) + b"\n", new=new)
