"""Armor Class as it is printed: the totals, and the parts by their types."""

import re
from typing import Final

from msgspec import Struct

from affray.engine.statblock.creature import note_rest
from affray.engine.statblock.fields import Field
from affray.engine.statblock.lines import Note, shown, split_top, without_parentheses
from affray.events.facts.base import Size
from affray.events.facts.sheet_parts import Bonus

#: Words of a part that say its type at once.
TYPES: Final[dict[str, str]] = {
    "natural": "natural",
    "natural armor": "natural",
    "armor": "armor",
    "shield": "shield",
    "deflection": "deflection",
    "deflect": "deflection",
    "dodge": "dodge",
    "insight": "insight",
    "luck": "luck",
    "sacred": "sacred",
    "profane": "profane",
    "morale": "morale",
    "competence": "competence",
    "circumstance": "circumstance",
    "enhancement": "enhancement",
    "haste": "dodge",
    "rage": "penalty",
    "monk": "class",
    "class": "class",
    "equipment": "equipment",
    "wis": "ability",
    "wisdom": "ability",
    "cha": "ability",
    "charisma": "ability",
    "int": "ability",
    "con": "ability",
    "size": "size",
    "dex": "dex",
    "dexterity": "dex",
}
#: Words that name a thing worn or held, with the weight of armor.
WORN: Final[dict[str, str]] = {
    "full plate": "heavy",
    "plate mail": "heavy",
    "half-plate": "heavy",
    "splint": "heavy",
    "banded": "heavy",
    "breastplate": "medium",
    "scale": "medium",
    "chainmail": "medium",
    "hide": "medium",
    "chain shirt": "light",
    "studded leather": "light",
    "leather": "light",
    "padded": "light",
    "bracers": "none",
    "mage armor": "none",
}
_TOTALS = re.compile(r"^\s*(-?[0-9]{1,4})\b|\b(touch|flat-footed|flatfooted) (-?[0-9]{1,4})\b")
_PART = re.compile(r"^([+-]) ?([0-9]{1,4}) +([A-Za-z][A-Za-z0-9' +/-]*)$")


class ArmorClass(Struct, frozen=True, gc=False):
    """What is printed about Armor Class; `dexterity` and `size` are None where no part names them.

    `parts` are all others, by type. Totals are None where they are not printed.
    """

    total: int | None
    touch: int | None
    flat_footed: int | None
    parts: tuple[Bonus, ...]
    dexterity: int | None
    size: int | None
    weight: str

    @property
    def sum(self) -> int:
        """10 and all parts as printed."""
        return 10 + sum(part.value for part in self.parts) + (self.dexterity or 0) + (self.size or 0)


def read_armor_class(field: Field, notes: list[Note]) -> ArmorClass:
    """Return what a field such as "16 (-1 size, +7 natural), touch 9, flat-footed 16" says."""
    outside, inside = without_parentheses(field.value)
    total = touch = flat_footed = None
    for found in _TOTALS.finditer(outside):
        if found[1] is not None:
            total = int(found[1])
        elif found[2] == "touch":
            touch = int(found[3])
        else:
            flat_footed = int(found[3])
    note_rest(field, _TOTALS.sub("", outside), notes)
    parts: list[Bonus] = []
    dexterity = size = None
    weight = "none"
    for piece in [piece for text in inside for piece in split_top(text, ",", ";", " and ")]:
        found_part = _PART.match(piece)
        if " vs" in piece or " against " in piece or found_part is None:
            if found_part is None and " vs" not in piece and " against " not in piece:
                notes.append(Note(field.line, shown(piece), "no part of an Armor Class: not read", "unread"))
            else:
                reason = "counts in some cases only: give it as a condition or an effect"
                notes.append(Note(field.line, shown(piece), reason, "unplayed"))
            continue
        value = int(f"{found_part[1]}{found_part[2]}")
        words = found_part[3].strip()[:100]
        kind, worn = _kind(words.lower())
        if worn:
            weight = worn
        if kind == "dex" and dexterity is None:
            dexterity = value
        elif kind == "size" and size is None:
            size = value
        elif kind == "":
            kind = "armor" if touch is not None else "untyped"
            notes.append(Note(field.line, shown(piece), f"of no known type: counted as {kind}", "unread"))
            parts.append(Bonus(value, kind, words))
        else:
            parts.append(Bonus(value, kind, words))
    return ArmorClass(total, touch, flat_footed, tuple(parts), dexterity, size, weight)


def size_of(modifier: int) -> Size:
    """Return the size whose modifier to Armor Class this is; medium for one of none."""
    steps: dict[int, Size] = {8: "fine", 4: "diminutive", 2: "tiny", 1: "small", 0: "medium"}
    steps |= {-1: "large", -2: "huge", -4: "gargantuan", -8: "colossal"}
    return steps.get(modifier, "medium")


def _kind(words: str) -> tuple[str, str]:
    """Return the type that a part's words say, "" for none, and the weight of the armor named."""
    if words in TYPES:
        return TYPES[words], ""
    if "shield" in words or "buckler" in words:
        return "shield", ""
    if "ring of protection" in words:
        return "deflection", ""
    if "amulet of natural" in words or words.startswith("natural"):
        return "natural", ""
    for name, weight in WORN.items():
        if name in words:
            return "armor", weight
    last = words.rsplit(" ", 1)[-1]
    return TYPES.get(last, ""), ""
