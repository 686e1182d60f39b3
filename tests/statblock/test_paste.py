"""Blocks as people paste them: broken lines, tables, labels alone, several editions, several creatures."""

import textwrap

import pytest

from affray.engine.statblock import Block, StatBlockError, read
from affray.engine.statblock.paste import LABELS
from affray.engine.statblock.weapons import words
from affray.events.facts.sheet import Bonus
from tests.statblock.blocks import CLASSIC, ONE_LINE, PATHFINDER, trial

FEATS = "Alertness, Improved Initiative, Iron Will, Power Attack"
CASTER = f"""{trial("Melee club +9/+4 (1d6+3)", feats=FEATS)}\
Special Attacks channel energy 3d6
Cleric Spells Prepared (CL 6th; concentration +9)
3rd-haste, mage armor (already cast), Protection from Energy (fire)
2nd-bear's endurance, Shield Other
0 (at will)-light
Domain Spell-Like Abilities (CL 6th; concentration +9)
6/day-touch of good
D domain spell; Domains Good, Sun
Typical Sorcerer Spells Known (CL 3rd)
1st (6/day)-shield
"""
MODERN = (
    "Dock Bruiser: CR 2; Medium-size humanoid; HD 3d8+6; hp 19; Mas 14; Init +1; Spd 30 ft.; "
    "Defense 15, touch 13, flat-footed 14 (+1 Dex, +2 class, +2 equipment); BAB +2; Grap +4; "
    "Atk +4 melee (1d6+2, club); Full Atk +4 melee (1d6+2, club); FS 5 ft. by 5 ft.; Reach 5 ft.; "
    "AL none; SV Fort +4, Ref +2, Will +1; AP 1; Rep +0; "
    "Str 15, Dex 13, Con 14, Int 10, Wis 10, Cha 8. Skills and Feats: Climb +5; Brawl"
)
OLD = """\
Mire Ape
Large Animal
Hit Dice: 4d8+8 (26 hp)
Initiative: +2 (Dex)
Speed: 30 ft., climb 30 ft.
AC: 14 (-1 size, +2 Dex, +3 natural)
Attacks: 2 claws +7 melee, bite +2 melee
Damage: Claw 1d6+5, bite 1d6+2 and poison
Face/Reach: 5 ft. by 5 ft./10 ft.
Saves: Fort +6, Ref +6, Will +2
Abilities: Str 21, Dex 15, Con 14, Int 2, Wis 12, Cha 7
"""


def wrapped(text: str, column: int) -> str:
    """Return a text with each line broken at a column."""
    return "\n".join(textwrap.fill(line, column) for line in text.splitlines())


@pytest.mark.parametrize("column", range(34, 121))
@pytest.mark.parametrize(
    "text", [PATHFINDER, CLASSIC, ONE_LINE, CASTER], ids=["pf", "classic", "line", "caster"]
)
def test_lines_broken_at_any_column(text: str, column: int) -> None:
    """A column breaks lines within feats, labels and numbers, and the sheet is the same."""
    assert read(wrapped(text, column), name="it").sheet == read(text, name="it").sheet


def hyphenated(text: str, column: int) -> str:
    """Return a text broken at a column, known words that do not fit there cut at a hyphen."""
    lines = []
    for whole in text.splitlines():
        line = ""
        for word in whole.split(" "):
            room, bare = column - len(line) - 2, word.rstrip(",;)")
            if line and len(line) + 1 + len(word) > column:
                if 2 <= room <= len(bare) - 2 and bare.isalpha() and bare.lower() in words():
                    lines.append(f"{line} {word[:room]}-")
                    line = word[room:]
                else:
                    lines.append(line)
                    line = word
            else:
                line = f"{line} {word}" if line else word
        lines.append(line)
    return "\n".join(lines)


