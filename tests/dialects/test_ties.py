"""Dice that break no tie: the fight says so, and a forged log full of ties is a finding like any other."""

from collections.abc import Iterable
from itertools import chain, repeat

import pytest

from affray.engine.dialects.srd35.maneuvers import bull_rush_and_trip
from affray.engine.dice import Manual
from affray.engine.rules.turns import initiative
from affray.engine.steps import MOST_TIES, EndlessTie
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events.facts import acts
from affray.events.facts.sheet import Abilities, Sheet
from affray.events.stores.memory import MemoryStore
from affray.replay.verification.verify import verify
from tests.relatives import RELATIVES

FIGHTER = Sheet(
    name="Fighter",
    hp=20,
    abilities=Abilities(dex=13),
    base_attack=6,
    feats=("improved unarmed strike", "improved grapple"),
)
TIED = f"{MOST_TIES} ties in a row between castor and pollux"


def set_up_twins(dialect: str, faces: Iterable[int], **entry: int | bool) -> Table:
    """Return a table at which two are alike but for the faces that their dice show, not begun."""
    shown = iter(faces)
    dice = Manual(lambda key, notation: [min(next(shown), notation.sides)])
    table = Table.create(MemoryStore(), dialect=dialect, terrain=["......"] * 3, seed=b"ties", dice=dice)
    for id, at in (("castor", (1, 1)), ("pollux", (2, 1))):
        assert not table.declare(acts.Enter(id=id, side=id, sheet=FIGHTER, at=at, **entry)).refused
    return table


def roll_for_order(dialect: str, faces: Iterable[int]) -> Table:
    """Return a table at which the two have an order, in woa after both have said what they will do."""
    table = set_up_twins(dialect, faces)
    table.declare(acts.Begin())
    while not table.state.order:
        act = next_act(table)
        assert act is not None
        assert not table.declare(act).refused
    return table


def grapple(faces: Iterable[int]) -> Table:
    """Return a table at which one grapples the other by checks that are alike but for their faces."""
    table = set_up_twins("srd35", faces, initiative=10, acted=True)
    table.declare(acts.Begin())
    who = table.state.active
    target = next(id for id in table.state.order if id != who)
    assert not table.declare(acts.Grapple(actor=who, target=target, what="start")).refused
    return table


@pytest.mark.parametrize("dialect", RELATIVES)
def test_an_order_that_no_die_decides_is_an_error(dialect: str) -> None:
    """The last die of so many is not taken; another face decides."""
    with pytest.raises(EndlessTie, match=TIED):
        roll_for_order(dialect, repeat(10))
    almost = chain(repeat(10, 2 * MOST_TIES), repeat(11, 1), repeat(10))
    assert roll_for_order(dialect, almost).state.order == ("castor", "pollux")


def test_a_contest_that_no_die_decides_is_an_error() -> None:
    """Equal grapple checks roll again, and not for ever (srd35.grapple.hold-tie)."""
    with pytest.raises(EndlessTie, match=TIED):
        grapple(chain((11, 10), repeat(10)))


@pytest.mark.parametrize("dialect", RELATIVES)
def test_verify_reports_endless_ties_in_a_forged_log(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that goes on where the rules have given up."""
    with monkeypatch.context() as patch:
        patch.setattr(initiative, "MOST_TIES", 3000)
        table = roll_for_order(dialect, chain(repeat(10, 5000), (11,), repeat(10)))
    found = {check.name: str(check.problem) for check in verify(table.store).checks if not check.ok}
    assert list(found) == ["outcomes"]
    assert TIED in found["outcomes"]


def test_verify_reports_an_endless_contest_in_a_forged_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that goes on where the rules have given up."""
    with monkeypatch.context() as patch:
        patch.setattr(bull_rush_and_trip, "MOST_TIES", 3000)
        table = grapple(chain((11, 10), repeat(10, 5001), (11,), repeat(10)))
    found = {check.name: str(check.problem) for check in verify(table.store).checks if not check.ok}
    assert list(found) == ["outcomes"]
    assert TIED in found["outcomes"]
