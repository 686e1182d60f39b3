"""The words of a sheet: kinds of bonus, families and materials of arms, conditions that it brings.

An unknown one is refused as its bearer enters.
"""

from typing import Any

from affray.engine.dice import parse
from affray.engine.dice.notation import DiceNotationError
from affray.engine.record.acts import Parts
from affray.engine.record.conditions import known_conditions
from affray.engine.record.words import Form, Known
from affray.engine.rules.classes.sheet_faults import LEVELS, POINTS
from affray.events.facts.sheet import SIZES

BARE = ("base attack", "hit points", "speed")
#: Numbers of a combatant that a spell may change, and how the names of others begin.
STATS = (
    "attack",
    "melee-attack",
    "defense",
    "damage",
    "save",
    "speed",
    "initiative",
    "hit dice against turning",
)
STATS_OF = ("save.", "check.", "score.", "no.", "zero.", "attack.", "defense.")


def is_dice(text: str) -> bool:
    """Say whether a text is dice that can be thrown."""
    try:
        parse(text)
    except DiceNotationError:
        return False
    return True


DICE = Form("dice such as '2d6'", is_dice)


def rider_effects(dialect: Any) -> Form:
    """Return what poison and the like may do at once: points, levels, a condition, a wound that bleeds."""
    known = known_conditions(dialect)

    def fits(text: str) -> bool:
        words = text.split()
        bleeds = len(words) == 2 and words[0] == "bleed" and is_dice(words[1])
        return bool(POINTS.fullmatch(text) or LEVELS.fullmatch(text)) or bleeds

    return Form("'1d6 str', '1 negative level' or a condition", fits, tuple(sorted(known)))


def spell_stats(dialect: Any) -> Form:
    """Return what a spell may change of a number."""
    return Form("'attack', 'defense', 'save' and the like", lambda text: text.startswith(STATS_OF), STATS)


def bonus_kinds(dialect: Any) -> Known:
    """Return the kinds of bonus that a dialect knows."""
    found: Known = dialect.classes.bonus_kinds
    return found


def weapon_families(dialect: Any) -> Known:
    """Return the families of weapons that a dialect knows."""
    found: Known = dialect.gear.families
    return found


def weapon_materials(dialect: Any) -> Known:
    """Return the materials that a dialect knows."""
    found: Known = dialect.gear.materials
    return found


BONUS = Parts(kind=bonus_kinds)
RIDER = Parts(effect=rider_effects, secondary=rider_effects)
SHEET = Parts(
    size=SIZES,
    save_bonuses=BONUS,
    armor=BONUS,
    initiative=BONUS,
    speed_bonuses=BONUS,
    check_penalties=BONUS,
    bare=BARE,
    weapons=Parts(
        family=weapon_families, material=weapon_materials, attack=BONUS, bonus_damage=BONUS, riders=RIDER
    ),
    worn=Parts(material=weapon_materials),
    spells=Parts(condition=known_conditions, grants=Parts(stat=spell_stats, kind=bonus_kinds), riders=RIDER),
    poisons=RIDER,
)
