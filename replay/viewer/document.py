"""The HTML file: page, style and scripts in one, with the log inside and nothing from elsewhere.

Everything that people wrote is data in here, twice fenced: the log and the frames stand in script
elements of types that no browser runs, with every `<` escaped so that none can end early, and the
content security policy admits exactly the one script of the page, by its hash, and no network at all.
"""

import html
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from importlib.resources import files
from io import BytesIO

import msgspec

from affray.events.errors import NotALog, printable
from affray.events.jsonl import MAX_LINE, export_jsonl
from affray.events.store import Store
from affray.events.wording import escaped
from affray.replay.drawn_chances import Beside, Swing
from affray.replay.viewer.frames import frames

CHECKS = (
    *("dom", "sha256", "blake2b", "notation", "keyed", "sealed", "origin"),
    *("chain", "links", "draws", "rows", "dice", "audit", "checking"),
)
"""The scripts of the check, which a page without a log has too."""
VIEWS = (
    *("log", "map", "tokens", "areas", "sidebar", "why", "events", "charts", "luck"),
    *("swing", "branches", "transport", "app"),
)
"""What draws a fight, saved or live."""
SCRIPTS = (*CHECKS, *VIEWS, "main")
LIVE = (
    *("dom", "notation", "origin", *VIEWS),
    *("session", "feed", "told", "mainline", "dialogs", "perform", "reach", "cursor"),
    *("acting", "acts", "saying", "rolling", "asked", "settling", "sharing", "live"),
)
"""The scripts of the page that `affray serve` serves."""
OVERLAY = ("dom", "log", "sidebar", "session", "feed", "told", "mainline", "overlay")
STYLES = ("base", "parts", "check")
LIVE_STYLES = ("base", "parts", "live", "acting")
LOG_OPENS = b'<script type="application/x-ndjson" id="log">\n'
LOG_ENDS = b"</script>\n"


def build(
    store: Store,
    branch: str = "",
    rulebook: str = "",
    swing: Swing | None = None,
    odds: dict[str, list[Beside]] | None = None,
) -> str:
    """Return the log of a store, every branch of it, as one HTML page that opens on `branch`.

    The main line for "". Rules link to the page at the address `rulebook`, if there is one; the chances of
    winning along a line are drawn and odds told beside the dice, if they are given. O(events of all branches,
    and for each branch the way to its beginning). Raises UnknownStream, BrokenLog, NewerLog.
    """
    shown = frames(store, branch or store.main_line())
    shown.rulebook, shown.swing, shown.odds = rulebook, swing, odds or {}
    log = BytesIO()
    export_jsonl(store, log)
    parts = {
        **_code(SCRIPTS, STYLES, _policy),
        "stage": _asset("stage.html"),
        "title": html.escape(printable(f"{shown.title} · Affray")),
        "log": f"{LOG_OPENS.decode()}{_escaped(log.getvalue()).decode()}{LOG_ENDS.decode()}",
        "frames": escaped(msgspec.json.encode(shown).replace(b"<", b"\\u003c").decode()),
    }
    return _filled("page.html", parts)


def checker() -> str:
    """Return the page that checks any log, players' copy or page that is dropped on it, and carries none."""
    code = _code((*CHECKS, "alone"), STYLES, _policy)
    return _filled("checker.html", {**code, "title": "Check a log · Affray"})


def live_page() -> str:
    """Return the page on which a fight is played; it has no log, and asks the server it comes from alone."""
    code = _code(LIVE, LIVE_STYLES, _live_policy)
    return _filled("live.html", {**code, "stage": _asset("stage.html"), "title": "Affray"})


def overlay_page() -> str:
    """Return the page that shows the order and the last outcome of a live fight, on nothing."""
    code = _code(OVERLAY, ("base", "parts", "overlay"), _live_policy)
    return _filled("overlay.html", {**code, "title": "Affray"})


def policy_of(page: str) -> str:
    """Return the content security policy that a page states itself, for a server to state it too."""
    return page.partition('Content-Security-Policy" content="')[2].partition('"')[0]


def _code(scripts: Iterable[str], styles: Iterable[str], policy: Callable[[str, str], str]) -> dict[str, str]:
    """Return what goes into the slots of script, style and policy."""
    script = f'"use strict";\n(() => {{\n{_joined(scripts, "js")}\nmain();\n}})();\n'
    style = _joined(styles, "css")
    return {
        "policy": policy(script, style),
        "style": f"<style>{style}</style>",
        "script": f"<script>{script}</script>",
    }


def _filled(name: str, parts: Mapping[str, str]) -> str:
    # In one pass: what was put into a slot is never looked at for slots again.
    first, *rest = (_asset("head.html") + _asset(name)).split("<!-- slot ")
    page = [first]
    for piece in rest:
        slot, _, after = piece.partition(" -->")
        page += (parts[slot], after)
    return "".join(page)


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


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _live_policy(script: str, style: str) -> str:
    return f"{_policy(script, style)}; connect-src 'self'"


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _joined(names: Iterable[str], kind: str) -> str:
    return "\n".join(_asset(f"{name}.{kind}") for name in names)


def _asset(name: str) -> str:
    return (files("affray.replay.viewer") / "page" / name).read_text(encoding="utf-8")
