"""The live page where things cross, break or are decided otherwise: nothing is lost, nothing done twice."""

from tests.viewer.served import Served, Window, attack


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


def test_what_follows_an_outcome_that_is_shown_waits_for_its_answer(
    windows: tuple[Window, Window], served: Served
) -> None:
    """The feed may come before the answer; before anything came of it, asking again is no second wish."""
    master, _ = windows
    master.acts_as("Gharm")
    master.js("window.keeps = true")
    attack(master)
    master.shows("#now", "Ysolde has 5")
    master.keys("e")
    master.until("window.asked.length === 1")
    master.js("window.answer()")
    master.acts_as("Skit")
    assert served.declared()[-2:] == ["attack", "end-turn"]
    master.js("window.keeps = true; window.holds = true")
    master.keys("e")
    master.until("window.asked.length === 3")
    master.keys("e")
    master.shows("#notes", "Wait for the answer")
    master.js("window.release(); window.answer()")
    master.acts_as("Ysolde")
    assert served.declared()[-2:] == ["end-turn", "end-turn"]


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
    master, _ = windows
    attack(master)
    master.acts_as("Gharm")
    served.kill()
    for window in windows:
        window.shows("#wire", "No connection")
    master.keys("e")
    master.shows("#notes", "trying again")
    served.start()
    for window in windows:
        window.shows("#wire", "Live")
        window.shows("#place", "turn 2: Skit")
    assert served.declared()[-2:] == ["attack", "end-turn"]
    for window in windows:  # the player's numbers are the player's own
        assert window.seq() == window.js("return Number(document.getElementById('scrubber').max)")


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
    player.shows("#notes", "was reset to")
    master.until("document.getElementById('branch').value.startsWith('undo')")
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
