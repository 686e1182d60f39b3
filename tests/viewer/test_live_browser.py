"""The live page in a real browser against a real server: game master and player at once, in two windows."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.viewer.served import Served, Window, begin, serving

pytest.importorskip("starlette", reason="serving needs affray[serve]")

PHONE = {"width": 360, "height": 780, "deviceScaleFactor": 2, "mobile": True}
UNNAMED = (
    "const controls = [...document.querySelectorAll('button, select, input, textarea, [role=button]')];"
    "const named = one => one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length;"
    "return controls.filter(one => !named(one) && !('from' in one.dataset)).map(one => one.outerHTML)"
)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fight whose first turn is to be played."""
    db = tmp_path_factory.mktemp("begun") / "fight.db"
    begin(db)
    return db


@pytest.fixture
def served(browser: Any, begun: Path, tmp_path: Path) -> Iterator[Served]:
    """That fight, served; without a browser nothing is started."""
    with serving(begun, tmp_path) as one:
        yield one


@pytest.fixture
def windows(browser: Any, served: Served) -> Iterator[tuple[Window, Window]]:
    """The game master's window and the player's, both at the table; afterwards nothing may have gone wrong."""
    first = browser.current_window_handle
    made = Window.opened(browser), Window.opened(browser)
    master, player = made
    master.go(served.links["game master"])
    player.go(served.links["player"])
    yield made
    wrong = [window.wrong() for window in made]
    for window in made:
        window.here().browser.close()
    browser.switch_to.window(first)
    assert wrong == [[], []]


def lone(browser: Any) -> Window:
    """Return the window that is there anyhow."""
    return Window(browser, browser.current_window_handle)


def finger(window: Window, *squares: str) -> None:
    """Drag from square to square as a finger does."""
    places = window.js(
        "const board = document.querySelector('#map .board'); board.scrollIntoView({block: 'center'});"
        "return arguments[0].map(one => { const [x, y] = one.split(',').map(Number);"
        "const at = new DOMPoint((x + .5) * 40, (y + .5) * 40).matrixTransform(board.getScreenCTM());"
        "return {x: at.x, y: at.y}; })",
        squares,
    )
    for kind, points in (("Start", places[:1]), *(("Move", [one]) for one in places), ("End", [])):
        touch = {"type": f"touch{kind}", "touchPoints": points}
        window.here().browser.execute_cdp_cmd("Input.dispatchTouchEvent", touch)


def attack(master: Window) -> None:
    """Let the ogre strike the sorcerer, by a click on her and on what is offered first."""
    master.acts_as("Gharm")
    master.click("#map .layer-tokens [data-id=sorcerer]")
    master.shows("#act .aimed", "To Ysolde")
    master.click("#act .aimed [data-act=attack]")
    master.shows("#now", "Ysolde has 5 hit points")


def test_a_link_is_asked_for_and_kept_out_of_sight(browser: Any, served: Served) -> None:
    """Without a token a field takes one; a wrong one is told in a sentence; the address never keeps it."""
    window = lone(browser)
    address = served.links["player"].partition("#")[0]
    window.go(address, "sign")
    window.js("document.getElementById('sign-link').value = 'nonsense'")
    window.click("#sign-form button")
    window.shows("#sign-told", "That is no link to a table")
    window.js("document.getElementById('sign-link').value = arguments[0]", f"{address}#t={'x' * 32}")
    window.click("#sign-form button")
    window.shows("#sign-told", "Ask the game master for another link")
    window.js("document.getElementById('sign-link').value = arguments[0]", served.links["player"])
    window.click("#sign-form button")
    window.shows("#role", "Player")
    assert "t=" not in browser.current_url
    browser.refresh()
    window.until("document.documentElement.dataset.ready === 'yes'")
    window.go(served.links["onlooker"]).shows("#role", "Onlooker")
    assert browser.current_url == address
    browser.execute_script("sessionStorage.clear()")
    browser.get("about:blank")


