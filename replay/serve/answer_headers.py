"""What every answer says besides: to be kept by nobody, framed by nobody, and to be what it says it is."""

from starlette.datastructures import MutableHeaders

NOT_FRAMED = "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'"
NO_PAGE = f"default-src 'none'; {NOT_FRAMED}"
PAGE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    f"{NOT_FRAMED}"
)
"""For a page that does not say itself what it may do."""

ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
}


ASKED = "authorization, content-type, last-event-id"
"""What pages of other servers may send besides, and below how they may ask, and read what is answered."""

SHARED = "GET, HEAD, POST"
READ = "retry-after"
HELD_SECONDS = "600"


def share_headers(headers: MutableHeaders, origin: str) -> None:
    """Add that a page of an origin may read the answer."""
    headers["access-control-allow-origin"] = origin
    headers["access-control-expose-headers"] = READ
    headers.add_vary_header("origin")


def preflight_headers(headers: MutableHeaders, *, private: bool) -> None:
    """Add what a browser asks before a page of another server may send a request.

    `private` says that it asked whether pages from outside may reach into this network.
    """
    headers["access-control-allow-methods"] = SHARED
    headers["access-control-allow-headers"] = ASKED
    headers["access-control-max-age"] = HELD_SECONDS
    if private:
        headers["access-control-allow-private-network"] = "true"


def guard_headers(headers: MutableHeaders, *, private: bool, last: bool) -> None:
    """Add what every answer says: a `private` one is stored nowhere, after the `last` one the line is closed.

    A page may be stricter: of several content security policies a browser obeys each.
    """
    for name, value in ALWAYS.items():
        headers[name] = value
    if not headers.get("content-type", "").startswith("text/html"):
        headers["content-security-policy"] = NO_PAGE
    elif "content-security-policy" in headers:
        headers.append("content-security-policy", NOT_FRAMED)
    else:
        headers["content-security-policy"] = PAGE
    if private or "cache-control" not in headers:
        headers["cache-control"] = "no-store"
    if last:
        headers["connection"] = "close"
