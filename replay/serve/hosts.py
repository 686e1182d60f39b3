"""Whose requests are let in: those that name this server, and come from its own pages or from no page at all.

Or from pages of those other servers that it was told of: a virtual tabletop that follows the fight.

A page of somebody else can make a browser send requests to a server of this machine. It cannot choose the
headers that say so: `Host` names the server that was meant, `Origin` and `Sec-Fetch-Site` whose page asks.
"""

from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from affray.events.errors import AffrayError
from affray.replay.serve.errors import Problem

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
HTTP_PORT, HTTPS_PORT = 80, 443
"""The ports that an address leaves out."""

OPENED_BY_LINK = frozenset({"/", "/overlay", "/rulebook"})
"""Pages to which anybody's page may link: they hold nothing, and what they fetch needs a token."""

OWN_PAGES = frozenset({b"same-origin", b"none"})
"""What browsers say of a request of the server's own page, and of one that a person has typed."""

Headers = Sequence[tuple[bytes, bytes]]
"""Headers as ASGI has them: names in small letters, in the order in which they came."""


def allowed_hosts(port: int, more: Iterable[str] = ()) -> frozenset[str]:
    """Return what may stand in the `Host` of a request to that port: the loopback's names, and more.

    A name without a port gets the server's. In small letters, as `refuse_stranger` compares them.
    """
    found = set()
    for name in (*LOOPBACK, *more):
        host = bracketed(name.strip().lower())
        has_port = ":" in host.rpartition("]")[2]
        found.add(host if has_port else f"{host}:{port}")
        if not has_port and port == HTTP_PORT:
            found.add(host)
    return frozenset(found)


def bracketed(host: str) -> str:
    """Return a host as it stands in an address: an IPv6 address in brackets, whose colons begin no port."""
    return f"[{host}]" if host.count(":") > 1 and not host.startswith("[") else host


def values_of(headers: Headers, name: bytes) -> list[bytes]:
    """Return the values of a header, one for each time that it was sent."""
    return [value for found, value in headers if found == name]


def bearer_of(headers: Headers) -> str:
    """Return the token that a request carries, "" for none, or for more than one."""
    given = values_of(headers, b"authorization")
    kind, _, token = given[0].decode("latin-1").partition(" ") if len(given) == 1 else ("", "", "")
    return token.strip() if kind.lower() == "bearer" else ""


def allowed_origins(given: Iterable[str]) -> frozenset[str]:
    """Return the origins of pages of other servers that may ask, as browsers write them.

    Raises AffrayError for what is no origin: http or https, a host and at most a port.
    """
    found = set()
    for one in given:
        origin = one.strip().lower().removesuffix("/")
        try:
            parts = urlsplit(origin)
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        usual = {"http": HTTP_PORT, "https": HTTPS_PORT}.get(parts.scheme)
        whole = origin == f"{parts.scheme}://{parts.netloc}" and "@" not in origin
        if usual is None or not parts.hostname or not whole:
            raise AffrayError(f"{one!r} is no origin of a page: write it as http://localhost:30000")
        host = bracketed(parts.hostname)
        found.add(f"{parts.scheme}://{host}" + ("" if port in (None, usual) else f":{port}"))
    return frozenset(found)


def guest_origin(origins: frozenset[str], headers: Headers) -> str:
    """Return whose page sends a request, where that is another server's page that may, else ""."""
    named = values_of(headers, b"origin")
    origin = _text(named[0]) if len(named) == 1 else ""
    return origin if origin in origins else ""


def refuse_stranger(
    hosts: frozenset[str], method: str, path: str, headers: Headers, origins: frozenset[str] = frozenset()
) -> None:
    """Raise Problem for a request that names another server, or that a page of another origin has sent.

    Pages of `origins` (see `allowed_origins`) may send requests too.
    """
    named = values_of(headers, b"host")
    if len(named) != 1 or _text(named[0]) not in hosts:
        raise Problem("wrong_host", "this server is not called by that name; see affray serve --allow-host")
    if guest_origin(origins, headers):
        return
    named = values_of(headers, b"origin")
    if len(named) > 1 or any(_text(one) not in {f"http://{host}" for host in hosts} for one in named):
        raise Problem("wrong_origin", "requests from pages of other servers are not taken")
    sites = values_of(headers, b"sec-fetch-site")
    linked = method in ("GET", "HEAD") and path in OPENED_BY_LINK
    if not linked and (len(sites) > 1 or any(one.strip().lower() not in OWN_PAGES for one in sites)):
        raise Problem("wrong_origin", "requests from pages of other servers are not taken")


def _text(value: bytes) -> str:
    return value.decode("latin-1").strip(" \t").lower()
