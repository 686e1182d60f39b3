"""A server of its own process on a free port, and windows of a real browser that look at it."""

import json
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from affray.engine.table.scenario import packaged, play
from affray.events.stores.sqlite import SqliteStore
from affray.replay.log.branches import fork, promote
from affray.replay.workers import PYTHON
from tests.ports import free_port
from tests.viewer.view import SECONDS, View

BETWEEN = """
const real = window.fetch.bind(window);
const held = [], kept = [];
window.loses = 0;
window.asked = [];
window.release = () => { window.holds = false; while (held.length) held.shift()(); };
window.answer = () => { window.keeps = false; while (kept.length) kept.shift()(); };
const late = (stream) => stream.pipeThrough(new TransformStream({
  async transform(chunk, out) {
    if (window.holds) await new Promise((go) => held.push(go));
    out.enqueue(chunk);
  },
}));
window.fetch = async (path, options = {}) => {
  if (options.body) window.asked.push([path, JSON.parse(options.body)]);
  const answer = await real(path, options);
  if (options.body && window.loses > 0) {
    window.loses--;
    await answer.text();
    throw new TypeError("the answer was lost");
  }
  if (options.body && window.keeps) await new Promise((go) => kept.push(go));
  if (!String(path).startsWith("/feed") || !answer.body) return answer;
  return new Response(late(answer.body), { status: answer.status, headers: answer.headers });
};
"""
"""Between page and network: `holds` keeps the feed back, `keeps` answers, `loses` loses so many of these."""


def begin(db: Path) -> None:
    """Lay down the packaged srd35 fight, with its first turn to be played anew on a line of its own."""
    with SqliteStore(db) as store:
        play(packaged("demo_srd35"), store)
        fork(store, "r1.t1", "live")
        promote(store, "live", "test")


class Served:
    """A fight that is served: a copy of one that was laid down."""

    def __init__(self, begun: Path, folder: Path) -> None:
        self.db = folder / "fight.db"
        for end in ("", "-secrets"):
            shutil.copy(f"{begun}{end}", f"{self.db}{end}")
        self.port = free_port()
        self.links: dict[str, str] = {}
        self.running: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start the server, on the port that it had before."""
        words = [*PYTHON, "-m", "affray.replay.cli", "serve", str(self.db), "--port", str(self.port)]
        words += ["--player", "fighter,sorcerer", "--onlooker", "--json"]
        self.running = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert self.running.stdout is not None
        text = ""
        while not text.strip().endswith("}") or not _is_json(text):
            line = self.running.stdout.readline()
            assert line, "the server has ended"
            text += line
        told = json.loads(text)
        self.links = {one["role"]: one["link"] for one in told["guests"]}

    def kill(self) -> None:
        """End the server as a power cut does."""
        if self.running is not None:
            self.running.send_signal(signal.SIGKILL)
            self.running.wait()
            assert self.running.stdout is not None
            self.running.stdout.close()
            self.running = None

    def declared(self) -> list[str]:
        """Return the acts that stand in the log on its main line, in order."""
        with SqliteStore(self.db, readonly=True) as store:
            line = store.read(store.main_line())
            return [json.loads(event.data)["act"]["act"] for event in line if event.type == "declared"]


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@contextmanager
def serving(begun: Path, folder: Path) -> Iterator[Served]:
    """Serve a copy of a fight while the block runs."""
    served = Served(begun, folder)
    served.start()
    try:
        yield served
    finally:
        served.kill()


class Window(View):
    """A window of the browser; whatever is asked of it is asked in it."""

    def __init__(self, browser: Any, handle: str) -> None:
        super().__init__(browser)
        self.handle = handle

    @classmethod
    def opened(cls, browser: Any) -> "Window":
        """Open another window, in which the test can stand between page and network."""
        browser.switch_to.new_window("window")
        browser.set_window_size(1280, 800)
        browser.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": BETWEEN})
        return cls(browser, browser.current_window_handle)

    def here(self) -> "Window":
        """Turn to this window."""
        self.browser.switch_to.window(self.handle)
        return self

    def js(self, code: str, *values: Any) -> Any:
        return self.here().browser.execute_script(code, *values)

    def click(self, query: str) -> None:
        self.here()
        super().click(query)

    def keys(self, *keys: str, shift: bool = False) -> None:
        self.here()
        super().keys(*keys, shift=shift)

    def go(self, address: str, ready: str = "yes") -> "Window":
        """Open an address and wait until the page is there."""
        self.here().browser.get("about:blank")
        self.browser.get(address)
        self.until(f"document.documentElement.dataset.ready === '{ready}'")
        return self

    def until(self, condition: str, *values: Any) -> None:
        """Wait until something holds in the page."""
        from selenium.common.exceptions import TimeoutException
        from selenium.webdriver.support.wait import WebDriverWait

        try:
            WebDriverWait(self.here().browser, 3 * SECONDS, 0.05).until(
                lambda _: self.js(f"return Boolean({condition})", *values)
            )
        except TimeoutException:
            notes = self.js("return document.getElementById('notes')?.textContent")
            dialog = self.js("return document.querySelector('dialog[open]')?.textContent")
            raise AssertionError(
                f"not so: {condition} {values}; it says {self.text('#now')!r}, {notes!r}, {dialog!r}"
            ) from None

    def shows(self, query: str, words: str) -> None:
        """Wait until an element says something."""
        self.until("document.querySelector(arguments[0])?.textContent.includes(arguments[1])", query, words)

    def acts_as(self, name: str) -> None:
        """Wait until it is that combatant's turn in this window, and what is open has come."""
        self.until(
            "(([acts, scrubber]) => acts?.dataset.position?.endsWith(`:${scrubber.max}`)"
            " && scrubber.value === scrubber.max"
            " && acts.querySelector('#actor')?.selectedOptions[0]?.textContent === arguments[0])"
            "(['act', 'scrubber'].map(id => document.getElementById(id)))",
            f"{name} (its turn)",
        )

    def wrong(self) -> list[str]:
        """Return what the console says of errors, but for answers that say no and a server that is away."""
        self.here()
        said = [one["message"] for one in self.browser.get_log("browser") if one["level"] == "SEVERE"]
        return [one for one in said if "Failed to load resource" not in one and "net::ERR_" not in one]


def attack(master: Window) -> None:
    """Let the ogre strike the sorcerer, by a click on her and on what is offered first."""
    master.acts_as("Gharm")
    master.click("#map .layer-tokens [data-id=sorcerer]")
    master.shows("#act .aimed", "To Ysolde")
    master.click("#act .aimed [data-act=attack]")
    master.shows("#now", "Ysolde has 5 hit points")
