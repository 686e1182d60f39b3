"""The address of a log in a PostgreSQL database: `postgresql://host/database#fight`.

The part before the number sign is libpq's connection URI, which every PostgreSQL program accepts (settings
after a question mark included); the part after it is the name of the fight.
"""

import re
import sys
from typing import Self
from urllib.parse import quote, unquote, urlsplit

from affray.events.errors import AffrayError

if sys.platform == "win32":
    from pathlib import WindowsPath as _Base
else:
    from pathlib import PosixPath as _Base

SCHEMES = ("postgresql:", "postgres:")
FIGHT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Address(_Base):
    """The address of a log in a database; it is accepted wherever the path of a log's file is.

    `uri` holds everything needed to connect, a password included, and is never printed; the text of the
    address leaves the password out. `fight` is "" where the address names none.
    """

    uri: str
    fight: str

    def __new__(cls, text: str) -> Self:
        """Read an address. Raises AffrayError for what is none."""
        return super().__new__(cls, _read(text)[0])

    def __init__(self, text: str) -> None:
        shown, uri, fight = _read(text)
        if sys.version_info >= (3, 12):
            super().__init__(shown)
        self._text, self.uri, self.fight = shown, uri, fight

    def __str__(self) -> str:
        return self._text

    def __fspath__(self) -> str:
        return self._text

    def __hash__(self) -> int:
        return hash((self.uri, self.fight))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Address) and (self.uri, self.fight) == (other.uri, other.fight)

    def __reduce__(self) -> tuple[type["Address"], tuple[str]]:
        return Address, (self.with_password(),)

    def with_password(self) -> str:
        """Return the whole address: for the input of a process, never for its command line."""
        return f"{self.uri}#{self.fight}" if self.fight else self.uri

    def exists(self, **_: object) -> bool:
        """Say that no file is there."""
        return False

    def of(self, fight: str) -> "Address":
        """Return the address of a fight in the same database."""
        return Address(f"{self.uri}#{fight}")


def is_address(text: str) -> bool:
    """Return whether a text is meant as the address of a database."""
    return text.startswith(SCHEMES)


def _read(text: str) -> tuple[str, str, str]:
    """Return how an address is shown, its URI and the name of its fight. Raises AffrayError."""
    try:
        parts = urlsplit(text)
        shown = parts.netloc
        if parts.password is not None:
            user, _, host = shown.rpartition("@")
            shown = f"{user.partition(':')[0]}@{host}"
    except ValueError as error:
        raise AffrayError(f"this is no address of a database: {error}") from None
    if not is_address(text) or not text.partition(":")[2].startswith("//"):
        raise AffrayError("this is no address of a database: write postgresql://host/database#fight")
    fight = unquote(parts.fragment)
    if fight and not FIGHT.fullmatch(fight.partition("~")[0]):
        raise AffrayError(f"fight {fight[:80]!r}: 1 to 64 letters, digits, '.', '_', '-', not led by a sign")
    query = "&".join(one for one in parts.query.split("&") if not one.startswith("password="))
    named = quote(fight, safe="~")
    # Put together by hand: urlunsplit drops the slashes of an empty host, postgresql:///database.
    at = f"{parts.scheme}://{shown}{parts.path}{'?' + query if query else ''}{'#' + named if named else ''}"
    uri = f"{parts.scheme}://{parts.netloc}{parts.path}{'?' + parts.query if parts.query else ''}"
    return at, uri, fight
