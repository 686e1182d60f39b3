"""Random declarations in random start states, in small: `python tests/campaigns/raising.py` is the whole."""

import pytest

from affray.engine.dialects import load
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet, Weapon
from tests.campaigns.raising import Fault, play
from tests.house.fights import DIALECTS
from tests.relatives import conditions_of

SPEAR = Weapon("spear", "1d6", "piercing", range=20, thrown=True)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_declaration_raises(dialect: str) -> None:
    """Whatever is declared is played or refused."""
    faults: dict[tuple[str, str], Fault] = {}
    counts = [play(dialect, seed, faults) for seed in range(6)]
    assert faults == {}
    assert sum(one["played"] for one in counts) > 60


@pytest.mark.parametrize("way", ["entered", "entered by an enemy", "hazard"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_condition_can_be_played(dialect: str, way: str) -> None:
    """Whoever enters under it, or comes under it by a hazard, can be struck and acts, or it is refused."""
    for condition in conditions_of(load(dialect)):
        table = Table.create(MemoryStore(), dialect=dialect, terrain=("....", "...."), seed=b"x" * 32)
        sheet = Sheet("Soldier", hp=30, weapons=(SPEAR,))
        entered = (condition,) if way != "hazard" else ()
        by = ((condition, "orc"),) if way == "entered by an enemy" else ()
        table.declare(acts.Enter(id="orc", side="b", sheet=sheet, at=(2, 1), acted=True))
        table.declare(
            acts.Enter(id="soldier", side="a", sheet=sheet, at=(1, 1), conditions=entered, by=by, acted=True)
        )
        table.declare(acts.Begin())
        if way == "hazard":
            table.declare(acts.Hazard(target="soldier", condition=condition))
        for _ in range(12):
            table.declare(next_act(table) or acts.EndTurn(actor=table.state.active))
