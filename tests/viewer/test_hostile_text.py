"""Names, speech, claims and rulings that would be more than text, in a real browser: live and saved.

Nothing of it runs, steers, hides or turns around what stands beside it, and no word is too long for the page.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet, Weapon
from affray.events.stores.sqlite import SqliteStore
from affray.replay.explain.disputes import dispute, rule
from affray.replay.viewer import build
from tests.viewer.served import Window, serving
from tests.viewer.view import View

RUNS = '"><img src=x onerror="window.broken=1"><script>window.broken=2</script>'
TURNS = "\u202etfel\u202c\u2066\u2067\u200f\u061c"
HIDES = "\u200b\u2060\ufeff\u00ad\U000e0041\u0007\u001b[31m\u0085\u2028"
HEBREW = "\u05d0\u05d1\u05d2"
NAMES = {
    "fighter": f"Tag {RUNS}",
    "sorcerer": f"Turn {HEBREW} 12 end",
    "hebrew": HEBREW,
    "long": "L" + "o" * 78 + "ng",
}
STEERING = r"/(?![\n\t\u2068\u2069])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u"
FOUND = f"""
const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {{
  if (walk.currentNode.parentElement.closest('script, style')) continue;
  if ({STEERING}.test(walk.currentNode.data)) found.push(walk.currentNode.data);
}}
for (const one of document.querySelectorAll('[aria-label], [title], [aria-valuetext]'))
  for (const name of ['aria-label', 'title', 'aria-valuetext'])
    if ({STEERING}.test(one.getAttribute(name) ?? '')) found.push(`${{name}}: ${{one.getAttribute(name)}}`);
if ({STEERING}.test(document.title)) found.push(document.title);
return found;
"""
TOO_WIDE = """
const width = document.documentElement.clientWidth, found = [];
const page = document.documentElement.scrollWidth;
if (page > width) found.push(`the page: ${page}`);
for (const one of document.querySelectorAll('body *')) {
  const left_out = one.closest('svg, [hidden], .hidden, .skip, dialog:not([open])');
  if (left_out || !one.getClientRects().length) continue;
  const box = one.getBoundingClientRect();
  if (box.right > width + 1 && !clipped(one)) found.push(`${one.tagName} ${one.id} ${one.className}`);
}
function clipped(one) {
  for (let up = one.parentElement; up && up !== document.body; up = up.parentElement)
    if (getComputedStyle(up).overflowX !== 'visible') return true;
  return false;
}
return found;
"""


def hostile_text(path: Path) -> None:
    """Play a round in which every text is hostile; names that cannot be printed are refused anyhow."""
    with SqliteStore(path) as store:
        table = Table.create(
            store, dialect="srd35", terrain=("......",) * 2, name=f"{RUNS}{TURNS}{HIDES}", seed=b"x"
        )
        for number, (id, name) in enumerate(NAMES.items()):
            sheet = Sheet(name, hp=30, weapons=(Weapon(f"club {RUNS}", "1d4"),))
            side = "left" if number % 2 else f"S {HEBREW}"
            enter = acts.Enter(id=id, side=side, sheet=sheet, at=(number, 0), initiative=20 - number)
            assert table.declare(enter).refused is None
        assert table.declare(acts.Begin()).refused is None
        for words in (f"{RUNS} {TURNS}{HIDES}", "w" * 400, f"{HEBREW} 12 \u202e"):
            assert table.declare(acts.Speak(actor="fighter", words=words)).refused is None
        for target in ("sorcerer", "hebrew"):
            table.declare(acts.Attack(actor="fighter", target=target))
            table.declare(acts.EndTurn(actor=table.state.active))
        at = table.seq
        dispute(store, at, f"Anna{TURNS}", f"no {RUNS}{HIDES} {'c' * 300}")
        rule(store, "uphold", f"so be it {RUNS}{TURNS} {'r' * 300}", by="GM", at=at)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of that fight."""
    path = tmp_path_factory.mktemp("hostile") / "fight.db"
    hostile_text(path)
    return path


@pytest.fixture
def table(browser: Any, hostile: Path, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The links of that fight, served."""
    with serving(hostile, tmp_path) as served:
        yield served.links


def looked_at(view: View) -> None:
    """Open every tab and what can be opened there, and hold what the page shows against the rules."""
    for tab in ("why", "events", "charts", "branches"):
        view.js(f"document.getElementById('tab-{tab}')?.click()")
        view.js("for (const one of document.querySelectorAll('details')) one.open = true")
        assert view.js(FOUND) == []
        for width in (1280, 800, 360):
            view.browser.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False},
            )
            assert (width, view.js(TOO_WIDE)) == (width, [])
        view.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert view.js("return window.broken ?? 0") == 0
    assert (
        view.js("return document.querySelectorAll('img, iframe, object, a[href^=\"javascript\"]').length")
        == 0
    )


def test_hostile_text_at_a_served_table(browser: Any, table: dict[str, str]) -> None:
    """For the game master, a player and an onlooker; and on the overlay."""
    window = Window(browser, browser.current_window_handle)
    for role in ("game master", "onlooker"):
        window.go(table[role])
        assert "Tag" in window.text("#rail")
        looked_at(window)
    place, _, token = table["onlooker"].partition("#")
    browser.get("about:blank")
    browser.get(f"{place}overlay#{token}")
    window.until("document.getElementById('order')?.textContent.includes('Turn')")
    assert window.js(FOUND) == []
    assert window.js("return window.broken ?? 0") == 0
    browser.get("about:blank")


def test_hostile_text_in_a_saved_page(browser: Any, hostile: Path, tmp_path: Path) -> None:
    """The same; the log that the page carries and checks keeps its bytes."""
    with SqliteStore(hostile) as store:
        (tmp_path / "fight.html").write_text(build(store), encoding="utf-8", newline="\n")
    view = View(browser).open(tmp_path / "fight.html", "#end")
    looked_at(view)


def test_a_name_turns_nothing_around(browser: Any, hostile: Path, tmp_path: Path) -> None:
    """What stands behind a name stands to the right of it, whichever way the name is written."""
    with SqliteStore(hostile) as store:
        (tmp_path / "fight.html").write_text(build(store), encoding="utf-8", newline="\n")
    view = View(browser).open(tmp_path / "fight.html", "#end")
    view.js("document.getElementById('tab-events').click()")
    view.js("for (const one of document.querySelectorAll('details')) one.open = true")
    order = """
    const found = [];
    for (const row of document.querySelectorAll('.event')) {
      const walk = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) {
        const node = walk.currentNode, at = node.data.search(/[\\u05d0-\\u05ea\\u202e]/);
        const after = node.data.slice(at).search(/[a-z0-9]/);
        if (at < 0 || after < 0) continue;
        const box = (from) => { const range = document.createRange();
          range.setStart(node, from); range.setEnd(node, from + 1); return range.getBoundingClientRect(); };
        const [name, next] = [box(at), box(at + after)];
        if (!name.width || !next.width) continue;
        found.push(next.top > name.top + 3 || next.left >= name.left);
      }
    }
    return found;
    """
    found = view.js(order)
    assert found
    assert all(found)
