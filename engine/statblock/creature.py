"""Who it is: name, size, kind, classes, abilities, hit points, speed, space, feats, skills."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.fight.fight import Fight
from affray.engine.record.acts import Fields, among
from affray.engine.record.blow import ARMOR_CLASS, TOUCH_ARMOR_CLASS, Blow, Intent
from affray.engine.rules.attacks.full_attack import iteratives
from affray.engine.rules.classes.checks import BONUS, find_unmet_prerequisite
from affray.engine.rules.classes.sheets import ALIGNED, BYPASSING, ability
from affray.engine.rules.damage.damage import damage_bonus as damage_parts
from affray.engine.rules.gear.hands import strikes_per_full_attack
from affray.engine.rules.turns.initiative import initiative_parts
from affray.engine.statblock.paste import (
    Field,
    Note,
    first_of,
    is_open,
    shown,
    split_top,
    without_parentheses,
)
from affray.events.facts import acts
from affray.events.facts.base import JsonObject, Size
from affray.events.facts.sheet import (
    KINDS,
    SIZES,
    Abilities,
    Bonus,
    Modifier,
    Reduction,
    Saves,
    Sheet,
    Weapon,
)
from affray.projections.state import Combatant, Encounter

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


def read_kind(texts: list[tuple[int, str]], notes: list[Note]) -> JsonObject:
    """Return size, kind, class levels and subtypes (as traits) from lines such as "NE Large giant (fire)"."""
    found: JsonObject = {"classes": {}, "traits": ()}
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


# --- Armor Class as it is printed: the totals, and the parts by their types

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


# --- Saves, damage reduction, resistances, immunities, and the traits that rules or people go by

ENERGIES: Final = ("acid", "cold", "electricity", "fire", "sonic")
#: More than any blow deals: how an immunity to energy stands among the resistances.
IMMUNE: Final = 1_000_000
#: Traits that a rule of the engine reads; others are kept for people.
NO_RULE: Final = "kept as a trait that no rule reads"
RULED: Final = frozenset(
    {
        "all-around vision",
        "elemental",
        "immune to critical hits",
        "improved uncanny dodge",
        "incorporeal",
        "see invisibility",
        "swarm",
        "uncanny dodge",
    }
)
#: Kinds of creatures and subtypes that bring traits of their own.
NATURES: Final = frozenset(
    {"undead", "construct", "ooze", "plant", "vermin", "elemental", "swarm", "incorporeal", "outsider"}
)
#: Abilities that printed saves hold already: as traits they would count twice.
DEFENCES_PRINTED: Final = frozenset({"divine grace"})
#: Feats that add to a save, which the sheet has to say itself.
SAVE_FEATS: Final = {"fort": "great fortitude", "ref": "lightning reflexes", "will": "iron will"}
SAVE_FEAT_BONUS: Final = 2
_SAVE = re.compile(r"\b(Fort|Ref|Will)[a-z]*:? (?:saves? )?([+-]? ?[0-9]{1,4})\b")
_REDUCTION = re.compile(r"\b([0-9]{1,4})/(-|[a-z][a-z ,'-]*)", re.IGNORECASE)
_RESISTED = re.compile(rf"\b({'|'.join(ENERGIES)})(?: resistance)? ([0-9]{{1,4}})\b", re.IGNORECASE)
#: What the books let damage reduction be bypassed by.
BYPASSES: Final = frozenset(
    {*BYPASSING, *ALIGNED, "bludgeoning", "piercing", "slashing", "force", "positive energy", *ENERGIES}
)
_AND = re.compile(r",? and ")
_OR = re.compile(r",? or ")
_LISTED = re.compile(r",? and |,? or |, ")
#: Words that say by what means a kind of damage comes.
_MEANS = ("weapons", "effects", "spells", "artifacts", "attacks", "damage", "ex", "su")
_WEAPONS = re.compile(
    r"(?:-aligned)?(?: (?:weapons?|effects?|spells?|artifacts?|damage|attacks?))+$|-aligned$"
)
_HEALING = re.compile(r"^(fast healing|regeneration) ([0-9]{1,3})(?: ?(?:ex|su))?$")
_DEFENCES_NUMBER = re.compile(r"\b([0-9]{1,3})\b")


def read_saves(fields: list[Field], notes: list[Note]) -> dict[str, int]:
    """Return the printed totals by "fort", "ref", "will"; bonuses against something are noted."""
    printed: dict[str, int] = {}
    for field in fields:
        for piece in split_top(field.value, ",", ";"):
            found = _SAVE.search(piece)
            if found is None:
                if piece != "-":
                    reason = "counts in some cases only: give it as a condition or an effect"
                    notes.append(Note(field.line, shown(piece), reason, "unplayed"))
                continue
            printed.setdefault(found[1].lower(), int(found[2].replace(" ", "")))
            rest = piece[found.end() :].strip()
            if rest:
                notes.append(Note(field.line, shown(rest), "counts in some cases only", "unplayed"))
    return printed


def base_saves(
    printed: dict[str, int], modifiers: dict[str, int], feats: tuple[str, ...]
) -> tuple[Saves, dict[str, tuple[Bonus, ...]]]:
    """Return base saves and the feats' bonuses, so that with the abilities they give what is printed."""
    bonuses: dict[str, tuple[Bonus, ...]] = {
        kind: (Bonus(SAVE_FEAT_BONUS, "untyped", feat.title()),)
        for kind, feat in SAVE_FEATS.items()
        if feat in feats and kind in printed
    }
    base = {
        kind: total - modifiers[kind] - sum(bonus.value for bonus in bonuses.get(kind, ()))
        for kind, total in printed.items()
    }
    return Saves(**base), bonuses


