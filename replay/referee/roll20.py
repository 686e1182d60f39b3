"""Roll20: the chat as it is copied or saved (`rolling 1d20+8`, `(16)+8`, `= 24`), or its messages as JSON."""

import json
import re
from typing import Any

from affray.replay.referee.claims import Claims, Unread
from affray.replay.referee.html_text import plain_text
from affray.replay.referee.json_messages import Message
from affray.replay.referee.written import LONGEST, Page, excused, read_line, read_lines

_ROLLING = re.compile(r"\brolling\s+(?P<what>\S.*)$", re.IGNORECASE)
_SPEAKER = re.compile(r"^\s*(?P<who>[^\W\d_][\w'’ .()\-]{0,40}?):(?!//)(?P<rest>.*)$")
_NO_SPEAKER = re.compile(
    r"attack|damage|roll|to hit|save|check|confirm|crit|fort|ref|will|init", re.IGNORECASE
)
_TITLE = re.compile(
    r"<span(?>[^<>]*?\stitle=(?=[\"']))(?:\"(?P<title>[^\"]*+)\"|'(?P<quoted>[^']*+)')[^<>]*+>(?P<total>[^<>]*+)</span>",
    re.IGNORECASE,
)
_DROPPED = re.compile(
    r"<(?:div|span)(?>[^<>]*?\bdropped\b)[^<>]*+>(?:\s*+<[^<>]*+>){0,9}+\s*+(?P<face>\d{1,4})", re.IGNORECASE
)
_INLINE = re.compile(r"\$\[\[(\d{1,4})\]\]")
_FIELD = re.compile(r"\{\{([^{}=]{0,80})=([^{}]*)\}\}")
MOST = 60
"""A roll that is copied stands on at most so many lines."""


_TOTAL = re.compile(r"=\s*-?\d+$")
LONGEST_TOTAL = 40
"""So many characters at the end of a roll are looked through for its total."""


class NotRead(ValueError):
    """A roll of which a part is of a kind that is not read."""


def read_roll20(text: str) -> Claims:
    """Return what a chat says that was copied as text or saved as HTML."""
    if "<" in text and re.search(r"<\s*(div|span)\b", text, re.IGNORECASE):
        text = _as_seen(text)
    return read_lines("roll20", _on_one_line(text.split("\n")), _speaks, headed=True)


def _speaks(line: str) -> tuple[str, str] | None:
    found = _SPEAKER.match(line)
    if found is None or _NO_SPEAKER.search(found["who"]):
        return None
    return found["who"].strip(), found["rest"]


def _as_seen(html: str) -> str:
    """Return what a saved page shows, as many lines as it has; what rolls hide in titles stands there too."""

    def titled(found: re.Match[str]) -> str:
        title = _DROPPED.sub(r"~~\g<face>~~", _unescaped(found["title"] or found["quoted"] or ""))
        title = re.sub(r"^.*?rolling\s+", "", re.sub(r"<[^<>]*>", "", title), flags=re.IGNORECASE | re.DOTALL)
        return f"{title} = {found['total'].strip()}" + "\n" * found[0].count("\n")

    html = _DROPPED.sub(r"~~\g<face>~~", _TITLE.sub(titled, html))
    return "\n".join(plain_text(line).replace("\n", " ") for line in html.split("\n"))


def _unescaped(title: str) -> str:
    return title.replace("&quot;", '"').replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _on_one_line(lines: list[str]) -> list[str]:
    """Return the lines with each roll that stands on several put on its first; the others are then empty."""
    rows = list(lines)
    for place, line in enumerate(rows):
        found = _ROLLING.search(line)
        if found is None or "=" in found["what"]:
            continue
        shown = ""
        for upto in range(place + 1, min(len(rows), place + MOST)):
            if _ROLLING.search(rows[upto]) or len(shown) > LONGEST:
                break
            shown += rows[upto].strip()
            if _TOTAL.search(shown[-LONGEST_TOTAL:]):
                rows[place] = (
                    f"{line[: found.start()]}{' ' * 7}{line[found.start() + 7 :].rstrip()} => {shown}"
                )
                rows[place + 1 : upto + 1] = [""] * (upto - place)
                break
    return rows


