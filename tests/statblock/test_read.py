"""What a printed block says ends up on the sheet, and what does not is noted."""

import re

import msgspec
import pytest

from affray.engine.statblock import Block, StatBlockError, creature, read
from affray.engine.statblock.paste import LABELS, SECTIONS
from affray.events.facts.sheet import Bonus, Reduction
from tests.statblock.blocks import BASE, CLASSIC, ONE_LINE, PATHFINDER, trial

TOKEN = re.compile(r"[a-z]+|[0-9]+")
FORMS = {"pathfinder": PATHFINDER, "classic": CLASSIC, "one line": ONE_LINE}


def noted(block: Block, words: str) -> list[int]:
    """Return the lines of the notes whose text holds the words."""
    return [note.line for note in block.notes if words in note.text]


def test_pathfinder_form() -> None:
    """The sectioned form gives who it is, what protects it and how it moves."""
    block = read(PATHFINDER)
    sheet = block.sheet
    assert (block.dialect, sheet.name, sheet.size, sheet.kind) == (
        "pf1",
        "Quarry Tyrant",
        "large",
        "humanoid",
    )
    assert (sheet.hp, sheet.hit_dice, sheet.base_attack) == (95, 10, 7)
    assert (sheet.speed, sheet.base_speed, sheet.space, sheet.reach) == (30, 40, 10, 10)
    assert sheet.armor == (Bonus(4, "armor", "armor"), Bonus(9, "natural", "natural"))
    assert sheet.reductions == (Reduction(5, ("cold iron",)), Reduction(5, ("good",)))
    assert (sheet.resistances["cold"], sheet.spell_resistance) == (5, 18)
    assert sheet.resistances["fire"] > 1000
    assert {"giant", "see invisibility", "immunity to sleep", "rock catching"} <= set(sheet.traits)
    assert sheet.skills == {"climb": 10, "perception": 8}


def test_classic_form() -> None:
    """The 3.5 form gives the same things under its own labels, over broken lines too."""
    block = read(CLASSIC)
    sheet = block.sheet
    assert (block.dialect, sheet.size, sheet.kind, sheet.hp, sheet.hit_dice) == (
        "srd35",
        "large",
        "giant",
        51,
        6,
    )
    assert sheet.armor == (Bonus(5, "natural", "natural"), Bonus(2, "armor", "leather armor"))
    assert sheet.armor_weight == "light"
    assert (sheet.speed, sheet.swim, sheet.climb) == (30, 20, 0)
    assert sheet.abilities.wis == 12
    assert sheet.reductions == (Reduction(5, ("magic",)),)
    assert (sheet.resistances, sheet.spell_resistance) == ({"acid": 10, "cold": 5}, 14)
    assert sheet.initiative == (Bonus(4, "untyped", "Improved Initiative"),)


def test_one_line_form() -> None:
    """A block in one line, as scenarios print people, is read like the others."""
    sheet = read(ONE_LINE).sheet
    assert (sheet.name, sheet.classes, sheet.size, sheet.kind) == (
        "Sergeant Ovid, male human fighter 6",
        {"fighter": 6},
        "medium",
        "humanoid",
    )
    (sword,) = sheet.weapons
    assert (sword.name, sword.threat, sword.wield) == ("greatsword", 19, "two-handed")
    assert sword.attack == sword.bonus_damage == (Bonus(1, "enhancement", "+1 greatsword"),)
    assert sheet.armor_weight == "heavy"


@pytest.mark.parametrize("form", FORMS)
def test_the_engine_gives_back_the_printed_totals(form: str) -> None:
    """Armor Class, saves, initiative, attacks and damage add up to what is printed."""
    block = read(FORMS[form])
    sheet, printed, dialect = block.sheet, block.printed, block.dialect
    assert creature.armor_class(sheet, dialect) == (printed.ac, printed.touch, printed.flat_footed)
    for kind, total in printed.saves.items():
        assert creature.save_bonus(sheet, kind, dialect) == total
    assert creature.initiative_modifier(sheet, dialect) == printed.initiative
    weapons = {weapon.name: weapon for weapon in sheet.weapons}
    assert block.strikes
    for strike in block.strikes:
        weapon, attack = weapons[strike.weapon], strike.attack
        melee = attack.mode == "melee"
        assert creature.attack_bonus(sheet, weapon, melee, dialect) == attack.bonuses[0]
        assert creature.damage_bonus(sheet, weapon, melee, dialect) == attack.flat


