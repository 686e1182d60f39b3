"""Refused declarations: counted apart, they move no die of what is declared next."""

import pytest

from affray.engine.dialects import dialects
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.facts.flow import Declared, Refused, Rolled
from affray.projections.fold import fold
from affray.projections.state import freeze
from affray.replay.explain.disputes import rule
from affray.replay.undo import undo
from affray.replay.verification.verify import verify
from tests.house.fights import opened


def begun(dialect: str) -> Table:
    """Return a fight that is about to begin."""
    return opened(dialect, MemoryStore(), 5)


def rolls(table: Table) -> list[Rolled]:
    """Return what the dice showed so far."""
    return [fact for fact in map(decode, table.store.read(table.branch)) if isinstance(fact, Rolled)]


def refused(table: Table, times: int) -> list[str]:
    """Declare what nobody may, and return the ids."""
    made = []
    for _ in range(times):
        outcome = table.declare(acts.Attack(actor="nobody", target="nothing"))
        assert outcome.refused is not None
        made.append(outcome.refused.id)
    return made


@pytest.mark.parametrize("dialect", dialects())
def test_twenty_refusals_choose_no_die(dialect: str) -> None:
    """The same fight with and without them shows the same faces under the same keys."""
    plain, tried = begun(dialect), begun(dialect)
    assert refused(tried, 20) == [f"x{number}" for number in range(1, 21)]
    for table in (plain, tried):
        assert table.declare(acts.Begin()).refused is None
        for _ in range(20):
            act = next_act(table)
            assert act is not None
            table.declare(act)
    assert rolls(plain) == rolls(tried) != []
    names = [fact.id for fact in map(decode, tried.store.read("main")) if isinstance(fact, Declared)]
    assert len(set(names)) == len(names)
    assert [name for name in names if name.startswith("d")] == [
        fact.id for fact in map(decode, plain.store.read("main")) if isinstance(fact, Declared)
    ]
    assert refused(tried, 1) == ["x21"]
    assert verify(tried.store).ok
    assert freeze(fold(tried.store.read("main"))) == freeze(tried.state)
    assert tried.state.declarations == plain.state.declarations


def test_a_refused_insertion_moves_no_die_either() -> None:
    """What a ruling puts in between and the rules refuse is counted apart; the next number stays free."""
    table = begun("srd35")
    table.declare(acts.Begin())
    last = f"d{table.state.declarations}"
    made = rule(table.store, "amend", "so", changes=(f"before {last}: stand actor=ogre",))
    line = Table(table.store, made.ruling.branch)
    ids = [fact.id for fact in map(decode, table.store.read(line.branch)) if isinstance(fact, Refused)]
    assert ids == [f"x{last}.1"]
    assert line.state.declarations == table.state.declarations
    assert verify(table.store, line.branch).ok


def test_what_is_taken_back_takes_its_number_back() -> None:
    """After an undo the next refusal and the next declaration have the numbers that are free again."""
    table = begun("srd35")
    refused(table, 2)
    table.declare(acts.Begin())
    before = rolls(table)
    undo(table.store)
    again = Table(table.store)
    assert again.state.refusals == 2
    again.declare(acts.Begin())
    assert [
        fact for fact in map(decode, again.store.read(again.branch)) if isinstance(fact, Rolled)
    ] == before