@pytest.mark.parametrize("column", range(34, 121))
@pytest.mark.parametrize(
    "text", [PATHFINDER, CLASSIC, ONE_LINE, CASTER], ids=["pf", "classic", "line", "caster"]
)
def test_words_cut_at_hyphens(text: str, column: int) -> None:
    """A page cuts words at hyphens, feats and labels' values among them, and the sheet is the same."""
    assert read(hyphenated(text, column), name="it").sheet == read(text, name="it").sheet


def test_spell_lists_are_no_traits() -> None:
    """What a caster has prepared ends up in the remarks, not on the sheet."""
    block = read(CASTER)
    assert block.sheet.traits == ("channel energy 3d6",)
    assert block.sheet.concentration == 9
    assert sum("spells are not read" in note.reason for note in block.notes) >= 3


@pytest.mark.parametrize(
    "mark", ["{}:\n{}", "{}\n{}", "**{}**\n{}", "| {} | {} |", "|-\n! {}\n| {}", "- **{}:** {}"]
)
def test_labels_apart_from_their_values(mark: str) -> None:
    """A label on a line, in a heading or in a cell of its own is one."""
    text = CLASSIC.replace("cold 5,\n", "cold 5, ").replace("Int 6,\n", "Int 6, ")
    pairs = [line.split(": ", 1) for line in text.splitlines()]
    marked = [mark.format(*pair) if pair[0] in LABELS else ": ".join(pair) for pair in pairs]
    assert read("\n".join(marked)).sheet == read(CLASSIC).sheet


def test_rows_of_labels_over_rows_of_values() -> None:
    """The six scores are often a table of two rows."""
    rule = "|:--:" * 6
    row = f"| Str | Dex | Con | Int | Wis | Cha |\n{rule}|\n| 23 | 12 | 18 | 6 | 12 | 7 |\n"
    text = CLASSIC.replace("Abilities: Str 23, Dex 12, Con 18, Int 6,\nWis 12, Cha 7\n", row)
    assert read(text).sheet == read(CLASSIC).sheet
    saves = "| Fort | Ref | Will |\n|---|---|---|\n| +9 | +3 | +3 |"
    assert read(CLASSIC.replace("Saves: Fort +9, Ref +3, Will +3", saves)).sheet == read(CLASSIC).sheet


def test_html_tables() -> None:
    """Cells of an HTML table are a label and its value."""
    rows = "".join(
        f"<tr><th>{a}</th><td>{b}</td></tr>" for a, b in [("HD", "2d8 (9 hp)"), ("AC", "12 (+2 Dex)")]
    )
    block = read(f"<h2>Thing</h2><table>{rows}</table>")
    assert (block.sheet.hp, block.sheet.hit_dice, block.printed.ac) == (9, 2, 12)


@pytest.mark.parametrize(
    "text",
    [
        "| | Imp | Chief |\n|---|---|---|\n| AC | 12 | 15 |\n| hp | 9 | 20 |\n",
        "Imp\nAC\t12\t15\nhp\t9\t20\n",
        "Imp            Chief\nAC 12 (+2 Dex)      AC 15 (+5 natural)\nhp 9           hp 20\n",
        "         Imp      Chief\nAC:      12       15\nhp:      9        20\nInit:    +1       +2\n",
    ],
)
def test_several_creatures_side_by_side_are_refused(text: str) -> None:
    """Two columns are never mixed into one creature."""
    with pytest.raises(StatBlockError, match="side by side"):
        read(text)


def test_a_count_before_the_weapon_in_the_one_line_form() -> None:
    """What stands as "(1d6+6, 2 claws)" is two claws."""
    text = ONE_LINE.replace(
        "Full Atk +11/+6 melee (2d6+7/19-20, +1 greatsword)", "Full Atk +9 melee (1d6+3, 2 claws)"
    )
    strike = read(text).strikes[0]
    assert (strike.weapon, strike.attack.count, strike.attack.flat) == ("claw", 2, 3)


@pytest.mark.parametrize("grapple", ["+4/\u2014", "+4/-", "+4/\u2013", "+ 4/+14"])
def test_no_grapple(grapple: str) -> None:
    """A dash after the base attack bonus is a creature that cannot grapple."""
    block = read(CLASSIC.replace("+4/+14", grapple))
    assert (block.sheet.base_attack, block.unread) == (4, ())


