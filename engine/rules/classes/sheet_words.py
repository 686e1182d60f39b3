"""The words of a sheet: kinds of bonus, families and materials of arms, conditions that it brings.

An unknown one is refused as its bearer enters.
"""

import re
from typing import Any

from affray.engine.dice import parse
from affray.engine.dice.notation import DiceNotationError
from affray.engine.record.acts import Parts
from affray.engine.record.conditions import lone_conditions
from affray.engine.record.sheet_names import among
from affray.engine.record.words import Form, Judged, Known
from affray.engine.rules.classes.sheet_faults import LEVELS, POINTS
from affray.events.facts.sheet import KINDS, SIZES

#: Kinds of creature that rules tell apart, and what else a sheet may be of.
CREATURES = (*KINDS, "dwarf", "incorporeal", "object", "snake", "vehicle")
#: What damage reduction may ask of a weapon, by the creature that has it.
BYPASSING = frozenset(
    {"adamantine", "byeshk", "cold iron", "epic", "ghost touch", "magic", "mithral", "silver"}
)
ALIGNED = frozenset({"chaotic", "evil", "good", "lawful"})
SCHOOLS = (
    *("abjuration", "conjuration", "divination", "enchantment", "evocation", "illusion", "necromancy"),
    *("transmutation", "universal", "death"),
)
#: A school may be told with its subschool and descriptors: "evocation [force]".
SCHOOL = Form("a school of magic such as 'evocation'", lambda text: text.startswith(SCHOOLS), SCHOOLS)
METAMAGIC = tuple(
    f"{one} spell"
    for one in ("empower", "enlarge", "extend", "heighten", "maximize", "quicken", "silent", "still", "widen")
)
LOADING = ("move", "standard", "full-round", "case")
#: Who answers a combatant's questions.
POLICIES = ("auto", "cautious", "ask")
BARE = ("base attack", "hit points", "speed")
#: How the names of further numbers begin that a spell may change.
STATS_OF = ("save.", "check.", "score.", "no.", "zero.", "attack.", "defense.")


def is_dice(text: str) -> bool:
    """Say whether a text is dice that can be thrown."""
    try:
        parse(text)
    except DiceNotationError:
        return False
    return True


JOINED = re.compile(" and | or ")
DICE = Form("dice such as '2d6'", is_dice)


def rider_effects(dialect: Any) -> Form:
    """Return what poison and the like may do at once: points, levels, a condition, a wound that bleeds."""
    known = lone_conditions(dialect)

    def fits(text: str) -> bool:
        words = text.split()
        bleeds = len(words) == 2 and words[0] == "bleed" and is_dice(words[1])
        return bool(POINTS.fullmatch(text) or LEVELS.fullmatch(text)) or bleeds

    return Form("'1d6 str', '1 negative level' or a condition", fits, tuple(sorted(known)))


def spell_stats(dialect: Any) -> Form:
    """Return what a spell may change of a number."""
    known: frozenset[str] = dialect.magic.stats
    said = "'attack', 'defense', 'save' and the like"
    return Form(said, lambda text: text.startswith(STATS_OF), tuple(sorted(known)))


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


def damage_types(dialect: Any) -> Form:
    """Return the types of damage that a dialect knows, one or several joined together."""
    found = dialect.damage.types
    return Form(
        "'slashing' or the like",
        lambda text: all(one in found for one in JOINED.split(text)),
        ("", *sorted(found)),
    )


def damage_type(dialect: Any) -> Known:
    """Return the types of damage that a dialect knows, "" for none."""
    return frozenset({"", *dialect.damage.types})


def bypassing(dialect: Any) -> Known:
    """Return what damage reduction may ask of a blow, by the creature that has it."""
    return frozenset({*BYPASSING, *ALIGNED, *dialect.damage.types})


def components(dialect: Any) -> Form:
    """Return what a casting may take, and what may be said of a spell beside it."""
    known: frozenset[str] = dialect.magic.components
    return Form("a component such as 'verbal'", lambda word: among(word, known), tuple(sorted(known)))


BONUS = Parts(kind=bonus_kinds)
RIDER = Parts(effect=rider_effects, secondary=rider_effects)
SHEET = Parts(
    size=SIZES,
    kind=CREATURES,
    save_bonuses=BONUS,
    armor=BONUS,
    initiative=BONUS,
    speed_bonuses=BONUS,
    check_penalties=BONUS,
    bare=BARE,
    reductions=Parts(bypass=bypassing),
    resistances=damage_type,
    lethal=bypassing,
    weapons=Parts(
        damage=Judged(DICE),
        damage_type=damage_types,
        second=Judged(DICE),
        family=weapon_families,
        material=weapon_materials,
        load=LOADING,
        attack=BONUS,
        bonus_damage=BONUS,
        extra=Parts(dice=Judged(DICE), kind=damage_type),
        riders=RIDER,
    ),
    worn=Parts(material=weapon_materials),
    spells=Parts(
        damage=Judged(DICE),
        ongoing=DICE,
        healing=Judged(DICE),
        temporary=Judged(DICE),
        damage_type=damage_type,
        condition=lone_conditions,
        components=components,
        school=SCHOOL,
        metamagic=METAMAGIC,
        grants=Parts(stat=spell_stats, kind=bonus_kinds),
        riders=RIDER,
    ),
    poisons=RIDER,
)