def read_reductions(line: int, text: str, notes: list[Note]) -> tuple[Reduction, ...]:
    """Return damage reductions. "15/epic and evil" becomes two, each to be bypassed; "or" lists in one."""
    reductions = []
    for piece in joined_bypasses(split_top(text, ",", ";")):
        found = _REDUCTION.search(piece)
        if found is None:
            if piece != "-":
                notes.append(Note(line, shown(piece), "no damage reduction: not read", "unread"))
            continue
        amount, bypass = int(found[1]), found[2].strip().lower()
        if bypass == "-":
            reductions.append(Reduction(amount))
            continue
        for group in _AND.split(bypass):
            words = [one.strip() for one in _OR.split(group)]
            for word in words:
                if word not in BYPASSES:
                    notes.append(
                        Note(line, shown(piece), f"{word!r} bypasses nothing that a rule knows: left out")
                    )
            reductions.append(Reduction(amount, first_of(one for one in words if one in BYPASSES)))
        rest = without_parentheses(piece[: found.start()] + piece[found.end() :])[0].strip().lower()
        rest = rest.removeprefix("damage reduction").removeprefix("dr").strip()
        if rest or "(" in piece:
            notes.append(Note(line, shown(piece), "of this only the reduction is kept"))
    return tuple(reductions)


def joined_bypasses(pieces: list[str]) -> list[str]:
    """Return the pieces of a list, "20/cold iron", "epic", "and good" being one of them."""
    joined: list[list[str]] = []
    for piece in pieces:
        first = joined[-1][0].lower() if joined else ""
        reduces = _REDUCTION.match(first) or first.startswith(("damage reduction", "dr "))
        word = piece.lower().removeprefix("and ").removeprefix("or ")
        if reduces and all(one in BYPASSES for one in _LISTED.split(word)):
            joined[-1].append(piece)
        else:
            joined.append([piece])
    return [_with_one_word(group) if len(group) > 1 else group[0] for group in joined]


def _with_one_word(group: list[str]) -> str:
    """Return a list of several kinds with the word between all of them that stands before the last."""
    word = " or " if any(" or " in f" {one}" for one in group) else " and "
    return word.join(one.removeprefix("and ").removeprefix("or ") for one in group)


def is_healing(piece: str) -> bool:
    """Say whether a piece is fast healing or regeneration that holds in all cases."""
    plain, inside = without_parentheses(piece.lower())
    heals = _HEALING.match(plain)
    return heals is not None and (heals[1] == "regeneration" or all(one in ("ex", "su") for one in inside))


def read_healing(line: int, pieces: Iterable[str], notes: list[Note]) -> JsonObject:
    """Return what some pieces say of fast healing and regeneration, as fields of the sheet."""
    found: JsonObject = {}
    for piece in filter(is_healing, pieces):
        plain, inside = without_parentheses(piece.lower())
        heals = _HEALING.match(plain)
        assert heals is not None
        found[heals[1].replace(" ", "_")] = int(heals[2])
        if heals[1] == "regeneration":
            found["lethal"], rest = lethal_kinds(", ".join(inside))
            if rest:
                notes.append(
                    Note(line, shown(piece), f"{rest!r} is no kind of damage: not among what is lethal")
                )
            elif not found["lethal"]:
                notes.append(Note(line, shown(piece), "what it does not regenerate is not printed here"))
    return found


