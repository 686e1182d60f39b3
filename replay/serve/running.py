"""A server while it runs: its socket, its guests and their links, uvicorn around the application."""

import socket
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from msgspec import Struct
from starlette.applications import Starlette

from affray.events.errors import AffrayError
from affray.replay.serve.access import Guest
from affray.replay.serve.access_database import guests_of
from affray.replay.serve.guard import Guard
from affray.replay.serve.hosts import allowed_hosts, allowed_origins
from affray.replay.serve.limits import allowed_proxies
from affray.replay.serve.links import link_of, page_address, qr_text
from affray.replay.serve.protocol import server_config

ANYWHERE = ("0.0.0.0", "::")
"""Addresses that mean all of this machine's: no link can name them."""

SWITCH_SECONDS = 0.001
"""So long rules that take long may keep the feed waiting at a time: as often as it sends to somebody."""


class Link(Struct, frozen=True):
    """What a guest is given."""

    guest: Guest
    address: str

    @property
    def called(self) -> str:
        """Whose link it is, in words."""
        guest = self.guest
        who = guest.name or ", ".join(guest.combatants)
        return f"{guest.role} {who}".strip()

    def code(self) -> str:
        """Return the link as a QR code for a terminal."""
        return qr_text(self.address)

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        guest = self.guest
        return {"role": guest.role, "name": guest.name, "combatants": guest.combatants, "link": self.address}


class Serving:
    """One log that is to be served. `access` are its guests."""

    def __init__(
        self,
        log: Path,
        host: str,
        port: int,
        names: Sequence[str] = (),
        origins: Iterable[str] = (),
        proxies: Iterable[str] = (),
    ) -> None:
        """Know the guests of a log, and the origins of other servers' pages that may ask.

        `names` are what others call the server (see `own_origin`), `proxies` the addresses of what passes
        requests on. Raises AffrayError where the guests' file cannot be read, and for what is no origin,
        name or address.
        """
        self.log, self.host, self.port, self.names = log, host, port, tuple(names)
        self.origins, self.proxies = allowed_origins(origins), allowed_proxies(proxies)
        allowed_hosts(port, self.names)
        self.access = guests_of(log)
        self.address = ""
        self._socket: socket.socket | None = None

    def expect_player(self, combatants: tuple[str, ...]) -> None:
        """Invite the player of these combatants, unless there is one."""
        if all(set(one.combatants) != {*combatants} for one in self._of_role("player")):
            self.access.invite("player", combatants)

    def expect_onlooker(self) -> None:
        """Invite an onlooker, unless there is one."""
        if not list(self._of_role("onlooker")):
            self.access.invite("onlooker")

    @contextmanager
    def listening(self) -> Iterator[list[Link]]:
        """Listen while the block runs; it gets the links. Raises AffrayError where that cannot be."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        try:
            listening = socket.create_server((self.host, self.port), family=family, backlog=512)
        except OSError as error:
            reason = error.strerror or str(error)
            raise AffrayError(f"cannot listen at {self.host} port {self.port}: {reason}") from None
        with listening as self._socket:
            self.port = listening.getsockname()[1]
            yield self.links()

    def links(self) -> list[Link]:
        """Return the links of all guests, to the port where this listens or is to listen."""
        self.address = page_address(self._called(), self.port)
        return [Link(one, link_of(one, self.address)) for one in self.access.guests]

    def run(self, app: Starlette) -> None:
        """Let an application serve until somebody ends it. Raises AffrayError where it cannot begin."""
        named = [] if self.host in ANYWHERE else [self.host]
        hosts = allowed_hosts(self.port, (*named, *self.names))
        guarded = Guard(
            app,
            hosts,
            lambda token: self.access.guest_of(token) is not None,
            origins=self.origins,
            proxies=self.proxies,
        )
        server = uvicorn.Server(server_config(guarded, self.host, self.port))
        before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_SECONDS)
        try:
            server.run(sockets=[self._socket] if self._socket is not None else None)
        finally:
            sys.setswitchinterval(before)
        if not server.started:
            raise AffrayError(f"{self.log}: it cannot be served: {app.state.fault}")

    def _called(self) -> str:
        """Return by what name others find this server: the first given, else where it listens."""
        if self.names:
            return self.names[0]
        return socket.gethostname() if self.host in ANYWHERE else self.host

    def _of_role(self, role: str) -> Iterable[Guest]:
        return (one for one in self.access.guests if one.role == role)
