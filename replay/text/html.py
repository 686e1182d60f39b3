"""The frame of a page that stands by itself: no script, no network, nothing that people wrote is markup."""

import re
from html import escape

from affray.events.errors import printable
from affray.replay.text.rulebook_links import link_rules

_FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
pre { font: 13px/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
pre { border-left: 3px solid #8888; padding-left: 1rem }
table { border-collapse: collapse; width: 100%; table-layout: fixed }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-top: 1px solid #8886 }
small { display: block; color: GrayText; overflow-wrap: anywhere }
</style>
</head>
<body>
{body}
</body>
</html>
"""


_TAG = re.compile(r"(<[^>]*>)")


def _anchor(text: str, address: str) -> str:
    return f'<a href="{strip_markup(address)}">{text}</a>'


def strip_markup(text: str) -> str:
    """Return a text in which nothing is markup, and nothing turns the line around."""
    return escape(printable(text))


def framed(title: str, body: list[str], rulebook: str = "") -> str:
    """Return a page with a heading and these blocks of HTML below it; only the title is escaped here.

    Rules that the blocks name lead into the rulebook at that address.
    """
    title = strip_markup(title)
    if rulebook:
        parts = _TAG.split("\n".join(body))
        parts[::2] = [link_rules(text, rulebook, _anchor) for text in parts[::2]]
        body = ["".join(parts)]
    blocks = "\n".join([f"<h1>{title}</h1>", *body])
    return _FRAME.replace("{title}", title, 1).replace("{body}", blocks, 1)