def lethal_kinds(text: str) -> tuple[tuple[str, ...], str]:
    """Return (the kinds of damage that a text such as "fire or good weapons" names, what it says besides)."""
    words = [_WEAPONS.sub("", one).strip() for one in _LISTED.split(text)]
    return first_of(one for one in words if one in BYPASSES), ", ".join(
        one for one in words if one and one not in BYPASSES and one not in _MEANS
    )


def read_resistances(line: int, text: str, notes: list[Note]) -> dict[str, int]:
    """Return energy resistances by energy."""
    resistances: dict[str, int] = {}
    for piece in split_top(text, ",", ";", " and "):
        found = _RESISTED.search(piece)
        if found is not None:
            resistances.setdefault(found[1].lower(), int(found[2]))
        elif piece != "-":
            notes.append(Note(line, shown(piece), "no resistance to energy: not read", "unread"))
    return resistances


def nature_of(text: str) -> str:
    """Return the kind of creature whose traits a block names, "undead traits"; "" for others."""
    name = text.removesuffix(" traits")
    return name if name != text and name in NATURES else ""


def read_immunities(line: int, text: str, notes: list[Note]) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return (immunities to energy as resistances, all immunities as traits)."""
    resistances: dict[str, int] = {}
    traits = []
    for piece in split_top(text.lower(), ",", ";", " and "):
        what = piece.removeprefix("and ").removeprefix("immunity to ").removeprefix("immune to ")
        if what in ("", "-"):
            continue
        # An energy is resisted without end; as a trait of that name cold would call for the harm of fire.
        word = "immune" if what in ENERGIES or what == "critical hits" else "immunity"
        trait = nature_of(what) or (what if what.endswith("traits") else f"{word} to {what}")
        traits.append(trait)
        if what in ENERGIES:
            resistances[what] = IMMUNE
        elif trait not in RULED:
            notes.append(Note(line, shown(piece), NO_RULE, "unplayed"))
    return resistances, first_of(traits)


def read_qualities(
    line: int, text: str, notes: list[Note]
) -> tuple[tuple[Reduction, ...], dict[str, int], int, tuple[str, ...]]:
    """Return (reductions, resistances, spell resistance, traits) of a list of special qualities or attacks.

    The one-line form prints everything here: "damage reduction 10/magic, resistance to fire 10, SR 20".
    """
    reductions: list[Reduction] = []
    resistances: dict[str, int] = {}
    spell_resistance = 0
    traits: list[str] = []
    pieces = joined_bypasses(split_top(text, ",", ";"))
    for number, piece in enumerate(pieces):
        lower = piece.lower().removeprefix("and ")
        before = pieces[number - 1].lower() if number else ""
        energy = _RESISTED.search(lower)
        if lower in ("-", "none") or is_healing(piece):
            continue
        if lower.startswith(("damage reduction", "dr ")):
            reductions += read_reductions(line, piece, notes)
        elif lower.startswith(("spell resistance", "sr ")) and _DEFENCES_NUMBER.search(lower):
            spell_resistance = int(_DEFENCES_NUMBER.findall(lower)[0])
        elif energy and ("resist" in lower or "resist" in before):
            for found in _RESISTED.finditer(lower):
                resistances.setdefault(found[1], int(found[2]))
        elif lower.startswith(("immunity to ", "immune to ")):
            immune, names = read_immunities(line, piece, notes)
            resistances = {**immune, **resistances}
            traits += names
        else:
            name = without_parentheses(lower)[0]
            plain = re.sub(r" (ex|su|sp)$", "", name)
            if plain in DEFENCES_PRINTED:
                notes.append(Note(line, shown(piece), "stands in the printed saves already"))
                continue
            traits.append(nature_of(plain) or (plain if plain in RULED else lower))
            if plain not in RULED:
                notes.append(Note(line, shown(piece), NO_RULE, "unplayed"))
    return tuple(reductions), resistances, spell_resistance, first_of(traits)


# --- The engine's own arithmetic over a sheet: what the rules of a dialect make of its parts
#
# Everything is worked out by the same rule points that resolve an attack in play, so that a sheet which
# gives the printed figures here gives them in a fight.

#: Traits that let a creature keep its Dexterity when flat-footed; the books print the figure without it.
KEEP_DEXTERITY: Final = frozenset({"uncanny dodge", "improved uncanny dodge"})
_NOTHING: Final = Weapon("nothing", "1d2", wield="natural")
_MANEUVER: Final = Intent(maneuver="maneuver", against="CMD")


def armor_class(sheet: Sheet, dialect: str) -> tuple[int, int, int]:
    """Return (Armor Class, touch, flat-footed) as the dialect's rules add them up."""
    plain = replace(sheet, traits=tuple(trait for trait in sheet.traits if trait not in KEEP_DEXTERITY))
    return (
        _defense(sheet, dialect),
        _defense(sheet, dialect, touch=True),
        _defense(plain, dialect, acted=False),
    )


