"""Sheets as they are written, and what is wrong with one."""

import re

from affray.engine.dice import parse
from affray.engine.dice.notation import DiceNotationError
from affray.events.facts.base import JsonObject
from affray.events.facts.sheet import Rider, Sheet, Spell, Weapon, beyond_bounds


def score_of(sheet: Sheet, name: str) -> int | None:
    """Return the printed score of an ability ("str", "dex", ...); None for one that the creature does not
    have.
    """
    score: int | None = getattr(sheet.abilities, "int_" if name == "int" else name)
    return score


#: The forms of effects that cost ability points, or levels.
POINTS = re.compile(r"(?P<dice>\S+) (?P<ability>str|dex|con|int|wis|cha)(?P<drain> drain)?")

LEVELS = re.compile(r"(?P<levels>[0-9]{1,3}) negative levels?")

MOST_POINTS = 100

MOST_LEVELS = 20


def expand_sheet(raw: JsonObject) -> JsonObject:
    """Return the plain data of a sheet with arms that are given by name as rows of the tables.

    `"longsword"` among weapons or worn items means `{name = "longsword", table = "longsword"}`; a row without
    a name gets the table's. An ability "none" is one that the creature does not have, for which TOML has no
    value.
    """
    made = dict(raw)
    if isinstance(scores := raw.get("abilities"), dict):
        made["abilities"] = {name: None if score == "none" else score for name, score in scores.items()}
    for field in ("weapons", "worn"):
        if isinstance(raw.get(field), list | tuple):
            made[field] = [_spelled_out(one, field == "weapons") for one in raw[field]]
    return made


def _spelled_out(thing: object, weapon: bool) -> object:
    dice = {"damage": ""} if weapon else {}
    if isinstance(thing, str):
        return {"name": thing, "table": thing, **dice}
    if isinstance(thing, dict) and "table" in thing:
        return {"name": thing["table"], **dice, **thing}
    return thing


def fault_of(sheet: Sheet) -> str:
    """Return what is wrong with a sheet in one sentence, "" if it is valid. O(size of the sheet).

    Impossible numbers, dice that cannot be rolled, names that would steer a terminal.
    """
    return _fault_of_numbers(sheet) or _fault_of_names(sheet) or _fault_of_arms(sheet)


def _fault_of_numbers(sheet: Sheet) -> str:
    if sheet.hp < 1:
        return f"maximum hit points must be at least 1, not {sheet.hp}"
    if fault := beyond_bounds(sheet):
        return fault
    if sheet.hit_dice < 0 or any(levels < 0 for levels in sheet.classes.values()):
        return "hit dice and levels cannot be negative"
    if any(one.amount < 0 for one in sheet.reductions) or any(one < 0 for one in sheet.resistances.values()):
        return "damage reduction and resistance cannot be negative"
    if sheet.fast_healing < 0 or sheet.regeneration < 0:
        return "fast healing and regeneration cannot be negative"
    if sheet.carried < 0 or any(ranks < 0 for ranks in sheet.ranks.values()):
        return "the weight carried and ranks of skills cannot be negative"
    return ""


def _fault_of_names(sheet: Sheet) -> str:
    names = (sheet.name, sheet.kind, *sheet.feats, *sheet.traits, *sheet.classes, *sheet.skills)
    names += tuple(one.name for one in sheet.worn)
    names += (sheet.race, *sheet.ranks)
    weapons, spells = [one.name for one in sheet.weapons], [one.name for one in sheet.spells]
    wrong = next((name for name in (*names, *weapons, *spells) if not name.isprintable()), None)
    if wrong is not None:
        return f"a name is printable text, not {wrong!r}"
    if not all((sheet.name, *weapons, *spells)):
        return "the creature, its weapons and its spells need names"
    if len(set(weapons)) < len(weapons):
        return "two weapons of one name"
    if len(set(spells)) < len(spells):
        return "two spells of one name"
    return ""


def explain_bad_rider(rider: Rider) -> str:
    """Return what is wrong with poison or the like in one sentence, "" if it is valid."""
    if not rider.name or not all(text.isprintable() for text in (rider.name, rider.effect, rider.secondary)):
        return "poison and the like need printable names and effects"
    if rider.dc < 0 or rider.rounds < 0:
        return f"{rider.name}: a DC and rounds cannot be negative"
    if rider.secondary and rider.kind != "poison":
        return f"{rider.name}: only poison has a secondary effect"
    for text in (rider.effect, rider.secondary):
        points = POINTS.fullmatch(text)
        if points and not points["dice"].isdecimal() and (fault := _fault_of_dice(points["dice"])):
            return f"{rider.name}: {fault}"
        if points and points["dice"].isdecimal() and int(points["dice"]) > MOST_POINTS:
            return f"{rider.name}: no creature has more than {MOST_POINTS} points to lose"
        levels = LEVELS.fullmatch(text)
        if levels and not 1 <= int(levels["levels"]) <= MOST_LEVELS:
            return f"{rider.name}: 1 to {MOST_LEVELS} negative levels at a time"
    return ""


def _fault_of_arms(sheet: Sheet) -> str:
    carriers: tuple[Weapon | Spell, ...] = (*sheet.weapons, *sheet.spells)
    riders = (*sheet.poisons, *(rider for one in carriers for rider in one.riders))
    if fault := next(filter(None, map(explain_bad_rider, riders)), ""):
        return fault
    for weapon in sheet.weapons:
        if fault := _fault_of_weapon(weapon):
            return f"{weapon.name}: {fault}"
    for spell in sheet.spells:
        if fault := _fault_of_spell(spell):
            return f"{spell.name}: {fault}"
    return ""


def _fault_of_weapon(weapon: Weapon) -> str:
    # Missing dice come from the tables at entry.
    own = (weapon.damage,) if weapon.damage or not weapon.table else ()
    dice = (*own, *filter(None, (weapon.second,)), *(one.dice for one in weapon.extra))
    return next(filter(None, map(_fault_of_dice, dice)), "")


def _fault_of_spell(spell: Spell) -> str:
    if spell.level < 0 or spell.rounds < 0 or (spell.uses or 0) < 0:
        return "level, rounds and uses cannot be negative"
    dice = filter(None, (spell.damage, spell.healing, spell.temporary))
    return next(filter(None, map(_fault_of_dice, dice)), "")


def _fault_of_dice(text: str) -> str:
    try:
        parse(text)
    except DiceNotationError as error:
        return str(error)
    return ""
