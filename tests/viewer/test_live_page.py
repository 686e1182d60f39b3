"""The pages of `affray serve` as files: one script and one style, by hash, and no server but their own."""

import re
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from importlib.resources import files

import pytest

from affray.replay.viewer.pages import LIVE, OVERLAY, SCRIPTS, make_live_page, make_overlay_page, policy_of
from tests.viewer.test_colours import READABLE, contrast, linear
from tests.viewer.test_document import Tags

PAGES = {"live": make_live_page, "overlay": make_overlay_page}
DECLARED = re.compile(r"^(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
EDGE = 3
"""WCAG 2.1 AA: contrast of what shows where a control is."""


def asset(name: str) -> str:
    """Return a file of the page."""
    return (files("affray.replay.viewer") / "page" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("which", PAGES)
def test_the_policy_admits_the_script_the_style_and_the_server(which: str) -> None:
    """By hash, and nothing else: no other script, no inline handler, no address but the own server's."""
    page = PAGES[which]()
    policy = policy_of(page)
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    hashes = {
        kind: b64encode(sha256(page.partition(f"<{kind}>")[2].partition(f"</{kind}>")[0].encode()).digest())
        for kind in ("script", "style")
    }
    assert parts["default-src"] == "'none'"
    assert parts["script-src"] == f"'sha256-{hashes['script'].decode()}'"
    assert parts["style-src"] == f"'sha256-{hashes['style'].decode()}'"
    assert parts["connect-src"] == "'self'"
    tags = Tags(page).seen
    assert [tag for tag, _ in tags].count("script") == 1
    assert not [name for _, attrs in tags for name in attrs if name.startswith("on") or name == "style"]
    assert not re.search(r"(?:src|href)=.?https?:", page)
    assert page == PAGES[which]()


@pytest.mark.parametrize("name", sorted({*LIVE, *OVERLAY, *SCRIPTS}))
def test_text_only_ever_becomes_text(name: str) -> None:
    """No script parses HTML, or makes code of text."""
    barred = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser"
    assert not re.search(barred, asset(f"{name}.js"))


@pytest.mark.parametrize("name", sorted({*LIVE, *OVERLAY, *SCRIPTS}))
def test_text_is_shown_so_that_it_steers_nothing(name: str) -> None:
    """By `h` and `s`, or as what `visible` makes of it (`clean` in the check); constants are our own."""
    set_to = re.findall(r"(?:\.textContent|document\.title) = ([^;\n]+);", asset(f"{name}.js"))
    assert [one for one in set_to if not re.match(r'(visible|clean|String)\(|"[^"]*"$', one)] == []


@pytest.mark.parametrize("scripts", [LIVE, OVERLAY, SCRIPTS], ids=["live", "overlay", "saved"])
def test_scripts_of_a_page_share_no_name(scripts: tuple[str, ...]) -> None:
    """They stand in one function: what two of them declared would be another thing than one of them means."""
    names = Counter(name for script in scripts for name in DECLARED.findall(asset(f"{script}.js")))
    assert [name for name, count in names.items() if count > 1] == []


def test_colours_of_acting_can_be_read() -> None:
    """Warnings as text, edges of controls and marks on the map as such, in every theme."""
    grounds = re.findall(r":root[^{]*\{([^}]*--paper[^}]*)\}", asset("base.css"))
    own = re.findall(r":root[^{]*\{([^}]*--alarm[^}]*)\}", asset("acting.css"))
    assert len(grounds) == len(own) == 3
    for blocks in zip(grounds, own, strict=True):
        named = re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", " ".join(blocks))
        colours = {name: linear(value) for name, value in named}
        for ground in ("paper", "sheet"):
            assert contrast(colours["alarm"], colours[ground]) >= READABLE
            assert contrast(colours["good-text"], colours[ground]) >= READABLE
            assert contrast(colours["edge"], colours[ground]) >= EDGE
        for mark in ("reach", "alarm", "focus"):
            assert contrast(colours[mark], colours["floor"]) >= EDGE
        assert contrast(colours["on-accent"], colours["accent"]) >= READABLE