def _defense(sheet: Sheet, dialect: str, *, touch: bool = False, acted: bool = True) -> int:
    fight, combatant = _alone(sheet, dialect)
    combatant.acted = acted
    blow = Blow(
        combatant, combatant, _NOTHING, True, 5, Intent(against=TOUCH_ARMOR_CLASS if touch else ARMOR_CLASS)
    )
    return fight.dialect.attacks.stack(fight, fight.dialect.defense.defense_bonus(fight, blow)).total


def attack_bonus(sheet: Sheet, weapon: Weapon, melee: bool, dialect: str) -> int:
    """Return the first attack bonus with a weapon, without circumstances."""
    fight, combatant = _alone(sheet, dialect)
    blow = Blow(combatant, combatant, weapon, melee, 5)
    return fight.dialect.attacks.stack(fight, fight.dialect.attacks.attack_bonus(fight, blow)).total


def combat_maneuver_bonus(sheet: Sheet, dialect: str) -> tuple[Modifier, ...]:
    """Return the parts of the combat maneuver bonus, for a maneuver without a weapon (pf1.cmb)."""
    fight, combatant = _alone(sheet, dialect)
    return fight.dialect.attacks.attack_bonus(fight, Blow(combatant, combatant, _NOTHING, True, 5, _MANEUVER))


def combat_maneuver_defense(sheet: Sheet, dialect: str) -> tuple[Modifier, ...]:
    """Return the parts of the combat maneuver defense (pf1.cmd)."""
    fight, combatant = _alone(sheet, dialect)
    blow = Blow(combatant, combatant, _NOTHING, True, 5, _MANEUVER)
    return fight.dialect.defense.defense_bonus(fight, blow)


def damage_bonus(sheet: Sheet, weapon: Weapon, melee: bool, dialect: str) -> int:
    """Return what is added to a weapon's dice."""
    fight, combatant = _alone(sheet, dialect)
    return fight.dialect.attacks.stack(
        fight, damage_parts(fight, Blow(combatant, combatant, weapon, melee, 5))
    ).total


def save_bonus(sheet: Sheet, kind: str, dialect: str) -> int:
    """Return the bonus of a saving throw: "fort", "ref" or "will"."""
    fight, combatant = _alone(sheet, dialect)
    return fight.dialect.attacks.stack(fight, fight.dialect.classes.save_bonus(fight, combatant, kind)).total


def initiative_modifier(sheet: Sheet, dialect: str) -> int:
    """Return the initiative modifier."""
    fight, combatant = _alone(sheet, dialect)
    return fight.dialect.attacks.stack(fight, initiative_parts(fight, combatant)).total


def attack_series(sheet: Sheet, first: int, dialect: str) -> tuple[int, ...]:
    """Return the bonuses of a full attack that begins with `first`, as the base attack bonus allows."""
    fight, _ = _alone(sheet, dialect)
    return tuple(first + penalty for penalty in iteratives(fight, sheet.base_attack))


def names_off_hand(dialect: str) -> bool:
    """Say whether a strike can be declared to be one of the off hand; else only a weapon's place tells it."""
    strikes = load(dialect).honours[acts.FullAttack].told.get("strikes")
    return isinstance(strikes, Fields) and "off_hand" in (strikes.names or ())


def _alone(sheet: Sheet, dialect: str) -> tuple[Fight, Combatant]:
    combatant = Combatant("printed", "", sheet, (0, 0), 1, 5, sheet.hp, sheet.hp, acted=True)
    rules = load(dialect)
    state = Encounter(
        dialect=dialect,
        combatants={combatant.id: combatant},
        begun=True,
        round=1,
        defaults=rules.book.defaults,
    )
    return Fight(state, rules), combatant


# --- What a print shows without a word for it: feats had by nature, several weapons without a penalty

