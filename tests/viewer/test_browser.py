"""The page in a real browser: scrubbing, keys, links, branches, search, themes, hostile names, no network.

Here stands whatever measures how long a page takes: the gate runs this file with nothing beside it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from affray.engine.table.scenario import packaged, packaged_names, play
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite import SqliteStore
from affray.replay.chance.outcome_odds import get_odds_by_branch
from affray.replay.chance.swing import swing
from affray.replay.explain.disputes import dispute, rule
from affray.replay.merging.merge import merge
from affray.replay.viewer import build
from affray.replay.whatif.what_if import what_if
from tests.bench.arena import opened, round_of
from tests.bench.questions import LENGTH
from tests.viewer.conftest import written
from tests.viewer.panel import Panel
from tests.viewer.view import View


@pytest.fixture
def view(browser: Any) -> Iterator[View]:
    """A page to open; afterwards its console must be empty and the network untouched."""
    shown = View(browser)
    yield shown
    assert shown.logs() == ([], [])
    assert shown.loaded > 0, "the file itself must have been seen, or the counting proves nothing"


def scrub(view: View, seq: int) -> None:
    """Drag the scrubber to an event."""
    view.js(
        "const one = document.getElementById('scrubber'); one.value = arguments[0];"
        "one.dispatchEvent(new Event('input', {bubbles: true}))",
        seq,
    )


def test_scrubbing_shows_the_state_of_the_event(view: View, page: Path) -> None:
    """At event 55 the sorcerer has fallen to -7, and one event earlier she still had 5."""
    view.open(page)
    scrub(view, 54)
    assert view.points()["Ysolde"] == "5/24"
    scrub(view, 55)
    assert view.points() == {"Gharm": "37/37", "Skit": "11/11", "Ysolde": "−7/24", "Brannoc": "42/42"}
    assert view.text("#now") == "Ysolde has -7 hit points (-12: greatclub)"
    assert view.text("#position") == "55 / 245"


def test_links_lead_to_rounds_turns_and_events(view: View, page: Path) -> None:
    """#r2.t1, #r2, #52 and a branch in the link open where they say; nonsense changes nothing."""
    assert "Round 2, turn 1: Gharm" in view.open(page, "#r2.t1").text("#place")
    assert view.text(".kicker").startswith("#70 · r2.t1")
    assert view.open(page, "#52").seq() == 52
    assert view.open(page, "#end").seq() == 245
    view.open(page, "#60@missed")
    assert (view.seq(), view.js("return document.getElementById('branch').value")) == (60, "missed")
    assert view.points()["Ysolde"] == "5/24"
    start = view.open(page).seq()
    assert view.open(page, "#r99").seq() == view.open(page, "#%E0%A4%A").seq() == start


def test_the_address_follows(view: View, page: Path) -> None:
    """Stepping writes the place into the address, so that it can be passed on."""
    view.open(page, "#69")
    view.keys("ARROW_RIGHT")
    view.browser.set_script_timeout(5)
    view.browser.execute_async_script("setTimeout(arguments[0], 300)")
    assert view.browser.current_url.endswith("#r2.t1")


def test_keys_step_by_event_turn_and_round(view: View, page: Path) -> None:
    """Arrows go by event, with shift by turn, up and down by round; Home and End to the ends."""
    view.open(page, "#r2.t1")
    view.keys("ARROW_RIGHT")
    assert view.seq() == 71
    view.keys("ARROW_LEFT", "ARROW_LEFT")
    assert view.seq() == 69
    view.keys("ARROW_RIGHT", shift=True)
    assert view.text("#place") == "Round 2, turn 1: Gharm"
    view.keys("ARROW_RIGHT", shift=True)
    assert view.text("#place") == "Round 2, turn 2: Skit"
    view.keys("ARROW_LEFT", shift=True)
    view.keys("ARROW_DOWN")
    assert view.text("#place") == "Round 3"
    view.keys("ARROW_UP", "ARROW_UP")
    assert view.text("#place") == "Round 1"
    view.keys("END")
    assert view.seq() == 245
    view.keys("HOME")
    assert (view.seq(), view.points()) == (0, {})


