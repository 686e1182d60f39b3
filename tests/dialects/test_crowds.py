"""How many a fight holds: no table of scenarios brings in so many."""

import pytest
from msgspec.structs import replace

from affray.engine.dialects import dialects, load
from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.events.facts.base import MOST_COMBATANTS
from affray.events.facts.sheet import Sheet

WIDE = 20


@pytest.mark.parametrize("dialect", dialects())
def test_a_fight_holds_two_hundred(dialect: str) -> None:
    """The last of them comes in, the next one is refused and stays out."""
    rows = -(-(MOST_COMBATANTS + 1) // WIDE)
    terrain = ("." * WIDE,) * rows
    table = Table.create(MemoryStore(), dialect=dialect, terrain=terrain, name="a crowd", seed=bytes(32))
    one = acts.Enter(side="a", sheet=Sheet(name="Rat", hp=1))
    for number in range(MOST_COMBATANTS):
        there = (number % WIDE, number // WIDE)
        assert table.declare(replace(one, id=f"rat {number}", at=there)).refused is None
    outcome = table.declare(replace(one, id="one more", at=(WIDE - 1, rows - 1)))
    assert outcome.refused is not None
    assert outcome.refused.reason == f"a fight holds at most {MOST_COMBATANTS} combatants"
    assert outcome.refused.rule == load(dialect).book.topic_id("encounter")
    assert len(table.state.combatants) == MOST_COMBATANTS == 200
