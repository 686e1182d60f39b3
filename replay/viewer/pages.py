"""Pages made of their scripts and styles: each one file without external parts."""

import html
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from importlib.resources import files
from io import BytesIO

import msgspec

from affray.events.errors import NotALog, escaped, printable
from affray.events.exports import MAX_LINE, export_jsonl
from affray.events.stores.store import Store
from affray.replay.chance.summaries import Pivots, RollNote, Swing
from affray.replay.viewer.bundle import bundle
from affray.replay.viewer.frames import frames
from affray.replay.viewer.map_picture import Underlay

STYLES = ("base", "parts", "check")
LIVE_STYLES = ("base", "parts", "live", "acting")


def checker() -> str:
    """Return the page that checks any log, players' copy or page dropped on it, without a log of its own."""
    code = put_together("alone", STYLES, policy)
    return filled("checker.html", {**code, "title": "Check a log · Affray"})


def make_live_page() -> str:
    """Return the page for playing a fight; it has no log, and only sends requests to its own server."""
    code = put_together("live", LIVE_STYLES, live_policy)
    return filled("live.html", {**code, "stage": asset("stage.html"), "title": "Affray"})


def make_overlay_page() -> str:
    """Return the transparent page that shows the order and the last outcome of a live fight."""
    code = put_together("overlay", ("base", "parts", "overlay"), live_policy)
    return filled("overlay.html", {**code, "title": "Affray"})


def policy_of(page: str) -> str:
    """Return the content security policy in a page, for the server to send as well."""
    return page.partition('Content-Security-Policy" content="')[2].partition('"')[0]


def put_together(entry: str, styles: Iterable[str], states: Callable[[str, str], str]) -> dict[str, str]:
    """Return the contents of the slots of script, style and policy."""
    script = f'"use strict";\n(() => {{\n{script_of(entry)}\n}})();\n'
    style = "\n".join(asset(f"{name}.css") for name in styles)
    return {
        "policy": states(script, style),
        "style": f"<style>{style}</style>",
        "script": f"<script>{script}</script>",
    }


def filled(name: str, parts: Mapping[str, str]) -> str:
    """Return the page of that name with its slots filled."""
    # In one pass: text inserted into a slot is never searched for slots again.
    first, *rest = (asset("head.html") + asset(name)).split("<!-- slot ")
    page = [first]
    for piece in rest:
        slot, _, after = piece.partition(" -->")
        page += (parts[slot], after)
    return "".join(page)


def policy(script: str, style: str) -> str:
    """Return the policy of a page that sends no requests."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def live_policy(script: str, style: str) -> str:
    """Return the policy of a page that only sends requests to its own server."""
    return f"{policy(script, style)}; connect-src 'self'"


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def script_of(entry: str) -> str:
    """Return the code of a module of the pages and of all modules that it imports."""
    return bundle(entry, lambda name: asset(f"{name}.js"))


def asset(name: str) -> str:
    """Return a part of the pages, unchanged from its file."""
    return (files("affray.replay.viewer") / "page" / name).read_text(encoding="utf-8")


# --- The HTML file: page, style and scripts in one, with the log inside and no external parts
#
# All text by people is data here, protected twice: the log and the frames are in script elements of types
# that no browser runs, with every `<` escaped so that none can end early, and the content security policy
# allows only the one script of the page, by its hash, and no network.

LOG_OPENS = b'<script type="application/x-ndjson" id="log">\n'
LOG_ENDS = b"</script>\n"


def build(
    store: Store,
    branch: str = "",
    rulebook: str = "",
    swing: Swing | None = None,
    odds: dict[str, list[RollNote]] | None = None,
    pivots: Pivots | None = None,
    picture: Underlay | None = None,
) -> str:
    """Return the log of a store, every branch of it, as one HTML page that opens on `branch`.

    The main line for "". Rules link to the page at the address `rulebook`, if given; win chances along a line
    are drawn, odds shown next to the dice, pivots listed and a picture drawn under the map, if given.
    O(events of all branches, and for each branch the way to its beginning). Raises UnknownStream, BrokenLog,
    NewerLog.
    """
    shown = frames(store, branch or store.main_line())
    shown.rulebook, shown.swing, shown.odds, shown.pivots = rulebook, swing, odds or {}, pivots
    shown.picture = picture
    log = BytesIO()
    export_jsonl(store, log)
    parts = {
        **put_together("main", STYLES, policy),
        "stage": asset("stage.html"),
        "title": html.escape(printable(f"{shown.title} · Affray")),
        "log": f"{LOG_OPENS.decode()}{_escaped(log.getvalue()).decode()}{LOG_ENDS.decode()}",
        "frames": escaped(msgspec.json.encode(shown).replace(b"<", b"\\u003c").decode()),
    }
    return filled("page.html", parts)


def log_lines(page: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of the log in a viewer page, exactly as they were exported.

    `page` is a binary file or any iterable of lines. Raises NotALog if there is no log in it.
    """
    readline = getattr(page, "readline", None)
    # Lines of a file are read with a limit; escaping makes a line at most five times as long.
    lines = iter(lambda: readline(5 * MAX_LINE), b"") if readline else iter(page)
    if LOG_OPENS not in lines:
        raise NotALog("no exported log: this HTML file contains none")
    for line in lines:
        if line == LOG_ENDS:
            return
        yield line.replace(b"&lt;", b"<").replace(b"&amp;", b"&")


def _escaped(log: bytes) -> bytes:
    """Return bytes in which no tag and no comment can begin; `log_lines` and the page undo it."""
    return log.replace(b"&", b"&amp;").replace(b"<", b"&lt;")
