"""TOML that people wrote, read in bounds of time."""

import re
import tomllib
from typing import Any

# A key of many parts ("a.b.c...") takes the parser a time that grows with the square of their number.
_DEEP_KEY = re.compile(r"""(?<![\w-])(?:(?>[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*+\.[ \t]*+){50}""")


def parsed(text: str) -> dict[str, Any]:
    """Return what a TOML text holds. Raises ValueError, however deep it nests."""
    if _DEEP_KEY.search(text):
        raise ValueError("nested too deeply")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
