"""The HTML file: page, style and scripts in one, with the log inside and nothing from elsewhere.

Everything that people wrote is data in here, twice fenced: the log and the frames stand in script
elements of types that no browser runs, with every `<` escaped so that none can end early, and the
content security policy admits exactly the one script of the page, by its hash, and no network at all.
"""

import html
from collections.abc import Iterable, Iterator
from io import BytesIO

import msgspec

from affray.events.errors import NotALog, printable
from affray.events.jsonl import MAX_LINE, export_jsonl
from affray.events.store import Store
from affray.events.wording import escaped
from affray.replay.drawn_chances import Beside, Swing
from affray.replay.found_pivots import Pivots
from affray.replay.map_picture import Underlay
from affray.replay.viewer.frames import frames
from affray.replay.viewer.pages import SCRIPTS, STYLES, asset, filled, policy, put_together

LOG_OPENS = b'<script type="application/x-ndjson" id="log">\n'
LOG_ENDS = b"</script>\n"


def build(
    store: Store,
    branch: str = "",
    rulebook: str = "",
    swing: Swing | None = None,
    odds: dict[str, list[Beside]] | None = None,
    pivots: Pivots | None = None,
    picture: Underlay | None = None,
) -> str:
    """Return the log of a store, every branch of it, as one HTML page that opens on `branch`.

    The main line for "". Rules link to the page at the address `rulebook`, if there is one; the chances of
    winning along a line are drawn, odds told beside the dice, pivots listed and a picture drawn under the
    map, if they are given. O(events of all branches, and for each branch the way to its beginning). Raises
    UnknownStream, BrokenLog, NewerLog.
    """
    shown = frames(store, branch or store.main_line())
    shown.rulebook, shown.swing, shown.odds, shown.pivots = rulebook, swing, odds or {}, pivots
    shown.picture = picture
    log = BytesIO()
    export_jsonl(store, log)
    parts = {
        **put_together(SCRIPTS, STYLES, policy),
        "stage": asset("stage.html"),
        "title": html.escape(printable(f"{shown.title} · Affray")),
        "log": f"{LOG_OPENS.decode()}{_escaped(log.getvalue()).decode()}{LOG_ENDS.decode()}",
        "frames": escaped(msgspec.json.encode(shown).replace(b"<", b"\\u003c").decode()),
    }
    return filled("page.html", parts)


def log_lines(page: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of the log that a viewer page carries, exactly as they were exported.

    `page` is a binary file or any iterable of lines. Raises NotALog if there is no log in it.
    """
    readline = getattr(page, "readline", None)
    # A file is asked for bounded lines; escaping makes a line at most five times as long.
    lines = iter(lambda: readline(5 * MAX_LINE), b"") if readline else iter(page)
    if LOG_OPENS not in lines:
        raise NotALog("no exported log: this HTML file carries none")
    for line in lines:
        if line == LOG_ENDS:
            return
        yield line.replace(b"&lt;", b"<").replace(b"&amp;", b"&")


def _escaped(log: bytes) -> bytes:
    """Return bytes in which no tag and no comment can begin; `log_lines` and the page undo it."""
    return log.replace(b"&", b"&amp;").replace(b"<", b"&lt;")