def test_a_blow_is_struck_and_each_sees_their_own_of_it(windows: tuple[Window, Window]) -> None:
    """The game master strikes by two clicks; the player sees it at once, but no number of the monsters."""
    master, player = windows
    attack(master)
    player.shows("#now", "Ysolde has 5 hit points")
    assert master.points() == {"Gharm": "37/37", "Skit": "11/11", "Ysolde": "5/24", "Brannoc": "42/42"}
    bars = (
        "return [...document.querySelectorAll('#rail .one')].map("
        "one => [one.querySelector('.called').textContent, one.querySelector('.points')?.textContent ?? null])"
    )
    assert player.js(bars) == [["Gharm", None], ["Skit", None], ["Ysolde", "5/24"], ["Brannoc", "42/42"]]
    heard = "return [...document.querySelectorAll('#said p')].map(one => one.textContent)"
    assert [len(window.js(heard)) for window in windows] == [1, 1], "one message for a declaration"
    assert "Gharm hits Ysolde with greatclub" in player.js(heard)[0]
    assert "armor class" not in player.js(heard)[0]
    assert master.text("#tray").count("against 15") == 1
    assert master.js("return [...document.querySelectorAll('#tray .fallen')].map(one => one.ariaLabel)")[0]
    for tab in "12345":
        player.keys(tab)
        assert player.js("return document.querySelector('[role=tabpanel]:not([hidden])').textContent")
    for seq in range(20, 32):
        player.js(
            "const one = document.getElementById('scrubber'); one.value = arguments[0];"
            "one.dispatchEvent(new Event('input', {bubbles: true}))",
            seq,
        )


def test_who_looks_back_stays_there_while_the_fight_goes_on(windows: tuple[Window, Window]) -> None:
    """Events are counted on the button that leads to what happens now; who was there goes along."""
    master, player = windows
    player.keys("ARROW_LEFT", "ARROW_LEFT")
    here = player.seq()
    attack(master)
    player.shows("#now-button", "new events")
    assert player.seq() == here
    assert player.js("return document.getElementById('now').getAttribute('aria-live')") == "polite"
    player.keys("l")
    player.shows("#now", "Ysolde has 5 hit points")
    assert player.js("return document.getElementById('now-button').hidden")
    assert player.js("return document.getElementById('now').getAttribute('aria-live')") == "off"


