"""Turns that are put off: nothing begins twice in a round, and stepping through them restores everything."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.engine.kernel.turns import is_decided
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.facts.flow import BudgetRenewed, RoundBegan, TurnBegan, TurnDelayed
from affray.events.stores.memory import MemoryStore
from affray.projections.fold import fold
from affray.projections.state import freeze
from affray.replay.log.playhead import Playhead
from affray.replay.verification.verify import verify
from tests.house.fights import DIALECTS, opened

WAITING = ("srd35", "pf1", "futurepath")


def hesitant(table: Table, dice: random.Random, declarations: int) -> Table:
    """Play by tactics, with turns put off, taken up again and acts readied now and then."""
    for _ in range(declarations):
        state = table.state
        if state.active and not is_decided(table.fight):
            who = state.combatants[state.active]
            chance = dice.random()
            late = [one.id for one in state.combatants.values() if one.delaying]
            if late and chance < 0.4:
                table.declare(acts.Resume(actor=dice.choice(late)))
            elif chance < 0.2:
                table.declare(acts.Delay(actor=who.id))
                continue
            elif chance < 0.3:
                trigger = acts.Trigger(dice.choice(("attacks", "moves")))
                table.declare(acts.Ready(actor=who.id, trigger=trigger, then=acts.Attack()))
        act = next_act(table)
        if act is None:
            break
        table.declare(act)
    return table


def played(dialect: str, seed: int) -> Table:
    """Return a fight in which people wait."""
    table = opened(dialect, MemoryStore(), seed)
    table.declare(acts.Begin())
    return hesitant(table, random.Random(seed), 45)


@pytest.mark.parametrize("dialect", WAITING)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_reactions_are_renewed_once_a_round(dialect: str, seed: int) -> None:
    """However turns are put off, nobody's reactions are renewed twice in one round, and the log verifies."""
    table = played(dialect, seed)
    facts: Sequence[Any] = [decode(event) for event in table.store.read("main")]
    renewed: set[str] = set()
    for fact in facts:
        if type(fact) is RoundBegan:
            renewed = set()
        elif type(fact) is BudgetRenewed and "reactions" in fact.what:
            assert fact.who not in renewed
            renewed.add(fact.who)
    assert verify(table.store).ok


@pytest.mark.parametrize("dialect", WAITING)
def test_the_fights_hold_turns_taken_up_again(dialect: str) -> None:
    """Among the random fights are turns that began, were put off and went on in the same round."""
    found = 0
    for seed in range(12):
        late: set[str] = set()
        for event in played(dialect, seed).store.read("main"):
            fact = decode(event)
            if type(fact) is RoundBegan:
                late = set()
            elif type(fact) is TurnDelayed:
                late.add(fact.who)
            elif type(fact) is TurnBegan and fact.who in late:
                found += 1
    assert found > 3


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_stepping_back_and_forth_restores_everything(dialect: str, seed: int) -> None:
    """Back and forth over events, turns and rounds: the state is the one folded from the beginning."""
    table = played(dialect, seed)
    events = list(table.store.read("main"))
    truth = {0: freeze(fold([]))}
    state = fold([])
    for event in events:
        state = fold([event], state)
        truth[event.seq] = freeze(state)
    dice, head = random.Random(seed), Playhead(table.store)
    moves = (
        head.step,
        head.back,
        head.back,
        head.next_turn,
        head.previous_turn,
        head.next_round,
        head.previous_round,
        lambda: head.seek(dice.randint(0, head.last)),
    )
    for _ in range(40):
        dice.choice(moves)()
        assert freeze(head.state) == truth[head.seq]
