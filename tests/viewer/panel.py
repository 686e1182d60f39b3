"""The panel of the check, as a reader uses it."""

from pathlib import Path

from tests.viewer.view import View

LIST = (
    "return Object.fromEntries([...document.querySelectorAll('#check-list li')].map("
    "one => [one.dataset.check, [one.className, one.lastChild.textContent]]))"
)


class Panel(View):
    """The panel of the check."""

    def verdict(self) -> str:
        """Return the verdict as soon as it is there."""
        from selenium.webdriver.support.wait import WebDriverWait

        done = (
            "const one = document.getElementById('check-verdict');return /good|open|bad/.test(one.className)"
        )
        WebDriverWait(self.browser, 30, 0.05).until(lambda _: self.js(done))
        return self.text("#check-verdict")

    def found(self) -> dict[str, list[str]]:
        """Return of each check whether it is good, open or bad, and what is told."""
        found: dict[str, list[str]] = self.js(LIST)
        return found

    def load(self, path: Path) -> str:
        """Have another file checked and return the verdict."""
        from selenium.webdriver.common.by import By

        self.js(
            "const one = document.getElementById('check-verdict');one.className = '';one.textContent = ''"
        )
        self.browser.find_element(By.ID, "check-file").send_keys(str(path))
        return self.verdict()

    def compared(self, seal: str) -> str:
        """Return what is said of a seal that was noted."""
        from selenium.webdriver.common.by import By

        field = self.browser.find_element(By.ID, "check-seal")
        field.clear()
        field.send_keys(seal, "\n")
        return self.text("#check-compared")


def put(folder: Path, data: bytes, name: str = "log.jsonl") -> Path:
    """Write bytes into a file."""
    file = folder / name
    file.write_bytes(data)
    return file
