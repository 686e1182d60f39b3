"""Combat maneuvers and grapples have parts; what parts explain is counted beside what agrees."""

import pytest

from affray.engine.statblock import Block, read
from affray.engine.statblock.block import Figure, combat_maneuver_bonus, combat_maneuver_defense
from affray.events.facts.sheet import Bonus
from tests.statblock.blocks import CLASSIC, PATHFINDER, trial


def figure(block: Block, name: str) -> Figure:
    """Return the figure of a name."""
    return next(one for one in block.worked_out if one.name == name)


def test_combat_maneuvers() -> None:
    """Base attack, Strength and size give the bonus, 10 and Dexterity the defense besides."""
    found = figure(read(PATHFINDER), "CMB")
    assert (found.printed, found.given, found.explained) == (15, 15, True)
    assert found.parts == (
        Bonus(7, "base", "base attack bonus"),
        Bonus(7, "ability", "Strength"),
        Bonus(1, "size", "large"),
    )
    defense = figure(read(PATHFINDER), "CMD")
    assert (defense.printed, defense.given) == (24, 24)
    assert Bonus(-1, "ability", "Dexterity") in defense.parts


@pytest.mark.parametrize(
    ("old", "new", "bonus", "defense"),
    [
        ("Medium", "Tiny", 6, 19),  # Dexterity for the bonus, -2 for the size
        ("Str 16", "Str -", 8, 18),
        ("Feats Alertness", "Feats Agile Maneuvers", 8, 21),
        ("Feats Alertness", "Feats Defensive Combat Training", 9, 21),
        ("(+2 Dex)", "(+2 Dex, +1 dodge, +2 deflection, +4 armor, +3 natural)", 9, 24),
        ("(+2 Dex)", "(+2 Dex, -2 rage)", 9, 19),
    ],
)
def test_what_changes_them(old: str, new: str, bonus: int, defense: int) -> None:
    """Small size, feats, a missing score, and the parts of Armor Class that count."""
    sheet = read(trial("Melee club +9/+4 (1d6+3)").replace(old, new, 1)).sheet
    assert sum(part.value for part in combat_maneuver_bonus(sheet)) == bonus
    assert sum(part.value for part in combat_maneuver_defense(sheet)) == defense


def test_the_grapple_of_the_older_game() -> None:
    """Its size counts for four."""
    found = figure(read(CLASSIC), "grapple")
    assert (found.printed, found.given, found.parts[-1]) == (14, 14, Bonus(4, "size", "large"))


def test_what_differs_or_counts_at_times_is_told() -> None:
    """The parts count, and the print that they do not give is noted; so is what counts in some cases only."""
    block = read(PATHFINDER.replace("CMB +15; CMD 24", "CMB +17; CMD 24 (28 vs. trip)"))
    assert [note.text for note in block.notes if "CMB: the parts give 15" in note.reason] == ["+17"]
    assert [note.text for note in block.notes if "CMD in some cases" in note.reason] == ["(28 vs. trip)"]
    assert not figure(block, "CMB").explained


def test_shares() -> None:
    """A bonus that agrees only by a part that no rule names agrees and is not explained."""
    plain = read(trial("Melee club +9/+4 (1d6+3)")).shares
    odd = read(trial("Melee club +12/+7 (1d6+3)")).shares
    assert plain.printed == plain.agree == odd.printed == odd.agree == 10
    assert (plain.explained, odd.explained) == (plain.explained, plain.explained - 1)
