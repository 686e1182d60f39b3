"""The dice follow from the numbers of declarations, so none may be left out until a die pleases."""

import pytest

from affray.engine.table.scenario_parts import packaged_sheets
from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.replay.log.branches import fork
from affray.replay.undo import undo
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import what_if


def begun() -> Table:
    """Return a fight of two that has begun."""
    table = Table.create(MemoryStore(), dialect="srd35", terrain=["......"] * 3, seed=b"s" * 32)
    for id, at in (("fighter", (1, 1)), ("ogre", (2, 1))):
        table.declare(acts.Enter(id=id, side=id, sheet=packaged_sheets("srd35")[id], at=at))
    table.declare(acts.Begin())
    return table


def attack(table: Table) -> None:
    """Let whoever's turn it is attack the other."""
    active = table.state.active
    target = "ogre" if active == "fighter" else "fighter"
    assert table.declare(acts.Attack(actor=active, target=target)).refused is None


def test_a_number_left_out_is_named() -> None:
    """Who knows the seed could look for a number whose die pleases."""
    table = begun()
    attack(table)
    table.fight.state.declarations += 1000
    table.declare(acts.EndTurn(actor=table.state.active))
    report = verify(table.store)
    problem = report.checks[1].problem
    assert problem is not None
    assert problem.what == "declaration d1005 comes where d5 was expected"


def test_dice_of_what_was_refused_are_named() -> None:
    """A refused declaration has a number of its own, and throws no dice."""
    table = begun()
    real = table.declare

    def chosen(id: str) -> None:
        from affray.events.facts.flow import Declared

        active = table.state.active
        act = acts.Attack(actor=active, target="ogre" if active == "fighter" else "fighter")
        table._once("", lambda command: lambda: table._decided(command), Declared(id, act))

    chosen("x1")
    assert real(acts.EndTurn(actor=table.state.active)).refused is None
    report = verify(table.store)
    assert "dice are rolled for x1, which was refused" in str(report.checks[1].problem)


@pytest.mark.parametrize("at", ["idle", "later"])
def test_a_branch_counts_on(at: str) -> None:
    """A branch that is played on counts from where it left; its own numbers may not be left out either."""
    table = begun()
    attack(table)
    fork(table.store, "end" if at == "later" else "r1", at)
    branch = Table(table.store, at)
    branch.declare(acts.EndTurn(actor=branch.state.active))
    assert verify(table.store).ok
    branch.fight.state.declarations += 7
    branch.declare(acts.EndTurn(actor=branch.state.active))
    assert not verify(table.store).ok


def test_lines_that_are_decided_again_take_their_parents_numbers() -> None:
    """A what-if and an undo verify, refused declarations among them."""
    table = begun()
    attack(table)
    table.declare(acts.Attack(actor=table.state.active, target="nobody"))
    table.declare(acts.EndTurn(actor=table.state.active))
    attack(table)
    what_if(table.store, faces={"d4/" + table.state.order[0] + "/attack/1": [20]})
    undo(table.store, 2)
    Table(table.store).declare(acts.Speak(actor="ogre", words="again"))
    report = verify(table.store)
    assert report.ok, report