#: What a sheet says of a creature that pays nothing for several weapons: each arm with all attacks, or not.
SUPERIOR, MASTERY = "superior two-weapon fighting", "multiweapon mastery"
#: The trait of a claw that is no hand, and how many hands there are without a word.
NO_HAND, HANDS = "not a hand", 2
#: The shield that a feat gives, and no hand holds.
DEFENSE = "Two-Weapon Defense"
#: The feat that is printed as part of the shield it raises.
FOCUS = "shield focus"


def shield_without_feat(sheet: Sheet, dialect: str) -> Sheet:
    """Return the sheet, its shield less by what Shield Focus adds by itself in play.

    Of a dialect whose rules count that feat; in others the shield keeps what is printed.
    """
    of = load(dialect)
    if FOCUS not in sheet.feats or FOCUS not in of.classes.sheet_names.feats:
        return sheet
    more = int(of.book.topic("feat.shield-feats").figures["focus"])
    armor = (replace(one, value=one.value - more) if one.kind == "shield" else one for one in sheet.armor)
    return replace(sheet, armor=tuple(armor))


def with_bonus_feats(sheet: Sheet, field: Field | None, dialect: str, notes: list[Note]) -> Sheet:
    """Return the sheet, the printed feats whose prerequisites it lacks had as bonus feats.

    Of the dialect whose rules ask for prerequisites, and read that trait.
    """
    of = load(dialect)
    if field is None or not among(f"{BONUS}any", of.classes.sheet_names.traits):
        return sheet
    traits = list(sheet.traits)
    for feat in sheet.feats:
        lacks = find_unmet_prerequisite(of.book.prerequisites, sheet, sheet.feats, feat)
        if lacks:
            traits.append(f"{BONUS}{feat}")
            reason = f"asks for {lacks}, which the sheet lacks: a bonus feat, as it is printed"
            notes.append(Note(field.line, shown(feat), reason))
    return replace(sheet, traits=tuple(traits))


def claws_beside(sheet: Sheet, weapons: Mapping[str, Weapon], dialect: str) -> dict[str, Weapon]:
    """Return the claws that strike though the hands are full, as limbs that are no hands.

    Of a dialect whose rules ask for a free hand; `weapons` are those of a routine.
    """
    if NO_HAND not in load(dialect).classes.sheet_names.weapon_traits:
        return {}
    made = [one for one in weapons.values() if one.wield not in ("natural", "unarmed")]
    taken = sum(1 if one.wield == "projectile" else max(1, one.hands) for one in made)
    taken += sum(part.kind == "shield" and part.source != DEFENSE for part in sheet.armor)
    found = {}
    for name, weapon in weapons.items():
        claws = strikes_per_full_attack(weapon)
        if weapon.wield == "natural" and "claw" in name.split() and max(HANDS, claws) - taken < claws:
            found[name] = replace(weapon, traits=first_of((*weapon.traits, NO_HAND)))
    return found


def masteries(sheet: Sheet, dialect: str, two: bool) -> Iterator[str]:
    """Yield the traits by which the dialect lets a creature strike with several weapons without a penalty.

    `two` says that there are two weapons, each of which may have a full series.
    """
    known = load(dialect).classes.sheet_names.traits
    for trait in (MASTERY, SUPERIOR) if two else (MASTERY,):
        if trait in known and trait not in sheet.traits:
            yield trait


# --- What a printed attack says, its numbers taken apart

#: The source of a part that makes a figure come out as printed where no rule explains it.
PRINTED_ATTACK_PRINTED: Final = "as printed, no rule named"


class Attack(Struct, frozen=True, gc=False):
    """One attack as printed, its numbers taken apart but not explained.

    `bonuses` is the series in print; `routine` counts the alternatives of the line ("... or ...") from 1;
    `dice` is "0" where no damage to hit points is printed; `losses` are the ability points and levels that a
    hit costs ("1d6 str", "1d4 con drain", "2 negative levels"), `save` and `dc` what holds them off; `riders`
    is what else a hit does, in words. `flurry` says that the series is a flurry of blows.
    """

    line: int
    text: str
    mode: str
    routine: int
    count: int
    name: str
    bonuses: tuple[int, ...]
    enhancement: int = 0
    masterwork: bool = False
    touch: bool = False
    incorporeal: bool = False
    rating: int | None = None
    dice: str = "0"
    flat: int = 0
    kind: str = ""
    nonlethal: bool = False
    threat: int = 20
    multiplier: int = 2
    extra: tuple[tuple[str, str], ...] = ()
    losses: tuple[str, ...] = ()
    save: str = ""
    dc: int = 0
    riders: tuple[str, ...] = ()
    flurry: bool = False


