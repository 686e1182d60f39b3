"""The address that a guest is given: it holds the token, in the part that no server and no log ever sees."""

from io import BytesIO, StringIO

import segno

from affray.replay.serve.access_file import Guest
from affray.replay.serve.hosts import own_origin

QUIET = 4
"""Modules of white around a code, which readers need."""


def page_address(host: str, port: int) -> str:
    """Return the address of the page at a host: http://127.0.0.1:8417/ (see `own_origin`)."""
    return f"{own_origin(host, port)}/"


def link_of(guest: Guest, page: str) -> str:
    """Return the link of a guest to the page at an address (see `page_address`)."""
    return f"{page}#t={guest.token}"


def qr_text(link: str) -> str:
    """Return the QR code of a link for a terminal, two modules to a character, white where there is a block.

    On a dark ground that is the code; on a light one its negative, which most readers take too.
    """
    out = StringIO()
    _code(link).terminal(out, border=QUIET, compact=True)
    return out.getvalue().rstrip("\n")


def qr_svg(link: str) -> str:
    """Return the QR code of a link as an SVG element, black on white, that may stand in a page as it is."""
    out = BytesIO()
    _code(link).save(
        out, kind="svg", border=QUIET, xmldecl=False, dark="#000", light="#fff", omitsize=True, nl=False
    )
    return out.getvalue().decode()


def _code(link: str) -> segno.QRCode:
    return segno.make(link, error="m", micro=False)
