"""What the rules refused when it was declared stays refused on every line, unless it is revived."""

import pytest

from affray.engine.table.table import Table
from affray.engine.text.narrate import lines
from affray.events.codec import decode, entry
from affray.events.envelope import Event
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved
from affray.events.facts.flow import Declared, Refused, Ruled
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.replay.difference import diff
from affray.replay.explain.disputes import rule
from affray.replay.explain.why import text, why
from affray.replay.log.declarations import groups
from affray.replay.redecide.rulings import BadRuling, Ruling
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import NotRefused, UnknownKey, what_if
from tests.replay.fights import FIGHTER, OGRE, SEED


def out_of_reach() -> tuple[Store, str, int]:
    """Return a fight in which the fighter struck at an ogre too far away, the declaration and its place."""
    table = Table.create(MemoryStore(), dialect="srd35", terrain=["............"] * 6, seed=SEED)
    table.declare(acts.Enter(id="fighter", side="heroes", sheet=FIGHTER, at=(1, 1), initiative=20))
    table.declare(acts.Enter(id="ogre", side="monsters", sheet=OGRE, at=(9, 1), initiative=5))
    table.declare(acts.Begin())
    refused = table.declare(acts.Attack(actor="fighter", target="ogre"))
    assert refused.refused is not None
    table.declare(acts.Speak(actor="fighter", words="come here"))
    table.declare(acts.EndTurn(actor="fighter"))
    return table.store, refused.refused.id, refused.events[0].seq


CLOSER = Ruling("she stood closer", ("ogre.at=2,1",))


def ends(store: Store, branch: str) -> dict[str, object]:
    """Return the last fact of each declaration of a line, by id."""
    decided = [[decode(event) for event in group] for group in groups(store.read(branch))]
    return {facts[0].id: facts[-1] for facts in decided if type(facts[0]) is Declared}


def sound(store: Store, branch: str) -> None:
    """Assert that a branch verifies."""
    report = verify(store, branch)
    assert report.ok, [str(check.problem) for check in report.checks if not check.ok]


def test_a_ruling_that_would_allow_it_lists_it_and_leaves_it_refused() -> None:
    """The attack stays refused, is told as such in sentence, story and explanation, and nothing follows."""
    store, id, at = out_of_reach()
    made = what_if(store, at=at, ruling=CLOSER, name="closer")
    then = ends(store, "main")[id]
    assert type(then) is Refused
    assert made.allowed == {id: (then.reason, then.rule)}
    assert not made.revived
    assert ends(store, "closer")[id] == Refused(id, then.reason, then.rule, stays=True)
    facts = [decode(event) for event in store.read("closer")]
    assert not any(type(fact) is AttackResolved for fact in facts)
    assert any("stays refused, as when it was declared" in line for line in lines(facts))
    seq = next(event.seq for event in store.read("closer") if event.type == "refused")
    assert "Stays refused, as when it was declared" in text(why(store, "closer", seq))
    assert not diff(store, "main", "closer").declarations
    sound(store, "closer")


def test_it_stays_refused_on_a_line_that_leaves_that_line() -> None:
    """Also a what-if on the what-if leaves it refused, and both verify."""
    store, id, at = out_of_reach()
    made = what_if(store, at=at, ruling=CLOSER)
    again = what_if(store, made.name, at=at + 3, ruling=Ruling("hurt", ("ogre.hp=10",)))
    assert id in again.allowed
    sound(store, made.name)
    sound(store, again.name)


def test_what_the_rules_still_refuse_is_refused_for_their_reason() -> None:
    """A declaration that stays illegal is no declaration that stays refused: nothing is to be revived."""
    store, id, at = out_of_reach()
    made = what_if(store, at=at, ruling=Ruling("nearer", ("ogre.at=8,1",)), revive=(id,))
    assert not made.allowed
    assert not made.revived
    assert list(made.refused) == [id]
    last = ends(store, made.name)[id]
    assert type(last) is Refused
    assert not last.stays
    sound(store, made.name)


@pytest.mark.parametrize("later", [False, True], ids=["at once", "on the line that left it refused"])
def test_revived_it_is_played(later: bool) -> None:
    """With its id among those to revive the attack is decided, with its own dice; the line verifies."""
    store, id, at = out_of_reach()
    if later:
        made = what_if(store, what_if(store, at=at, ruling=CLOSER).name, revive=(id,))
    else:
        made = what_if(store, at=at, ruling=CLOSER, revive=(id,))
    assert made.revived == [id]
    assert not made.allowed
    facts = [decode(event) for event in store.read(made.name)]
    assert any(type(fact) is AttackResolved and fact.key.startswith(f"{id}/") for fact in facts)
    sound(store, made.name)


def test_a_ruling_records_what_it_revives() -> None:
    """What is revived stands among the changes of the ruling; without it the same ruling lists it."""
    store, id, at = out_of_reach()
    listed = rule(store, "amend", "closer", by="GM", at=at, changes=("ogre.at=2,1",))
    assert listed.whatif is not None
    assert list(listed.whatif.allowed) == [id]
    done = rule(store, "amend", "closer", by="GM", at=at, changes=("ogre.at=2,1",), revive=(id,))
    assert done.whatif is not None
    assert done.whatif.revived == [id]
    (fact,) = [one for event in store.read(done.ruling.branch) if type(one := decode(event)) is Ruled]
    assert fact.changes == ("ogre.at=2,1", f"revive {id}")
    assert not Ruling("x", ("ogre.hp=1", f"revive {id}")).void
    assert Ruling("x", (f"revive {id}",)).void
    for line in (listed, done):
        sound(store, line.ruling.branch)


def test_only_what_was_refused_can_be_revived() -> None:
    """A declaration that was played, one that is not there, and one that lies ahead are errors."""
    store, id, at = out_of_reach()
    with pytest.raises(NotRefused, match=f"refused declarations: {id}"):
        what_if(store, at=at, ruling=CLOSER, revive=("d5",))
    with pytest.raises(UnknownKey, match="no declaration of 'main' is called 'd77'"):
        what_if(store, revive=("d77",))
    with pytest.raises(BadRuling, match="cannot be ruled on"):
        rule(store, "amend", "x", changes=(f"revive {id}",), scope="onward")
    assert [branch.name for branch in store.branches()] == ["main"]


def forged(store: Store, facts: list[object], after: int) -> Store:
    """Return a log with a branch that holds only these facts after an event of the main line."""
    store.fork("forged", "main", after)
    store.append("forged", [entry(fact, 1, 1, "fighter", after + 1) for fact in facts], after)
    return store


@pytest.mark.parametrize("what", ["never refused", "for another reason", "refused today"])
def test_nothing_can_be_kept_from_play_by_writing_that_it_stays_refused(what: str) -> None:
    """Verification asks the line before whether it was refused, and the rules whether they allow it."""
    store, id, at = out_of_reach()
    declared: list[Event] = [event for event in store.read("main") if event.type == "declared"]
    then = ends(store, "main")[id]
    assert type(then) is Refused
    if what == "never refused":
        first = declared[-2]
        fact = Refused(decode(first).id, then.reason, then.rule, stays=True)
        after = first.seq - 1
    else:
        first = next(event for event in declared if event.seq == at)
        reason = then.reason if what == "refused today" else "too tired"
        fact, after = Refused(id, reason, then.rule, stays=True), at - 1
    report = verify(forged(store, [decode(first), fact], after), "forged")
    found = {check.name: check.ok for check in report.checks}
    assert found == {"chain": True, "structure": True, "state": True, "dice": True, "outcomes": False}
