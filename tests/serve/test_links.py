"""Links and their codes: the token where no server sees it, the same link in either drawing."""

import re
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
import segno

from affray.replay.serve.access import QUIET, Guest, draw_qr_svg, draw_qr_text, link_of, page_address

GUEST = Guest("Zk3_-x" * 5 + "yz", "player", ("brannoc",))
LINK = link_of(GUEST, page_address("127.0.0.1", 8417))
HALVES = {"█": (False, False), "▀": (False, True), "▄": (True, False), " ": (True, True)}
Modules = list[list[bool]]


def modules(link: str) -> Modules:
    """Return the modules of the code of a link with the white around it, true for black."""
    code = segno.make(link, error="m", micro=False)
    return [[bool(one) for one in row] for row in code.matrix_iter(border=QUIET)]


def drawn_in_text(text: str) -> Modules:
    """Return the modules that a terminal shows, white where it draws."""
    rows: Modules = []
    for line in text.split("\n"):
        pairs = [HALVES[one] for one in line]
        rows += [[upper for upper, _ in pairs], [lower for _, lower in pairs]]
    return rows


def drawn_in_svg(svg: str) -> Modules:
    """Return the modules that the strokes of an SVG element draw."""
    size = int(svg.partition('viewBox="0 0 ')[2].partition(" ")[0])
    found = [[False] * size for _ in range(size)]
    strokes = re.search(r'stroke="#000" d="([^"]*)"', svg)
    assert strokes is not None
    x, y = 0.0, 0.0
    for kind, numbers in re.findall(r"([Mmh])([-\d. ]+)", strokes[1]):
        moved = [float(one) for one in numbers.split()]
        if kind == "h":
            for column in range(int(x), int(x + moved[0])):
                found[int(y)][column] = True
            x += moved[0]
        else:
            x, y = (moved[0], moved[1]) if kind == "M" else (x + moved[0], y + moved[1])
    return found


@pytest.mark.parametrize(
    ("host", "port", "address"),
    [
        ("127.0.0.1", 8417, "http://127.0.0.1:8417/"),
        ("localhost", 80, "http://localhost/"),
        ("::1", 8417, "http://[::1]:8417/"),
        ("[::1]", 80, "http://[::1]/"),
        ("table.example", 443, "http://table.example:443/"),
    ],
)
def test_addresses(host: str, port: int, address: str) -> None:
    """As a browser writes them."""
    assert page_address(host, port) == address


def test_the_token_stands_where_no_server_sees_it() -> None:
    """In the fragment, which a browser keeps for itself, as it is."""
    parts = urlsplit(LINK)
    assert (parts.netloc, parts.path, parts.query) == ("127.0.0.1:8417", "/", "")
    assert parts.fragment == f"t={GUEST.token}"


@pytest.mark.parametrize("host", ["localhost", "a-very-long-name-of-a-machine.in-some-house.example", "::1"])
def test_both_drawings_are_the_code_of_the_link(host: str) -> None:
    """Module for module, with the white that readers need, whether the rows are even or odd."""
    link = link_of(GUEST, page_address(host, 8417))
    wanted = modules(link)
    assert drawn_in_svg(draw_qr_svg(link)) == wanted
    shown = drawn_in_text(draw_qr_text(link))
    assert shown[: len(wanted)] == wanted
    assert len(shown) - len(wanted) in (0, 1)


def test_it_fits_into_a_terminal() -> None:
    """Of 80 columns and 24 rows, and holds nothing but blocks."""
    rows = draw_qr_text(LINK).split("\n")
    assert {len(row) for row in rows} == {41}
    assert len(rows) <= 22
    assert set("".join(rows)) <= set(HALVES)


def test_the_svg_stands_in_a_page_as_it_is() -> None:
    """One element that draws and does nothing else; its size is the page's to say."""
    root = ElementTree.fromstring(draw_qr_svg(LINK))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert {one.tag.rpartition("}")[2] for one in root.iter()} == {"svg", "path"}
    assert not {"width", "height", "onload"} & set(root.attrib)
    assert GUEST.token not in draw_qr_svg(LINK)
