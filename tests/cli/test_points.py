"""`affray rules --points`: the contents of a dialect's record by command."""

import json

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
