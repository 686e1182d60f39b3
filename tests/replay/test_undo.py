"""Undo and redo: another main line, the same dice, and nothing lost."""

import pytest

from affray.engine.table.policies import ask
from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.facts.flow import Rolled
from affray.events.stores.store import Store
from affray.projections.state import Encounter, digest
from affray.replay.explain.disputes import dispute
from affray.replay.log.playhead import state_at
from affray.replay.undo import NothingToRedo, NothingToUndo, redo, undo
from affray.replay.verification.verify import verify
from tests.replay.fights import fought, opened
from tests.replay.test_verify import waiting


def head_state(store: Store, line: str) -> Encounter:
    """Return the state at the end of a line."""
    return state_at(store, line, store.head(line).seq)


def all_sound(store: Store) -> None:
    """Assert that every line verifies."""
    for one in store.branches():
        report = verify(store, one.name)
        assert report.ok, (one.name, [str(check.problem) for check in report.checks if not check.ok])


def rolls(store: Store, line: str) -> dict[str, tuple[int, ...]]:
    """Return the faces of a line by key."""
    facts = (decode(event) for event in store.read(line) if event.type == "rolled")
    return {fact.key: fact.faces for fact in facts if type(fact) is Rolled}


def test_the_same_act_again_shows_the_same_faces() -> None:
    """Taken back and declared again, the attack has its id and its faces; the old line is what it was."""
    table = opened()
    foe = next(one for one in table.fight.enemies(table.state.combatants[table.state.active]))
    act = acts.Attack(actor=table.state.active, target=foe.id)
    before = digest(table.state, 2)
    first = table.declare(act)
    head = table.store.head("main")
    step = undo(table.store, by="GM")
    assert (step.line, step.left, [one.id for one in step.declarations]) == (
        "undo-1",
        "main",
        [first.facts[0].id],
    )
    assert table.store.main_line() == "undo-1"
    assert table.store.head("main") == head
    assert digest(head_state(table.store, "undo-1"), 2) == before
    again = Table(table.store)
    assert again.branch == "undo-1"
    second = again.declare(act)
    assert [event.data for event in second.events] == [event.data for event in first.events]
    assert rolls(table.store, "undo-1") == rolls(table.store, "main")
    all_sound(table.store)
    with pytest.raises(NothingToRedo, match="nothing was undone at the end of undo-1"):
        redo(table.store)


def test_several_steps_back_and_forth() -> None:
    """Each redo brings one undo again, the last first, until the line is what it was."""
    store = fought(rounds=2, close=False).store
    end = digest(head_state(store, "main"), 2)
    declared = [decode(event).id for event in store.read("main") if event.type == "declared"]
    first, second = undo(store, 2), undo(store, 3)
    assert [one.id for one in first.declarations] == declared[-2:]
    assert [one.id for one in second.declarations] == declared[-5:-2]
    assert (second.line, second.left) == ("undo-2", "undo-1")
    all_sound(store)
    forth = redo(store)
    assert (forth.line, forth.declarations) == ("undo-1", second.declarations)
    third = undo(store, 1)
    assert [one.id for one in third.declarations] == declared[-3:-2]
    assert redo(store).line == "undo-1"
    last = redo(store)
    assert (last.line, last.declarations) == ("main", first.declarations)
    assert digest(head_state(store, "main"), 2) == end
    all_sound(store)
    with pytest.raises(NothingToRedo):
        redo(store)


def test_what_waits_is_taken_back_and_waits_again() -> None:
    """An open declaration counts; brought again it is open with the same question, and can be answered."""
    table = waiting()
    assert table.waiting is not None
    step = undo(table.store)
    assert Table(table.store).waiting is None
    assert len(step.declarations) == 1
    undo(table.store)
    redo(table.store)
    forth = redo(table.store)
    assert (forth.line, forth.declarations) == ("redo-1", step.declarations)
    again = Table(table.store, answers=ask)
    assert again.waiting == table.waiting
    again.choose("take")
    all_sound(table.store)


def test_a_closed_fight_goes_on() -> None:
    """Taking back the end is told, since the seed is known; the fight can be closed once more."""
    store = fought(rounds=1).store
    step = undo(store)
    assert step.closed
    table = Table(store)
    assert not table.state.closed
    table.declare(acts.Close(reason="now"))
    all_sound(store)


def test_what_was_refused_is_no_step() -> None:
    """It changed nothing: undo takes back the last that did, and says what went along; redo still works."""
    table = opened()
    head = digest(table.state, 2)
    first = table.declare(acts.EndTurn(actor=table.state.active))
    assert table.declare(acts.Attack(actor=table.state.active, target="nobody")).refused is not None
    after, store = digest(table.state, 2), table.store
    step = undo(store)
    assert digest(head_state(store, step.line), 2) == head
    assert [(one.id == first.facts[0].id, one.refused) for one in step.declarations] == [
        (True, False),
        (False, True),
    ]
    again = Table(store)
    assert again.declare(acts.Attack(actor=again.state.active, target="nobody")).refused is not None
    assert redo(store).line == "main"
    assert digest(head_state(store, "main"), 2) == after
    all_sound(store)


def test_what_stands_among_them_goes_with_them() -> None:
    """A dispute after the declaration is no longer on the main line, and that is told."""
    store = fought(rounds=1, close=False).store
    dispute(store, 20, "Anna", "no")
    step = undo(store)
    assert step.others == 1
    assert not any(event.type == "disputed" for event in store.read("undo-1"))
    assert redo(store).line == "main"


def test_no_more_than_there_is() -> None:
    """More declarations than there are, and none at all, are refused and leave nothing."""
    store = opened().store
    count = sum(event.type == "declared" for event in store.read("main"))
    for number in (count + 1, 0, -1):
        with pytest.raises(NothingToUndo, match=f"main contains {count} declarations"):
            undo(store, number)
    with pytest.raises(NothingToRedo):
        redo(store)
    assert [branch.name for branch in store.branches()] == ["main"]
    assert len(undo(store, count).declarations) == count
    all_sound(store)
