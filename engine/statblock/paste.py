"""Pasted blocks: tables, labels on separate lines, lines broken at any column."""

import html
import re
from collections.abc import Callable, Iterable, Set
from itertools import pairwise
from typing import Final

from msgspec import Struct

from affray.engine.record.blocks import LONGEST_TEXT as LONGEST_TEXT
from affray.engine.record.blocks import Grade as Grade
from affray.engine.record.blocks import Note as Note
from affray.engine.record.blocks import StatBlockError as StatBlockError
from affray.events.facts.sheet import KINDS, SIZES

# --- Words that a page has split at a hyphen: "Multi-" at the end of a line, "attack" at the start of the
# next

#: More letters than any word has.
LONGEST_WORD: Final = 40
_CUT = re.compile(r"(?<![\w-])([A-Za-z][A-Za-z-]*)-$")
_REST = re.compile(r"[a-z]+")


#: Returns the known words, once they are needed.
Words = Callable[[], Set[str]]


def unhyphenated(
    lines: Iterable[tuple[int, str]], words: Words
) -> tuple[list[tuple[int, str]], dict[int, int]]:
    """Return the lines, joined where a known word was split, with the length of their last parts.

    A compound keeps its hyphen; lines with an unknown word stay separate. Linear.
    """
    found: list[tuple[int, str]] = []
    ends: dict[int, int] = {}
    for number, line in lines:
        cut = _CUT.search(found[-1][1][-LONGEST_WORD:]) if found else None
        rest = _REST.match(line)
        if cut is not None and rest is not None:
            whole, compound = f"{cut[1]}{rest[0]}".lower(), f"{cut[1]}-{rest[0]}".lower()
            if whole in words() or compound in words():
                first, before = found[-1]
                found[-1] = (first, f"{before[:-1] if whole in words() else before}{line}")
                ends[first] = len(line)
                continue
        found.append((number, line))
    return found, ends


# --- Pasted text made plain: one kind of dash and quote, bounded lines, splitting outside parentheses

LONGEST_FIELD: Final = 4_000
SHOWN: Final = 160
#: The limits of a sheet: letters of a name, and names in a list.
LONGEST_NAME: Final = 200
MOST_NAMES: Final = 200

