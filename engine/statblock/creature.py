"""Who it is: name, size, kind, classes, abilities, hit points, speed, space, feats, skills."""

import re
from typing import Any, Final

from affray.engine.statblock.fields import Field
from affray.engine.statblock.lines import Note, first_of, is_open, shown, split_top, without_parentheses
from affray.events.facts.sheet import KINDS, SIZES
from affray.events.facts.sheet_parts import Abilities

CLASSES: Final = (
    "adept|alchemist|antipaladin|aristocrat|assassin|barbarian|bard|blackguard|cavalier|cleric|commoner|druid"
    "|duelist|expert|fighter|gunslinger|inquisitor|magus|monk|ninja|oracle|paladin|ranger|rogue|samurai"
    "|shadowdancer|sorcerer|summoner|warrior|witch|wizard"
)
LONGEST_SKILL: Final = 200
PLURALS: Final = {
    "aklys": "aklys",
    "hooves": "hoof",
    "feet": "foot",
    "teeth": "tooth",
    "jaws": "jaws",
    "pincers": "pincers",
}
_SIZE = re.compile(rf"\b({'|'.join(SIZES)})\b", re.IGNORECASE)
_KIND = re.compile(rf"\b({'|'.join(KINDS)})s?\b", re.IGNORECASE)
_LEVELS = re.compile(rf"\b({CLASSES})(?: \([^()]*\))? ([0-9]{{1,2}})(?:\b|/)", re.IGNORECASE)
_SCORE = re.compile(
    r"\b(Str|Dex|Con|Int|Wis|Cha)(?:ength|terity|stitution|elligence|dom|risma)?:? (-|[0-9]{1,3})"
)
_HIT_DICE = re.compile(r"\b([0-9]{1,3})d([0-9]{1,2})")
_DICE_ALONE = re.compile(r"\b([0-9]{1,3}) ?(?:HD|Hit Dice)\b", re.IGNORECASE)
_HIT_POINTS = re.compile(r"^([0-9]{1,6})(?![0-9d/])")
_HP_BESIDE = re.compile(r"\b([0-9]{1,6}) ?(?:hp|hit points)\b", re.IGNORECASE)
_BONUS = re.compile(r"([+-]) ?([0-9]{1,5})")
_NUMBER = re.compile(r"([+-]?) ?([0-9]{1,5})")
_FEET = re.compile(r"([0-9]{1,4})(?:-1/2| 1/2)?(?: |-)?(?:ft\b|feet|foot|')", re.IGNORECASE)
_SKILL = re.compile(r"^([A-Za-z][A-Za-z' -]*?(?: \([^()]*\))?) ([+-][0-9]{1,3}|0)\b *(.*)$")
_MODE_WITHIN = re.compile(r"(?<=[a-z.)]) ((?:burrow|climb|fly|swim|jet) [0-9])")
#: How well a creature flies, in one word.
GRADES = ("perfect", "good", "average", "poor", "clumsy")
_MODE = re.compile(r"^(burrow|climb|fly|swim|jet)\b", re.IGNORECASE)


def read_head(head: list[tuple[int, str]], notes: list[Note]) -> tuple[str, list[tuple[int, str]]]:
    """Return the name on the first line and the other lines before the first field.

    A challenge rating on the line of the name is noted.
    """
    if not head:
        return "", []
    line, text = head[0]
    name, rating, rest = text.partition(" CR ")
    if rating:
        notes.append(Note(line, shown(f"CR {rest}"), "the sheet has no challenge rating"))
    return name.strip(" ,:")[:60], head[1:]


def levels_of(text: str) -> dict[str, int]:
    """Return the class levels that a text names: "half-orc barbarian 3/fighter 2"."""
    return {match[1].lower(): int(match[2]) for match in _LEVELS.finditer(text)}


def read_kind(texts: list[tuple[int, str]], notes: list[Note]) -> dict[str, Any]:
    """Return size, kind, class levels and subtypes (as traits) from lines such as "NE Large giant (fire)"."""
    found: dict[str, Any] = {"classes": {}, "traits": ()}
    for line, text in texts:
        levels = levels_of(text)
        found["classes"].update(levels)
        outside, inside = without_parentheses(text)
        size, kind = _SIZE.search(outside), _KIND.search(outside)
        if size is not None and "size" not in found:
            found["size"] = size[1].lower()
            if alignment := outside[: size.start()].strip():
                notes.append(Note(line, shown(alignment), "the sheet has no alignment"))
        if kind is not None and "kind" not in found:
            found["kind"] = kind[1].lower()
            inside = [piece for part in inside for piece in split_top(part.lower(), ",", ";")]
            found["traits"] = first_of((*inside, *(["swarm"] if "swarm" in outside.lower() else [])))
        elif not levels and size is None:
            notes.append(Note(line, shown(text), "no known field begins here: not read"))
    return found


def read_abilities(field: Field, notes: list[Note]) -> Abilities:
    """Return the ability scores; a dash is a score that the creature does not have."""
    scores: dict[str, int | None] = {}
    for match in _SCORE.finditer(field.value):
        name = "int_" if match[1] == "Int" else match[1].lower()
        scores.setdefault(name, None if match[2] == "-" else int(match[2]))
    note_rest(field, _SCORE.sub("", field.value), notes)
    missing = [name.strip("_") for name in ("str", "dex", "con", "int_", "wis", "cha") if name not in scores]
    if missing:
        reason = f"no score of {', '.join(missing)}: 10 is assumed"
        notes.append(Note(field.line, shown(field.value), reason, "unread"))
    return Abilities(**scores)


