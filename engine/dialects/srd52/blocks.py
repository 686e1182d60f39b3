"""Stat blocks of fifth edition, read into sheets: what is printed, and what no rule plays."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from affray.engine.dialects.srd52 import entries
from affray.engine.dialects.srd52.entries import Entry, Reading
from affray.engine.kernel.sheets import fault_of
from affray.engine.record.blocks import LONGEST_TEXT, Grade, Note, OwnBlock, StatBlockError
from affray.events.facts.base import JsonObject
from affray.events.facts.sheet import Abilities, Bonus, Sheet

# --- Lines, fields and entries

SECTIONS: Final = {
    "traits": "trait",
    "actions": "action",
    "bonus actions": "bonus",
    "reactions": "reaction",
    "legendary actions": "legendary",
}
"""The headings of a block, each with what its entries are."""

LABELS: Final = (
    *("armor class", "ac", "hit points", "hp", "speed", "initiative", "skills", "resistances"),
    *("vulnerabilities", "immunities", "gear", "senses", "languages", "cr", "challenge"),
)
SIZES: Final = ("tiny", "small", "medium", "large", "huge", "gargantuan")
SHORT: Final = {"ac": "armor class", "hp": "hit points", "challenge": "cr"}
DASHES: Final = str.maketrans({"\u2013": "-", "\u2014": "-", "\u2212": "-", "\u2019": "'", "\u00a0": " "})
LABEL = re.compile(rf"({'|'.join(LABELS)})\b\s*:?\s*(.*)", re.IGNORECASE)
TYPE = re.compile(
    rf"((?:{'|'.join(SIZES)})(?: or (?:{'|'.join(SIZES)}))?) ([a-z ]+?)\s*(?:\(([^)]*)\))?, ([a-z ]+)",
    re.IGNORECASE,
)
HEAD = re.compile(r"\*{3}_?(.+?)_?\*{3}\s*(.*)")
PLAIN_HEAD = re.compile(
    r"((?:[A-Z][\w'/-]*)(?: (?:[A-Z][\w'/-]*|of|the|and|with|by|from)){0,6}(?: \([^)]*\))?)\. (.*)"
)
SCORE = re.compile(r"\b(str|dex|con|int|wis|cha)\b[ |:]+(\d+)[ |]+([+-]?\d+)[ |]+([+-]?\d+)", re.IGNORECASE)


class Parts(Struct):
    """A text cut into parts: its name, labelled fields, ability scores and entries, each with its line."""

    name: str = ""
    kind: tuple[int, str] = (0, "")
    fields: dict[str, tuple[int, str]] = {}
    scores: dict[str, tuple[int, int, int]] = {}
    entries: list[Entry] = []
    lost: list[tuple[int, str]] = []


def bare(line: str) -> str:
    """Return a line without the marks of a page, apart from those that begin an entry."""
    line = line.translate(DASHES).strip()
    line = re.sub(r"^(?:#+|>|[-*\u2022] )\s*", "", line)
    if line.startswith("***"):
        return line
    return re.sub(r"\*\*|__|\*|(?<!\w)_|_(?!\w)", "", line).strip(" |")


def cut(text: str) -> Parts:
    """Return the parts of a block. Linear in the text."""
    parts, section = Parts(fields={}, scores={}, entries=[], lost=[]), ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = bare(raw)
        if not any(letter.isalnum() for letter in line):
            continue
        heading = line.lower().strip(": ")
        if heading in SECTIONS:
            section = SECTIONS[heading]
        elif section:
            add_entry(parts, section, number, line)
        elif found := list(SCORE.finditer(line)):
            for one in found:
                parts.scores[one[1].lower()] = int(one[2]), int(one[3]), int(one[4])
        elif not parts.name:
            parts.name = line
        elif TYPE.fullmatch(line) and not parts.kind[1]:
            parts.kind = number, line
        elif label := LABEL.fullmatch(line):
            name = label[1].lower()
            parts.fields.setdefault(SHORT.get(name, name), (number, label[2].strip()))
        elif not re.match(r"stat\b|-", line, re.IGNORECASE):
            parts.lost.append((number, line))
    return parts


def add_entry(parts: Parts, section: str, number: int, line: str) -> None:
    """Add an entry, or the next lines of the last one."""
    head = HEAD.match(line) or PLAIN_HEAD.match(line)
    if head:
        name = head[1].strip(". ")
        parts.entries.append(Entry(number, section, name, re.sub(r"\*+", "", head[2]).strip()))
    elif parts.entries and parts.entries[-1].section == section:
        last = parts.entries[-1]
        parts.entries[-1] = Entry(last.line, section, last.name, f"{last.text}\n{line}".strip())
    else:
        parts.lost.append((number, line))


# --- Reading a block


def recognizes(text: str) -> bool:
    """Return whether a text is a block of this form: it has what only such blocks print."""
    rolls = re.search(r"(?:Attack Roll|Saving Throw):?\*?:?", text)
    proficiency = re.search(r"\bPB \+\d|\bXP [\d,]+", text)
    return bool(proficiency and (rolls or re.search(r"\bPassive Perception\b", text)))


def read(spells: Collection[str], text: str, name: str) -> OwnBlock:
    """Read a stat block, given the spells that rules play.

    Raises StatBlockError without Armor Class, hit points, size and type, or scores.
    """
    if len(text) > LONGEST_TEXT:
        raise StatBlockError(f"a stat block of {len(text)} characters: more than {LONGEST_TEXT}")
    parts, notes = cut(text), list[Note]()
    raw: JsonObject = {"name": name or parts.name or "unnamed"}
    custom: JsonObject = {}
    for label in ("armor class", "hit points", "cr"):
        if label not in parts.fields:
            raise StatBlockError(f"no {label.title() if label != 'cr' else 'CR'} found: a stat block has it")
    if len(parts.scores) < len(SCORES):
        missing = ", ".join(one for one in SCORES if one not in parts.scores)
        raise StatBlockError(f"no ability scores found for {missing}")
    raw |= read_kind(parts, notes)
    custom |= read_numbers(parts, raw, notes)
    read_lists(parts, custom, notes)
    read_speed(parts, raw, custom, notes)
    read_senses(parts, custom, notes)
    found = Reading(parts.name, modifiers_of(parts), custom["proficiency"], spells)
    for entry in parts.entries:
        entries.read_entry(entry, found)
    raw |= {"weapons": tuple(found.weapons), "traits": tuple(dict.fromkeys(found.traits))}
    custom |= found.custom
    keep_known(custom, found)
    custom["actions"] = tuple(found.actions)
    notes += found.notes
    notes += [Note(line, text, "no known field begins here: not read") for line, text in parts.lost]
    raw["abilities"] = Abilities(**{FIELD.get(one, one): parts.scores[one][0] for one in SCORES})
    raw["custom"] = {key: value for key, value in custom.items() if value not in ((), "", 0, False)}
    sheet = Sheet(**raw)
    if fault := fault_of(sheet):
        raise StatBlockError(f"{sheet.name}: {fault}")
    ordered = tuple(sorted(notes, key=lambda note: note.line))
    return OwnBlock(sheet, "srd52", ordered, tuple(facts_of(sheet, custom)))


def keep_known(custom: JsonObject, found: Reading) -> None:
    """Leave out of a Multiattack what the sheet lacks because no rule plays it."""
    known = {weapon.name for weapon in found.weapons} | {line.partition(":")[0] for line in found.actions}
    parts = list[str]()
    for slot in custom.get("multiattack", ()):
        names = [one for one in slot.split(" or ") if one in known or one == "or"]
        if slot == "or":
            names = ["or"]
        elif len(names) < len(slot.split(" or ")):
            found.notes.append(Note(0, slot, "a part of the Multiattack that no rule plays", "unplayed"))
        if names:
            parts.append(" or ".join(names))
    custom["multiattack"] = tuple(parts)
    usable = {weapon.name for weapon in found.weapons}
    kept = list[str]()
    for line in found.actions:
        makes = re.findall(r"; (?:makes|follows) ([^;]+)", line)
        wanted = {name.strip() for one in makes for name in one.split(",")}
        if wanted <= usable | known:
            kept.append(line)
        else:
            found.notes.append(Note(0, line, "it needs an action that no rule plays", "unplayed"))
    found.actions[:] = kept


SCORES: Final = ("str", "dex", "con", "int", "wis", "cha")
FIELD: Final = {"int": "int_"}
"""The names of abilities as fields of a sheet, where they differ."""


def modifiers_of(parts: Parts) -> Mapping[str, int]:
    """Return the ability modifiers."""
    return {name: score[0] // 2 - 5 for name, score in parts.scores.items()}


def read_kind(parts: Parts, notes: list[Note]) -> JsonObject:
    """Return size and type. Raises StatBlockError without them, and for an unknown type."""
    line, text = parts.kind
    found = TYPE.fullmatch(text)
    if found is None:
        raise StatBlockError("no size and type found: a stat block has a line 'Large Giant, Chaotic Evil'")
    sizes, kind, tags, alignment = found.groups()
    kind = kind.lower()
    size = sizes.lower().split(" or ")[0]
    if kind.startswith("swarm of"):
        # "Large Swarm of Tiny Beasts": the swarm has the size, its members the type.
        kind = kind.split()[-1].removesuffix("s")
    if kind not in KINDS:
        raise StatBlockError(f"line {line}: {kind!r} is no type of creature")
    if " or " in sizes.lower():
        notes.append(Note(line, sizes, f"{size} is taken: the game master chooses the size"))
    if tags:
        notes.append(Note(line, tags, "the sheet has no tags"))
    notes.append(Note(line, alignment, "the sheet has no alignment"))
    return {"size": size, "kind": kind}


KINDS: Final = (
    *("aberration", "beast", "celestial", "construct", "dragon", "elemental", "fey", "fiend", "giant"),
    *("humanoid", "monstrosity", "ooze", "plant", "undead"),
)
"""The types of creature (srd52.monster.types)."""


def number_in(parts: Parts, label: str, pattern: str) -> re.Match[str]:
    """Return the match of a field. Raises StatBlockError if it has another form."""
    line, text = parts.fields[label]
    found = re.match(pattern, text)
    if found is None:
        raise StatBlockError(f"line {line}: {label}: {text!r} is not understood")
    return found


def rest_of(parts: Parts, label: str, found: re.Match[str], notes: list[Note], grade: Grade) -> None:
    """Note the part of a field that was not read."""
    line, text = parts.fields[label]
    if left := text[found.end() :].strip(" .;,"):
        notes.append(Note(line, left, f"{label}: not read", grade))


def read_numbers(parts: Parts, raw: JsonObject, notes: list[Note]) -> JsonObject:
    """Return Armor Class, Proficiency Bonus, saves and skills; put hit points and initiative into `raw`."""
    armor = number_in(parts, "armor class", r"(\d+)")
    rest_of(parts, "armor class", armor, notes, "unplayed")
    points = number_in(parts, "hit points", r"(\d+)(?: \((\d+)d(\d+)(?: ?[+-] ?\d+)?\))?")
    rest_of(parts, "hit points", points, notes, "unread")
    raw["hp"], raw["hit_dice"] = int(points[1]), max(1, int(points[2] or 1))
    rating = number_in(parts, "cr", r"([\d/]+)(?: \(([^)]*)\))?")
    rest_of(parts, "cr", rating, notes, "harmless")
    bonus = proficiency_of(rating[1])
    if (printed := re.search(r"PB \+(\d+)", rating[2] or "")) and int(printed[1]) != bonus:
        reason = f"CR {rating[1]} gives +{bonus}, printed is +{printed[1]}: the printed one counts"
        notes.append(Note(parts.fields["cr"][0], printed[0], reason))
        bonus = int(printed[1])
    custom: JsonObject = {
        "armor_class": int(armor[1]),
        "proficiency": bonus,
        "challenge": rating[1],
        "saves": tuple(saves_of(parts, bonus, notes)),
    }
    raw["initiative"] = initiative_of(parts, notes)
    custom["skills"], custom["expertise"] = skills_of(parts, bonus, notes)
    return custom


def proficiency_of(rating: str) -> int:
    """Return the Proficiency Bonus of a Challenge Rating (srd52.monster.proficiency)."""
    whole = 0 if "/" in rating else int(rating)
    return 2 + max(0, whole - 1) // 4


def saves_of(parts: Parts, bonus: int, notes: list[Note]) -> Iterator[str]:
    """Yield the saves with proficiency: those whose modifier is that of the ability and the bonus."""
    for name, (score, printed, save) in parts.scores.items():
        modifier = score // 2 - 5
        if printed != modifier:
            reason = f"the modifier of {name} {score} is {modifier:+d}, printed is {printed:+d}"
            notes.append(Note(0, name, reason, "unread"))
        if save == modifier + bonus:
            yield name
        elif save != modifier:
            reason = f"the save is {modifier:+d}, or {modifier + bonus:+d} with proficiency"
            notes.append(Note(0, f"{name} {save:+d}", reason, "unread"))


def initiative_of(parts: Parts, notes: list[Note]) -> tuple[Bonus, ...]:
    """Return the parts of initiative beyond Dexterity."""
    if "initiative" not in parts.fields:
        return ()
    found = number_in(parts, "initiative", r"([+-]\d+)(?: \((\d+)\))?")
    rest_of(parts, "initiative", found, notes, "unread")
    rest = int(found[1]) - (parts.scores["dex"][0] // 2 - 5)
    return (Bonus(rest, "untyped", "as printed"),) if rest else ()


SKILL_ABILITIES: Final = {
    **dict.fromkeys(("acrobatics", "sleight of hand", "stealth"), "dex"),
    **dict.fromkeys(("arcana", "history", "investigation", "nature", "religion"), "int"),
    **dict.fromkeys(("animal handling", "insight", "medicine", "perception", "survival"), "wis"),
    **dict.fromkeys(("deception", "intimidation", "performance", "persuasion"), "cha"),
    "athletics": "str",
}
"""The abilities of skills (srd52.test.skills)."""


def skills_of(parts: Parts, bonus: int, notes: list[Note]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the skills with proficiency, and those with Expertise."""
    line, text = parts.fields.get("skills", (0, ""))
    once, twice = list[str](), list[str]()
    for piece in (one.strip() for one in text.split(",") if one.strip()):
        found = re.fullmatch(r"([A-Za-z ]+?) ([+-]\d+)", piece)
        ability = SKILL_ABILITIES.get(found[1].lower()) if found else None
        if found is None or ability is None:
            notes.append(Note(line, piece, "no skill of these rules", "unread"))
            continue
        rest = int(found[2]) - (parts.scores[ability][0] // 2 - 5)
        if rest not in (bonus, 2 * bonus):
            modifier = int(found[2]) - rest
            reason = f"proficiency gives {modifier + bonus:+d}, Expertise {modifier + 2 * bonus:+d}"
            notes.append(Note(line, piece, reason, "unplayed"))
        (twice if abs(rest - 2 * bonus) < abs(rest - bonus) else once).append(found[1].lower())
    return tuple(once), tuple(twice)


DAMAGE: Final = (
    *("acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison"),
    *("psychic", "radiant", "slashing", "thunder"),
)
CONDITIONS: Final = (
    *("blinded", "charmed", "deafened", "exhaustion", "frightened", "grappled", "incapacitated"),
    *("invisible", "paralyzed", "petrified", "poisoned", "prone", "restrained", "stunned", "unconscious"),
)


def read_lists(parts: Parts, custom: JsonObject, notes: list[Note]) -> None:
    """Read resistances, vulnerabilities, immunities, gear and languages."""
    for label in ("resistances", "vulnerabilities", "immunities"):
        line, text = parts.fields.get(label, (0, ""))
        kinds, conditions = list[str](), list[str]()
        for piece in (one.strip() for one in re.split(r"[,;]", text) if one.strip()):
            word, _, limit = piece.lower().partition(" (")
            if word in DAMAGE:
                kinds.append(word)
            elif word in CONDITIONS and label == "immunities":
                conditions.append(word)
            else:
                notes.append(Note(line, piece, f"no damage type or condition: no {label}", "unplayed"))
                continue
            if limit:
                notes.append(Note(line, piece, "its limit is not read: it counts always", "unplayed"))
        custom[label] = tuple(kinds)
        if conditions:
            custom["condition_immunities"] = tuple(conditions)
    line, text = parts.fields.get("gear", (0, ""))
    custom["gear"] = tuple(one.strip().lower() for one in text.split(",") if one.strip())
    line, text = parts.fields.get("languages", (0, ""))
    if telepathy := re.search(r"telepathy (\d+) ft", text):
        custom["telepathy"] = int(telepathy[1])
    custom["languages"] = tuple(
        one.strip().lower()
        for one in re.split(r"[,;](?![^(]*\))", text)
        if one.strip() and not one.strip().lower().startswith(("telepathy", "none"))
    )


def read_speed(parts: Parts, raw: JsonObject, custom: JsonObject, notes: list[Note]) -> None:
    """Read the Speed and special speeds."""
    line, text = parts.fields.get("speed", (0, ""))
    for piece in (one.strip() for one in text.split(",") if one.strip()):
        found = re.fullmatch(
            r"(?:(burrow|climb|fly|swim) )?(\d+) ft\.?( \(hover\))?(.*)", piece, re.IGNORECASE
        )
        if found is None:
            notes.append(Note(line, piece, "no speed of these rules", "unplayed"))
            continue
        way = (found[1] or "").lower()
        if way == "burrow":
            custom["burrow"] = int(found[2])
        else:
            raw[way or "speed"] = int(found[2])
        if found[3]:
            custom["hover"] = True
        if found[4].strip():
            notes.append(Note(line, piece, "its limit is not read: it counts always", "unplayed"))
    if "speed" not in raw:
        raise StatBlockError("no Speed found: a stat block has a line 'Speed: 30 ft.'")


def read_senses(parts: Parts, custom: JsonObject, notes: list[Note]) -> None:
    """Read special senses; Passive Perception follows from the skill."""
    line, text = parts.fields.get("senses", (0, ""))
    for piece in (one.strip() for one in re.split(r"[,;]", text) if one.strip()):
        found = re.fullmatch(
            r"(blindsight|darkvision|tremorsense|truesight) (\d+) ft\.?(.*)", piece, re.IGNORECASE
        )
        if found:
            custom[found[1].lower()] = int(found[2])
            if found[3].strip():
                notes.append(Note(line, piece, "its special case is not read", "unplayed"))
        elif not re.fullmatch(r"passive perception \d+", piece, re.IGNORECASE):
            notes.append(Note(line, piece, "no sense of these rules", "unplayed"))


# --- What was read, in words


def facts_of(sheet: Sheet, custom: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the fields of the sheet, by name."""
    yield "kind", f"{sheet.size} {sheet.kind}"
    yield "hit points", str(sheet.hp)
    yield "armor class", str(custom["armor_class"])
    ways = (("fly", sheet.fly), ("swim", sheet.swim), ("climb", sheet.climb))
    yield "speed", ", ".join([f"{sheet.speed} ft.", *(f"{name} {feet} ft." for name, feet in ways if feet)])
    scores = ((one, getattr(sheet.abilities, FIELD.get(one, one))) for one in SCORES)
    yield "abilities", ", ".join(f"{name} {score}" for name, score in scores)
    yield "proficiency bonus", f"+{custom['proficiency']}, CR {custom['challenge']}"
    for key in (
        *("saves", "skills", "expertise", "resistances", "vulnerabilities", "immunities"),
        *("condition_immunities", "multiattack", "gear", "innate"),
    ):
        yield key.replace("_", " "), ", ".join(custom.get(key, ()))
    senses = ("blindsight", "darkvision", "tremorsense", "truesight")
    yield "senses", ", ".join(f"{name} {custom[name]} ft." for name in senses if custom.get(name))
    for weapon in sheet.weapons:
        harm = [f"{weapon.damage} {weapon.damage_type}", *(f"{one.dice} {one.kind}" for one in weapon.extra)]
        yield f"attack: {weapon.name}", f"{' plus '.join(harm)}; {', '.join(weapon.traits)}"
    for line in custom.get("actions", ()):
        yield "action", line
    yield "traits", ", ".join(sheet.traits)
