"""The text of HTML, a line for each block."""

import re
from html import unescape

_BREAK = re.compile(r"<\s*(?:br|/p|/div|/li|/tr|/h\d|hr)\b[^<>]*>", re.IGNORECASE)
_NO_CHARACTER = re.compile(r"&#\d{8,};?")
"""A number of no character: of thousands of digits none is read."""
_TAG = re.compile(r"<[^<>]{1,2000}>")


def plain_text(html: str) -> str:
    """Return what a reader sees of HTML, without empty lines. O(length)."""
    if "<" not in html and "&" not in html:
        return html
    html = _NO_CHARACTER.sub("\ufffd", html)
    text = unescape(_TAG.sub("", _BREAK.sub("\n", html)))
    return "\n".join(row for row in (" ".join(line.split()) for line in text.split("\n")) if row)
