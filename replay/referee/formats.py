"""The formats of logs from elsewhere, and which of them a text is in."""

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

from affray.events.errors import AffrayError
from affray.events.facts.base import JsonObject
from affray.replay.referee.claims import Claims, Unread
from affray.replay.referee.written_lines import LONGEST, Opening, Page, excused, read_line, read_lines

# --- The text of HTML, a line for each block

_BREAK = re.compile(r"<\s*(?:br|/p|/div|/li|/tr|/h\d|hr)\b[^<>]*>", re.IGNORECASE)
_NO_CHARACTER = re.compile(r"&#\d{8,};?")
"""A number of no character: of thousands of digits none is read."""
_TAG = re.compile(r"<[^<>]{1,2000}>")


def strip_html(html: str) -> str:
    """Return what a reader sees of HTML, without empty lines. O(length)."""
    if "<" not in html and "&" not in html:
        return html
    html = _NO_CHARACTER.sub("\ufffd", html)
    text = unescape(_TAG.sub("", _BREAK.sub("\n", html)))
    return "\n".join(row for row in (" ".join(line.split()) for line in text.split("\n")) if row)


# --- Messages of a JSON export, with the line on which each begins: an array, JSON Lines, or an object

Message = tuple[int, JsonObject]


class BadExport(AffrayError):
    """A text that was said to be a JSON export, and is none."""


def extract_messages(text: str) -> list[Message]:
    """Return the messages of an export and their lines. Raises BadExport. O(length)."""
    try:
        return list(_messages(text))
    except (ValueError, RecursionError) as error:
        raise BadExport(f"no JSON of chat messages: {error}") from None


def _messages(text: str) -> Iterator[Message]:
    decoder, at, line, counted = json.JSONDecoder(), 0, 1, 0
    opened = False
    while True:
        while at < len(text) and (text[at].isspace() or text[at] in ",\ufeff"):
            at += 1
        if at < len(text) and not opened and text[at] == "[":
            opened, at = True, at + 1
            continue
        if at >= len(text) or (opened and text[at] == "]"):
            return
        line += text.count("\n", counted, at)
        counted = at
        value, at = decoder.raw_decode(text, at)
        yield from _inside(line, value)


def _inside(line: int, value: object) -> Iterator[Message]:
    """Yield a message, or those that an object or list around them holds."""
    if isinstance(value, list):
        for one in value:
            yield from _inside(line, one)
    elif isinstance(value, dict):
        if any(key in value for key in ("content", "rolls", "who", "speaker", "flavor", "inlinerolls")):
            yield line, value
        else:
            for one in value.values():
                if isinstance(one, dict | list):
                    yield from _inside(line, one)


# --- Attack logs as people type them, `Gharm attacks Ysolde: hit (12 + 7 = 19)`; what `affray play` tells


def make_line_reader(
    name: str,
    opening: Opening,
    lines: Callable[[str], list[str]] = lambda text: text.split("\n"),
    headed: bool = False,
) -> Callable[[str], Claims]:
    """Return what reads texts of a format; see `read_lines`. `lines` cuts a text."""
    return lambda text: read_lines(name, lines(text), opening, headed)


def make_speaker_finder(*patterns: re.Pattern[str]) -> Opening:
    """Return what says who begins to speak with a line that is as one of these patterns."""

    def opening(line: str) -> tuple[str, str] | None:
        found = next(filter(None, (pattern.match(line) for pattern in patterns)), None)
        return None if found is None else (found["who"].strip(), "")

    return opening


# --- Play by post: what forums make of dice that are written into a post
#
# `1d20+8+2 => (16)+8+2 = 26`, `1d20 + 8 ⇒ (16) + 8 = 24`, `1d20+8: [16]+8 = 24`, `(1d20+8)[16](24)`, `rolled
# 24 using 1d20+8 with rolls of 16`.

