"""Differences between two branches."""

from affray.events.codec import decode
from affray.events.stores.store import Store
from affray.replay.difference import diff
from affray.replay.log.branches import fork, parting
from affray.replay.redecide.rulings import Ruling
from affray.replay.whatif.what_if import what_if
from tests.replay.fights import fought


def store() -> Store:
    """Return a fight of some rounds."""
    return fought(rounds=5, seed=b"d").store


def test_a_branch_differs_from_itself_in_nothing() -> None:
    """A line compared with itself, or with a fresh fork of its end, tells the same fight."""
    log = store()
    assert diff(log, "main", "main").same
    fork(log, "end", "copy")
    found = diff(log, "main", "copy")
    assert found.same
    assert "are equal" in found.sentence


def test_what_stops_early_misses_the_rest() -> None:
    """A fork of the middle lacks every later declaration, roll and event."""
    log = store()
    made = fork(log, "r2", "short")
    found = diff(log, "main", "short")
    assert found.parted == made.at
    assert all(change.b == "" for change in found.declarations)
    assert all(change.b == () for change in found.rolls)
    assert {event.kind for event in found.events} == {"only a"}
    assert found.events[0].a > made.at


def test_another_die_is_named_with_both_faces() -> None:
    """The roll, its event and what became of the target are in the difference, and mirrored."""
    log = store()
    attack = next(
        decode(event)
        for event in log.read("main")
        if event.type == "attack.resolved" and decode(event).result == "hit"
    )
    made = what_if(log, faces={attack.key: [1]})
    found = diff(log, "main", made.name)
    roll = next(change for change in found.rolls if change.key == attack.key)
    assert (roll.a, roll.b) == ((attack.natural,), (1,))
    changed = [event for event in found.events if event.kind == "changed"]
    assert any(event.what == f"attack.resolved {attack.key}" for event in changed)
    assert any("/damage/" in change.key and change.b == () for change in found.rolls)
    back = diff(log, made.name, "main")
    assert {(c.key, c.b, c.a) for c in back.rolls} == {(c.key, c.a, c.b) for c in found.rolls}
    assert {(c.id, tuple(c.changes)) for c in back.combatants} == {
        (c.id, tuple(c.changes)) for c in found.combatants
    }


def test_the_sentence_says_who_fares_otherwise() -> None:
    """The sentence names the ruling and tells the fates; the count beside it names the place."""
    log = store()
    seq = next(event.seq for event in log.read("main") if event.type == "attack.resolved")
    made = what_if(log, at=seq, ruling=Ruling("it is over", ("ogre.hp=-20", "ogre+dead")), name="slain")
    found = diff(log, "main", made.name)
    assert found.counted.startswith(f"main and slain separate at event {made.at} (r1.t")
    assert found.sentence.startswith("With the ruling 'it is over' Ogre has -20 hit points")
    assert "Ogre dies at r1.t" in found.sentence or "Ogre dies already at r1.t" in found.sentence
    assert "\n" not in found.sentence
    assert any(change.b.startswith("invalidated: ") for change in found.declarations)


def test_branches_of_branches_part_where_the_older_one_left() -> None:
    """The parting of two siblings is the earlier of both forks, that of parent and child the fork."""
    log = store()
    fork(log, "30", "a")
    fork(log, "40", "b")
    fork(log, "30", "c", "a")
    assert parting(log, "a", "b") == 30
    assert parting(log, "b", "main") == 40
    assert parting(log, "c", "a") == 30
    assert parting(log, "c", "b") == 30
