"""Coverage from a package's own scenarios, and where its rules are named in code and scenarios."""

import json
import shutil
from pathlib import Path

import pytest

from affray.engine.book import BadPackage, Book
from affray.engine.book.packages import scenarios_of
from affray.replay.rulebook.page import rulebook, woven
from affray.replay.rulebook.places import find_code_places, find_scenario_places
from tests.cli.conftest import Run
from tests.kit.conftest import Using
from tests.kit.little import MODULE, SCENARIOS, staged

pytestmark = pytest.mark.slow

STAGE = '''
def shout(fight, blow):
    """Return nothing: a shout has no effect (little.grid.miniature-scale)."""
    return []
'''


def test_coverage_counts_the_scenarios_of_the_package(little: Path, run: Run) -> None:
    """Beside the package or within it; the rules that they cite are counted, the others listed."""
    told = run("rules", "little", "--coverage", "--package", little, "--json")
    assert told.exit_code == 0, told.output
    covered = json.loads(told.stdout)["covered"]
    assert "little.attack.roll" in covered
    assert "little.trip.attack" not in covered
    shutil.move(little / "scenarios", little / "little_rules" / "scenarios")
    within = run("rules", "little", "--coverage", "--package", little, "--json")
    assert json.loads(within.stdout)["covered"] == covered


def test_a_package_without_scenarios_says_so(little: Path, run: Run, tmp_path: Path) -> None:
    """In one line, and logs can still be counted."""
    shutil.rmtree(little / "scenarios")
    told = run("rules", "little", "--coverage", "--package", little)
    assert (told.exit_code, told.stderr.count("\n")) == (2, 1)
    assert "the package of little has no scenarios" in told.stderr
    assert run("demo", "--dialect", "little", "--package", little, "--db", tmp_path / "a.db").exit_code == 0
    assert run("rules", "little", "--coverage", tmp_path / "a.db", "--package", little).exit_code == 0
    shown = run("rules", "--id", "little.attack.roll", "--package", little).stdout
    assert "scenarios: the package has none" in shown


def test_scenarios_in_two_places_are_refused(using: Using) -> None:
    """Neither folder is passed over in silence."""
    folder = using()
    assert scenarios_of("little") == folder / "scenarios"
    shutil.copytree(folder / "scenarios", folder / "little_rules" / "scenarios")
    with pytest.raises(BadPackage, match="scenarios in two folders"):
        scenarios_of("little")


def test_scenarios_beside_another_package_are_not_taken(using: Using) -> None:
    """Only those next to a pyproject.toml that offers the dialect are its own."""
    folder = using()
    (folder / "pyproject.toml").write_text('[project]\nname = "other"\n')
    assert scenarios_of("little") is None


def test_a_wrong_scenario_is_one_line(using: Using, run: Run) -> None:
    """With the file and what is wrong in it."""
    using(scenarios=SCENARIOS.replace("do =", "does ="))
    told = run("rules", "little", "--coverage")
    assert (told.exit_code, told.stderr.count("\n")) == (2, 1)
    assert "attacks.toml" in told.stderr


def test_code_of_the_package_names_its_rules(using: Using) -> None:
    """Its own files are searched, and those of the dialect whose chapters it imports; no others."""
    using(module=staged('Put("attacks.attack_situation", "gather", shout)', STAGE))
    book = Book.load("little")
    (place,) = (
        one for one in find_code_places(book, "little.grid.miniature-scale") if one.file.startswith("little")
    )
    assert (place.file, place.name, place.how) == ("little_rules/__init__.py", "shout", "id")
    files = {one.file for one in find_code_places(book, "little.flank.bonus")}
    assert any(file.startswith("engine/rules/") for file in files)
    every = {one.file for rule in book for one in find_code_places(book, rule.id)}
    assert any(file.startswith("engine/dialects/srd35/") for file in every)
    assert not any(file.startswith(("engine/dialects/pf1/", "engine/dialects/woa/")) for file in every)
    found = find_scenario_places("little", "little.attack.roll")
    assert found is not None
    assert [(one.file, one.name) for one in found] == [
        ("used/scenarios/attacks/attacks.toml", "a spear reaches its Armor Class")
    ]


def test_code_that_is_not_imported_is_not_named(using: Using) -> None:
    """A package that has nothing of srd35 is not told of its code."""
    using(module=MODULE.replace("from affray.engine.dialects.srd35 import CHAPTERS", "CHAPTERS = None"))
    book = Book.load("little")
    every = {one.file for rule in list(book)[::10] for one in find_code_places(book, rule.id)}
    assert every
    assert not any(file.startswith("engine/dialects/srd35/") for file in every)


def test_house_rules_of_a_package_are_named_by_its_code(run: Run) -> None:
    """The example cites its own rule, and the card says where."""
    example = Path(__file__).parents[2] / "docs" / "examples" / "house-rules"
    told = run(
        "rules", "srd35", "--id", "no-quarter.shaken", "--house-rules", "no-quarter", "--package", example
    )
    assert told.exit_code == 0, told.output
    assert "none names this rule by its id" not in told.stdout
    assert "no_quarter.py:17  against_the_shaken" in told.stdout


def test_the_rulebook_of_a_package(using: Using) -> None:
    """Its page shows the functions and the scenarios that name a rule."""
    using(module=staged('Put("attacks.attack_situation", "gather", shout)', STAGE))
    page = rulebook("little", "Little rules", woven("little"))
    assert "def shout(fight, blow)" in page
    assert "a spear reaches its Armor Class" in page
