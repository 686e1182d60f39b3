"""`affray rules --points`: the contents of a dialect's record by command."""

import json

import pytest

from affray.replay.cli import rules
from affray.replay.rulebook.lacks import Lack
from tests.cli.conftest import Run


def test_points(run: Run) -> None:
    """All points, a chapter's or one, as text and as JSON."""
    everything = run("rules", "woa", "--points")
    assert everything.exit_code == 0
    for line in (
        "turns: Rounds, turns and the actions that they allow.",
        "  after_hit (steps): the consequences of a hit",
    ):
        assert line in everything.stdout
    told = run("rules", "woa", "--points", "after_maneuver").stdout
    assert "dialects.woa.movement.walking:shake_climber" in told
    assert ":shake_readied while target.readied" in told
    found = json.loads(run("rules", "woa", "--points", "attacks.after_maneuver", "--json").stdout)
    (point,) = found["points"]
    assert (point["chapter"], point["name"], point["kind"]) == ("attacks", "after_maneuver", "steps")
    asked = [stage["when"] for stage in point["stages"]]
    assert (asked[0], asked[-1]) == ([], ["target.readied"])


def test_points_compared(run: Run) -> None:
    """Two records side by side: functions, plain values, acts that only one knows."""
    told = run("rules", "diff", "srd35", "pf1", "--points", "attacks").stdout
    assert "  only in srd35: flyby" in told
    assert "  pf1    rules.plain:stack_by_type (plain)" in told
    found = json.loads(run("rules", "diff", "srd35", "pf1", "--points", "--json").stdout)
    assert (found["a"], found["b"]) == ("srd35", "pf1")
    assert {"same", "only_a", "differing"} <= set(found["points"][0])


def test_mistakes_are_told_in_a_line(run: Run) -> None:
    """An unknown point names the nearest one; without a dialect there is nothing to list."""
    wrong = run("rules", "srd35", "--points", "mis_chance")
    assert wrong.exit_code == 2
    assert wrong.stderr.count("\n") == 1
    assert "attacks.miss_chance" in wrong.stderr
    assert "name a dialect" in run("rules", "--points").stderr


def test_a_complete_catalogue_passes_the_check(run: Run) -> None:
    """No topic and no figure that the code of the dialect can reach is missing."""
    result = run("rules", "woa", "--check")
    assert (result.exit_code, result.stdout) == (0, "woa: 0 missing topics and figures\n")


def test_what_a_catalogue_lacks_is_listed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the function that needs it; the exit status is 1."""
    lacks = (Lack("house.rules:dodge", "dodge.bonus"), Lack("house.rules:dodge", "cover.half", "defense"))
    monkeypatch.setattr(rules, "find_lacks", lambda dialect: lacks)
    result = run("rules", "woa", "--check")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "no rule for dodge.bonus, needed by house.rules:dodge",
        "no figure 'defense' of cover.half, needed by house.rules:dodge",
        "woa: 2 missing topics and figures",
    ]
    assert json.loads(run("rules", "woa", "--check", "--json").stdout)["missing"][1]["figure"] == "defense"