_SPEAKER = re.compile(r"^\s*+(?:\|\s*+)?(?P<who>[^\W\d_][^|:=⇒\d]{0,60}?)\s*+\|\s*$")
_WROTE = re.compile(
    r"^\s*+(?:(?:posted by|post by)\s*+)?(?P<who>[^\W\d_][\w'’ .\-]{0,40}?)"
    r"(?:\s+wrote:|\s*,\s*(?:[A-Z][a-z]{2}|\d).*\d:\d\d.*)$",
    re.IGNORECASE,
)
_ROLLED = re.compile(
    r"\brolled (?P<total>-?\d{1,6}) using "
    r"(?P<dice>\d*d\d+(?:\s*[+\-]\s*\d+)*)"
    r"(?: with rolls? of (?P<faces>\d+(?:,\s*\d+)*))?",
    re.IGNORECASE,
)


def _turned(line: str) -> str:
    """Return a line such as `rolled 24 using 1d20+8 with rolls of 16` with its roll in the usual order."""
    found = _ROLLED.search(line)
    if found is None:
        return line
    dice, constants = re.match(r"(\d*d\d+)(.*)", found["dice"].replace(" ", ""), re.IGNORECASE).groups()  # type: ignore[union-attr]
    faces = f" ({found['faces']})" if found["faces"] else ""
    start = found.start("total") - len("rolled ")
    return f"{line[:start]}{dice}{faces}{constants} = {found['total']}{line[found.end() :]}"


# --- What the Discord bot Avrae prints: `**To Hit**: 1d20 (**20**) + 8 = `28``, with struck-out dropped dice

_AVRAE_SPEAKER = re.compile(
    r"^\W*(?P<who>[^\W\d_][\w'’ .\-]{0,40}?) (?:attacks with|makes an? |casts |uses )[^=]*$", re.IGNORECASE
)
_HEADED = re.compile(
    r"^\s*(?P<who>[^\W\d_][\w'’ .\-]{0,40}?)\s++(?:(?:APP|BOT)\s*+)?(?:[—–-]\s*+)?"
    r"(?:Today at |Yesterday at |\d{1,2}/\d{1,2}/).*$"
)


# --- Roll20: the chat as it is copied or saved (`rolling 1d20+8`, `(16)+8`, `= 24`), or its messages as JSON

_ROLLING = re.compile(r"\brolling\s+(?P<what>\S.*)$", re.IGNORECASE)
_ROLL20_SPEAKER = re.compile(r"^\s*(?P<who>[^\W\d_][\w'’ .()\-]{0,40}?):(?!//)(?P<rest>.*)$")
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


class Roll20NotRead(ValueError):
    """A roll of which a part is of a kind that is not read."""


def _roll20_lines(text: str) -> list[str]:
    """Return the lines of a chat that was copied as text or saved as HTML."""
    if "<" in text and re.search(r"<\s*(div|span)\b", text, re.IGNORECASE):
        text = _as_seen(text)
    return _on_one_line(text.split("\n"))


