"""Whatever is declared, the log folds to the live state and nobody does what nobody may."""

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.engine import policies
from affray.engine.fight import Fight
from affray.engine.table import Table
from affray.engine.tactics import next_act
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.projections.fold import fold
from affray.projections.state import Encounter, freeze
from tests.house.fights import DIALECTS, opened, random_act


def legal(fight: Fight) -> None:
    """Assert that the state is one that can be."""
    state = fight.state
    for one in state.combatants.values():
        assert one.hp <= one.max_hp
        assert one.nonlethal >= 0
        assert one.temporary >= 0
        assert fight.field.passable(one.at, one.space), f"{one.id} stands in a wall at {one.at}"
        assert len(one.opportunities) == len(set(one.opportunities))
        limit, _ = fight.dialect.points.opportunities(fight, one)
        assert one.reactions.get("opportunity", 0) <= max(1, limit)
        for spell in one.sheet.spells:
            if spell.uses is not None:
                assert one.resources.get(spell.name, 0) <= spell.uses
        allowed = 2
        assert one.spent.get("standard", 0) <= 1
        assert one.spent.get("standard", 0) + one.spent.get("move", 0) <= allowed
        assert one.spent.get("full-round", 0) <= 1
    if state.pending is not None:
        return  # in the middle of a move one may be passing a friend
    for a, b in combinations(state.combatants.values(), 2):
        if "dead" in a.conditions or "dead" in b.conditions:
            continue
        if any(
            state in one.conditions
            for one in (a, b)
            for state in ("dying", "stable", "unconscious", "grappling")
        ):
            continue
        apart = (
            a.at[0] + a.space <= b.at[0]
            or b.at[0] + b.space <= a.at[0]
            or a.at[1] + a.space <= b.at[1]
            or b.at[1] + b.space <= a.at[1]
        )
        assert apart, f"{a.id} and {b.id} stand in one space"
    assert sorted(set(state.order)) == sorted(state.order)


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
