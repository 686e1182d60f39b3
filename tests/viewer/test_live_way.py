"""A way of one's own on the live page: drawn by pointer, finger and keys, priced, and gone as drawn."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from affray.events.stores.sqlite import SqliteStore
from tests.viewer.served import Served, Window, serving
from tests.viewer.test_live_browser import PHONE, finger, lone

WOLF = "Wolf\nHit Dice: 2d8+4 (13 hp)\nArmor Class: 14 (+2 Dex, +2 natural), touch 12, flat-footed 12"
PLACES = (
    "const board = document.querySelector('#map .board');"
    "return arguments[0].map(one => { const [x, y] = one.split(',').map(Number);"
    "const at = new DOMPoint((x + .5) * 40, (y + .5) * 40).matrixTransform(board.getScreenCTM());"
    "return [at.x, at.y]; })"
)


@pytest.fixture(scope="module")
def served(browser: Any, begun: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One fight for the tests of this module, which go on from where the one before has ended."""
    with serving(begun, tmp_path_factory.mktemp("ways")) as one:
        yield one


def drag(window: Window, *squares: str, held: str = "") -> None:
    """Drag with the mouse from square to square, `held` being a key that is held down; without letting go."""
    modifiers = 8 if held == "Shift" else 0
    for number, (x, y) in enumerate(window.js(PLACES, squares)):
        kind = "mouseMoved" if number else "mousePressed"
        event = {"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}
        window.here().browser.execute_cdp_cmd("Input.dispatchMouseEvent", {**event, "modifiers": modifiers})


def let_go(window: Window, square: str) -> None:
    """Let the mouse go over a square."""
    ((x, y),) = window.js(PLACES, [square])
    event = {"type": "mouseReleased", "x": x, "y": y, "button": "left", "clickCount": 1}
    window.here().browser.execute_cdp_cmd("Input.dispatchMouseEvent", event)


def moves(served: Served) -> list[Any]:
    """Return the moves that stand in the log on its main line."""
    with SqliteStore(served.db, readonly=True) as store:
        line = store.read(store.main_line())
        acts = [json.loads(event.data)["act"] for event in line if event.type == "declared"]
    return [act for act in acts if act["act"] in ("move", "withdraw", "run", "charge")]


def skits_turn(window: Window) -> None:
    """Wait until Skit, at 8,7, may draw a way."""
    window.acts_as("Gharm")
    window.keys("e")
    window.acts_as("Skit")
    window.until("!document.getElementById('way-bar').hidden")


def test_a_way_is_drawn_and_gone_as_drawn(browser: Any, served: Served) -> None:
    """By pointer, keys and finger: what it comes to is told, it is taken back, asked about and gone."""
    master = lone(browser).go(served.links["game master"])
    skits_turn(master)
    # With Shift held, or the switch on; back over the last square takes it back.
    drag(master, "8,7", "9,7", "9,8", "10,8", "9,8", held="Shift")
    master.shows("#way-told", "To 9,8: 10 feet, 20 left.")
    assert master.text("#way-switches [aria-pressed=true]") == "Plot path"
    let_go(master, "9,8")
    master.shows("#now", "Skit goes from 8,7 to 9,8")
    assert [act["path"] for act in moves(served)] == [[[9, 7], [9, 8]]]
    # By keys, at a square into which no step leads too.
    master.acts_as("Skit")
    master.click("#way-switches button")
    master.keys("w", "w", "ARROW_LEFT", "HOME")
    master.shows("#way-told", "To 7,7: 10 feet, 20 left.")
    master.until("document.querySelector('#map .no-entry')")
    master.keys("ARROW_UP")
    master.shows("#way-told", "No step leads into 7,6.")
    master.keys("BACKSPACE")
    master.shows("#way-told", "To 8,8: 5 feet, 25 left.")
    master.keys("ESCAPE")
    master.shows("#way-told", "Drag the token along")
    master.keys("ARROW_RIGHT", "ENTER")
    master.shows("#now", "Skit goes from 9,8 to 10,8")
    # By a finger, out of the ogre's reach.
    master.keys("e")
    master.acts_as("Ysolde")
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    try:
        master.go(served.links["game master"])
        master.until("!document.getElementById('way-bar').hidden")
        master.click("#way-switches button")
        finger(master, "7,6", "6,6", "5,7")
        master.shows("#choice", "Gharm may attack")
        master.js("[...document.querySelectorAll('#choice button')].at(-1).click()")
        assert len(moves(served)) == 2
        assert master.text("#way-told").startswith("To 5,7: 10 feet, 20 left, Gharm may attack")
        master.click("#way-switches .main")
        master.click("#choice [data-choice=go]")
        master.until("document.getElementById('now').textContent.includes('5,7')")
        assert moves(served)[-1]["path"] == [[6, 6], [5, 7]]
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert master.wrong() == []


def test_the_game_master_brings_somebody_in(browser: Any, served: Served) -> None:
    """From a pasted block, at a square that is pressed; what was not read is told, and must be accepted."""
    master = lone(browser).go(served.links["game master"])
    master.until("!document.getElementById('way-bar').hidden")
    master.js("document.querySelector('#entering summary').click()")
    master.until("document.querySelectorAll('#enter-use option').length > 3")
    master.js(
        "const use = document.getElementById('enter-use'); use.value = '';"
        "use.dispatchEvent(new Event('change'));"
        "for (const [id, text] of arguments[0]) document.getElementById(id).value = text;"
        "for (const id of ['enter-hidden', 'enter-pick']) document.getElementById(id).click();",
        [["enter-block", WOLF], ["enter-id", "wolf"], ["enter-side", "monsters"]],
    )
    drag(master, "12,7")
    let_go(master, "12,7")
    bring_in = "document.querySelector('#entering [type=submit]').click()"
    assert master.js("return document.getElementById('enter-at').value") == "12,7"
    master.js(bring_in)
    master.shows("#enter-told", "Relevant lines were not read")
    master.shows("#enter-notes", "no ability scores printed")
    master.js("document.getElementById('enter-accept').click()")
    master.js(bring_in)
    master.shows("#now", "Wolf enters for monsters at 12,7")
    lone(browser).go(served.links["onlooker"])
    assert "Wolf" not in master.text("body")
    master.go(served.links["game master"])
    master.shows("#rail", "Wolf")
    assert master.wrong() == []


def test_odds_and_chances_are_told(browser: Any, served: Served) -> None:
    """Beside the dice of what is looked at; the chances when they were worked out, and what they wait for."""
    master = lone(browser).go(served.links["game master"])
    with SqliteStore(served.db, readonly=True) as store:
        rolled = next(event.seq for event in store.read(store.main_line()) if event.type == "rolled")
    master.until("document.getElementById('scrubber')")
    master.click("#tab-why")
    master.js(
        "const one = document.getElementById('scrubber'); one.value = arguments[0];"
        "one.dispatchEvent(new Event('input', {bubbles: true}))",
        rolled,
    )
    master.until("/: [0-9]+[.][0-9] %/.test(document.querySelector('#why .odds')?.textContent)")
    master.click("#tab-charts")
    master.shows("#swing-bar", "Show to all")
    assert master.wrong() == []