class Strike(Struct, frozen=True, gc=False):
    """A printed attack and the weapon of the sheet that it is made with.

    It is the strike `at` (from 0), and perhaps those after it, of the routine of that number (from 0); -1 is
    that of an attack which print gives by itself, beside the full attack.
    """

    weapon: str
    attack: Attack
    routine: int = -1
    at: int = 0


# --- What explains a printed figure beyond what the rules make of the sheet
#
# The difference to the printed figure is explained where a rule explains it, and kept as an untyped part,
# with a note, where none does.

#: What throwers by nature or training have for one kind of missile.
_RACIAL: Final = {("rock", 1): ("racial", "rock throwing"), ("bomb", 1): ("untyped", "Throw Anything")}


class Explained(Struct, frozen=True, gc=False):
    """The parts that explain a difference; `left` of it no rule explains, and the last part holds it."""

    parts: tuple[Bonus, ...] = ()
    left: int = 0
    secondary: bool = False


def explain_attack(
    sheet: Sheet, attack: Attack, weapon: Weapon, missing: int, beside: bool = False
) -> Explained:
    """Return what the sheet lacks of the printed attack bonus, and whether it is a secondary attack.

    `beside` says that another hand strikes too, which no rule of the dialect has taken into account.
    """
    if not missing:
        return Explained()
    melee = attack.mode == "melee"
    focused = any(feat.startswith("weapon focus (") and _alike(feat, attack.name) for feat in sheet.feats)
    for focus in (0, 1) if focused and f"weapon focus ({weapon.name})" not in sheet.feats else (0,):
        parts: tuple[Bonus, ...] = (Bonus(1, "untyped", "Weapon Focus"),) * focus
        rest = missing - focus
        if not rest:
            return Explained(parts)
        if weapon.wield == "natural" and melee:
            if rest == -5:
                return Explained((*parts, Bonus(-5, "penalty", "secondary natural attack")), secondary=True)
            if rest == -2 and any(feat.startswith("multiattack") for feat in sheet.feats):
                part = Bonus(-2, "penalty", "secondary natural attack, Multiattack")
                return Explained((*parts, part), secondary=True)
        dexterity = ability(sheet, "dex")
        if sheet.abilities.str is None and melee and rest == dexterity:
            return Explained((*parts, Bonus(dexterity, "ability", "Dexterity, having no Strength")))
        racial = _RACIAL.get((weapon.name, rest))
        if racial is not None and not melee:
            return Explained((*parts, Bonus(rest, *racial)))
        if rest == -2 and beside and not melee and "rapid shot" in sheet.feats:
            return Explained((*parts, Bonus(rest, "penalty", "Rapid Shot")))
        if rest in (-2, -4) and beside and any("two-weapon" in feat for feat in sheet.feats):
            return Explained((*parts, Bonus(rest, "penalty", "two weapons")))
    return Explained(
        (Bonus(missing, "untyped" if missing > 0 else "penalty", PRINTED_ATTACK_PRINTED),), missing
    )


def _alike(feat: str, name: str) -> bool:
    """Say whether a feat's weapon is this one by another form of its name: claws, tail slap."""
    meant = feat.partition("(")[2].rstrip(")")
    words, own = set(meant.split()), name.split()
    return bool(words & {word.rstrip("s") for word in own} | words & set(own)) or meant == "".join(own)


def explain_damage(sheet: Sheet, attack: Attack, weapon: Weapon, missing: int) -> Explained:
    """Return what sheet and weapon do not say of the printed damage bonus."""
    if not missing:
        return Explained()
    strength = ability(sheet, "str")
    if weapon.family == "spell" or (attack.mode != "melee" and not weapon.thrown):
        shares = {strength: "Strength", strength * 3 // 2: "Strength, half again"}
    elif weapon.off_hand:
        half = strength // 2
        shares = {
            strength * 3 // 2 - half: "Strength, half again",
            strength - half: "Strength, all of it",
            half - strength: "Strength, half of it",
            -half: "no Strength",
        }
    else:
        shares = {
            strength * 3 // 2 - strength: "Strength, half again",
            strength // 2 - strength: "Strength, half of it",
            -strength: "no Strength",
        }
    if missing in shares and strength:
        return Explained((Bonus(missing, "ability", shares[missing]),))
    return Explained(
        (Bonus(missing, "untyped" if missing > 0 else "penalty", PRINTED_ATTACK_PRINTED),), missing
    )