def test_arrows_mean_the_same_on_the_scrubber(view: View, page: Path) -> None:
    """With the focus on the scrubber an arrow is one event as well, and up and down are rounds."""
    view.open(page, "#r2")
    view.js("document.getElementById('scrubber').focus()")
    view.keys("ARROW_RIGHT", "ARROW_RIGHT")
    assert view.seq() == view.open(page, "#r2").seq() + 2
    view.js("document.getElementById('scrubber').focus()")
    view.keys("ARROW_DOWN")
    assert view.text("#place") == "Round 3"


def test_why_explains_the_event(view: View, page: Path) -> None:
    """Beside an attack stand its dice, modifiers with those denied, cover and the wording of its rules."""
    view.open(page, "#27")
    why = view.text("#why")
    for said in (
        "Gharm attacks ",
        "d6/ogre/attack/1",
        "base attack bonus",
        "in all: the die 12 + 7 against 15",
    ):
        assert said in why
    assert view.text("#why .denied .reason").startswith("does not count: flat-footed")
    assert view.text("#why details.rule p")
    view.open(page, "#154")
    assert "Soft cover from Skit. From the attacker's best corner 2 of 4 lines are stopped." in view.text(
        "#why"
    )
    assert view.js("return document.querySelectorAll('#map .sight.stopped').length") == 2
    assert view.js("return document.querySelectorAll('#map .in-the-way').length") == 1


def test_threatened_squares_show_on_focus(view: View, page: Path) -> None:
    """Focusing a token marks the squares it threatens, inside the map only."""
    view.open(page, "#r2.t1")
    count = "return document.querySelectorAll('#map .threat').length"
    assert view.js(count) == 0
    view.js("document.querySelector('#map [data-id=goblin]').focus()")
    assert view.js(count) == 9
    view.js("document.querySelector('#map [data-id=ogre]').focus()")
    assert view.js(count) > 30
    view.keys("ENTER")
    view.js("document.activeElement.blur()")
    assert view.js(count) > 30
    assert view.js("return document.querySelector('#rail [aria-pressed=true]').dataset.key") == "ogre"


def test_a_branch_can_be_followed_and_compared(view: View, page: Path) -> None:
    """On the other branch the sorcerer lives; side by side the difference is marked."""
    view.open(page, "#end")
    assert view.points()["Ysolde"] == "−10/24"
    view.click("#tab-branches")
    assert "leaves main after #42" in view.text("#branches")
    view.click("[data-compare=missed]")
    assert (
        view.js(
            "const marked = document.querySelectorAll('#compare .standing .differs strong');"
            "return [...marked].map(one => one.textContent)"
        )
        == ["Ysolde"] * 2
    )
    assert "Gharm misses Ysolde" in view.text("#compare .twins")
    view.click("#compare header button")
    view.click("[data-follow=missed]")
    view.keys("END")
    assert view.points()["Ysolde"] == "5/24"


def test_search_finds_and_leads_there(view: View, page: Path) -> None:
    """A slash opens the search; a word finds events, Enter goes to the first."""
    view.open(page)
    view.keys("/")
    view.keys(*"provokes")
    assert view.text("#events [role=status]").startswith(("1 event", "2 events", "3 events", "4 events"))
    view.keys("ENTER")
    assert "provokes" in view.text("#now")
    view.keys("t")
    assert not view.js("return document.documentElement.dataset.theme"), (
        "a letter in the search is no command"
    )


def test_charts_show_points_damage_and_luck(view: View, page: Path) -> None:
    """Hit points, damage and luck are drawn and told in words; a click on a chart goes there."""
    view.open(page, "#52")
    view.keys("3")
    labels = view.js("return [...document.querySelectorAll('#charts svg')].map(one => one.ariaLabel)")
    assert [label.split(":")[0] for label in labels] == [
        "Hit points through the fight",
        "Hits beyond what was to be expected",
        "Faces thrown",
    ]
    assert "Gharm" in labels[1]
    rows = "return [...document.querySelectorAll('#charts .luck tbody tr')].map(one => one.textContent)"
    assert any("of" in row and "Gharm" in row for row in view.js(rows))
    view.click("#charts svg.chart")
    assert view.seq() != 52


