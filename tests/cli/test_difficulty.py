"""`affray difficulty`: the budget of an encounter in fifth edition, and what it needs."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import called
from tests.cli.signed import good


@pytest.fixture
def fight(tmp_path: Path) -> Path:
    """Return a fight of two characters of level 5."""
    db = tmp_path / "fight.db"
    good("new", db, "--dialect", "srd52", "--seed", "hard", "--rows", "........", "--rows", "........")
    for id, sheet, at in (("maera", "fighter", "0,0"), ("neria", "wizard", "0,1")):
        good("add", db, "--id", id, "--side", "heroes", "--use", sheet, "--at", at)
    return db


def opposed(db: Path, *sheets: str) -> None:
    """Let monsters enter."""
    for number, sheet in enumerate(sheets):
        at = f"{3 + number // 2 * 2},{number % 2}" if sheet == "goblin" else "5,0"
        good("add", db, "--id", f"foe-{number}", "--side", "foes", "--use", sheet, "--at", at)


@pytest.mark.parametrize(
    ("sheets", "total", "grade"),
    [
        (("ogre",), 450, "low"),
        (("goblin", "goblin", "goblin", "goblin"), 200, "low"),
        (("troll",), 1800, "high"),
        (("young red dragon",), 5900, "more than high"),
    ],
)
def test_points_are_held_against_the_budget(
    fight: Path, sheets: tuple[str, ...], total: int, grade: str
) -> None:
    """Two characters of level 5 have 1,000, 1,500 and 2,200 points."""
    opposed(fight, *sheets)
    told = json.loads(good("difficulty", fight, "--json"))
    assert told["budgets"] == {"low": 1000, "moderate": 1500, "high": 2200}
    assert (told["total"], told["grade"]) == (total, grade)
    assert told["cites"] == ["srd52.monster.xp-by-cr"]


def test_it_is_told_with_what_the_text_warns_of(fight: Path) -> None:
    """In rows of 80 columns."""
    opposed(fight, "young red dragon")
    told = good("difficulty", fight)
    assert "Characters by level: Maera 5, Neria 5" in told
    assert "5900 XP: more than high" in told
    assert "CR 10 is above level 5: one action may take a character out" in told
    assert all(len(row) <= 80 for row in told.splitlines())


def test_it_warns_of_more_than_two_for_each_and_of_a_rating_above_the_lowest_level(fight: Path) -> None:
    """Not of just two for each character, nor of a rating of just that level."""
    opposed(fight, "goblin", "goblin", "goblin", "goblin")
    assert json.loads(good("difficulty", fight, "--json"))["notes"] == []
    good("add", fight, "--id", "troll", "--side", "foes", "--use", "troll", "--at", "6,0")
    told = json.loads(good("difficulty", fight, "--json"))["notes"]
    assert told == ["more than 2 creatures per character: beware of their luck"]


@pytest.mark.parametrize(
    ("level", "budgets", "grade"),
    [
        (1, {"low": 50, "moderate": 75, "high": 100}, "low"),
        (20, {"low": 6400, "moderate": 13200, "high": 22000}, "low"),
    ],
)
def test_the_first_and_the_last_level_have_a_budget(
    tmp_path: Path, level: int, budgets: dict[str, int], grade: str
) -> None:
    """A goblin, of 50 points, is just within the low budget of level 1."""
    db, sheet = tmp_path / "fight.db", tmp_path / "hero.toml"
    sheet.write_text(f'[hero]\nname = "Hero"\nhp = 10\nclasses = {{fighter = {level}}}\n')
    good("new", db, "--dialect", "srd52", "--seed", "hard", "--rows", "........", "--rows", "........")
    good("add", db, "--id", "hero", "--side", "heroes", "--sheet", sheet, "--use", "hero", "--at", "0,0")
    opposed(db, "goblin")
    told = json.loads(good("difficulty", db, "--json"))
    assert (told["budgets"], told["grade"], told["total"]) == (budgets, grade, 50)


def test_what_is_missing_is_named(fight: Path) -> None:
    """No opponents, no level, no rating, no budget in the rulebook: exit status 2, and what to write."""
    assert "heroes have no opponents in this fight" in called("difficulty", fight).stderr
    opposed(fight, "goblin")
    done = called("difficulty", fight, "--of", "foes")
    assert "foe-0: no class level of 1 to 20 on the sheet" in done.stderr
    done = called("difficulty", fight, "--of", "heros")
    assert (done.exit_code, "did you mean heroes?" in done.stderr) == (2, True)
    sheet = fight.parent / "blob.toml"
    sheet.write_text('[blob]\nname = "Blob"\nhp = 5\ncustom = {armor_class = 8}\n')
    good("add", fight, "--id", "blob", "--side", "foes", "--sheet", sheet, "--use", "blob", "--at", "7,1")
    assert "blob: no Challenge Rating from 0 to 30 on the sheet" in called("difficulty", fight).stderr


def test_a_rulebook_without_a_budget_says_so(tmp_path: Path) -> None:
    """And which command plays the fight instead."""
    db = tmp_path / "old.db"
    good("new", db, "--dialect", "srd35", "--seed", "x", "--rows", "....")
    good("add", db, "--id", "bran", "--side", "heroes", "--use", "fighter", "--at", "0,0")
    assert "srd35 has no budget for encounters: affray odds plays a fight" in called("difficulty", db).stderr