def _speaks(line: str) -> tuple[str, str] | None:
    found = _ROLL20_SPEAKER.match(line)
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
    return "\n".join(strip_html(line).replace("\n", " ") for line in html.split("\n"))


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
            except (Roll20NotRead, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                written.append("a roll")
                page.claims.unread.append(Unread(line, str(one)[:200], f"no roll that can be read: {error}"))
        for row in _rows_of(str(content or "")):
            read_line(page, line, _with_rolls(row, written))
    return excused(page)


def _rows_of(content: str) -> list[str]:
    fields = [f"{name.strip()}: {value.strip()}" for name, value in _FIELD.findall(content)]
    return fields or [row for row in strip_html(content).split("\n") if row]


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
    except (Roll20NotRead, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        page.claims.unread.append(Unread(line, str(content)[:200], f"no roll that can be read: {error}"))
        return
    label = " ".join(str(one.get("text", "")) for one in found["rolls"] if one.get("type") in ("L", "C"))
    said = re.sub(r"^[\s\d dkhlDKHL+\-*/().!<>\[\]]*", "", asked)
    read_line(page, line, " ".join(f"{label or said}: {text}".split()))


def _rolls_text(found: JsonObject) -> str:
    """Return a result as one would write it: `1d20 (16) +8 = 24`. Raises NotRead."""
    if found.get("resultType", "sum") != "sum":
        raise Roll20NotRead("it counts successes")
    terms = " ".join(_one(roll) for roll in found["rolls"] if roll.get("type") not in ("L", "C"))
    total = found["total"]
    if not isinstance(total, int | float) or total != int(total):
        raise Roll20NotRead("it has no whole total")
    return f"{terms} = {int(total)}"


def _one(roll: JsonObject) -> str:
    if roll.get("type") == "M":
        return str(roll["expr"])
    if roll.get("type") != "R" or not isinstance(roll.get("results"), list) or "sides" not in roll:
        raise Roll20NotRead(f"a part of the kind {roll.get('type') or 'unknown'}")
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


# --- Foundry VTT: the chat log as exported to text, or its messages as JSON with their rolls
#
# A text export has `[time] name` over each message and rolls as `1d20 + 8 = 16 + 8 = 24`; in JSON each roll
# is an object, or the text of one, with terms and the result of every die.

HEADER = re.compile(r"^\[(?:\d{1,4}[/.\-]\d{1,2}[/.\-]\d{1,4}|\d{1,2}:\d\d)[^\]]*\](?P<who>.*)$")
_RULE = re.compile(r"^\s*-{5,}\s*$")

FEWEST_WORDS = 60
"""So many characters of the words of a message are read with each of its rolls, however many it has."""


class FoundryNotRead(ValueError):
    """A roll of which a part is of a kind that is not read."""


def _foundry_speaks(line: str) -> tuple[str, str] | None:
    return ("", "") if _RULE.match(line) else make_speaker_finder(HEADER)(line)


def read_foundry_messages(messages: list[Message], lines: int) -> Claims:
    """Return what the messages of an export say."""
    page = Page(Claims("foundry", lines=lines))
    for line, message in messages:
        speaker = message.get("speaker")
        alias = speaker.get("alias") if isinstance(speaker, dict) else message.get("alias")
        page.begin(str(alias or ""))
        flavor = strip_html(str(message.get("flavor") or ""))
        content = strip_html(str(message.get("content") or ""))
        rolls = message.get("rolls") or ([message["roll"]] if message.get("roll") else [])
        rolls = rolls if isinstance(rolls, list) else [rolls]
        # The words are read with each roll: where there are many rolls, long words are cut.
        room = max(FEWEST_WORDS, LONGEST // (len(rolls) or 1))
        for roll in rolls:
            try:
                written = roll_text(json.loads(roll) if isinstance(roll, str) else roll)
            except (FoundryNotRead, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                page.claims.unread.append(Unread(line, str(roll)[:200], f"no roll that can be read: {error}"))
                continue
            said = "" if re.fullmatch(r"-?\d*", content.strip()) else content[:room]
            read_line(page, line, " ".join(f"{flavor[:room]}: {written} {said}".split()))
        if not rolls and content:
            for row in content.split("\n"):
                read_line(page, line, row)
    return excused(page)


def roll_text(roll: JsonObject) -> str:
    """Return a roll as one would write it: `1d20 + 8 = 1d20 (16) + 8 = 24`. Raises NotRead."""
    terms = " ".join(_term(term) for term in roll["terms"])
    total = roll.get("total", roll.get("_total"))
    if not isinstance(total, int | float) or total != int(total):
        raise FoundryNotRead("it has no whole total")
    formula = str(roll.get("formula", roll.get("_formula", "")) or "")
    shown = f"{terms} = {int(total)}"
    return f"{formula} = {shown}" if formula else shown


def _term(term: JsonObject) -> str:
    kind = term.get("class", "")
    label = (term.get("options") or {}).get("flavor")
    said = f"[{label}]" if label else ""
    if kind in ("OperatorTerm", "operator"):
        return str(term["operator"])
    if kind in ("NumericTerm",):
        number = term["number"]
        if number != int(number):
            raise FoundryNotRead("a number with a fraction")
        return f"{int(number)}{said}"
    if kind in ("ParentheticalTerm",) and isinstance(term.get("roll"), dict):
        return f"({' '.join(_term(one) for one in term['roll']['terms'])})"
    if kind in ("Die", "DiceTerm", "D20Die", "DamageDie") or "faces" in term:
        dice = ", ".join(_die(one) for one in term.get("results", []))
        mods = "".join(str(one) for one in term.get("modifiers", []))
        return f"{int(term['number'])}d{int(term['faces'])}{mods} ({dice}){said}"
    raise FoundryNotRead(f"a term of the kind {kind or 'unknown'}")


def _die(result: JsonObject) -> str:
    face = int(result["result"])
    text = f"{face}!" if result.get("exploded") else str(face)
    if result.get("rerolled"):
        return f"{text} rerolled"
    return f"~~{text}~~" if result.get("discarded") or result.get("active") is False else text


READERS: dict[str, Callable[[str], Claims]] = {
    "pbp": make_line_reader(
        "pbp",
        make_speaker_finder(_SPEAKER, _WROTE),
        lambda text: [_turned(line) for line in text.split("\n")],
    ),
    "foundry": make_line_reader("foundry", _foundry_speaks, headed=True),
    "roll20": make_line_reader("roll20", _speaks, _roll20_lines, headed=True),
    "avrae": make_line_reader("avrae", make_speaker_finder(_AVRAE_SPEAKER, _HEADED)),
    "plain": make_line_reader("plain", lambda line: None),
}
"""Format -> what reads a text in it."""

LOOKED_AT = 200_000
"""So many characters tell the format of a text."""

_SIGNS = (
    ("roll20", re.compile(r"\brolling\s+\d*d\d+|inlinerollresult|class=\"message", re.IGNORECASE)),
    (
        "avrae",
        re.compile(
            r"= `-?\d+`|^[^\w\n]*+to hit[^\w\n]*:"
            r"|^(?>[^\n:]*? attacks with an? )(?>(?:[^\n:]*\w)?)[^\w\n!:]*![^\w\n]*$",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
    (
        "plain",
        re.compile(
            r"\bd20 \d+ [+\-] |^(?>.*?\battacks\b).*: (?:hit|miss) \(|^(?>.*?\b(?:hits|misses) ).*\(\d+ \+",
            re.MULTILINE,
        ),
    ),
    ("pbp", re.compile(r"⇒|=>|\brolled -?\d+ using |d\d+\S{0,60}\s{0,9}:\s{0,9}\[\d|\)\[[*\d, ]+\]\(")),
)


def read_claims(text: str, format: str = "auto") -> Claims:
    """Return what a log from elsewhere says; `auto` finds its format.

    Raises BadExport for broken JSON and for what is no text: a database, an archive, a picture.
    """
    if "\0" in text:
        raise BadExport("it holds NUL characters: a database or another binary file, not the text of a chat")
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").removesuffix("\n")
    if text.lstrip()[:1] in ("{", "[") and format in ("auto", "foundry", "roll20"):
        lines = text.count("\n") + 1
        try:
            messages = extract_messages(text)
        except BadExport:
            if not _may_be_text(text, format):
                raise
        else:
            of_roll20 = format == "roll20" or (format == "auto" and any("who" in one for _, one in messages))
            return (read_roll20_messages if of_roll20 else read_foundry_messages)(messages, lines)
    return READERS[format_of(text) if format == "auto" else format](text)


def format_of(text: str) -> str:
    """Return the format that a text is in, by the signs of which it has most; "plain" without any."""
    looked_at = text[:LOOKED_AT]
    if any(HEADER.match(line) for line in looked_at.split("\n")[:50]):
        return "foundry"
    found = [(len(sign.findall(looked_at)), name) for name, sign in _SIGNS]
    most, name = max(found, key=lambda one: one[0])
    return name if most else "plain"


def _may_be_text(text: str, format: str) -> bool:
    """Whether a text that begins with a bracket is no JSON that broke, but text."""
    first = text.lstrip().split("\n", 1)[0]
    return bool(HEADER.match(first)) or not re.match(r"\[?\s*\{\s*\"|\[\s*$|\{\s*$", first)