def test_playback_goes_on_to_the_end(view: View, page: Path) -> None:
    """Play steps by itself and stops at the last event."""
    view.open(page, "#242")
    view.js("document.getElementById('speed').value = 'fast'")
    view.keys(" ")
    assert view.js("return document.getElementById('play').getAttribute('aria-label')") == "Pause"
    view.browser.set_script_timeout(5)
    view.browser.execute_async_script("setTimeout(arguments[0], 1200)")
    assert view.seq() == 245
    assert view.js("return document.getElementById('play').getAttribute('aria-label')") == "Play"


def test_the_theme_follows_the_system_until_it_is_chosen(view: View, page: Path) -> None:
    """Dark where the system is dark; the key t turns it."""
    background = "return getComputedStyle(document.body).backgroundColor"
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    view.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    try:
        night = view.open(page).js(background)
        view.keys("t")
        assert view.js(background) != night
    finally:
        view.js("localStorage.clear()")
        view.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert view.open(page).js(background) != night


def test_a_phone_has_no_sideways_scrolling(view: View, page: Path) -> None:
    """At 390 pixels nothing is wider than the screen, and the time controls are in sight."""
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    view.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        view.open(page, "#154")
        for tab in ("why", "events", "charts", "branches"):
            view.js("document.getElementById(arguments[0]).click()", f"tab-{tab}")
            assert view.js("return document.documentElement.scrollWidth") <= 390, tab
        assert view.js("return document.getElementById('play').getBoundingClientRect().bottom") <= 844
    finally:
        view.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_readers_find_names_and_roles(view: View, page: Path) -> None:
    """Every control has a name, the current event is announced, the landmarks are there."""
    view.open(page, "#52")
    unnamed = view.js(
        "const controls = [...document.querySelectorAll('button, select, input, [role=button]')];"
        "const named = one => one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length;"
        "return controls.filter(one => !named(one)).map(one => one.outerHTML)"
    )
    assert [one for one in unnamed if "data-from" not in one] == []
    assert view.js("return document.getElementById('now').getAttribute('aria-live')") == "polite"
    assert view.js(
        "return ['header', 'main', 'nav', 'aside', 'footer'].every(tag => document.querySelector(tag))"
    )
    label = view.js("return document.querySelector('#map [data-id=ogre]').getAttribute('aria-label')")
    assert label.startswith(
        "Gharm of the monsters, large, 2 squares wide, 37 of 37 hit points, at 8,3, reach 10 feet"
    )


def test_hostile_names_are_only_text(view: View, hostile: Path) -> None:
    """Names made of tags open no dialog, make no element, and are shown as they are."""
    view.open(hostile, "#end")
    for tab in ("events", "charts", "branches", "why"):
        view.click(f"#tab-{tab}")
    for _ in range(12):
        view.keys("ARROW_LEFT")
    assert (
        view.js("return document.querySelectorAll('img, b, body script ~ script ~ script ~ script').length")
        == 0
    )
    assert "</script><script>alert(1)</script>" in view.text("#rail")
    assert view.js("return document.querySelectorAll('script').length") == 3


def test_a_script_from_elsewhere_does_not_run(browser: Any, page: Path) -> None:
    """Even a script that gets into the page is stopped by the policy, and so is a request."""
    view = View(browser).open(page)
    view.js(
        "const one = document.createElement('script'); one.textContent = 'window.broken = 1';"
        "document.body.append(one);"
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.broken = 2\">');"
        "fetch('https://example.org/').catch(() => { window.refused = 1 })"
    )
    browser.set_script_timeout(5)
    browser.execute_async_script("setTimeout(arguments[0], 200)")
    assert view.js("return [window.broken ?? 0, window.refused ?? 0]") == [0, 1]
    said, asked = view.logs()
    assert said
    assert asked == []