def read_roll20_messages(messages: list[Message], lines: int) -> Claims:
    """Return what the messages of a chat say."""
    page = Page(Claims("roll20", lines=lines))
    for line, message in messages:
        page.begin(str(message.get("who") or "").removesuffix(":"))
        content = message.get("content")
        if message.get("type") in ("rollresult", "gmrollresult"):
            _result(page, line, content, str(message.get("origRoll") or ""))
            continue
        inline = message.get("inlinerolls") or []
        written = []
        for one in inline if isinstance(inline, list) else []:
            try:
                written.append(_rolls_text(one["results"]))
            except (NotRead, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                written.append("a roll")
                page.claims.unread.append(Unread(line, str(one)[:200], f"no roll that can be read: {error}"))
        for row in _rows_of(str(content or "")):
            read_line(page, line, _with_rolls(row, written))
    return excused(page)


def _rows_of(content: str) -> list[str]:
    fields = [f"{name.strip()}: {value.strip()}" for name, value in _FIELD.findall(content)]
    return fields or [row for row in plain_text(content).split("\n") if row]


def _with_rolls(row: str, written: list[str]) -> str:
    """Return a line with the rolls written where it names them, as far as a line is read."""
    parts: list[str] = []
    at = length = 0
    for found in _INLINE.finditer(row):
        place = int(found[1])
        parts += row[at : found.start()], written[place] if place < len(written) else "a roll"
        at = found.end()
        length += len(parts[-2]) + len(parts[-1])
        if length > LONGEST:
            break
    return "".join(parts) + row[at:]


def _result(page: Page, line: int, content: Any, asked: str) -> None:
    try:
        found = json.loads(content) if isinstance(content, str) else content
        text = _rolls_text(found)
    except (NotRead, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        page.claims.unread.append(Unread(line, str(content)[:200], f"no roll that can be read: {error}"))
        return
    label = " ".join(str(one.get("text", "")) for one in found["rolls"] if one.get("type") in ("L", "C"))
    said = re.sub(r"^[\s\d dkhlDKHL+\-*/().!<>\[\]]*", "", asked)
    read_line(page, line, " ".join(f"{label or said}: {text}".split()))


def _rolls_text(found: dict[str, Any]) -> str:
    """Return a result as one would write it: `1d20 (16) +8 = 24`. Raises NotRead."""
    if found.get("resultType", "sum") != "sum":
        raise NotRead("it counts successes")
    terms = " ".join(_one(roll) for roll in found["rolls"] if roll.get("type") not in ("L", "C"))
    total = found["total"]
    if not isinstance(total, int | float) or total != int(total):
        raise NotRead("it has no whole total")
    return f"{terms} = {int(total)}"


def _one(roll: dict[str, Any]) -> str:
    if roll.get("type") == "M":
        return str(roll["expr"])
    if roll.get("type") != "R" or not isinstance(roll.get("results"), list) or "sides" not in roll:
        raise NotRead(f"a part of the kind {roll.get('type') or 'unknown'}")
    mods = ""
    given = roll.get("mods") or {}
    for name, value in given.items() if isinstance(given, dict) else []:
        if name in ("keep", "drop"):
            mods += f"{name[0]}{value['end']}{int(value['count'])}"
        elif name == "exploding":
            mods += "!"
        elif name == "reroll":
            mods += "rr"
        elif name not in ("customCrit", "customFumble", "sort"):
            mods += "s"  # what changes them is not known: what they come to is not judged by it
    dice = ", ".join(
        f"~~{int(one['v'])}~~" if one.get("d") or one.get("rr") else str(int(one["v"]))
        for one in roll["results"]
    )
    return f"{int(roll['dice'])}d{int(roll['sides'])}{mods} ({dice})"
