"""Sheets: the fields of fifth edition, and the numbers that follow from them."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.kernel.sheets import score_of
from affray.engine.steps import Refusal, unknown_word
from affray.events.facts.base import Name, Names, Number, Words
from affray.events.facts.sheet import SCORES, Modifier, Sheet
from affray.projections.state import Combatant

Lines = Annotated[tuple[Words, ...], Meta(max_length=200)]
"""Lines of text, each a printed action (`printed.py`)."""


class SheetFields(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of a sheet in addition to hit points, abilities, classes, speed, weapons and worn items."""

    character: bool = False
    proficiency: Number = 0
    armor_class: Number = 0
    saves: Names = ()
    skills: Names = ()
    expertise: Names = ()
    masteries: Names = ()
    attacks: Number = 1
    multiattack: Names = ()
    resistances: Names = ()
    vulnerabilities: Names = ()
    immunities: Names = ()
    condition_immunities: Names = ()
    spellcasting: Name = ""
    spells: Names = ()
    slots: tuple[Number, ...] = ()
    spell_dc: Number = 0
    other_spells: Names = ()
    innate: Names = ()
    without: Names = ()
    blindsight: Number = 0
    darkvision: Number = 0
    tremorsense: Number = 0
    truesight: Number = 0
    burrow: Number = 0
    hover: bool = False
    trained: bool = False
    inspiration: bool = False
    tools: Names = ()
    items: Names = ()
    training: Names = ()
    initiate_spells: Names = ()
    substance: Name = ""
    build: Name = ""
    threshold: Number = 0
    actions: Lines = ()
    legendary: Number = 0
    challenge: Name = ""
    height: Number = 0
    weight: Number = 0
    attuned: Names = ()
    hit_points: Name = ""
    gear: Names = ()
    languages: Names = ()
    telepathy: Number = 0


def fields_of(fight: Fight, combatant: Combatant) -> SheetFields:
    """Return the fields of fifth edition on a combatant's sheet."""
    found: SheetFields = fight.dialect.custom_of(combatant.sheet)
    return found


SKILLS: Final = (
    *("acrobatics", "animal handling", "arcana", "athletics", "deception", "history", "insight"),
    *("intimidation", "investigation", "medicine", "nature", "perception", "performance", "persuasion"),
    *("religion", "sleight of hand", "stealth", "survival"),
)
"""The skills by name."""


# --- Abilities and the Proficiency Bonus


def score_now(combatant: Combatant, ability: str) -> int | None:
    """Return the score of an ability as it is now: printed, less what effects have lowered it by."""
    score = score_of(combatant.sheet, ability)
    if score is None or not combatant.losses:
        return score
    return max(0, score - combatant.losses.get(ability, 0))


def modifier_of(fight: Fight, combatant: Combatant, ability: str) -> int:
    """Return an ability modifier; 0 for a score that the creature lacks (srd52.test.ability-modifier)."""
    score = score_now(combatant, ability)
    if score is None:
        return 0
    if not score:
        score = fight.figure("test.ability-scores", "min")
    rows, even = fight.figure("test.ability-modifier", "rows"), score - score % 2
    return int(rows.get(str(score), rows.get(f"{even}-{even + 1}")))


def ability(fight: Fight, combatant: Combatant, name: str, topic: str = "test.ability-modifier") -> Modifier:
    """Return the part that an ability contributes to a sum, by the rule on that sum."""
    source, lost = SCORES[name], combatant.losses.get(name)
    if lost:
        source = f"{source}, lowered by {lost}"
    return Modifier(modifier_of(fight, combatant, name), "ability", source, fight.rule(topic))


def refuse_scores(fight: Fight, sheet: Sheet) -> None:
    """Refuse ability scores below the least and above the highest of any creature."""
    figures = fight.figure("test.ability-scores")
    least, most = figures["min"], figures["max"]
    scores = [one for name in SCORES if (one := score_of(sheet, name)) is not None]
    for score in scores:
        if not least <= score <= most:
            topic = "test.ability-scores" if score > most else "test.ability-score-zero"
            raise Refusal(f"ability scores go from {least} to {most}", fight.rule(topic))


def level_of(sheet: Sheet) -> int:
    """Return the level of a character: the sum of its class levels."""
    return sum(sheet.classes.values())


def of_class(fight: Fight, sheet: Sheet, name: str, what: str) -> Any:
    """Return the figure of a column in a class's table at the level of a sheet; 0 without such a level."""
    level = sheet.classes.get(name, 0)
    return fight.figure("classes.progression", name, what, level - 1) if level else 0


@per_fight(Same("combatant.sheet"))
def proficiency_bonus(fight: Fight, combatant: Combatant) -> int:
    """Return the Proficiency Bonus: printed, by level, or by Challenge Rating; otherwise the lowest."""
    own = fields_of(fight, combatant)
    if own.proficiency:
        return own.proficiency
    level, rows = Fraction(level_of(combatant.sheet)), fight.figure("test.proficiency-bonus")
    if own.challenge and not own.character:
        level, rows = rating_of(own.challenge), fight.figure("monster.proficiency")
    return int(next(bonus for levels, bonus in rows.items() if level <= int(re.findall(r"\d+", levels)[-1])))


def rating_of(challenge: str) -> Fraction:
    """Return a Challenge Rating ("1/4", "3") as a number, 0 for other words."""
    return Fraction(challenge) if RATING.fullmatch(challenge) else Fraction(0)


RATING: Final = re.compile(r"\d+(/[1-9]\d*)?")


