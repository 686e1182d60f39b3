"""The packaged fight of Worlds of Adventure: what only this dialect does, all in one scenario."""

from typing import Any

import pytest

from affray.engine.table.scenario import packaged, packaged_names, play
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.facts import acts, combat, flow
from affray.replay.verification.verify import verify


@pytest.fixture(scope="module")
def facts() -> list[Any]:
    """Return the facts of the fight, played to its end."""
    store = MemoryStore()
    play(packaged("toll"), store)
    assert verify(store).ok
    return [decode(event) for event in store.read("main")]


def of(facts: list[Any], type_: Any, /, **wanted: Any) -> list[Any]:
    """Return the facts of a type with these values, strings as a part of theirs."""
    return [
        one
        for one in facts
        if isinstance(one, type_)
        and all(
            value in getattr(one, name) if isinstance(value, str) else getattr(one, name) == value
            for name, value in wanted.items()
        )
    ]


def test_the_toll_ships() -> None:
    """It is found by its name, beside the demonstrations of the dialects."""
    assert "toll" in packaged_names()
    assert {f"demo_{name}" for name in ("srd35", "pf1", "futurepath", "woa")} < set(packaged_names())


def test_nothing_that_is_scripted_is_refused(facts: list[Any]) -> None:
    """Every scripted declaration is carried out."""
    assert of(facts, flow.Refused) == []


def test_it_opens_with_an_ambush(facts: list[Any]) -> None:
    """A blow lands before anybody has declared anything."""
    first = next(one for one in facts if isinstance(one, combat.AttackResolved))
    begun = next(one for one in facts if isinstance(one, flow.RoundBegan))
    assert first.attacker == "nib"
    assert facts.index(first) < facts.index(begun)
    assert of(facts, flow.AwarenessSettled, surprised=("lissa",))


def test_a_declared_action_is_invalidated_by_an_earlier_death(facts: list[Any]) -> None:
    """The game master says what may be done instead of the blow at somebody who lies already."""
    (asked,) = of(facts, flow.Chosen, rule="woa.resolve.invalidated-action")
    assert (asked.who, asked.answer) == ("", "similar action")


@pytest.mark.parametrize("reaction", ["block", "dodge"])
def test_combat_reactions_answer_blows(facts: list[Any], reaction: str) -> None:
    """A shield takes something off one blow, a step aside makes another miss."""
    assert of(facts, flow.ReactionSpent, kind=reaction)
    if reaction == "block":
        assert of(facts, combat.DamageResolved, why="blocked")


def test_a_failed_trip_provokes(facts: list[Any]) -> None:
    """Who fails to trip somebody is struck at."""
    assert of(facts, combat.Provoked, who="grash", by="lissa", reason="fails to trip")
    assert of(facts, combat.AttackResolved, attacker="lissa", target="grash", result="hit")


def test_a_grapple_goes_on_over_three_rounds(facts: list[Any]) -> None:
    """Two who hold each other oppose their checks in three rounds, until one gets away."""
    assert len(of(facts, combat.ContestResolved)) >= 3
    assert of(facts, flow.Declared, act=acts.Grapple(actor="lissa", target="grash", what="escape"))
    assert of(facts, combat.ConditionLost, who="lissa", condition="grappling")


def test_a_staggering_blow_injures_and_the_wound_closes(facts: list[Any]) -> None:
    """The maul leaves a wound that bleeds until a saving throw closes it."""
    assert of(facts, combat.CheckResolved, why="staggering blow")
    assert of(facts, combat.InjurySuffered, who="marek")
    assert of(facts, combat.AfflictionHeld, who="marek")
    assert of(facts, combat.AfflictionEnded, who="marek", why="closed")
