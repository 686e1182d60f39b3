"""Foundry VTT: the chat log as exported to text, or its messages as JSON with their rolls.

A text export has `[time] name` over each message and rolls as `1d20 + 8 = 16 + 8 = 24`; in JSON each roll is
an object, or the text of one, with terms and the result of every die.
"""

import json
import re
from typing import Any

from affray.replay.referee.claims import Claims, Unread
from affray.replay.referee.html_text import plain_text
from affray.replay.referee.json_messages import Message
from affray.replay.referee.written import LONGEST, Page, excused, read_line, read_lines

HEADER = re.compile(r"^\[(?:\d{1,4}[/.\-]\d{1,2}[/.\-]\d{1,4}|\d{1,2}:\d\d)[^\]]*\](?P<who>.*)$")
_RULE = re.compile(r"^\s*-{5,}\s*$")

FEWEST_WORDS = 60
"""So many characters of the words of a message are read with each of its rolls, however many it has."""


class NotRead(ValueError):
    """A roll of which a part is of a kind that is not read."""


def read_foundry(text: str) -> Claims:
    """Return what an exported chat log says."""
    return read_lines("foundry", text.split("\n"), _speaks, headed=True)


def _speaks(line: str) -> tuple[str, str] | None:
    if _RULE.match(line):
        return "", ""
    found = HEADER.match(line)
    return None if found is None else (found["who"].strip(), "")


def read_foundry_messages(messages: list[Message], lines: int) -> Claims:
    """Return what the messages of an export say."""
    page = Page(Claims("foundry", lines=lines))
    for line, message in messages:
        speaker = message.get("speaker")
        alias = speaker.get("alias") if isinstance(speaker, dict) else message.get("alias")
        page.begin(str(alias or ""))
        flavor = plain_text(str(message.get("flavor") or ""))
        content = plain_text(str(message.get("content") or ""))
        rolls = message.get("rolls") or ([message["roll"]] if message.get("roll") else [])
        rolls = rolls if isinstance(rolls, list) else [rolls]
        # The words are read with each roll: where there are many rolls, long words are cut.
        room = max(FEWEST_WORDS, LONGEST // (len(rolls) or 1))
        for roll in rolls:
            try:
                written = roll_text(json.loads(roll) if isinstance(roll, str) else roll)
            except (NotRead, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                page.claims.unread.append(Unread(line, str(roll)[:200], f"no roll that can be read: {error}"))
                continue
            said = "" if re.fullmatch(r"-?\d*", content.strip()) else content[:room]
            read_line(page, line, " ".join(f"{flavor[:room]}: {written} {said}".split()))
        if not rolls and content:
            for row in content.split("\n"):
                read_line(page, line, row)
    return excused(page)


def roll_text(roll: dict[str, Any]) -> str:
    """Return a roll as one would write it: `1d20 + 8 = 1d20 (16) + 8 = 24`. Raises NotRead."""
    terms = " ".join(_term(term) for term in roll["terms"])
    total = roll.get("total", roll.get("_total"))
    if not isinstance(total, int | float) or total != int(total):
        raise NotRead("it has no whole total")
    formula = str(roll.get("formula", roll.get("_formula", "")) or "")
    shown = f"{terms} = {int(total)}"
    return f"{formula} = {shown}" if formula else shown


def _term(term: dict[str, Any]) -> str:
    kind = term.get("class", "")
    label = (term.get("options") or {}).get("flavor")
    said = f"[{label}]" if label else ""
    if kind in ("OperatorTerm", "operator"):
        return str(term["operator"])
    if kind in ("NumericTerm",):
        number = term["number"]
        if number != int(number):
            raise NotRead("a number with a fraction")
        return f"{int(number)}{said}"
    if kind in ("ParentheticalTerm",) and isinstance(term.get("roll"), dict):
        return f"({' '.join(_term(one) for one in term['roll']['terms'])})"
    if kind in ("Die", "DiceTerm", "D20Die", "DamageDie") or "faces" in term:
        dice = ", ".join(_die(one) for one in term.get("results", []))
        mods = "".join(str(one) for one in term.get("modifiers", []))
        return f"{int(term['number'])}d{int(term['faces'])}{mods} ({dice}){said}"
    raise NotRead(f"a term of the kind {kind or 'unknown'}")


def _die(result: dict[str, Any]) -> str:
    face = int(result["result"])
    text = f"{face}!" if result.get("exploded") else str(face)
    if result.get("rerolled"):
        return f"{text} rerolled"
    return f"~~{text}~~" if result.get("discarded") or result.get("active") is False else text