def test_hit_dice_by_their_number() -> None:
    """A line "hp 63 (6 HD)" says how many Hit Dice there are."""
    block = read(PATHFINDER.replace("hp 95 (10d8+50)", "hp 63 (6 HD)"))
    assert (block.sheet.hp, block.sheet.hit_dice, block.unread) == (63, 6, ())


def test_attacks_and_damage_of_the_third_edition() -> None:
    """Damage on a line of its own belongs to the attacks by name; that no base attack is printed matters."""
    block = read(OLD)
    claw, bite = block.strikes
    assert (claw.attack.count, claw.attack.dice, claw.attack.flat) == (2, "1d6", 5)
    assert (bite.weapon, bite.attack.dice, bite.attack.flat) == ("bite", "1d6", 2)
    assert [note.reason for note in block.unread] == ["no base attack bonus printed: 0 is assumed"]
    assert (block.sheet.space, block.sheet.reach) == (5, 10)


def test_the_modern_game() -> None:
    """A Defense has class and equipment, and is read for futurepath."""
    block = read(MODERN)
    assert (block.dialect, block.unread) == ("futurepath", ())
    assert block.sheet.armor == (Bonus(2, "class", "class"), Bonus(2, "equipment", "equipment"))
    assert (block.sheet.base_attack, block.sheet.hp, block.sheet.space) == (2, 19, 5)
    assert [strike.weapon for strike in block.strikes][:1] == ["club"]


def graded(block: Block, grade: str) -> str:
    """Return the reasons of the notes of a grade in one text."""
    return "\n".join(note.reason for note in block.notes if note.grade == grade)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Base Atk +6; ", "", "no base attack bonus"),
        ("(6d8+3)", "", "no Hit Dice"),
        ("(+2 Dex)", "(+2 Dex, two pots)", "not a part of Armor Class"),
        ("(+2 Dex)", "(+2 oomph)", "of no known type"),
        ("AC 12", "AC 15", "the parts give 12"),
        ("Fort +2, Ref +4, Will +2", "Fort +2", "no saving throw of ref, will"),
        (", Cha 10", "", "no score of cha"),
        ("Melee club +9/+4 (1d6+3)", "Melee club (1d6+3)", "no attack with a bonus"),
        ("Melee club +9/+4 (1d6+3)", "Nahkampf Keule +9/+4 (1d6+3)", "no known field"),
        ("Speed", "hp 31 (6d8+4)\nSpeed", "a second hp"),
    ],
)
def test_what_matters(old: str, new: str, words: str) -> None:
    """What the fight turns on and nobody knows is unread, on the block too."""
    text = trial("Melee club +9/+4 (1d6+3)")
    assert read(text).unread == ()
    block = read(text.replace(old, new, 1))
    assert words in graded(block, "unread")
    assert block.unread == tuple(note for note in block.notes if note.grade == "unread")


def test_what_no_rule_plays_and_what_is_harmless() -> None:
    """Riders, auras and conditional bonuses are unplayed, gear and languages harmless."""
    club = trial("Melee club +9/+4 (1d6+3 plus grab)")
    block = read(f"{club}Aura fear (30 ft.)\nCombat Gear rope\nLanguages Giant\n")
    assert "further effect of a hit of the club" in graded(block, "unplayed")
    assert "auras" in graded(block, "unplayed")
    assert "gear" in graded(block, "harmless")
    assert "languages" in graded(block, "harmless")


def test_long_traits_are_told() -> None:
    """A trait longer than a log bears is kept in the remarks only."""
    text = f"{trial('Melee club +9/+4 (1d6+3)')}SQ scent, {'very ' * 60}odd\n"
    block = read(text)
    assert block.sheet.traits == ("scent",)
    assert "longer than the name of a trait" in graded(block, "unplayed")
