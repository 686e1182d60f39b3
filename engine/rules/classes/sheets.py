"""Character sheets: ability modifiers, natures, vocabularies and validation."""

import re
from collections.abc import Collection
from typing import Final

from affray.engine.dice import parse
from affray.engine.dice.notation import DiceNotationError
from affray.engine.kernel.sheets import LEVELS, POINTS
from affray.engine.record.acts import Form, Judged, Known, Parts, Ruleset, among, details_of
from affray.engine.record.chapters import lone_conditions
from affray.events.facts.sheet import KINDS, SIZES, Sheet, Weapon
from affray.projections.state import Combatant

# --- Ability modifiers and other values taken directly from the sheet


def ability_modifier(score: int | None) -> int:
    """Return the modifier of an ability score: half of its excess over 10, rounded down.

    A score that a creature does not have modifies nothing (srd35.ability.modifier).
    """
    return 0 if score is None else (score - 10) // 2


def ability(sheet: Sheet, name: str) -> int:
    """Return the modifier of a sheet's ability ("str", "dex", "con", "int", "wis", "cha")."""
    return ability_modifier(getattr(sheet.abilities, "int_" if name == "int" else name))


def size_step(combatant: Combatant) -> int:
    """Return the size category as a number: fine 0, medium 4, colossal 8."""
    return SIZES.index(combatant.sheet.size)


def has_feat(combatant: Combatant, feat: str) -> bool:
    """Return whether the sheet names the feat (lower case, as printed: "combat reflexes")."""
    return feat in combatant.sheet.feats


def has_named(sheet: Sheet, name: str) -> bool:
    """Return whether a sheet lists the name among its feats or traits."""
    return name in sheet.feats or name in sheet.traits


def has_trait(combatant: Combatant, trait: str) -> bool:
    """Return whether the sheet names the trait."""
    return trait in combatant.sheet.traits


def trait_detail(combatant: Combatant, name: str) -> str:
    """Return the detail of a trait of the sheet, such as the dice of "constrict 1d8+6", or ""."""
    traits = combatant.sheet.traits
    return next((detail for detail in details_of(name, traits) if detail), "") if traits else ""


def wielded_in_two_hands(weapon: Weapon) -> bool:
    """Return whether both hands hold the weapon."""
    return weapon.hands == 2 or weapon.wield == "two-handed"


def sizes_larger(one: Combatant, other: Combatant) -> int:
    """Return by how many sizes one is larger than the other, below 0 if smaller."""
    return size_step(one) - size_step(other)


# --- A creature's natures: its kind, its race, a trait on its sheet, or a current condition
# A printed creature is incorporeal by its kind or its subtype, another becomes so by a spell: the rules treat
# both alike. They ask `is_a`; a stage does so with `natured`: `when(natured("target", INCORPOREAL), stage)`.

ETHEREAL: Final = "ethereal"
FLYING: Final = "flying"
INCORPOREAL: Final = "incorporeal"
UNDEAD: Final = "undead"
#: Natures that no ground hampers: flying, bodiless, or on another plane.
CLEAR_OF_GROUND: Final = frozenset({ETHEREAL, FLYING, INCORPOREAL})


def is_printed_as(sheet: Sheet, nature: str) -> bool:
    """Return whether a sheet is that of such a creature, by kind, race or trait."""
    return nature in (sheet.kind, sheet.race) or nature in sheet.traits


def is_a(combatant: Combatant, nature: str) -> bool:
    """Return whether a combatant is such a creature, by kind, race, trait or condition."""
    return is_printed_as(combatant.sheet, nature) or nature in combatant.conditions


def natures_of(combatant: Combatant) -> tuple[str, ...]:
    """Return all natures of a combatant: its kind, race, traits and conditions, in this order."""
    sheet = combatant.sheet
    return (sheet.kind, sheet.race, *sheet.traits, *combatant.conditions)


def nature_among(combatant: Combatant, natures: Collection[str]) -> str:
    """Return the first of a combatant's natures that is one of these, "" for none."""
    sheet = combatant.sheet
    for one in (sheet.kind, sheet.race, *sheet.traits, *combatant.conditions):
        if one in natures:
            return one
    return ""


def is_mindless(combatant: Combatant) -> bool:
    """Return whether a combatant has no mind: no Intelligence score, or the trait."""
    return combatant.sheet.abilities.int_ is None or is_a(combatant, "mindless")