@pytest.mark.parametrize("name", packaged_names())
def test_every_packaged_fight_plays_through(
    view: View, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each packaged fight can be scrubbed through, forwards and in leaps back."""
    store = MemoryStore()
    play(packaged(name), store)
    last, there = store.head("main").seq, len(packaged(name).combatants)
    view.open(written(store, tmp_path_factory), "#start")
    drawn = view.js(
        """
        const one = document.getElementById("scrubber");
        const drawn = [];
        for (let at = 1; at <= Number(one.max); at += 4) {
          one.value = at;
          one.dispatchEvent(new Event("input"));
          drawn.push(document.querySelectorAll("#map .token").length);
        }
        return drawn;
        """
    )
    assert drawn == sorted(drawn)
    assert drawn[-1] == there
    view.keys("END")
    assert view.seq() == last
    view.keys("ARROW_UP", "ARROW_UP")
    assert view.seq() < last


def counted(view: View, *queries: str) -> list[int]:
    """Return how many of each are drawn on the map."""
    return [
        view.js("return document.querySelectorAll(arguments[0]).length", f"#map {one}") for one in queries
    ]


def test_areas_throws_and_doors_are_drawn(view: View, tmp_path_factory: pytest.TempPathFactory) -> None:
    """In the gunfight: where the grenade was aimed and went, what it covers, the sweep, the door's state."""
    store = MemoryStore()
    play(packaged("gunfight"), store)
    found = {
        words: next(one.seq for one in store.read("main") if words.encode() in one.data)
        for words in ("comes to rest", "bursts at", "sweeps")
    }
    page = written(store, tmp_path_factory)
    thrown = (
        "circle.aimed",
        ".flight",
        ".astray",
        ".blast.unburst",
        ".blast:not(.unburst)",
        ".struck",
        ".fan",
    )
    view.open(page, f"#{found['comes to rest']}")
    assert counted(view, *thrown) == [1, 1, 1, 1, 0, 0, 0]
    assert "Thrown at the square 8,5; it comes to rest at the corner 9,3, 2 squares off." in view.text("#why")
    view.open(page, f"#{found['bursts at']}")
    assert counted(view, *thrown) == [1, 1, 1, 0, 1, 10, 0]
    assert counted(view, ".token.thing .crack", ".token.thing.dead") == [0, 0]
    # The save that follows shows it still, the next declaration no more.
    view.keys("ARROW_RIGHT", "ARROW_RIGHT")
    assert counted(view, ".struck") == [10]
    view.keys("ARROW_RIGHT", shift=True)
    assert counted(view, *thrown) == [0, 0, 0, 0, 0, 0, 0]
    view.open(page, "#r2")
    assert counted(view, ".token.thing .crack", ".token.thing.dead") == [2, 0]
    view.open(page, f"#{found['sweeps']}")
    assert counted(view, *thrown) == [0, 0, 0, 0, 0, 4, 1]
    assert counted(view, ".token.thing.dead") == [1]
    assert "destroyed" in view.text("#rail .one.thing")


def test_a_long_fight_opens_and_scrubs_without_a_pause(
    view: View, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Five thousand events are in sight and at hand in a moment, on a machine that is busy too."""
    store = MemoryStore()
    table = opened(store)
    while table.seq < LENGTH:
        for act in round_of(table):
            table.declare(act)
    view.open(written(store, tmp_path_factory))
    opening = view.js("return performance.getEntriesByType('navigation')[0].loadEventEnd")
    times = []
    for seq in (table.seq, 17, 2500, 4000, 1200):
        began = view.js("return performance.now()")
        scrub(view, seq)
        times.append(view.js("document.body.offsetHeight; return performance.now()") - began)
        assert view.seq() == seq
    print(f"opened in {opening:.0f} ms, sought in {max(times):.0f} ms at worst")
    assert opening < 3000
    assert max(times) < 500


def test_a_long_log_is_checked_in_a_moment(panel: Panel, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Five thousand events, seeded dice and all."""
    store = MemoryStore()
    table = opened(store)
    while table.seq < LENGTH:
        for act in round_of(table):
            table.declare(act)
    table.declare(acts.Close(reason="enough"))
    panel.open(written(store, tmp_path_factory))
    verdict = panel.verdict()
    took = int(verdict.split("(")[1].split(" ")[0])
    print(f"checked in {took} ms: {panel.found()['dice'][1]}")
    assert verdict.startswith("No fault found in 5,")
    assert took < 1500


def test_the_chance_of_winning_is_drawn(view: View, log: SqliteStore, tmp_path: Path) -> None:
    """As a strip under the scrubber that leads to its places, and as a chart with what turned the fight."""
    branch = log.main_line()
    page = tmp_path / "swing.html"
    page.write_text(build(log, branch, swing=swing(log, branch=branch, runs=6)), encoding="utf-8")
    view.open(page)
    label = view.js("return document.querySelector('svg.swing').getAttribute('aria-label')")
    assert label.startswith("Chance of winning: heroes from ")
    assert view.js("return document.querySelectorAll('svg.swing .share').length") == 2
    view.click("svg.swing")
    assert view.seq() > 1
    view.keys("3")
    assert "Chance of winning, in percent" in view.text("#charts")
    assert "6 fights played on from each moment" in view.text("#charts")


def test_nothing_is_drawn_that_nobody_worked_out(view: View, page: Path) -> None:
    """Without chances there is neither strip nor chart of them."""
    view.open(page)
    assert not view.js("return document.querySelector('svg.swing')")
    assert "Chance of winning" not in view.text("#charts")


def test_a_link_to_the_event_is_copied(view: View, page: Path) -> None:
    """Where the browser gives no clipboard, the address stands in a box to copy it from."""
    view.open(page, "#52")
    view.js("window.asked = ''; window.prompt = (_, address) => { window.asked = address; }")
    view.js("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })")
    view.click("#link")
    assert view.js("return window.asked").endswith("#52")


def test_rulings_are_listed(view: View, page: Path, tmp_path: Path) -> None:
    """Beside the branches, each leading to its place; where there is none, nothing stands there."""
    view.open(page)
    assert "Rulings" not in view.text("#branches")
    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    dispute(store, 52, "Anna", "the stones cover her")
    rule(store, "amend", "they do", by="GM", dispute="Q1", changes=("sorcerer.defense+4:cover",))
    ruled = tmp_path / "ruled.html"
    ruled.write_text(build(store), encoding="utf-8")
    view.open(ruled)
    view.keys("4")
    assert view.js("return document.querySelectorAll('#branches .rulings li').length") == 2
    view.click("#branches .rulings li:nth-child(2) button")
    assert view.js("return document.querySelector('#branch').value") == "ruling-R1"
    assert "amended" in view.text("#why .kicker") + view.text("#why .said")
    with_ruling = [
        event.seq
        for event in store.read("ruling-R1")
        if event.type == "attack.resolved" and b"ruling:R1" in event.data
    ]
    scrub(view, with_ruling[0])
    told = view.text("#why")
    assert "By ruling: " in told
    assert "not in this catalogue" not in told
    assert "before the ruling" in told.lower()


def test_an_attack_is_drawn_between_neighbours_and_its_odds_told(
    view: View, page: Path, log: SqliteStore
) -> None:
    """Neighbours get an arc; beside the die stands how many of its faces hit."""
    view.open(page)
    arcs = 0
    for event in log.read(log.main_line()):
        if event.type == "attack.resolved":
            scrub(view, event.seq)
            drawn = view.js("return document.querySelectorAll('.layer-lines .blow').length")
            assert drawn == 1
            arcs += view.js("return document.querySelectorAll('.layer-lines path.blow').length")
            if view.js("return document.querySelectorAll('#why .die').length"):
                assert "chance to hit: " in view.text("#why .rolls")
    assert arcs


def test_names_do_not_cover_each_other(view: View, page: Path, log: SqliteStore) -> None:
    """At every event the names on the map have room of their own."""
    view.open(page)
    code = """
        const boxes = [...document.querySelectorAll('.layer-names text')].map((one) => {
          const { x, y, width, height } = one.getBBox();
          const at = new DOMMatrix(getComputedStyle(one.parentNode).transform);
          return [x + at.e, y + at.f + 3, x + at.e + width, y + at.f + height - 3];
        });
        const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
        return boxes.filter((one, at) => boxes.slice(at + 1).some((other) => meet(one, other))).length;
    """
    for seq in range(20, log.head(log.main_line()).seq, 15):
        scrub(view, seq)
        view.js("for (const one of document.querySelectorAll('.label-of')) one.style.transition = 'none'")
        assert view.js(code) == 0, seq


def test_odds_stand_beside_all_dice(view: View, log: SqliteStore, tmp_path: Path) -> None:
    """Where they were worked out: of attacks, checks and damage, on whichever line the roll was made."""
    page = tmp_path / "odds.html"
    page.write_text(build(log, odds=get_odds_by_branch(log)), encoding="utf-8")
    view.open(page)
    told = set()
    for event in log.read(log.main_line()):
        if event.type in ("attack.resolved", "check.resolved", "damage.resolved"):
            scrub(view, event.seq)
            if view.js("return document.querySelectorAll('#why .die').length"):
                shown = view.text("#why .rolls .odds")
                assert " %" in shown
                told.add(event.type)
    assert {"attack.resolved", "damage.resolved"} <= told


def test_a_token_goes_along_its_path_once(view: View, page: Path, log: SqliteStore) -> None:
    """As the movement is shown, and not again while something else is looked at there."""
    view.open(page)
    moved = next(one for one in log.read(log.main_line()) if one.type == "moved" and b"],[" in one.data)
    running = "return document.getAnimations().filter((one) => one.constructor === Animation).length"
    scrub(view, moved.seq)
    assert view.js(running) == 1
    view.js("document.getAnimations().forEach((one) => one.constructor === Animation && one.finish())")
    view.js("document.querySelector('.token').dispatchEvent(new PointerEvent('pointerenter'))")
    assert view.js(running) == 0


def test_two_lines_are_compared_step_for_step(view: View, page: Path) -> None:
    """A slider goes through the declarations since they parted; both maps and health show each of them."""
    view.open(page)
    view.keys("4")
    view.click("[data-compare]")
    steps = int(view.js("return document.getElementById('compare-step').max"))
    assert steps > 2
    shown = set()
    for step in range(steps + 1):
        view.js(
            "const s = document.getElementById('compare-step'); s.value = arguments[0];"
            " s.dispatchEvent(new Event('input'))",
            step,
        )
        assert view.js("return document.querySelectorAll('#compare .pair .small-map svg').length") == 2
        shown.add(view.text("#compare .pair"))
    assert len(shown) > 2
    assert view.text("#compare .step output").endswith("The end")


def test_a_merged_line_says_of_which_branches_it_was_put_together(
    view: View, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """In the list of lines, and at the rolls that either branch has otherwise; no other event says so."""
    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    keys = [decode(event).key for event in store.read("main") if event.type == "rolled"]
    aimed = [key for key in keys if "/attack/" in key]
    names = [what_if(store, "main", faces={key: (2,)}).name for key in (aimed[0], aimed[-1])]
    made = merge(store, names)
    view.open(written(store, tmp_path_factory))
    view.keys("4")
    assert view.text("#branches .merged") == f"Put together of {', '.join(names)}."
    view.click(f"[data-follow='{made.name}']")
    view.keys("3")
    view.js("for (const one of document.querySelectorAll('.round')) one.fill()")
    told = view.js("return [...document.querySelectorAll('.event .from')].map((one) => one.textContent)")
    assert told == [f"from {name}" for name in names]
    view.js("document.querySelector('.event:has(.from)').click()")
    assert f"this came from {names[0]}" in view.text("#why")
