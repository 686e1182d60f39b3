"""How conditions are told: as what somebody is or has, and of things what matters of them."""

import pytest

from affray.events.facts.combat import Until
from affray.events.facts.sheet import Sheet, Thing
from affray.projections.sentence import being, describe_conditions
from affray.projections.state import Combatant, Condition


@pytest.mark.parametrize(
    ("condition", "told", "over"),
    [
        ("prone", "is prone", "is no longer prone"),
        ("bottom half covered", "is bottom half covered", "is no longer bottom half covered"),
        ("total cover", "has total cover", "no longer has total cover"),
        (
            "minor check advantage 2",
            "has a minor check advantage 2",
            "no longer has a minor check advantage 2",
        ),
        (
            "major attack disadvantage",
            "has a major attack disadvantage",
            "no longer has a major attack disadvantage",
        ),
    ],
)
def test_conditions_are_states_or_had(condition: str, told: str, over: str) -> None:
    """One is prone, and has cover or an advantage."""
    assert (being(condition), being(condition, longer=False)) == (told, over)


@pytest.mark.parametrize(
    ("thing", "told"), [(Thing(), ["destroyed"]), (None, ["inanimate", "dead", "prone"])]
)
def test_a_thing_is_destroyed_and_no_more(thing: Thing | None, told: list[str]) -> None:
    """Of a thing that is no more it is not told that it does not live and lies."""
    held = {name: Condition("", Until("", "", 0)) for name in ("inanimate", "dead", "prone")}
    one = Combatant("door", "depot", Sheet("Door", hp=5, thing=thing), (0, 0), 1, 5, 0, 5, conditions=held)
    assert [words for words, _ in describe_conditions(one)] == told
