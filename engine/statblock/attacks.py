"""Attack lines as printed: "2 claws +7 (1d6+5 plus grab), bite +7 (1d6+5) or ..." and the 3.5 forms."""

import re
from typing import Final

from msgspec.structs import replace

from affray.engine.statblock.arms import look_up
from affray.engine.statblock.fields import Field
from affray.engine.statblock.harm import TYPES, harm_of
from affray.engine.statblock.lines import LONGEST_FIELD, LONGEST_NAME, Grade, Note, shown, split_top
from affray.engine.statblock.printed_attack import Attack

LONGEST_ATTACK: Final = 400
_SERIES = re.compile(
    r"(?:^|(?<= ))((?:[+-] ?[0-9]{1,3}|0)(?:/ ?[+-]?[0-9]{1,3})*)(?: each)?"
    r"((?: (?:melee|ranged|incorporeal|touch|attacks?))*)$"
)
_COUNT = re.compile(r"^(?:([0-9]{1,3})|(two|three|four|five|six|eight)) +(?=[+A-Za-z])")
_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8}
_ENHANCED = re.compile(r"^\+([0-9]{1,2}) +(?=\S)")
_MASTERWORK = re.compile(r"^(?:mwk|masterwork)\.? +", re.IGNORECASE)
_RATING = re.compile(r" ?\((?:\+([0-9]{1,2}) Str(?: bonus)?|Str \+([0-9]{1,2}))\)", re.IGNORECASE)
#: ") or2 slams", ") orspear": where print has lost the blank after "or".
_LOST_BLANK = re.compile(r"(?<=\) )or(?=([0-9]|[a-z][a-z ]{0,40}))")
_FLURRY = re.compile(r"(?: with)?(?:^| )flurry(?: of blows)?$")


def read_attacks(field: Field, mode: str, notes: list[Note]) -> list[Attack]:
    """Return the attacks of a field in order. `mode` is what the label says, "" if the text says it."""
    found: list[Attack] = []
    value = _LOST_BLANK.sub(_with_blank, field.value)
    for routine, group in enumerate(split_top(value, " or ", "; or ", ", or ", ";"), 1):
        for piece in [one for text in split_top(group, ",", " and ", ";") for one in _separate(text)]:
            text = piece.removeprefix("or ").removeprefix("and ").strip()
            if text in ("", "-", "none"):
                continue
            attack = _attack(field.line, text, mode, routine) if len(text) <= LONGEST_ATTACK else None
            if attack is None:
                notes.append(Note(field.line, shown(text), *_why_not(text)))
            else:
                # "longbow +8 (1d8) or Rapid Shot +6/+6 (1d8)" shoots the same bow.
                same = attack.name == "rapid shot" and found
                found.append(replace(attack, name=found[-1].name) if same else attack)
    return found


def _with_blank(lost: re.Match[str]) -> str:
    """Return an "or" with the blank that print has lost, and the beginning of "orc double axe" as it is."""
    name = lost[1].strip()
    known = name.isdigit() or (look_up(name, "")[1] and not look_up(f"or{name}", "")[1])
    return "or " if known else "or"


def _separate(text: str) -> list[str]:
    """Return the attacks of a piece where print has lost the comma: "bite +5 (1d6) 2 claws +5 (1d4)"."""
    pieces, depth, start, opening = [], 0, 0, 0
    for at, letter in enumerate(text[:LONGEST_FIELD]):
        if letter == "(":
            opening = opening if depth else at
            depth += 1
        elif letter == ")" and depth:
            depth -= 1
            ended = not depth and _SERIES.search(text[max(start, opening - LONGEST_ATTACK) : opening].strip())
            if ended and text[at + 1 :].strip():
                pieces.append(text[start : at + 1])
                start = at + 1
    return [*pieces, text[start:]] if pieces else [text]


def _why_not(text: str) -> tuple[str, Grade]:
    if len(text) > LONGEST_ATTACK:
        return "too long for one attack: not read", "unread"
    if "swarm" in text.lower():
        return "a swarm hits without a roll: not read", "unplayed"
    return "no attack with a bonus: not read", "unread"


def _attack(line: int, text: str, mode: str, routine: int) -> Attack | None:
    head, damage = _parted(text)
    rating = _RATING.search(head)
    if rating is not None:
        head = head[: rating.start()] + head[rating.end() :]
    series = _SERIES.search(head)
    if series is None:
        return None
    name = head[: series.start()].strip()
    said = series[2].split()
    mode = "ranged" if "ranged" in said else "melee" if "melee" in said else mode
    bonuses = tuple(int(one) for one in series[1].replace(" ", "").replace("+", "").split("/"))
    if name.lower().startswith(("melee ", "ranged ")):
        mode, _, name = name.partition(" ")
        mode = mode.lower()
    if not name and damage:
        # The one-line form: "+9 melee (1d8+3/19-20, longsword)".
        pieces = split_top(damage, ",")
        named = [one for one in pieces if _is_name(one)]
        name = named[0] if named else ""
        damage = ", ".join(one for one in pieces if one != name)
    if not name and "touch" in said:
        name = "touch"
    count, name = _counted(name)
    enhanced = _ENHANCED.match(name)
    name = name[enhanced.end() :] if enhanced else name
    masterwork = _MASTERWORK.match(name)
    name = name[masterwork.end() :] if masterwork else name
    name = name.strip(" ,:*").lower()
    flurry = _FLURRY.search(name)
    name = name[: flurry.start()] or "unarmed strike" if flurry else name
    if not name or len(name) > LONGEST_NAME // 2 or any(letter.isdigit() for letter in name):
        return None
    if not mode:
        mode = "ranged" if look_up(name, mode)[2]["wield"] == "projectile" else "melee"
    return Attack(
        line,
        text,
        mode,
        routine,
        count,
        name,
        bonuses,
        enhancement=int(enhanced[1]) if enhanced else 0,
        masterwork=masterwork is not None,
        touch="touch" in said,
        incorporeal="incorporeal" in said,
        rating=int(rating[1] or rating[2]) if rating else None,
        flurry=flurry is not None,
        **harm_of(damage),
    )


def _is_name(piece: str) -> bool:
    """Say whether a piece of the one-line form is the name of a weapon: "2 claws", not "1d6" or "5 fire"."""
    count = _COUNT.match(piece)
    return not piece[0].isdigit() or (count is not None and piece[count.end() :] not in TYPES)


def _parted(text: str) -> tuple[str, str]:
    """Return what stands before the last parenthesis, and what stands in it."""
    if not text.endswith(")"):
        opening = text.find("(")
        # A parenthesis left open, or words after it: what is before the last one still counts.
        if opening < 0:
            return text.strip(), ""
        before, after = text[:opening].strip(), text[opening + 1 :]
        return (before, after.partition(")")[0]) if _SERIES.search(before) else (text, "")
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if not depth:
            return text[:at].strip(), text[at + 1 : -1].strip()
    return text, ""


def _counted(name: str) -> tuple[int, str]:
    found = _COUNT.match(name)
    if found is None:
        return 1, name
    return int(found[1] or _WORDS[found[2]]), name[found.end() :]
