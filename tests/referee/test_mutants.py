"""The referee objects to what comes of rules that are changed in one small way."""

from contextlib import suppress

import pytest

from affray.engine.table.scenario import fixed_seed, play
from affray.events import MemoryStore
from tests.campaigns.mutants import Mutant, in_place, mutants_of
from tests.campaigns.played import scenarios_of
from tests.referee.referee import judged

pytestmark = pytest.mark.slow

CHANGED = {
    "kernel/durations:end_what_lasts": ("ends", "srd35", "feint"),
    "rules/movement/movement:step_aside": ("squares", "woa", "one-place"),
    "rules/turns/actions:refuse_unless_allowed": ("budgets", "srd35", "budget"),
    "rules/damage/damage:suffer": ("hit points", "srd35", "energy-drain"),
    "rules/turns/flow:end_turn": ("turns", "pf1", "delay"),
}
"""A function of the rules, the check that notices, and scenarios that pass through it: dialect and file."""


def objected(mutant: Mutant, dialect: str, file: str) -> set[str]:
    """Return the names of the checks that object while a rule is changed, whatever the scenarios expect."""
    found: set[str] = set()
    for name, scenario in scenarios_of(dialect):
        if name.startswith(f"{dialect}/{file}:"):
            store = MemoryStore()
            with in_place(mutant), suppress(Exception):
                play(scenario, store, seed=fixed_seed(scenario))
            found |= {one.check for one in judged(event.data for event in store.read("main"))}
    return found


@pytest.mark.parametrize("place", CHANGED)
def test_the_referee_notices_a_changed_rule(place: str) -> None:
    """Of the ways in which a function can be written wrong at least one is objected to by its check."""
    check, dialect, file = CHANGED[place]
    mutants = [one for one in mutants_of(place.partition(":")[0]) if one.place == place]
    assert mutants
    assert any(check in objected(one, dialect, file) for one in mutants), place
