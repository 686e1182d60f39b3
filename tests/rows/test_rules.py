"""Rows where the rules are not plain: distances, reactions, damage and chances are those of the engine."""

from pathlib import Path
from typing import Any

import pytest

from affray.engine.kernel.places import distance, height_of
from affray.engine.table.scenario import fixed_seed, play, read_scenarios
from affray.events import MemoryStore
from affray.projections.rows import TABLES
from affray.replay import rows_of, state_at
from affray.replay.chance.outcome_odds import chances

SCENARIOS = Path(__file__).parents[1] / "scenarios"


def played(file: str, words: str) -> MemoryStore:
    """Return the log of the scenario of a file whose name begins with these words."""
    (found,) = (
        one
        for one in read_scenarios(SCENARIOS / f"{file}.toml", within=SCENARIOS)
        if one.name.startswith(words)
    )
    store = MemoryStore()
    play(found, store, seed=fixed_seed(found), strict=True)
    return store


def rows(store: MemoryStore, *tables: str) -> list[dict[str, Any]]:
    """Return the rows of some tables, each by the names of its columns."""
    names = {name: [one.name for one in TABLES[name].columns] for name in tables}
    return [dict(zip(names[name], row, strict=True)) for name, row in rows_of(store) if name in names]


@pytest.mark.parametrize(
    ("file", "words", "feet"),
    [
        ("srd35/position/heights", "distance is counted in three dimensions", {60}),
        ("srd35/position/squeezing", "along a column both squares of a squeezed", {5}),
    ],
)
def test_distance_is_that_of_the_engine(file: str, words: str, feet: set[int]) -> None:
    """Whoever flies is as far away as it is high, and who squeezes takes up all its squares."""
    store = played(file, words)
    found = rows(store, "attacks")
    for row in found:
        state = state_at(store, "main", row["seq"] - 1)
        one, other = state.combatants[row["attacker"]], state.combatants[row["target"]]
        assert row["distance"] == distance(one, other)
        assert row["attacker_height"] == height_of(one)
        assert row["target_height"] == height_of(other)
    assert {row["distance"] for row in found} >= feet


def test_a_reaction_is_known_wherever_it_comes() -> None:
    """An attack of opportunity against a readied act is one, though the turn is its maker's own."""
    found = rows(
        played("srd35/attacks/in-the-middle", "of a full attack on somebody who has moved"), "attacks"
    )
    assert [(row["actor"], row["attacker"], row["reaction"]) for row in found] == [("brute", "brute", True)]


def test_an_ambush_is_no_reaction() -> None:
    """The attacks that open a fight interrupt nobody."""
    found = rows(played("woa/defense/defense-limits", "woa improved uncanny dodge keeps a shield"), "attacks")
    assert found
    assert not any(row["reaction"] for row in found)


def test_damage_is_told_before_and_after_what_is_shrugged_off() -> None:
    """What is dealt is what the target loses; damage that a rule has halved has no expected sum."""
    (blow,) = rows(played("srd35/damage/damage", "damage reduction takes its amount off"), "damage")
    assert (blow["total"], blow["reduced"], blow["dealt"]) == (8, 5, 3)
    assert blow["expected"] == blow["total"] - blow["rolled"] + 4.5
    assert blow["chance"] == 4 / 8
    burst = rows(played("srd35/magic/casting", "a save for half, by all in the area"), "damage")
    assert {row["expected"] is None for row in burst if row["why"].startswith("half")} == {True}


@pytest.mark.parametrize(
    ("file", "words", "table"),
    [
        ("srd35/mounted/saddle", "on 51 it falls", "checks"),
        ("srd35/magic/components", "armor and shield together spoil", "checks"),
        ("pf1/damage/where-rules-meet", "what Constitution has lost by damage", "checks"),
        ("woa/damage/damage-limits", "woa the senseless are treated and roused", "saves"),
        ("pf1/gear/splash", "read otherwise, the target of a hit takes", "attacks"),
    ],
)
def test_chances_are_those_of_odds_by_any_rule(file: str, words: str, table: str) -> None:
    """A chance is what deciding again for every face comes to, where 1 and 20 are no plain faces too."""
    store = played(file, words)
    found = [row for row in rows(store, table) if row["chance"] is not None]
    assert found
    for row in found:
        (odds,) = (one for one in chances(store, "main", [row["seq"]]) if one.seq == row["seq"])
        came = row["hit"] if table == "attacks" else row["success"]
        assert row["chance"] == pytest.approx(float(odds.fraction if came else 1 - odds.fraction))