def read_hit_points(field: Field, notes: list[Note]) -> tuple[int | None, int, tuple[str, ...], int | None]:
    """Return (hit points, Hit Dice, other things printed there, what the dice average with their bonus).

    From "84 (8d8+48); fast healing 5" as well as from "8d8+48 (84 hp)".
    """
    pieces = split_top(field.value, ";")
    first = pieces[0] if pieces else ""
    plain = _HP_BESIDE.search(first) or _HIT_POINTS.search(first)
    printed = int(plain[1]) if plain is not None else None
    dice = [(int(match[1]), int(match[2])) for match in _HIT_DICE.finditer(first)]
    count = sum(number for number, _ in dice)
    average = None
    if dice:
        last = list(_HIT_DICE.finditer(first))[-1].end()
        tail = re.match(r"([+-][0-9]{1,5})+", first[last:])
        flat = sum(int(sign + number) for sign, number in _BONUS.findall(tail[0])) if tail else 0
        average = sum(number * (sides + 1) // 2 for number, sides in dice) + flat
    elif re.match(r"1/[248]d", first):
        count = 1
    elif levels := _DICE_ALONE.search(first):
        count = int(levels[1])
    if is_open(first):
        notes.append(Note(field.line, shown(field.value), "a parenthesis is not closed"))
    others = first_of(piece.lower() for piece in pieces[1:] for piece in split_top(piece, ","))
    return printed, count, others, average


def note_rest(field: Field, rest: str, notes: list[Note]) -> None:
    """Note what is left of a field when what was understood is taken away, if it says anything."""
    rest = rest.strip(" ,;.()")
    if any(letter.isalnum() for letter in rest):
        notes.append(Note(field.line, shown(rest), f"of the field {field.name} this was not understood"))


def bonus_of(text: str) -> int | None:
    """Return the first number of a text, "0" as well as "+3"."""
    found = _NUMBER.search(text)
    return int(found[1] + found[2]) if found is not None else None


def feet_of(text: str) -> int | None:
    """Return the first distance of a text in feet, halves cut off."""
    found = _FEET.search(text)
    return int(found[1]) if found is not None else None


def read_speed(field: Field, notes: list[Note]) -> dict[str, int | str]:
    """Return speed, base_speed, fly, swim and climb in feet, and maneuver; other ways to move are noted.

    "30 ft. (20 ft. in armor)", "20 ft. (base 30 ft.)" and "20 ft. in hide; base speed 30 ft." all give 20 now
    and 30 without armor.
    """
    found: dict[str, int | str] = {}
    # Print now and then loses the comma before "fly 40 ft.".
    value = _MODE_WITHIN.sub(r", \1", field.value)
    for number, piece in enumerate(split_top(value, ",", ";")):
        outside, inside = without_parentheses(piece)
        feet, mode = feet_of(outside), _MODE.match(outside)
        if feet is not None and outside.startswith("base speed"):
            found["base_speed"] = feet
            continue
        way = mode[1].lower() if mode is not None else ""
        if way in ("fly", "swim", "climb") and way not in found and feet is not None:
            found[way] = feet
            if number == 0:
                found["speed"] = 0
            grade = next((word for text in inside for word in text.split() if word in GRADES), "")
            if grade and way == "fly":
                found["maneuver"] = grade
            elif inside:
                notes.append(Note(field.line, shown(piece), "of this only the distance is kept"))
        elif mode is None and number == 0 and feet is not None:
            found["speed"] = feet
            for remark in inside:
                other = feet_of(remark)
                if other is None or "squares" in remark:
                    continue
                if "base" in remark or "without" in remark:
                    found["base_speed"] = other
                elif "in " in remark or "with " in remark:
                    found["speed"], found["base_speed"] = other, feet
                else:
                    notes.append(Note(field.line, shown(piece), "of this only the first distance is kept"))
        else:
            notes.append(
                Note(field.line, shown(piece), "the sheet has no place for this way to move", "unplayed")
            )
    return found


def read_feats(field: Field) -> tuple[str, ...]:
    """Return the feats in lower case; "Skill Focus (Heal, Ride)" is one for each, weapons in the singular."""
    feats = []
    for piece in split_top(field.value, ",", ";"):
        text = re.sub(r"(?<=[a-z)])(?:B|UM|APG|UC|ARG|M)+$", "", piece.rstrip("*"))
        text = re.sub(r"(?i)\btwo weapon\b", "two-weapon", text)
        name, inside = without_parentheses(text)
        if inside and (
            name.lower().startswith(("weapon", "greater weapon", "improved crit", "improved nat"))
        ):
            feats += [f"{name.lower()} ({singular(one.lower())})" for one in split_top(inside[0], ",")]
        else:
            feats.append(text.lower())
    return first_of(feats)


def read_skills(field: Field, notes: list[Note]) -> dict[str, int]:
    """Return the skill totals in lower case; conditional ones are noted."""
    skills: dict[str, int] = {}
    for piece in split_top(field.value, ",", ";"):
        found = _SKILL.match(piece[:LONGEST_SKILL])
        if found is None:
            if piece not in ("-", "none"):
                notes.append(Note(field.line, shown(piece), "no skill with a total: not read"))
            continue
        skills.setdefault(found[1].lower(), int(found[2]))
        if found[3]:
            notes.append(Note(field.line, shown(piece), f"of this only {found[2]} is kept", "unplayed"))
    return skills


def singular(name: str) -> str:
    """Return the singular of a weapon's name: claws, hooves, javelins."""
    head, _, last = name.rpartition(" ")
    if last in PLURALS:
        last = PLURALS[last]
    elif last.endswith(("ches", "shes", "sses", "xes")):
        last = last[:-2]
    elif last.endswith("s") and not last.endswith(("ss", "us")) and len(last) > 3:
        last = last[:-1]
    return f"{head} {last}" if head else last