def test_the_map_leads_by_keys_clicks_and_dragging(windows: tuple[Window, Window], served: Served) -> None:
    """Squares tell cost and danger; a way past somebody is asked about first."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By

    master, _ = windows
    master.acts_as("Gharm")
    master.keys("e")
    master.acts_as("Skit")
    master.keys("m", "ARROW_DOWN")
    master.shows("#square", "8,8; move 5 feet")
    assert master.js("return document.querySelectorAll('#map .going').length") == 1
    master.keys("ENTER")
    master.shows("#now", "Skit goes from 8,7 to 8,8")
    master.acts_as("Skit")
    master.until("document.querySelector('#map .in-reach.struck-at')")
    struck = master.browser.find_element(By.CSS_SELECTOR, "#map .in-reach.struck-at")
    square = struck.get_attribute("data-square")
    ActionChains(master.browser).move_to_element(struck).perform()
    master.shows("#square", "who may strike")
    struck.click()
    master.shows("#choice", "may strike")
    master.js("[...document.querySelectorAll('#choice button')].at(-1).click()")
    assert served.declared().count("move") == 1, f"nobody went to {square}"
    token = master.browser.find_element(By.CSS_SELECTOR, "#map .token.active")
    goal = master.browser.find_element(By.CSS_SELECTOR, "#map .in-reach[data-square='10,8']")
    ActionChains(master.browser).drag_and_drop(token, goal).perform()
    master.shows("#now", "Skit goes from 8,8 to 10,8")
    assert served.declared().count("move") == 2


def test_dice_thrown_by_hand_are_asked_for(windows: tuple[Window, Window]) -> None:
    """The game master types what the dice show; the player is told for whom the fight waits."""
    master, player = windows
    master.acts_as("Gharm")
    master.click("#own-dice")
    master.click("#act [data-act=attack][data-target=sorcerer]")
    master.until("document.getElementById('question').open")
    player.shows("#notes", "Waiting for Gharm")
    master.keys("21", "ENTER")
    master.shows("#question-told", "A d20 cannot show 21")
    master.keys("ESCAPE")
    master.keys("r")
    master.until("document.getElementById('question').open")
    master.keys("2", "ENTER")
    master.shows("#now", "Gharm misses Ysolde")
    player.shows("#now", "Gharm misses Ysolde")
    player.until("!document.getElementById('notes').textContent")
    assert master.js("return document.querySelector('#tray .fallen').ariaLabel") == "d20: 2"


def test_what_came_in_between_is_told_and_nothing_is_lost(
    windows: tuple[Window, Window], served: Served
) -> None:
    """Who declares on an old position reads what happened since, and may do it all the same."""
    master, player = windows
    master.acts_as("Gharm")
    player.js("document.getElementById('act-said').value = 'speak Stand back!'; window.holds = true")
    attack(master)
    player.click("#act-words button")
    player.until("window.asked.length > 0")
    player.js("window.release()")
    player.shows("#choice", "Gharm hits Ysolde with greatclub")
    player.shows("#choice", "speak Stand back!")
    player.keys("1")
    master.shows("#now", "Stand back!")
    assert served.declared().count("speak") == 1
    asked = player.js("return window.asked")
    assert len({body["request"] for _, body in asked}) == 2, "another declaration has another id"


def test_an_answer_that_is_lost_is_asked_for_again(windows: tuple[Window, Window], served: Served) -> None:
    """Under the same id, so that what was declared happens once."""
    master, _ = windows
    master.acts_as("Gharm")
    master.js("window.loses = 2")
    master.keys("e")
    master.acts_as("Skit")
    master.until("window.asked.length === 3")
    assert len({body["request"] for _, body in master.js("return window.asked")}) == 1
    assert served.declared()[-1] == "end-turn"
    assert served.declared().count("end-turn") == 1
    master.js("window.loses = 99")
    master.keys("e")
    master.until("window.asked.length > 4")
    master.here().browser.refresh()
    master.acts_as("Ysolde")
    assert served.declared().count("end-turn") == 2, "a page that is loaded anew asks on, and it is done once"


def test_a_server_that_is_killed_comes_back(windows: tuple[Window, Window], served: Served) -> None:
    """What was declared while it was away is done once; both windows go on without a gap."""
    master, player = windows
    attack(master)
    master.acts_as("Gharm")
    served.kill()
    for window in windows:
        window.shows("#wire", "No connection")
    master.keys("e")
    master.shows("#notes", "asked again")
    served.start()
    for window in windows:
        window.shows("#wire", "Live")
        window.shows("#place", "turn 2: Skit")
    assert served.declared()[-2:] == ["attack", "end-turn"]
    assert master.seq() == player.seq() == master.js("return Number(document.getElementById('scrubber').max)")


def test_contested_ruled_taken_back_and_left(windows: tuple[Window, Window], served: Served) -> None:
    """A dispute, a ruling that changes the past, undo and redo, a fork that becomes the main line."""
    master, player = windows
    attack(master)
    player.shows("#now", "Ysolde has 5")
    player.keys("d")
    player.until("document.getElementById('settle').open")
    player.js("document.getElementById('claim').value = 'She stood behind Skit.'")
    player.click("#settle [type=submit]")
    master.shows("#now", "She stood behind Skit.")
    master.js("document.querySelectorAll('#events .event')")
    master.keys("3")
    master.click("#events [data-seq='27']")
    master.keys("g")
    master.until("document.getElementById('settle').open")
    master.js("document.getElementById('ruling-text').value = 'Skit is in the way.'")
    master.js("document.getElementById('ruling-effects').value = 'nonsense'")
    master.click("#settle [type=submit]")
    master.shows("#settle-told", "nonsense")
    master.js("document.getElementById('ruling-effects').value = 'sorcerer.defense+9:cover'")
    master.click("#settle [type=submit]")
    player.until(
        "[...document.querySelectorAll('#rail .one')].some("
        "one => one.textContent.includes('Ysolde') && one.textContent.includes('24/24'))"
    )
    master.until("!document.getElementById('settle').open")
    master.until("document.querySelectorAll('#branch option').length === 3")
    master.keys("u")
    master.shows("#notes", "is the main line")
    player.shows("#notes", "taken back")
    master.keys("U")
    master.until("document.getElementById('branch').value.startsWith('ruling')")
    master.keys("ARROW_LEFT", "b")
    master.until("document.getElementById('settle').open")
    master.js("document.getElementById('fork-name').value = 'otherwise'")
    master.click("#settle [type=submit]")
    master.until("[...document.querySelectorAll('#branch option')].some(one => one.value === 'otherwise')")
    master.js("const one = document.getElementById('branch'); one.value = 'otherwise';"
              "one.dispatchEvent(new Event('change'))")  # fmt: skip
    master.keys("2")
    master.click("#why [data-key=promote]")
    master.shows("#notes", "main line")
    player.until("document.getElementById('now').textContent.includes('main line')")


def test_guests_come_and_go(windows: tuple[Window, Window]) -> None:
    """A link for another guest, with a picture of it; who is sent away is told so."""
    master, player = windows
    master.keys("i")
    master.until("document.querySelectorAll('#guests .guest-list li').length === 3")
    master.js("document.getElementById('invite-name').value = 'Bo'")
    master.click("#guests [name=combatant][value=goblin]")
    master.click("#guests [type=submit]")
    master.shows("#guests .guest-list li:last-child", "Bo Player: Skit")
    master.click("#guests .guest-list li:last-child summary")
    master.until("document.querySelector('#guests li:last-child img').naturalWidth > 0")
    link = master.js("return document.querySelector('#guests li:last-child input').value")
    player.go(link).shows("#role", "Player: Bo")
    master.js("[...document.querySelectorAll('#guests li:last-child button')].at(-1).click()")
    player.shows("#sign-told", "Ask the game master for another link")
    assert player.js("return document.getElementById('sign').hidden") is False


def test_everything_is_there_on_a_phone(windows: tuple[Window, Window]) -> None:
    """At 360 pixels nothing is wider than the screen, in either role; every control has a name."""
    master, player = windows
    attack(master)
    for window in windows:
        window.here().browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
        for tab in ("act", "why", "events", "charts", "branches"):
            window.js("document.getElementById(arguments[0]).click()", f"tab-{tab}")
            assert window.js("return document.documentElement.scrollWidth") <= 360, tab
        assert window.js(UNNAMED) == []
        window.keys("?")
        assert window.js("return document.documentElement.scrollWidth") <= 360
    master.js("document.querySelector('dialog[open]').close()")
    master.acts_as("Gharm")
    finger(master, "8,3", "7,2")
    master.shows("#now", "Gharm goes from 8,3 to 7,2")
    for key in ("i", "g"):
        master.keys(key)
        master.until("document.querySelector('#guests[open], #settle[open]')")
        assert master.js("return document.querySelector('dialog[open]').scrollWidth") <= 360
        assert master.js(UNNAMED) == []
        master.js("document.querySelector('dialog[open]').close()")


def test_the_overlay_shows_order_and_outcome(windows: tuple[Window, Window], served: Served) -> None:
    """On nothing, and only what an onlooker may see."""
    master, player = windows
    attack(master)
    address, _, token = served.links["onlooker"].partition("#")
    player.go(f"{address}overlay#{token}")
    player.shows("#outcome", "Gharm hits Ysolde")
    order = "return [...document.querySelectorAll('#order .called')].map(one => one.textContent)"
    assert player.js(order) == ["Gharm", "Skit", "Ysolde", "Brannoc"]
    assert player.js("return document.querySelectorAll('.points').length") == 0
    assert player.js("return getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    master.keys("e")
    player.shows("#order .active .called", "Skit")