_SIGNS = {ord(dash): "-" for dash in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\uff0d"}
_OTHERS = {
    0x00D7: "x",
    0x2018: "'",
    0x2019: "'",
    0x201C: '"',
    0x201D: '"',
    0x00A0: " ",
    0x2009: " ",
    0x202F: " ",
    0x00AD: None,
    0x200B: None,
    0xFEFF: None,
    0xFB01: "fi",
    0xFB02: "fl",
}
_PLAIN: Final = str.maketrans({**_SIGNS, **_OTHERS})
_BREAK = re.compile(r"<(?:p|br|div|li|tr|h[1-6])\b[^<>]{0,80}>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,80}>")
_DASH = re.compile(r"&[mn]dash;?")
_BLANKS = re.compile(r"\s+")
#: Cells of tables, in HTML, wikis and sheets: a bar separates them.
_CELL = re.compile(r"<t[dh]\b[^<>]{0,80}>|\|\||!!|\t", re.IGNORECASE)
_LINK = re.compile(r"\[\[(?:[^\[\]|]{0,80}\|)?([^\[\]|]{0,80})\]\]|\[([^\[\]]{1,80})\]\([^() ]{1,200}\)")
_EMPHASIS = re.compile(r"\*\*|__|'{2,5}|`|(?<![\w*])[*_](?=[^\s*_][^*_]{0,80}[*_](?!\w))")
_BULLET = re.compile(r"^(?:#{1,6}|>|=+|[-*\u2022] (?=\W{0,3}[A-Za-z]))\s*")
_TABLE = ("{|", "|}", "|-", "|+")


def plain_lines(text: str) -> list[tuple[int, str]]:
    """Return the lines that are not blank, numbered from 1, in plain characters. Linear.

    Raises StatBlockError if the text is too long for one stat block.
    """
    if len(text) > LONGEST_TEXT:
        raise StatBlockError(f"a stat block of {len(text)} characters: more than {LONGEST_TEXT}")
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith(_TABLE):
            continue
        for part in _BREAK.split(_DASH.sub("-", line)):
            plain = _TAG.sub("", html.unescape(_CELL.sub("|", _LINK.sub(r"\1\2", part))).translate(_PLAIN))
            plain = _EMPHASIS.sub("", _BULLET.sub("", plain.strip()))
            plain = _BLANKS.sub(" ", "".join(c if c.isprintable() else " " for c in plain)).strip(" *_|!")
            if any(letter.isalnum() for letter in plain):
                found.append((number, plain))
    return found


def split_top(text: str, *separators: str) -> list[str]:
    """Return the pieces of a text between separators outside all parentheses, trimmed. Linear.

    Empty pieces are left out. A closing parenthesis too many is a character like any other.
    """
    pieces, depth, start, at = [], 0, 0, 0
    while at < len(text):
        letter = text[at]
        if letter in "([":
            depth += 1
        elif letter in ")]":
            depth = max(0, depth - 1)
        elif not depth:
            found = next((one for one in separators if text.startswith(one, at)), "")
            if found:
                pieces.append(text[start:at])
                at += len(found)
                start = at
                continue
        at += 1
    pieces.append(text[start:])
    return [piece for piece in (piece.strip() for piece in pieces) if piece]


def without_parentheses(text: str) -> tuple[str, list[str]]:
    """Return the text outside parentheses and the contents of the outermost ones, in order. Linear."""
    outside, inside, depth, start = [], [], 0, 0
    for at, letter in enumerate(text):
        if letter == "(":
            if not depth:
                outside.append(text[start:at])
                start = at + 1
            depth += 1
        elif letter == ")" and depth:
            depth -= 1
            if not depth:
                inside.append(text[start:at].strip())
                start = at + 1
    (inside if depth else outside).append(text[start:])
    return _BLANKS.sub(" ", " ".join(outside)).strip(), inside


def is_open(text: str) -> bool:
    """Return whether a parenthesis of the text is still open at its end."""
    return text.count("(") > text.count(")")


def shown(text: str) -> str:
    """Return the text, cut to the width of a table."""
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def fitting_names(names: Iterable[str], kind: str, line: int, notes: list[Note]) -> tuple[str, ...]:
    """Return names within the limits of a sheet; the others are noted."""
    kept: list[str] = []
    for name in names:
        if len(name) <= LONGEST_NAME and len(kept) < MOST_NAMES:
            kept.append(name)
        else:
            reason = f"longer than the name of a {kind} may be, or more of them: not kept"
            notes.append(Note(line, shown(name), reason, "unplayed"))
    return tuple(kept)


def first_of(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words, each once, in order."""
    return tuple(dict.fromkeys(word for word in words if word))


ABILITIES: Final = frozenset({"str", "dex", "con", "int", "wis", "cha"})
#: Longer lines than this are paragraphs: then no column has broken them.
WIDEST_COLUMN: Final = 130
#: Rows with several values that make a table of several creatures.
SIDE_BY_SIDE: Final = 3
#: Semicolons at least in a block in the one-line form.
FIELDS_OF_PARAGRAPH: Final = 6
SEPARATOR: Final = "|"
_GAP = re.compile(r"(?:\t| {3,})[ \t]*")
_RULE = re.compile(r"^[-:=+ |]*$")
_SPLIT_WORD = re.compile(r"[A-Za-z]-$|[0-9][-/]$")
_UNFINISHED = re.compile(r"^[A-Za-z0-9+-]")

Lines = list[tuple[int, str]]
#: Returns the label at the beginning of a text, with the length of the label; "" for none.
Labelled = Callable[[str], str]


def logical_lines(
    text: str, label: Labelled, labels: Iterable[str], sections: frozenset[str], words: Words
) -> Lines:
    """Return the lines of a pasted block as they were before a page or a table broke them. Linear.

    Raises StatBlockError for a text too long, and for several creatures side by side.
    """
    refuse_columns(text, label)
    cut = rows(plain_lines(text), label)
    lines, lengths = unhyphenated(cut, words)
    column = max((len(line) for _, line in cut), default=0)
    paragraph = " ".join(line for _, line in lines)
    if paragraph.count(";") >= FIELDS_OF_PARAGRAPH and all(
        len(one) + 1 + len(after.split(" ", 1)[0]) > column for (_, one), (_, after) in pairwise(cut)
    ):
        # The one-line form, broken: a paragraph has no short line but its last.
        return [(lines[0][0], paragraph)]
    joined, ends = alone(lines, label)
    if column > WIDEST_COLUMN:
        return joined
    ends = lengths | ends
    broken = [(number, line, ends.get(number, len(line)) + 1) for number, line in joined]
    return whole(broken, column, label, frozenset(labels), sections)


def refuse_columns(text: str, label: Labelled) -> None:
    """Refuse a text with two creatures side by side, separated by gaps."""
    several = 0
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > WIDEST_COLUMN * 4 or SEPARATOR in line:
            continue
        pieces = [one.strip() for one in _GAP.split(line.strip()) if one.strip()]
        first = label(pieces[0]) if len(pieces) > 1 else ""
        if not first:
            continue
        bare = pieces[0].rstrip(": ").lower() == first.lower()
        others = pieces[1:] if bare else pieces
        same = len(pieces) > 1 and any(label(one) == first for one in pieces[1:])
        several += len(others) > 1 and not any(label(one) for one in others[1:])
        if same or several >= SIDE_BY_SIDE:
            raise side_by_side(number)


def side_by_side(number: int) -> StatBlockError:
    """Return the error of a text with several creatures in columns."""
    return StatBlockError(f"line {number}: several creatures side by side: paste one column alone")


def rows(lines: Lines, label: Labelled) -> Lines:
    """Return the lines with the rows of tables, cells separated by bars, written out as labels and values."""
    found: Lines = []
    heads: list[str] = []
    for number, line in lines:
        if SEPARATOR not in line:
            found.append((number, line))
            continue
        if _RULE.match(line):
            continue
        cells = [one.strip(" *_!") for one in line.strip("|! ").split(SEPARATOR)]
        cells = [one for one in cells if one]
        if len(cells) > 2 and all(_is_head(one, label) for one in cells):
            heads = cells
        elif heads and len(cells) == len(heads):
            found.append((number, _pairs(heads, cells)))
            heads = []
        elif len(cells) > 1 and _is_head(cells[0], label):
            if len(cells) % 2 == 0 and all(_is_head(one, label) for one in cells[::2]):
                found.append((number, _pairs(cells[::2], cells[1::2])))
            else:
                raise side_by_side(number)
        elif cells:
            found.append((number, " ".join(cells)))
    return found


def _is_head(cell: str, label: Labelled) -> bool:
    """Return whether a cell is only a label."""
    plain = cell.rstrip(": ")
    return plain.lower() in ABILITIES or (bool(plain) and label(f"{plain}:").lower() == plain.lower())


def _pairs(heads: list[str], cells: list[str]) -> str:
    """Return labels and their values in one line."""
    names = [one.rstrip(": ") for one in heads]
    if all(one.lower() in ABILITIES for one in names):
        return ", ".join(f"{name.title()} {cell}" for name, cell in zip(names, cells, strict=True))
    return "; ".join(f"{name}: {cell}" for name, cell in zip(names, cells, strict=True))


def alone(lines: Lines, label: Labelled) -> tuple[Lines, dict[int, int]]:
    """Return the lines, a label alone on its line joined with the next, and the length of the label's
    line.
    """
    found: Lines = []
    ends: dict[int, int] = {}
    waiting: tuple[int, str] | None = None
    for number, line in lines:
        if waiting is not None:
            if label(line):
                found.append(waiting)
            else:
                ends[waiting[0]] = len(line)
                number, line = waiting[0], f"{waiting[1].rstrip(':')}: {line}"
            waiting = None
        plain = line.rstrip(": ")
        if label(f"{plain}:") == plain and (line.endswith(":") or label(f"{plain} +1 (1") == plain):
            waiting = (number, line)
        else:
            found.append((number, line))
    return ([*found, waiting] if waiting is not None else found), ends


def whole(
    lines: list[tuple[int, str, int]],
    column: int,
    label: Labelled,
    labels: frozenset[str],
    sections: frozenset[str],
) -> Lines:
    """Return the lines, joined where they were broken because the next word did not fit in the column.

    The longest line is as wide as the column, or nearly. Each line is given with the column where one more
    word would have begun.
    """
    found: Lines = []
    begun = False
    last = 0
    for number, line, end in lines:
        full = last + len(line.split(" ", 1)[0]) > column
        full = full and (begun or found[-1][1].endswith(" CR"))
        last = end
        lone = label(f"{line.rstrip(':')}:") == line.rstrip(":")  # its value is on another line: no label
        if full:
            before = found[-1][1]
            moved = _label_across(before, line, labels)
            if moved:
                line = f"{moved} {line}"
                found[-1] = (found[-1][0], before[: -len(moved)].rstrip())
            elif (not label(line) or lone) and line.lower().rstrip(":") not in sections:
                glue = "" if _SPLIT_WORD.search(before) and _UNFINISHED.match(line) else " "
                found[-1] = (found[-1][0], f"{before}{glue}{line}")
                continue
        begun = begun or bool(label(line))
        found.append((number, line))
    return found


def _label_across(before: str, line: str, labels: frozenset[str]) -> str:
    """Return the words at the end of a line that are a label only with the words of the next; "" for none."""
    words = before.rsplit(" ", 2)
    for count in (1, 2):
        tail = " ".join(words[-count:])
        joined = f"{tail} {line}"
        if any(one.startswith(f"{tail} ") and joined.startswith(one) for one in labels):
            return tail
    return ""


# --- A pasted block cut into its labelled fields, under all names of the editions

#: Labels that the books print before a value, and their fields. The longest label that fits counts.
LABELS: Final[dict[str, str]] = {
    "Initiative": "init",
    "Init": "init",
    "Senses": "senses",
    "Aura": "aura",
    "Armor Class": "ac",
    "Defense": "ac",
    "AC": "ac",
    "Hit Points": "hp",
    "Hit Dice": "hd",
    "HD": "hd",
    "hp": "hp",
    "Fort": "saves",
    "Saves": "saves",
    "Saving Throws": "saves",
    "SV": "saves",
    "Ref": "saves",
    "Will": "saves",
    "Defensive Abilities": "defensive abilities",
    "Damage Reduction": "dr",
    "DR": "dr",
    "Immunities": "immune",
    "Immunity": "immune",
    "Immune": "immune",
    "Resistances": "resist",
    "Resistance": "resist",
    "Resist": "resist",
    "Spell Resistance": "sr",
    "SR": "sr",
    "Weaknesses": "weaknesses",
    "Weakness": "weaknesses",
    "Vulnerability": "weaknesses",
    "Vulnerabilities": "weaknesses",
    "Speed": "speed",
    "Spd": "speed",
    "Melee": "melee",
    "Ranged": "ranged",
    "Single Attack": "attack",
    "Attacks": "full attack",
    "Damage": "damage",
    "Attack": "attack",
    "Atk": "attack",
    "Full Attack": "full attack",
    "Full Atk": "full attack",
    "Atk Options": "attack options",
    "Attack Options": "attack options",
    "Space/Reach": "space/reach",
    "Face/Reach": "space/reach",
    "FS": "space",
    "Space": "space",
    "Reach": "reach",
    "Special Attacks": "special attacks",
    "SA": "special attacks",
    "Special Qualities": "special qualities",
    "SQ": "special qualities",
    "Spell-Like Abilities": "spells",
    "Spell-like Abilities": "spells",
    "Psychic Magic": "spells",
    "Psi-Like Abilities": "spells",
    "Powers Known": "spells",
    "Spells Known": "spells",
    "Spells Prepared": "spells",
    "Spells Per Day": "spells",
    "Spells per Day": "spells",
    "Extracts Prepared": "spells",
    "Spells": "spells",
    "Domains": "spells",
    "Bloodline": "spells",
    "Opposition Schools": "spells",
    "Str": "abilities",
    "Abilities": "abilities",
    "Base Attack/Grapple": "base attack/grapple",
    "Base Attack Bonus": "base attack",
    "Base Atk": "base attack",
    "BAB": "base attack",
    "Base Attack": "base attack",
    "Grapple": "grapple",
    "Grp": "grapple",
    "Grap": "grapple",
    "CMB": "cmb",
    "CMD": "cmd",
    "Feats": "feats",
    "Skills": "skills",
    "Size/Type": "type",
    "Type": "type",
    "Skills and Feats": "skills and feats",
    "Challenge Rating": "challenge",
    "CR": "challenge",
    "XP": "challenge",
    "Alignment": "alignment",
    "AL": "alignment",
    "Allegiances": "alignment",
    "Mas": "massive damage",
    "AP": "ecology",
    "Rep": "ecology",
    "Action Points": "ecology",
    "Reputation": "ecology",
    "Occupation": "ecology",
    "Languages": "languages",
    "Environment": "ecology",
    "Climate/Terrain": "ecology",
    "Organization": "ecology",
    "Treasure": "ecology",
    "Advancement": "ecology",
    "Level Adjustment": "ecology",
    "Combat Gear": "gear",
    "Other Gear": "gear",
    "Gear": "gear",
    "Possessions": "gear",
    "Before Combat": "tactics",
    "During Combat": "tactics",
    "Morale": "tactics",
    "Base Statistics": "tactics",
    "Racial Modifiers": "skills",
}
#: Words that also occur in prose: without a colon they begin a field only if numbers or parentheses follow.
SPEAKING: Final = frozenset(
    {
        *("Attack", "Abilities", "Saves", "Type", "Spells", "Reach", "Resistance", "Gear", "Will"),
        *("Vulnerability", "Attacks", "Damage", "Domains", "Bloodline"),
    }
)
#: Numeric fields: a text that continues in words, as "Improved Initiative, Run" does, is none of them.
NUMBERS: Final = frozenset(
    {"ac", "base attack", "base attack/grapple", "cmb", "cmd", "grapple", "init", "massive damage", "sr"}
)
#: Fields whose label is part of the printed text.
KEPT: Final = frozenset({"Fort", "Ref", "Will", "Str"})
#: Fields that may be repeated and add up.
REPEATED: Final = frozenset(
    {"saves", "challenge", "ecology", "gear", "tactics", "spells", "skills", "languages"}
)
#: Lines that one field may go on over.
MOST_JOINED: Final = 40
SECTIONS: Final = frozenset(
    {"defense", "offense", "statistics", "tactics", "ecology", "special abilities", "description", "combat"}
)
PROSE: Final = frozenset({"special abilities", "description", "combat"})

_NAMES = "|".join(re.escape(name) for name in sorted(LABELS, key=len, reverse=True))
_OF_CLASS = re.compile(
    r"^(?:[A-Z][A-Za-z'-]+ ){1,4}(?=(?:Spells|Extracts|Powers|Formulae|Spell-[Ll]ike Abilities)\b)"
)
_STRIKES = re.compile(r"[+-] ?[0-9]{1,3}\b[^()]{0,40}\([^()]{0,20}[0-9]d[0-9]")
_FIELD = re.compile(rf"({_NAMES})(?![A-Za-z/-])\s*(:?)\s*(.*)")
_COLON = re.compile(rf"({_NAMES})\s*:\s*(.*)", re.IGNORECASE)
_BY_LOWER = {name.lower(): name for name in LABELS}
_TYPE = re.compile(
    rf"(?:(?:LG|LN|LE|NG|N|NE|CG|CN|CE|Any alignment|Always [a-z ]+|Usually [a-z ]+) )?"
    rf"(?:{'|'.join(SIZES)})(?:-size)? [A-Za-z ]*\b(?:{'|'.join(KINDS)})\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[(+-]{0,2} ?[0-9]|-(?: |$)|$|none\b", re.IGNORECASE)
_GOES_ON = re.compile(r"[a-z(+,;0-9-]")
_AND = (",", " and", " or", " plus")
_SPELL_LIST = re.compile(r"(?:at will|constant|[0-9]+/|[0-9]+(?:st|nd|rd|th)|0 )", re.IGNORECASE)


class Field(Struct, frozen=True, gc=False):
    """One labelled value: the line it begins on, its canonical name, what is printed."""

    line: int
    name: str
    value: str


def cut(text: str, words: Words) -> tuple[list[tuple[int, str]], list[Field], list[Note]]:
    """Return the lines before the first field, the fields and everything else. Linear in the text.

    Lines that a page has broken are joined, `words` distinguishing split words from compounds; of a field
    printed twice the first counts. Raises StatBlockError for a text too long.
    """
    head: list[tuple[int, str]] = []
    fields: list[Field] = []
    notes: list[Note] = []
    section = ""
    joined = 0
    for number, line in logical_lines(text, label_of, LABELS, SECTIONS, words):
        if line.lower().rstrip(":") in SECTIONS:
            section = line.lower().rstrip(":")
            continue
        if section in PROSE:
            notes.append(Note(number, shown(line), "described in prose: not read"))
            continue
        last = fields[-1] if fields else None
        found = [] if last and is_open(last.value) else _labelled(number, line, bool(fields))
        begun = any(one.name != "challenge" for one in fields)
        goes_on = bool(last and (_GOES_ON.match(line) or is_open(last.value) or last.value.endswith(_AND)))
        if not found and not begun:
            head.append((number, line))
        elif found and (found[0].name or not begun or not goes_on):
            for one in found:
                if one.name:
                    fields.append(one)
                elif not begun:
                    head.append((one.line, one.value))
                else:
                    notes.append(_unknown(number, one.value))
            joined = 0
        elif last and last.name == "spells" and _SPELL_LIST.match(line):
            notes.append(Note(number, shown(line), "spells are not read: add them to the sheet", "unplayed"))
        elif last and goes_on:
            joined += 1
            if len(last.value) + len(line) < LONGEST_FIELD and joined <= MOST_JOINED:
                fields[-1] = Field(last.line, last.name, f"{last.value} {line}")
                fields[-1:] = _labelled_again(fields[-1])
            else:
                notes.append(Note(number, shown(line), "the field goes on too long: not read", "unread"))
        else:
            notes.append(_unknown(number, line))
    return head, _once(fields, notes), notes


def _labelled(number: int, line: str, begun: bool) -> list[Field]:
    """Return the fields of a line; a piece with the name "" is one without a label."""
    fields: list[Field] = []
    pieces = split_top(line[:LONGEST_FIELD].replace(". Skills and Feats:", "; Skills and Feats:"), ";")
    if not begun and ":" in line and len(pieces) > 2 and not _of_label(pieces[0]):
        # The one-line form begins "Name, what it is: first field; ...".
        before, _, after = pieces[0].partition(":")
        pieces[:1] = [before.strip(), after.strip()]
    for piece in pieces:
        known = _of_label(piece)
        if known is not None:
            fields.append(Field(number, LABELS[known[0]], known[1]))
        elif fields and fields[-1].name:
            fields[-1] = Field(number, fields[-1].name, f"{fields[-1].value}; {piece}")
        elif piece:
            fields.append(Field(number, "", piece))
    if len(line) > LONGEST_FIELD:
        fields.append(Field(number, "too long", line[LONGEST_FIELD:]))
    return fields if any(field.name for field in fields) else []


def label_of(text: str) -> str:
    """Return the label that a text begins with, "" for none."""
    known = _of_label(text)
    return known[0] if known is not None else ""


def _unknown(number: int, text: str) -> Note:
    """Return the note on a line without a known label; one that looks like attacks matters."""
    grade: Grade = "unread" if _STRIKES.search(text[:LONGEST_FIELD]) else "harmless"
    return Note(number, shown(text), "no known field begins here: not read", grade)


def _labelled_again(field: Field) -> list[Field]:
    """Return the field, cut if the joined line has another label after a semicolon."""
    pieces = split_top(field.value, ";")
    cut_at = next((at for at, piece in enumerate(pieces) if at and _of_label(piece)), None)
    if cut_at is None:
        return [field]
    rest = _labelled(field.line, "; ".join(pieces[cut_at:]), True)
    return [Field(field.line, field.name, "; ".join(pieces[:cut_at])), *rest]


def _of_label(piece: str) -> tuple[str, str] | None:
    """Return (label, value) of a piece that begins with a label, or names size and kind; None for others."""
    if _TYPE.match(piece):
        return "Type", piece
    piece = _OF_CLASS.sub("", piece)
    found = _COLON.match(piece)
    if found is not None:
        name = _BY_LOWER[found[1].lower()]
        return name, f"{name} {found[2]}" if name in KEPT else found[2]
    found = _FIELD.match(piece)
    if found is None:
        return None
    name, colon, value = found.groups()
    if name in SPEAKING and not colon and not re.match(r"[(+0-9-]|Fort|Str", value):
        return None
    if LABELS[name] in NUMBERS and not colon and not _NUMBER.match(value):
        return None
    return name, f"{name} {value}" if name in KEPT else value


def _apart(field: Field) -> list[Field]:
    """Return "Climb +5, Ride +2; Cleave, Power Attack" as skills and feats; any other field as it is."""
    if field.name != "skills and feats":
        return [field]
    skills, _, feats = field.value.partition(";")
    return [Field(field.line, "skills", skills.strip()), Field(field.line, "feats", feats.strip(" ."))]


def _once(fields: list[Field], notes: list[Note]) -> list[Field]:
    kept: dict[str, Field] = {}
    all_of: list[Field] = []
    for field in [one for whole in fields for one in _apart(whole)]:
        if field.name in kept and not kept[field.name].value:
            all_of.remove(kept.pop(field.name))
        if field.name in kept and field.name not in REPEATED:
            reason = f"a second {field.name}: the first one, in line {kept[field.name].line}, counts"
            other = bool(field.value.strip(" -")) and field.value != kept[field.name].value
            notes.append(Note(field.line, shown(field.value), reason, "unread" if other else "harmless"))
            continue
        kept.setdefault(field.name, field)
        all_of.append(field)
    return all_of
