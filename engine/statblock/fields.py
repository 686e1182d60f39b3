"""A pasted block cut into its labelled fields, whatever the edition calls them."""

import re
from typing import Final

from msgspec import Struct

from affray.engine.statblock.hyphens import Words
from affray.engine.statblock.lines import LONGEST_FIELD, Grade, Note, is_open, shown, split_top
from affray.engine.statblock.paste import logical_lines
from affray.events.facts.sheet import KINDS, SIZES

#: What the books print before a value, and the field it is. The longest label that fits is meant.
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
#: Words of prose too: without a colon they begin a field only where numbers or parentheses follow.
SPEAKING: Final = frozenset(
    {
        *("Attack", "Abilities", "Saves", "Type", "Spells", "Reach", "Resistance", "Gear", "Will"),
        *("Vulnerability", "Attacks", "Damage", "Domains", "Bloodline"),
    }
)
#: Fields that say a number: what goes on in words, as "Improved Initiative, Run" does, is none of them.
NUMBERS: Final = frozenset(
    {"ac", "base attack", "base attack/grapple", "cmb", "cmd", "grapple", "init", "massive damage", "sr"}
)
#: Fields whose label is part of what is printed.
KEPT: Final = frozenset({"Fort", "Ref", "Will", "Str"})
#: Fields that may stand several times and add up.
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
    """Return the lines before the first field, the fields and what is neither. Linear in the text.

    Lines that a page has broken are joined, `words` telling cut words from compounds; of a field printed
    twice the first counts. Raises StatBlockError for a text too long.
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
    """Return the field, cut where the joined line shows another label after a semicolon."""
    pieces = split_top(field.value, ";")
    cut_at = next((at for at, piece in enumerate(pieces) if at and _of_label(piece)), None)
    if cut_at is None:
        return [field]
    rest = _labelled(field.line, "; ".join(pieces[cut_at:]), True)
    return [Field(field.line, field.name, "; ".join(pieces[:cut_at])), *rest]


def _of_label(piece: str) -> tuple[str, str] | None:
    """Return (label, value) of a piece that begins with a label, or says size and kind; None of others."""
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
