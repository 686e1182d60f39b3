"""The packaged gunfight of futurepath: explosives, automatic fire, a door and advantages, in one scenario."""

from typing import Any

import pytest

from affray.engine.table.scenario import packaged, packaged_names, play
from affray.engine.text.narrate import lines
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.facts import combat, flow
from affray.replay.verification.verify import verify


@pytest.fixture(scope="module")
def store() -> MemoryStore:
    """Return the log of the fight, played to its end."""
    kept = MemoryStore()
    play(packaged("gunfight"), kept)
    return kept


@pytest.fixture(scope="module")
def facts(store: MemoryStore) -> list[Any]:
    """Return its facts."""
    return [decode(event) for event in store.read("main")]


def applied(facts: list[Any], words: str) -> flow.RuleApplied:
    """Return the one rule that was applied with these words."""
    (found,) = [one for one in facts if isinstance(one, flow.RuleApplied) and words in one.what]
    return found


def test_the_gunfight_ships_and_verifies(store: MemoryStore, facts: list[Any]) -> None:
    """It is found by its name, nothing in it is refused, and its log can be decided again."""
    assert "gunfight" in packaged_names()
    assert [one for one in facts if isinstance(one, flow.Refused)] == []
    assert verify(store).ok


def test_the_grenade_goes_astray(facts: list[Any]) -> None:
    """Thrown at Rook it comes down beside Moth, by the table for a miss at four increments."""
    landed = applied(facts, "comes to rest")
    assert (landed.aimed, landed.corner) == ((8, 5), (9, 3))
    assert "futurepath.table.thrown-explosive-miss-4-5" in landed.cites
    # Ten feet around the corner 9,3 are twelve squares, of which two are in the wall of the depot.
    burst = applied(facts, "bursts")
    assert burst.corner == (9, 3)
    assert burst.squares == (
        *((8, 1), (9, 1)),
        *((7, 2), (8, 2), (9, 2)),
        *((7, 3), (8, 3), (9, 3)),
        *((8, 4), (9, 4)),
    )
    hurt = [
        one.target for one in facts if isinstance(one, combat.DamageResolved) and one.why.startswith("half")
    ]
    assert hurt == ["moth"]


def test_two_advantages_of_different_degree_decide_a_shot(facts: list[Any]) -> None:
    """4 and half of 2, and the shot just reaches the Defense behind the low wall."""
    shot = next(one for one in facts if isinstance(one, combat.AttackResolved) and one.attacker == "vega")
    graded = {
        part.kind: part.value for part in shot.attack if part.source.endswith("advantage") and not part.denied
    }
    assert graded == {"major": 4, "moderate": 1}
    assert (shot.total, shot.needed, shot.result) == (20, 20, "hit")
    assert "futurepath.advantage.stacking-half" in shot.cites


def test_a_door_is_shot_through(facts: list[Any]) -> None:
    """Two shots, 5 of each stopped by the hardness of the wood, leave nothing of 20 hit points."""
    dealt = [one for one in facts if isinstance(one, combat.DamageResolved) and one.target == "door"]
    assert [(one.total, one.reduced) for one in dealt] == [(17, 5), (17, 5)]
    assert any(
        isinstance(one, combat.ConditionGained) and (one.who, one.condition) == ("door", "dead")
        for one in facts
    )


def test_automatic_fire_sweeps_the_room(facts: list[Any]) -> None:
    """Ten bullets at ten feet by ten: Slade fails the save, Kite makes it."""
    assert applied(facts, "sweeps").squares == ((12, 4), (13, 4), (12, 5), (13, 5))
    saves = {
        one.who: one.success
        for one in facts
        if isinstance(one, combat.CheckResolved) and "automatic fire" in one.why
    }
    assert saves == {"slade": False, "kite": True}
    assert any(
        isinstance(one, combat.ResourceSpent) and (one.resource, one.amount) == ("assault rifle", 10)
        for one in facts
    )


def test_the_story_reads_well(facts: list[Any]) -> None:
    """The door is destroyed and does not lie, an advantage is had, and a throw says where it was aimed."""
    said = "\n".join(lines(facts, width=200))
    assert "Depot door 8 -> -4, destroyed" in said
    assert all("prone" not in line for line in said.splitlines() if "destroyed" in line)
    assert "Vega has a major attack advantage (the searchlight behind her)" in said
    assert "the frag grenade comes to rest at the corner 9,3 (thrown at 8,5)" in said
