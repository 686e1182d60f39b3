"""The open page as a reader sees it, driven through Selenium."""

import json
from pathlib import Path
from typing import Any

SECONDS = 10
"""A page that is not there by then has failed."""


class View:
    """The open page as a reader sees it."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self.loaded = 0

    def open(self, page: Path, place: str = "") -> "View":
        """Open a page afresh, at a place."""
        from selenium.webdriver.support.wait import WebDriverWait

        self.browser.get("about:blank")
        self.logs()
        self.browser.get(f"{page.as_uri()}{place}")
        # A busy machine may answer from the blank page for a moment, which makes way in a process of its own.
        ready = "return document.documentElement.dataset.ready === 'yes'"
        WebDriverWait(self.browser, SECONDS, 0.05).until(lambda _: self.js(ready))
        return self

    def js(self, code: str, *values: Any) -> Any:
        """Run a script in the page."""
        return self.browser.execute_script(code, *values)

    def text(self, query: str) -> str:
        """Return the text of the first element, also of one that is not in sight."""
        return str(self.js("return document.querySelector(arguments[0]).textContent", query))

    def click(self, query: str) -> None:
        """Click an element as a person would."""
        from selenium.webdriver.common.by import By

        self.browser.find_element(By.CSS_SELECTOR, query).click()

    def keys(self, *keys: str, shift: bool = False) -> None:
        """Press keys wherever the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        chain = ActionChains(self.browser)
        for key in keys:
            pressed = getattr(Keys, key, key)
            chain = chain.key_down(Keys.SHIFT) if shift else chain
            chain = chain.send_keys(pressed)
            chain = chain.key_up(Keys.SHIFT) if shift else chain
        chain.perform()

    def seq(self) -> int:
        """Return the event in question."""
        return int(self.js("return document.getElementById('scrubber').value"))

    def points(self) -> dict[str, str]:
        """Return the hit points on the rail, by name."""
        return dict(
            self.js(
                "return [...document.querySelectorAll('#rail .one')].map("
                "one => [one.querySelector('.called').textContent, one.querySelector('.points').textContent])"
            )
        )

    def logs(self) -> tuple[list[str], list[str]]:
        """Return what the console said and which addresses were asked for since the last time."""
        said = [entry["message"] for entry in self.browser.get_log("browser")]
        asked = []
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"])
        self.loaded += sum(url.startswith("file:") for url in asked)
        return said, [url for url in asked if not url.startswith(("file:", "data:", "blob:", "about:"))]
