"""What made a combatant's figures so, and what alone would have turned the fight, as the pages show it."""

from pathlib import Path
from typing import Any

import pytest

from affray.events.stores.sqlite import SqliteStore
from affray.replay.explain.blame import Blame
from affray.replay.names import split_into_named_parts
from affray.replay.viewer import build
from affray.replay.whatif.pivots import pivots
from tests.viewer.test_live_browser import PHONE, UNNAMED
from tests.viewer.view import View

MADE = (
    "return Object.fromEntries([...document.querySelectorAll('#blame [data-figure]')].map(one =>"
    "[one.dataset.figure, [...one.querySelectorAll('.makers .event')].map("
    "made => Number(made.dataset.madeBy))]))"
)
OPEN = "return document.getElementById('blame').open"


@pytest.fixture
def view(browser: Any) -> View:
    """A page to open."""
    return View(browser)


def test_a_figure_says_which_events_made_it(view: View, log: SqliteStore, page: Path) -> None:
    """Everybody's hit points, place and conditions have the makers that `affray blame` finds."""
    for seq in (137, 243):
        view.open(page, f"#{seq}")
        found = Blame(log, "main", seq)
        for id in found.state.combatants:
            view.click(f'[data-key="{id}/hp"]')
            told = view.js(MADE)
            for path in ("hp", "at", "initiative"):
                assert told[path] == [one.seq for one in found.of(f"{id}.{path}").makers], (id, path, seq)
            for name in split_into_named_parts(found.state.combatants[id].conditions) or ():
                makers = [one.seq for one in found.of(f"{id}.conditions.{name}").makers]
                assert told[f"conditions:{name}"] == makers, (id, name, seq)
            view.keys("ESCAPE")
    assert view.logs()[0] == []


def test_it_is_asked_by_keys_and_leads_to_the_event(view: View, page: Path) -> None:
    """W opens it, the focus stands on the figure, an event is gone to by Enter, Escape leads back."""
    view.open(page, "#58")
    view.keys("w")
    assert view.text("#blame-title") == "What made Ysolde so"
    assert view.js("return document.activeElement.textContent").startswith("Hit points: ")
    assert view.js("return document.getElementById('blame').getAttribute('aria-labelledby')") == "blame-title"
    assert not view.js(UNNAMED)
    view.keys("TAB", "ENTER")
    assert (view.seq(), view.js(OPEN)) == (55, False)
    assert "Ysolde has -7 hit points" in view.text("#why")
    view.js("document.querySelector('[data-key=\"sorcerer/hp\"]').focus()")
    view.keys("ENTER")
    assert view.js(OPEN)
    view.keys("ESCAPE")
    assert view.js("return document.activeElement.dataset.key") == "sorcerer/hp"
    view.open(page, "#58")
    view.click('[data-key="sorcerer/conditions:prone"]')
    assert (
        view.js("return document.querySelector('#blame details[open]').dataset.figure") == "conditions:prone"
    )
    assert "Defense, as last reckoned in #52: 17" in view.text("#blame")
    assert "mage armor" in view.text("#blame [data-figure=defense]")


def test_it_fits_a_phone(view: View, page: Path) -> None:
    """On a narrow window the list is no wider than that, and what is pressed is large enough."""
    view.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    try:
        view.open(page, "#100")
        view.click('[data-key="sorcerer/hp"]')
        box = "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
        assert view.js(f"{box}return box.left >= 0 && box.right <= innerWidth", "#blame")
        assert view.js(f"{box}return box.height >= 24", "#blame .makers .event")
        assert view.js(
            "const one = document.getElementById('blame'); return one.scrollWidth <= one.clientWidth"
        )
    finally:
        view.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_what_alone_would_have_turned_it_is_listed(view: View, log: SqliteStore, tmp_path: Path) -> None:
    """In the charts with its chance, leading to its event, and beside that; not on another line."""
    found = pivots(log, "ysolde is dead at 60 or ysolde.hp <= -7 at 60", branch="main")
    page = tmp_path / "pivots.html"
    page.write_text(build(log, "main", pivots=found), encoding="utf-8")
    view.open(page)
    view.keys("3")
    rows = view.js("return [...document.querySelectorAll('#charts .pivots li')].map(one => one.textContent)")
    assert len(rows) == len(found.pivots)
    assert "45.0 % (9/20) #51 Gharm's attack roll: 1-9 misses instead of 13" in rows
    view.js("document.querySelector('#charts [data-pivot=\"d10/aoo:ogre/attack/1\"] .link').click()")
    assert view.seq() == 51
    assert "Alone this would have turned it" in view.text("#why")
    view.open(page, "#51@missed")
    assert "Alone this would have turned it" not in view.text("#why")
