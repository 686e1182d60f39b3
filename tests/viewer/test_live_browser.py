"""The live page in a real browser against a real server: game master and player at once, in two windows."""

from typing import Any

from tests.viewer.served import Served, Window, attack

PHONE = {"width": 360, "height": 780, "deviceScaleFactor": 2, "mobile": True}
STILL = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
UNNAMED = (
    "const controls = [...document.querySelectorAll('button, select, input, textarea, [role=button]')];"
    "const named = one => one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length;"
    "return controls.filter(one => !named(one) && !('from' in one.dataset)).map(one => one.outerHTML)"
)


def lone(browser: Any) -> Window:
    """Return the window that is there anyhow."""
    return Window(browser, browser.current_window_handle)


def finger(window: Window, *squares: str) -> None:
    """Drag from square to square as a finger does, once the map shows who acts."""
    window.until("document.getElementById('map').dataset.around")
    places = window.js(
        "const board = document.querySelector('#map .board');"
        "return arguments[0].map(one => { const [x, y] = one.split(',').map(Number);"
        "const at = new DOMPoint((x + .5) * 40, (y + .5) * 40).matrixTransform(board.getScreenCTM());"
        "return {x: at.x, y: at.y}; })",
        squares,
    )
    for kind, points in (("Start", places[:1]), *(("Move", [one]) for one in places), ("End", [])):
        touch = {"type": f"touch{kind}", "touchPoints": points}
        window.here().browser.execute_cdp_cmd("Input.dispatchTouchEvent", touch)


def test_a_link_is_asked_for_and_kept_out_of_sight(browser: Any, served: Served) -> None:
    """Without a token a field takes one; a wrong one is told in a sentence; the address never keeps it."""
    window = lone(browser)
    address = served.links["player"].partition("#")[0]
    window.go(address, "sign")
    window.js("document.getElementById('sign-link').value = 'nonsense'")
    window.click("#sign-form button")
    window.shows("#sign-told", "This is not a link to a table")
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
        "one => ['.called', '.points'].map(part => one.querySelector(part)?.textContent ?? null))"
    )
    assert player.js(bars) == [["Gharm", None], ["Skit", None], ["Ysolde", "5/24"], ["Brannoc", "42/42"]]
    made = (
        "return [...document.querySelectorAll('#blame [data-figure=hp] .event')].map("
        "one => one.dataset.madeBy)"
    )
    # What made her hit points so: the blow, and her sheet. The player counts what the player is told.
    for window, makers in ((master, ["31", "5"]), (player, ["23", "5"])):
        window.click('[data-key="sorcerer/hp"]')
        assert window.js(made) == makers
        window.keys("ESCAPE")
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
    master.shows("#square", "provokes from")
    struck.click()
    master.shows("#choice", "may attack")
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
    master.click("#map .layer-tokens [data-id=sorcerer]")
    master.click("#act .aimed [data-act=attack]")
    master.until("document.getElementById('question').open")
    player.shows("#notes", "Waiting for Gharm")
    master.keys("21", "ENTER")
    master.shows("#question-told", "A d20 cannot show 21")
    master.keys("ESCAPE")
    master.keys("r")
    master.until("document.getElementById('question').open")
    assert master.text("#roll-here") == "Let the server roll"
    master.keys("2", "ENTER")
    master.shows("#now", "Gharm misses Ysolde")
    player.shows("#now", "Gharm misses Ysolde")
    player.until("!document.getElementById('notes').textContent")
    assert master.js("return document.querySelector('#tray .fallen').ariaLabel") == "d20: 2"


def test_everything_is_there_on_a_phone(windows: tuple[Window, Window]) -> None:
    """At 360 pixels nothing is wider than the screen, in either role; every control has a name."""
    master, _ = windows
    attack(master)
    for window in windows:
        window.here().browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
        window.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", STILL)
        for tab in ("act", "why", "events", "charts", "branches"):
            window.js("document.getElementById(arguments[0]).click()", f"tab-{tab}")
            assert window.js("return document.documentElement.scrollWidth") <= 360, tab
        assert window.js(UNNAMED) == []
        window.keys("?")
        assert window.js("return document.documentElement.scrollWidth") <= 360
    master.js("document.querySelector('dialog[open]').close()")
    master.acts_as("Gharm")
    master.js("scrollTo(0, 0)")
    click = "dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    master.js(f"document.querySelector('#map [data-id=fighter]').{click}")
    master.shows("#act .aim", "Brannoc")
    assert master.js("return document.getElementById('panel').getBoundingClientRect().top") < 9
    master.js("document.querySelector('#act .link').click(); scrollTo(0, 0)")
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


def test_a_player_is_asked_and_the_others_wait(windows: tuple[Window, Window], served: Served) -> None:
    """Whether to strike at who passes by is put to the player, who presses a key; the game master waits."""
    master, player = windows
    master.acts_as("Gharm")
    master.keys("e")
    master.acts_as("Skit")
    master.click("#map .in-reach.struck-at .square")
    master.until("document.getElementById('choice').open")
    master.keys("1")
    player.until("document.getElementById('question').open")
    player.shows("#question-title", "Brannoc")
    master.shows("#notes [data-note=waiting]", "Brannoc")
    assert not master.js("return document.getElementById('question').open")
    first = player.text("#question [data-choice] span")
    player.keys("1")
    for window in windows:
        window.until("!document.querySelector('#notes [data-note=waiting]')")
    assert first in player.js("return document.getElementById('said').textContent")
    assert served.declared()[-1] == "move"


def test_keys_alone_play_a_turn(windows: tuple[Window, Window], served: Served) -> None:
    """Filter and Enter declare; where nothing shall move the dice lie at once."""
    master, _ = windows
    master.here().browser.execute_cdp_cmd("Emulation.setEmulatedMedia", STILL)
    master.acts_as("Gharm")
    master.keys("f", *"attack greatclub ysolde", "ENTER")
    master.shows("#now", "Ysolde has 5 hit points")
    assert master.js("return document.querySelector('#tray').getAnimations({subtree: true}).length") == 0
    assert not master.js("return document.querySelector('#tray .waiting')")
    master.js("document.activeElement.blur()")
    master.keys("e")
    master.acts_as("Skit")
    master.keys("n")
    master.until("document.getElementById('actor').value === 'sorcerer'")
    assert served.declared()[-2:] == ["attack", "end-turn"]
    master.keys("?")
    master.click("#keys-on")
    master.keys("ESCAPE", "e", "t")
    assert not master.js("return document.documentElement.dataset.theme"), "single keys can be turned off"
    assert served.declared()[-2:] == ["attack", "end-turn"]
