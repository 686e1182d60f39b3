"""Pages to open, and a browser to open them in where the machine has one."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from affray.engine.table.scenario import packaged, play
from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet, Weapon
from affray.events.stores.sqlite import SqliteStore
from affray.events.stores.store import Store
from affray.replay.log.branches import fork
from affray.replay.viewer import build, checker
from affray.replay.whatif.what_if import what_if
from tests.viewer.panel import Panel
from tests.viewer.served import Served, Window, begin, serving

HOSTILE = "</script><script>alert(1)</script>"
QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that start a browser as slow."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    """The packaged srd35 fight with a what-if in which the ogre misses, and a bare fork."""
    with SqliteStore(tmp_path_factory.mktemp("viewer") / "fight.db") as store:
        play(packaged("demo_srd35"), store)
        what_if(store, "main", at=52, faces={"d10/aoo:ogre/attack/1": (2,)}, name="missed")
        fork(store, "r2", "idle")
        yield store


@pytest.fixture(scope="session")
def page(log: SqliteStore, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That log as a page."""
    return written(log, tmp_path_factory)


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a fight in which every name and text tries to break out of it."""
    with SqliteStore(tmp_path_factory.mktemp("hostile") / "fight.db") as store:
        hostile_fight(store)
        return written(store, tmp_path_factory)


def hostile_fight(store: Store) -> Table:
    """Play a round between combatants whose names are HTML."""
    table = Table.create(
        store, dialect="srd35", terrain=("....", "...."), name=f"<!--<script> {HOSTILE}", seed=b"x"
    )
    weapon = Weapon(f"<img src=x onerror=alert(2)> & {HOSTILE}", "1d4")
    for number, side in enumerate((HOSTILE, "&lt;b&gt;")):
        sheet = Sheet(f"{HOSTILE}{number}", hp=9, weapons=(weapon,))
        enter = acts.Enter(id=f"<b>{number}", side=side, sheet=sheet, at=(number, 0), initiative=9 - number)
        assert table.declare(enter).refused is None
    assert table.declare(acts.Begin()).refused is None
    table.declare(acts.Speak(actor="<b>0", words=f"&amp; {HOSTILE} <!--"))
    table.declare(acts.Attack(actor="<b>0", target="<b>1"))
    return table


def written(store: Store, factory: pytest.TempPathFactory) -> Path:
    """Write a store's page into a file."""
    file = factory.mktemp("page") / "fight.html"
    file.write_text(build(store), encoding="utf-8", newline="\n")
    return file


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Headless Chromium, logging its console and its network; skips where there is none."""
    pytest.importorskip("selenium", reason="selenium is not installed (pip install -e '.[browser]')")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("this machine has no chromium and chromedriver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for word in (*QUIET, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}", "--window-size=1280,800"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    running = webdriver.Chrome(options=options, service=Service(driver))
    # Without a window the page would have no focus to give.
    running.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
    yield running
    running.quit()


@pytest.fixture
def panel(browser: Any) -> Iterator[Panel]:
    """A page to open; afterwards its console must be empty and the network untouched."""
    shown = Panel(browser)
    yield shown
    assert shown.logs() == ([], [])


@pytest.fixture(scope="session")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checker as a page of its own."""
    file = tmp_path_factory.mktemp("checker") / "checker.html"
    file.write_text(checker(), encoding="utf-8", newline="\n")
    return file


@pytest.fixture(scope="session")
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
    """The game master's window and the player's, both at the table; nothing may go wrong in them."""
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
