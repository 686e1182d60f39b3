"""Automatic play strikes with every natural weapon that can, as often as there are of it."""

import pytest

from affray.engine import Table, acts
from affray.engine.table.tactics import next_act
from affray.events import MemoryStore
from affray.events.facts.sheet import Abilities, Sheet, Weapon

TROGLODYTE = Sheet(
    "Troglodyte",
    40,
    abilities=Abilities(str=16, dex=10, con=13),
    base_attack=6,
    weapons=(
        Weapon("longbow", "1d8", "piercing", "projectile", hands=2, range=100, family="bow"),
        Weapon("bite", "1d4", "piercing", "natural"),
        Weapon("claw", "1d4", "slashing", "natural", traits=("attacks 2",)),
    ),
)


@pytest.mark.parametrize("held", [("longbow",), ()])
@pytest.mark.parametrize("dialect", ["srd35", "pf1"])
def test_automatic_play_strikes_with_free_limbs(dialect: str, held: tuple[str, ...]) -> None:
    """A hand that holds a bow is no claw in pf1, so that the rules never refuse what tactics propose."""
    table = Table.create(MemoryStore(), dialect=dialect, terrain=("....",), name="limbs", seed=bytes(32))
    table.declare(acts.Enter(id="trog", side="a", sheet=TROGLODYTE, at=(0, 0), held=held, initiative=20))
    table.declare(acts.Enter(id="post", side="b", sheet=Sheet("Post", 400), at=(1, 0), initiative=1))
    table.declare(acts.Begin())
    act = next_act(table)
    assert isinstance(act, acts.FullAttack)
    claws = 1 if held and dialect == "pf1" else 2
    assert [one.weapon for one in act.strikes] == ["bite", *("claw",) * claws]
    assert table.declare(act).refused is None
