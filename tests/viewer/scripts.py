"""The scripts of the page without the page: its functions asked one by one, to be held against Python's."""

from collections.abc import Sequence
from typing import Any

from affray.replay.viewer.pages import script_of


def asked(browser: Any, code: str, *values: Any) -> Any:
    """Return what a function body over the scripts of the check returns; its arguments are `values`."""
    return browser.execute_script(f'"use strict";\n{script_of("checking")}\n{code}', *values)


def each(browser: Any, code: str, cases: Sequence[Sequence[Any]]) -> list[Any]:
    """Return what an expression over `one` comes to for each case; an error is told as its message.

    Bytes go as hexadecimal digits.
    """
    body = (
        "return arguments[0].map((one) => {"
        f"try {{ return {code}; }} catch (error) {{ return String(error.message); }} }});"
    )
    plain = [[value.hex() if isinstance(value, bytes) else value for value in case] for case in cases]
    found: list[Any] = asked(browser, body, plain)
    return found