def test_what_is_left_out_is_noted_with_its_line() -> None:
    """Every printed thing that the sheet does not hold stands in the notes with line and reason."""
    block = read(PATHFINDER)
    assert noted(block, "CR 7") == [1]
    assert noted(block, "+5 vs. fear") == [8]
    assert noted(block, "light blindness") == [10]
    assert noted(block, "burrow 5 ft.") == [12]
    assert noted(block, "grab") == [13]  # the line that the field begins on
    assert noted(block, "Giant") == [23]
    assert noted(block, "Quarry Stench") == [25]
    assert all(note.reason for note in block.notes)


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_dropped(form: str) -> None:
    """Every word and number printed stands on the sheet, among the printed figures or in a note."""
    block = read(FORMS[form])
    kept = set(TOKEN.findall(msgspec.json.encode(block).decode().lower()))
    labels = set(TOKEN.findall(" ".join((*LABELS, *SECTIONS)).lower()))
    # Between alternatives, what the squares of a speed add to its feet, and units.
    allowed = labels | {"or", "6", "squares", "ft", "without", "strength"}
    printed = TOKEN.findall(FORMS[form].lower().replace("\u2013", "-"))
    assert [word for word in printed if word not in kept | allowed] == []


def test_the_way_a_creature_flies_is_read() -> None:
    """A flying speed keeps the word that says how well."""
    sheet = read(CLASSIC.replace("swim 20 ft.", "fly 60 ft. (poor)")).sheet
    assert (sheet.fly, sheet.maneuver, sheet.swim) == (60, "poor", 0)


def test_unknown_lines_and_leftovers_are_noted() -> None:
    """A line without a known label, and words left over in a known field, are noted."""
    text = trial("Melee club +9/+4 (1d6+3)").replace("(+2 Dex)", "(+2 Dex) while dancing")
    block = read(f"{text}Zodiac Sign Aries\n".replace("Base Atk +6", "Base Atk +6 on Mondays"))
    assert noted(block, "Zodiac Sign Aries") == [11]
    assert noted(block, "while dancing") == [3]
    assert noted(block, "on Mondays") == [9]


def test_conditional_armor_is_noted_and_not_counted() -> None:
    """A bonus against some attackers is no part of the printed Armor Class."""
    block = read(trial("Melee club +9/+4 (1d6+3)").replace("(+2 Dex)", "(+2 Dex; +4 deflection vs. evil)"))
    assert block.sheet.armor == ()
    assert noted(block, "+4 deflection vs. evil") == [3]


def test_divine_grace_counts_once() -> None:
    """Printed saves hold divine grace already, so it becomes no trait that would add it again."""
    block = read(f"{trial('Melee club +9/+4 (1d6+3)')}SQ divine grace, evasion\n")
    assert "divine grace" not in block.sheet.traits
    assert "evasion" in block.sheet.traits
    assert noted(block, "divine grace")


def test_armor_caps_dexterity() -> None:
    """A Dexterity part below the score's is the cap of the armor worn."""
    armored = "AC 20, touch 11, flat-footed 19 (+9 armor, +1 Dex)"
    block = read(trial("Melee club +9/+4 (1d6+3)").replace(BASE.splitlines()[2], armored))
    assert block.sheet.max_dex == 1
    assert creature.armor_class(block.sheet, "pf1") == (20, 11, 19)


def test_parts_that_do_not_add_up_are_noted() -> None:
    """A misprinted total leaves the parts as they are and is named."""
    block = read(trial("Melee club +9/+4 (1d6+3)").replace("AC 12, touch 12", "AC 13, touch 12"))
    assert [n.reason for n in block.notes if "Armor Class" in n.reason] == [
        "Armor Class: the parts give 12, printed is 13: the parts are kept"
    ]


def test_a_second_creature_is_noted() -> None:
    """When two blocks are pasted at once the first counts and the second is noted."""
    other = trial("Melee club +9/+4 (1d6+3)").replace("hp 30", "hp 31")
    block = read(trial("Melee club +9/+4 (1d6+3)") + other)
    assert block.sheet.hp == 30
    assert noted(block, "31 (6d8+3)") == [14]


def test_html_and_typography_are_plain() -> None:
    """Dashes, times signs and entities of a web page read like their plain forms."""
    block = read(trial("<b>Melee</b> greataxe +9/+4 (1d12+4/&times;3)").replace("Fort +2", "Fort −2"))
    assert block.sheet.weapons[0].multiplier == 3
    assert block.printed.saves["fort"] == -2


def test_missing_scores_are_those_of_a_creature_without_them() -> None:
    """A dash is a score that the creature does not have."""
    assert read(trial("Melee slam +8 (1d6)", "—")).sheet.abilities.str is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no Armor Class"),
        ("A shopping list\neggs\nhp sauce\n", "no Armor Class"),
        ("Ghost\nAC 15\n", "no hit points"),
        ("Ghost\nAC 15\nhp 0\n", "at least 1"),
        ("Ghost\nAC 15\nhp 9\nStr 900, Dex 1, Con 1, Int 1, Wis 1, Cha 1\n", "0 to 100"),
        ("x" * 60_001, "more than 60000"),
    ],
)
def test_no_stat_block_is_one_line(text: str, words: str) -> None:
    """A text that makes no combatant is refused with one line that says what is missing."""
    with pytest.raises(StatBlockError, match=words) as refused:
        read(text)
    assert "\n" not in str(refused.value)


def test_a_name_may_be_given() -> None:
    """The caller's name replaces the printed one."""
    assert read(PATHFINDER, name="Bert").sheet.name == "Bert"
