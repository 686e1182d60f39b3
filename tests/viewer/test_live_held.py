"""The live page where the rules refuse what only the game master can know: both see it, each their part."""

from typing import Any

from tests.viewer.served import Window

POST = """
const headers = {authorization: `Bearer ${sessionStorage.getItem('affray-token')}`};
const {position} = await (await fetch('/session', {headers})).json();
const more = arguments[0] === '/hidden' ? {} : {expected: position, request: crypto.randomUUID()};
const body = JSON.stringify({...arguments[1], ...more});
headers['content-type'] = 'application/json';
return (await fetch(arguments[0], {method: 'POST', headers, body})).status;
"""
INTO = {"act": {"act": "move", "actor": "sorcerer", "path": [[8, 7]]}}


def post(window: Window, path: str, body: Any) -> int:
    """Have the page's guest send a command, and return the status of its answer."""
    status: int = window.js(f"return (async function () {{ {POST} }})(...arguments)", path, body)
    return status


def test_the_game_master_has_it(windows: tuple[Window, Window]) -> None:
    """The player waits, and is told what came of it; the game master turns it down, or declares instead."""
    master, player = windows
    for who in ("ogre", "goblin"):
        assert post(master, "/declarations", {"act": {"act": "end-turn", "actor": who}}) == 200
    assert post(master, "/hidden", {"combatant": "goblin"}) == 200
    assert post(player, "/declarations", INTO) == 202
    player.shows("#notes", "Waiting for the game master. Ysolde: move to 8,7")
    master.shows("#notes", "The rules refuse it for a reason that only you may know: Skit")
    assert "Skit" not in player.text("#notes")
    master.click("[data-note='held-sorcerer'] button:last-of-type")
    master.js("document.getElementById('held-words').value = 'not there'")
    master.click("#choice form button")
    player.shows("#notes", "The game master rejected it: not there")
    master.until("!document.querySelector('[data-note=held-sorcerer]')")
    assert post(player, "/declarations", INTO) == 202
    master.shows("#notes", "Declare for them")
    master.click("[data-note='held-sorcerer'] button")
    master.shows("#notes", "Choose its act")
    master.keys("e")
    player.shows("#notes", "The game master decided")
    player.shows("#now", "Brannoc")