def natured(asked: str, nature: str) -> str:
    """Return the condition of a stage that the point's argument `asked` has a nature."""
    return (
        f"('{nature}' in ({asked}.sheet.kind, {asked}.sheet.race) or '{nature}' in {asked}.sheet.traits"
        f" or '{nature}' in {asked}.conditions)"
    )


# --- Validation of a character sheet before its bearer enters a fight


# --- The vocabularies of a sheet: kinds of bonus, families and materials of arms, conditions of riders
# An unknown word is refused as its bearer enters.

#: Kinds of creature that rules distinguish, and further natures.
CREATURES = (*KINDS, "dwarf", "incorporeal", "object", "snake", "vehicle")
#: What a weapon may need to bypass a creature's damage reduction.
BYPASSING = frozenset(
    {"adamantine", "byeshk", "cold iron", "epic", "ghost touch", "magic", "mithral", "silver"}
)
ALIGNED = frozenset({"chaotic", "evil", "good", "lawful"})
SCHOOLS = (
    *("abjuration", "conjuration", "divination", "enchantment", "evocation", "illusion", "necromancy"),
    *("transmutation", "universal", "death"),
)
#: A school may be given with its subschool and descriptors: "evocation [force]".
SCHOOL = Form("a school of magic such as 'evocation'", lambda text: text.startswith(SCHOOLS), SCHOOLS)
METAMAGIC = tuple(
    f"{one} spell"
    for one in ("empower", "enlarge", "extend", "heighten", "maximize", "quicken", "silent", "still", "widen")
)
LOADING = ("move", "standard", "full-round", "case")
#: The answerers of a combatant's questions.
POLICIES = ("auto", "cautious", "ask")
BARE = ("base attack", "hit points", "speed")
#: Prefixes of further numbers that a spell may change.
STATS_OF = ("save.", "check.", "score.", "no.", "zero.", "attack.", "defense.")


def is_dice(text: str) -> bool:
    """Return whether a text is dice that can be rolled."""
    try:
        parse(text)
    except DiceNotationError:
        return False
    return True


JOINED = re.compile(" and | or ")
DICE = Form("dice such as '2d6'", is_dice)


def rider_effects(dialect: Ruleset) -> Form:
    """Return the immediate effects of poison and the like: points, levels, a condition, a wound that
    bleeds.
    """
    known = lone_conditions(dialect)

    def fits(text: str) -> bool:
        words = text.split()
        bleeds = len(words) == 2 and words[0] == "bleed" and is_dice(words[1])
        return bool(POINTS.fullmatch(text) or LEVELS.fullmatch(text)) or bleeds

    return Form("'1d6 str', '1 negative level' or a condition", fits, tuple(sorted(known)))


def spell_stats(dialect: Ruleset) -> Form:
    """Return the forms of numbers that a spell may change."""
    known: frozenset[str] = dialect.magic.stats
    said = "'attack', 'defense', 'save' and the like"
    return Form(said, lambda text: text.startswith(STATS_OF), tuple(sorted(known)))


def bonus_kinds(dialect: Ruleset) -> Known:
    """Return the kinds of bonus that a dialect knows."""
    found: Known = dialect.classes.bonus_kinds
    return found


def weapon_families(dialect: Ruleset) -> Known:
    """Return the families of weapons that a dialect knows."""
    found: Known = dialect.gear.families
    return found


def weapon_materials(dialect: Ruleset) -> Known:
    """Return the materials that a dialect knows."""
    found: Known = dialect.gear.materials
    return found


def damage_types(dialect: Ruleset) -> Form:
    """Return the types of damage that a dialect knows, one or several joined together."""
    found = dialect.damage.types
    return Form(
        "'slashing' or the like",
        lambda text: all(one in found for one in JOINED.split(text)),
        ("", *sorted(found)),
    )


def damage_type(dialect: Ruleset) -> Known:
    """Return the types of damage that a dialect knows, "" for none."""
    return frozenset({"", *dialect.damage.types})


def bypassing(dialect: Ruleset) -> Known:
    """Return what a blow may need to bypass a creature's damage reduction."""
    return frozenset({*BYPASSING, *ALIGNED, *dialect.damage.types})


def components(dialect: Ruleset) -> Form:
    """Return the possible components of a casting, and other notes on a spell."""
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
