"""Pages, put together of their scripts and styles: each one file, with nothing from elsewhere."""

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
from affray.replay.viewer.frames import frames
from affray.replay.viewer.map_picture import Underlay

CHECKS = (
    *("dom", "sha256", "blake2b", "notation", "keyed", "sealed", "origin"),
    *("chain", "links", "draws", "rows", "dice", "audit", "checking"),
)
"""The scripts of the check, which a page without a log has too."""
VIEWS = (
    *("log", "map", "tokens", "areas", "sidebar", "blame", "why", "events", "charts", "luck"),
    *("swing", "pivots", "branches", "transport", "app"),
)
"""What draws a fight, saved or live."""
SCRIPTS = (*CHECKS, *VIEWS, "main")
LIVE = (
    *("dom", "notation", "origin", *VIEWS),
    *("session", "feed", "told", "mainline", "dialogs", "perform", "reach", "cursor"),
    *("ownway", "entering", "liveodds", "liveswing"),
    *("acting", "acts", "saying", "rolling", "asked", "held", "settling", "sharing", "live"),
)
"""The scripts of the page that `affray serve` serves."""
OVERLAY = ("dom", "log", "sidebar", "session", "feed", "told", "mainline", "overlay")
STYLES = ("base", "parts", "check")
LIVE_STYLES = ("base", "parts", "live", "acting")


def checker() -> str:
    """Return the page that checks any log, players' copy or page that is dropped on it, and carries none."""
    code = put_together((*CHECKS, "alone"), STYLES, policy)
    return filled("checker.html", {**code, "title": "Check a log · Affray"})


def make_live_page() -> str:
    """Return the page on which a fight is played; it has no log, and asks the server it comes from alone."""
    code = put_together(LIVE, LIVE_STYLES, live_policy)
    return filled("live.html", {**code, "stage": asset("stage.html"), "title": "Affray"})


def make_overlay_page() -> str:
    """Return the page that shows the order and the last outcome of a live fight, on nothing."""
    code = put_together(OVERLAY, ("base", "parts", "overlay"), live_policy)
    return filled("overlay.html", {**code, "title": "Affray"})


def policy_of(page: str) -> str:
    """Return the content security policy that a page states itself, for a server to state it too."""
    return page.partition('Content-Security-Policy" content="')[2].partition('"')[0]


def put_together(
    scripts: Iterable[str], styles: Iterable[str], states: Callable[[str, str], str]
) -> dict[str, str]:
    """Return what goes into the slots of script, style and policy."""
    script = f'"use strict";\n(() => {{\n{_joined(scripts, "js")}\nmain();\n}})();\n'
    style = _joined(styles, "css")
    return {
        "policy": states(script, style),
        "style": f"<style>{style}</style>",
        "script": f"<script>{script}</script>",
    }


def filled(name: str, parts: Mapping[str, str]) -> str:
    """Return the page of that name with its slots filled."""
    # In one pass: what was put into a slot is never looked at for slots again.
    first, *rest = (asset("head.html") + asset(name)).split("<!-- slot ")
    page = [first]
    for piece in rest:
        slot, _, after = piece.partition(" -->")
        page += (parts[slot], after)
    return "".join(page)


def policy(script: str, style: str) -> str:
    """Return the policy of a page that asks nobody for anything."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def live_policy(script: str, style: str) -> str:
    """Return the policy of a page that asks the server alone that it comes from."""
    return f"{policy(script, style)}; connect-src 'self'"


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _joined(names: Iterable[str], kind: str) -> str:
    return "\n".join(asset(f"{name}.{kind}") for name in names)


def asset(name: str) -> str:
    """Return a part of the pages as it stands in its file."""
    return (files("affray.replay.viewer") / "page" / name).read_text(encoding="utf-8")


# --- The HTML file: page, style and scripts in one, with the log inside and nothing from elsewhere
#
# Everything that people wrote is data in here, twice fenced: the log and the frames stand in script elements
# of types that no browser runs, with every `<` escaped so that none can end early, and the content security
# policy admits exactly the one script of the page, by its hash, and no network at all.

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