def proficiency(
    fight: Fight, combatant: Combatant, factor: int = 1, topic: str = "test.proficiency-bonus"
) -> Modifier:
    """Return the part that proficiency contributes to a sum; twice the bonus with Expertise."""
    own, doubled = fields_of(fight, combatant), factor > 1
    if own.challenge and not own.proficiency and not doubled and topic != "monster.saves":
        topic = "monster.proficiency"
    source = "expertise" if doubled else "proficiency"
    value = proficiency_bonus(fight, combatant) * factor
    return Modifier(value, "proficiency", source, fight.rule(topic))


DIFFICULTY: Final = ("test.save-dc", "test.proficiency-bonus", "test.proficiency-uses")
"""The rules on the DC of a combatant's own effects."""


def difficulty(fight: Fight, combatant: Combatant, name: str, *place: str) -> int:
    """Return the DC of a combatant's own effect: 8, the ability modifier and the Proficiency Bonus.

    place: the figure that says so, unless it is the one on spells.
    """
    base = fight.formula(*(place or ("test.save-dc", "spell")))
    return int(base + modifier_of(fight, combatant, name) + proficiency_bonus(fight, combatant))


def skill_parts(fight: Fight, combatant: Combatant, skill: str, name: str = "") -> Iterator[Modifier]:
    """Yield the parts of a check with a skill or an ability: the ability, and proficiency or expertise.

    name: the ability of the check, where that is not the usual one of the skill.

    Refuses other skills.
    """
    if skill in SCORES:
        yield ability(fight, combatant, skill, "test.check-ability")
        return
    known = fight.figure("test.skills")
    if skill not in known:
        raise unknown_word("skill", skill, known, fight.rule("test.skills"))
    yield ability(fight, combatant, name or known[skill], "test.check-ability")
    own = fields_of(fight, combatant)
    if times := own.expertise.count(skill):
        most = fight.figure("test.proficiency-scaling-once", "max_multiplications")
        factor = fight.figure("test.expertise", "factor") ** min(times, most)
        topic = "test.proficiency-scaling-once" if times > most else "test.expertise"
        yield proficiency(fight, combatant, factor, topic)
    elif skill in own.skills:
        yield proficiency(fight, combatant, topic="test.check-proficiency")


def is_proficient(fight: Fight, combatant: Combatant, skill: str) -> bool:
    """Return whether a combatant is proficient in a skill."""
    own = fields_of(fight, combatant)
    return skill in (*own.skills, *own.expertise)


def ability_of_skill(fight: Fight, skill: str) -> str:
    """Return the ability that a skill goes with ("dex"); that of an ability check is its own."""
    return str(fight.figure("test.skills").get(skill, skill))


def save_parts(fight: Fight, combatant: Combatant, name: str) -> Iterator[Modifier]:
    """Yield the parts of a saving throw: the ability, and proficiency with that save."""
    yield ability(fight, combatant, name, "test.save-ability")
    if name in fields_of(fight, combatant).saves:
        monstrous = bool(fields_of(fight, combatant).challenge)
        topic = "monster.saves" if monstrous else "test.save-proficiency"
        yield proficiency(fight, combatant, topic=topic)


# --- Spans of time

ROUNDS: Final = {"round": 1, "minute": 10, "hour": 600}
"""The rounds of a span."""
SPAN: Final = re.compile(r"(\d+) (round|minute|hour)s?")


def rounds_in(text: str) -> int:
    """Return how many rounds a span of time in a text has ("10 minutes"); 0 if it names none."""
    found = SPAN.search(text)
    return int(found[1]) * ROUNDS[found[2]] if found else 0


def rounds_of(fight: Fight, *place: str) -> int:
    """Return how many rounds a figure of the catalogue lasts."""
    return rounds_in(str(fight.figure(*place)))


# --- Attacks


@per_fight(Same("combatant.sheet"))
def attacks_of(fight: Fight, combatant: Combatant) -> int:
    """Return the attacks of an Attack action: as printed, or by class; those of several do not add."""
    table, sheet = fight.figure("classes.progression"), combatant.sheet
    given = [
        of_class(fight, sheet, one, "attacks") for one in sheet.classes if "attacks" in table.get(one, ())
    ]
    least = fight.figure("turns.attack-action", "attacks")
    return max(int(one) for one in (fields_of(fight, combatant).attacks, *given, least))


# --- Spellcasting classes


def casting_classes(fight: Fight, sheet: Sheet) -> list[str]:
    """Return the classes of a sheet that have spell slots."""
    table = fight.figure("classes.progression")
    return [name for name in sorted(sheet.classes) if sheet.classes[name] and "slots" in table.get(name, ())]


def slots_of(fight: Fight, sheet: Sheet) -> tuple[int, ...]:
    """Return the number of spell slots by their level, those of level 1 first; () without a casting class.

    Several casting classes share the slots of one caster (srd52.classes.progression).
    """
    names, table = casting_classes(fight, sheet), fight.figure("classes.progression")
    if len(names) < 2:
        return tuple(of_class(fight, sheet, names[0], "slots")) if names else ()
    whole, half = table["multiclass"]["whole"], table["multiclass"]["half"]
    level = sum(sheet.classes[name] if name in whole else 0 for name in names)
    level += sum(-(-sheet.classes[name] // 2) if name in half else 0 for name in names)
    rows = table[whole[0]]["slots"]
    return tuple(rows[min(level, len(rows)) - 1])


def spellcasting_ability(fight: Fight, sheet: Sheet, name: str = "") -> str:
    """Return the ability by which a class casts, that of the first one by its name if none is named.

    "" where the sheet lacks the class, or the class does not cast.
    """
    known = [one for one in casting_classes(fight, sheet) if name in ("", one)]
    return str(fight.figure("classes.core-traits", known[0], "casting")) if known else ""
