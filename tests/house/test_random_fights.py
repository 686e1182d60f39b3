"""Whatever is declared, the log folds to the live state and nobody does what nobody may."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.engine.table import policies
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.projections.fold import fold
from affray.projections.state import Encounter, freeze
from tests.campaigns.fights import Tally, fight
from tests.house.fights import DIALECTS, legal, opened, random_act

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_fold_equals_the_live_state(dialect: str, seed: int) -> None:
    """After every declaration of a random fight, folding the log gives the live state, which is legal."""
    dice = random.Random(seed)
    store = MemoryStore()
    table = opened(dialect, store, seed)
    table.use(answers=policies.auto if dice.random() < 0.5 else policies.ask)
    folded = fold(store.read("main"))
    unaware = tuple(id for id in table.state.combatants if dice.random() < 0.2)
    plan: list[object] = [acts.Begin(unaware=unaware)]
    for _ in range(60):
        before = table.seq
        if table.waiting is not None:
            options = table.waiting.options
            outcome = table.choose(dice.choice(options))
        else:
            act = plan.pop() if plan else (next_act(table) if dice.random() < 0.35 else None)
            outcome = table.declare(act if act is not None else random_act(dice, table.fight))  # type: ignore[arg-type]
        folded = fold(store.read("main", after=before), folded)
        assert freeze(folded) == freeze(table.state)
        legal(table.fight)
        if outcome.refused is not None:
            assert outcome.refused.rule in table.fight.book
    assert freeze(Table(store).state) == freeze(table.state)
    assert isinstance(folded, Encounter)


@pytest.mark.parametrize(("dialect", "fights"), [("srd35", 14), ("pf1", 4), ("futurepath", 4), ("woa", 4)])
def test_fights_from_the_middle_of_the_tables(dialect: str, fights: int) -> None:
    """Every act there is, from any scenario on: legal throughout, verified, told, shown and explained."""
    tally = Tally(dialect)
    for seed in range(fights):
        fight(dialect, seed, tally)
    assert tally.declarations > 100
