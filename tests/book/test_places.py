"""Where code and scenarios name a rule."""

import json
from pathlib import Path

import pytest

from affray.engine.book import Book, UnknownRule
from affray.replay.rulebook import places
from affray.replay.rulebook.places import fills, find_code_places, find_ids_not_in_code, find_scenario_places
from tests.cli.conftest import Run, run
from tests.timing import seconds

ROOT = Path(__file__).parents[2]
__all__ = ["run"]


def standing(place: places.SourcePlace) -> str:
    """Return the line of a place."""
    return (ROOT / place.file).read_text(encoding="utf-8").splitlines()[place.line - 1]


def test_code_that_names_a_rule() -> None:
    """By its topic where that is the id without the dialect, with the function around it."""
    found = find_code_places(Book.load("srd35"), "srd35.charge.attack")
    shared = [one for one in found if one.file == "engine/rules/attacks/charge.py"]
    assert "lower_guard" in [one.name for one in shared]
    for one in found:
        assert "charge.attack" in standing(one)
        assert "/dialects/pf1/" not in one.file
        assert not one.file.startswith("engine/book/")


def test_a_topic_filed_elsewhere() -> None:
    """The topics of topics.toml count as names of the rule that they lead to, and no longer of their own."""
    book = Book.load("srd35")
    found = find_code_places(book, "srd35.save.naturals")
    assert any('"save.natural-20"' in standing(one) for one in found)


def test_a_full_id_is_found_in_prose() -> None:
    """A docstring that gives the whole id names the rule too."""
    found = find_code_places(Book.load("srd35"), "srd35.cond.fear-ladder")
    assert "id" in {one.how for one in found}
    assert all("srd35.cond.fear-ladder" in standing(one) for one in found if one.how == "id")


def test_patterns() -> None:
    """A text with blanks names the rules whose topics it can become; never all rules."""
    assert fills("cond.{name}", ("cond.shaken",))
    assert not fills("cond.{name}", ("condition.shaken",))
    assert not fills("{name}.{other}", ("cond.shaken",))


def test_scenarios_that_name_a_rule() -> None:
    """Each scenario once, at the first line that names the id whole."""
    found = find_scenario_places("srd35", "srd35.charge.attack")
    assert found
    for one in found:
        assert '"srd35.charge.attack"' in standing(one)
        assert f'[scenario."{one.name}"]' in (ROOT / one.file).read_text(encoding="utf-8")


def test_no_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run: Run) -> None:
    """An installed package has no scenarios, and that is said; nobody is told that none plays the rule."""
    text = run("rules", "--id", "srd35.charge.attack").stdout
    assert "engine/rules/attacks/charge.py:" in text
    assert "tests/scenarios/srd35/" in text
    monkeypatch.setattr(places, "root", lambda: tmp_path)
    (tmp_path / "engine" / "dialects").mkdir(parents=True)
    assert find_scenario_places("srd35", "srd35.charge.attack") is None
    bare = run("rules", "--id", "srd35.charge.attack").stdout
    assert "code: none names this rule" in bare
    assert "scenarios: available in a checkout of affray only" in bare
    assert json.loads(run("rules", "--id", "srd35.charge.attack", "--json").stdout)["scenarios"] is None


def test_json(run: Run) -> None:
    """The card as before, with the places beside it."""
    found = json.loads(run("rules", "--id", "srd35.charge.attack", "--json").stdout)
    assert found["rule"]["id"] == "srd35.charge.attack"
    assert {"file", "line", "name", "how"} == set(found["code"][0])
    assert found["scenarios"]


def test_a_rule_that_no_code_names(run: Run) -> None:
    """What the code does not name is said in plain words; an unknown id is refused."""
    book = Book.load("pf1")
    first = next(
        id for id in find_ids_not_in_code(book, [rule.id for rule in book]) if not find_code_places(book, id)
    )
    assert "code: none names this rule" in run("rules", "--id", first).stdout
    with pytest.raises(UnknownRule):
        find_code_places(book, "pf1.no-such-rule")


def test_it_is_quick(run: Run) -> None:
    """The card of a rule with its places takes less than a second and a half of processor time."""
    assert run("rules", "--id", "woa.maneuver.push.action-cost").exit_code == 0
    assert seconds(lambda: run("rules", "--id", "woa.maneuver.push.action-cost"), 1.5) < 1.5
