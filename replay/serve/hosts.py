"""Whose requests are let in: those that name this server, and come from its own pages or from no page at all.

Or from pages of those other servers that it was told of: a virtual tabletop that follows the fight.

A page of somebody else can make a browser send requests to a server of this machine. It cannot choose the
headers that say so: `Host` names the server that was meant, `Origin` and `Sec-Fetch-Site` whose page asks.
"""

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlsplit

from affray.events.errors import AffrayError
from affray.replay.serve.errors import Problem

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
USUAL_PORTS = {"http": 80, "https": 443}
"""The ports that an address leaves out."""

OPENED_BY_LINK = frozenset({"/", "/overlay", "/rulebook"})
"""Pages to which anybody's page may link: they hold nothing, and what they fetch needs a token."""

OWN_PAGES = frozenset({b"same-origin", b"none"})
"""What browsers say of a request of the server's own page, and of one that a person has typed."""

ADDRESS = "affray.address"
"""Where a request's scope has the origin of the pages of the server that it names."""

Headers = Sequence[tuple[bytes, bytes]]
"""Headers as ASGI has them: names in small letters, in the order in which they came."""


def allowed_hosts(port: int, more: Iterable[str] = ()) -> dict[str, str]:
    """Return what may stand in the `Host` of a request, each with the origin of the server's pages there.

    The loopback's names at that port, and more (see `own_origin`). In small letters, as `refuse_stranger`
    compares them; with and without a usual port. Raises AffrayError.
    """
    found: dict[str, str] = {}
    for name in (*LOOPBACK, *more):
        origin = own_origin(name, port)
        scheme, _, host = origin.partition("://")
        found.setdefault(host, origin)
        if ":" not in host.rpartition("]")[2]:
            found.setdefault(f"{host}:{USUAL_PORTS[scheme]}", origin)
    return found


def own_origin(name: str, port: int) -> str:
    """Return the origin of the pages of a server at `port` that others call by a name.

    A name without a port gets the server's; with port 443, or as a whole address (`https://table.example`),
    it is that of something with HTTPS that passes requests on. Raises AffrayError.
    """
    said = name.strip().lower()
    if "://" not in said:
        host = bracketed(said)
        _, colon, own_port = host.rpartition("]")[2].rpartition(":")
        scheme = "https" if own_port == str(USUAL_PORTS["https"]) else "http"
        said = f"{scheme}://{host}" + ("" if colon else f":{port}")
    origin = _origin(said)
    if not origin:
        raise AffrayError(
            f"{name!r} is no name of a server: write it as table.local, table.local:8417 or https://table.example"
        )
    return origin


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
        origin = _origin(one.strip().lower().removesuffix("/"))
        if not origin:
            raise AffrayError(f"{one!r} is no origin of a page: write it as http://localhost:30000")
        found.add(origin)
    return frozenset(found)


def _origin(text: str) -> str:
    """Return an origin as browsers write it, without a usual port; "" for what is none."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return ""
    whole = text == f"{parts.scheme}://{parts.netloc}" and "@" not in text
    if parts.scheme not in USUAL_PORTS or not parts.hostname or not whole:
        return ""
    host = bracketed(parts.hostname)
    return f"{parts.scheme}://{host}" + ("" if port in (None, USUAL_PORTS[parts.scheme]) else f":{port}")


def guest_origin(origins: frozenset[str], headers: Headers) -> str:
    """Return whose page sends a request, where that is another server's page that may, else ""."""
    named = values_of(headers, b"origin")
    origin = _text(named[0]) if len(named) == 1 else ""
    return origin if origin in origins else ""


def refuse_stranger(
    hosts: Mapping[str, str], method: str, path: str, headers: Headers, origins: frozenset[str] = frozenset()
) -> str:
    """Return the origin of this server's pages, by the name that a request calls it.

    Raises Problem for a request that names another server (see `allowed_hosts`), or that a page of another
    origin has sent. Pages of `origins` (see `allowed_origins`) may send requests too. So may the server's own
    by any of its names, as what passes a request on may have put another one into `Host`.
    """
    named = values_of(headers, b"host")
    own = hosts.get(_text(named[0])) if len(named) == 1 else None
    if own is None:
        raise Problem("wrong_host", "this server is not called by that name; see affray serve --allow-host")
    if guest_origin(origins, headers):
        return own
    named = values_of(headers, b"origin")
    if len(named) > 1 or any(_text(one) not in hosts.values() for one in named):
        raise Problem("wrong_origin", "requests from pages of other servers are not taken")
    sites = values_of(headers, b"sec-fetch-site")
    linked = method in ("GET", "HEAD") and path in OPENED_BY_LINK
    if not linked and (len(sites) > 1 or any(one.strip().lower() not in OWN_PAGES for one in sites)):
        raise Problem("wrong_origin", "requests from pages of other servers are not taken")
    return own


def _text(value: bytes) -> str:
    return value.decode("latin-1").strip(" \t").lower()
