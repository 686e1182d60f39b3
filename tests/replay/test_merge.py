"""Merges: independent rulings come to the same in any order, all others are conflicts with two sides."""

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.engine.dice import Manual
from affray.engine.table.policies import ask
from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.errors import AffrayError, UnknownStream
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved
from affray.events.facts.flow import Rolled
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.projections.state import digest
from affray.replay.explain.disputes import register, rule
from affray.replay.log.branches import Origins, fork, origins, promote
from affray.replay.log.playhead import state_at
from affray.replay.merging.conflicts import MergeConflict
from affray.replay.merging.merge import BadMerge, Merged, merge
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import what_if
from tests.house.fights import DIALECTS, play_wildly
from tests.house.fights import opened as begun
from tests.relatives import RELATIVES
from tests.replay.fights import brawl, fought, opened
from tests.replay.test_every_line_verifies import WRITERS, taken_back


def copied(store: Store) -> MemoryStore:
    """Return a copy of a log, with its seed."""
    copy = MemoryStore()
    copy.restore(store.branches(), store.read_all())
    copy.keep_secret("seed", store.secret("seed") or b"")
    return copy


def merged(store: Store, *names: str, take: tuple[str, ...] = ()) -> Merged:
    """Merge branches; what comes of it verifies and ends where it says."""
    made = merge(store, names, take=take)
    report = verify(store)
    assert report.ok, [str(one.problem) for one in report.checks if not one.ok]
    assert digest(state_at(store, made.name, made.head)) == made.digest
    return made


def attacks(store: Store, branch: str = "main") -> list[tuple[int, AttackResolved]]:
    """Return the attacks of a branch with where they stand."""
    found = ((event.seq, event) for event in store.read(branch) if event.type == "attack.resolved")
    return [(seq, decode(event)) for seq, event in found]


def key_before(store: Store, seq: int) -> str:
    """Return the key of the last roll before an event."""
    key = ""
    for event in store.read("main", upto=seq):
        if event.type == "rolled":
            key = decode(event).key
    return key


def amend(store: Store, at: int, *changes: str, branch: str = "main", scope: str = "event") -> str:
    """Amend and return the branch."""
    return rule(
        store, "amend", "so be it", by="GM", at=at, changes=changes, branch=branch, scope=scope
    ).ruling.branch


def wild(dialect: str, seed: int) -> tuple[random.Random, Store]:
    """Return the log of a random fight, and the dice to go on with."""
    dice = random.Random(seed)
    table = begun(dialect, MemoryStore(), seed)
    table.declare(acts.Begin())
    play_wildly(table, dice, 20)
    return dice, table.store


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 100_000))
def test_the_order_of_branches_does_not_matter(dialect: str, seed: int) -> None:
    """Two or three lines of a random fight: one state in any order, or one conflict, nothing written."""
    dice, store = wild(dialect, seed)
    made: list[str] = []
    for _ in range(4):
        with suppress(AffrayError, IndexError):
            writer = dice.choice([one for one in WRITERS if one is not taken_back])
            made.append(writer(dice, store, dice.choice(["main", "main", *made])))
    made = made[-3:]
    if len(made) < 2:
        return
    told = []
    for names in (made, made[::-1]):
        copy = copied(store)
        try:
            told.append(merged(copy, *names).digest)
        except MergeConflict as error:
            told.append(str(error))
            written = copy.branches() != store.branches()
            if written:
                raise
    assert told[0] == told[1]


@pytest.mark.parametrize("dialect", RELATIVES)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 100_000))
def test_independent_rulings_come_to_what_ruling_one_upon_the_other_does(dialect: str, seed: int) -> None:
    """Hit points at one event and a modifier at another: the merge is what ruling twice by hand would be."""
    dice, store = wild(dialect, seed)
    found = [event for event in store.read("main") if event.type == "declared" and event.turn]
    if len(found) < 2:
        return
    who, other = dice.sample(["fighter", "sorcerer", "ogre", "goblin"], 2)
    first, second = sorted(dice.sample(found, 2), key=lambda event: event.seq)
    one, two = f"{who}.hp={dice.randint(20, 60)}", f"{other}.hp={dice.randint(20, 60)}"
    a, b = amend(store, first.seq, one), amend(store, second.seq, two)
    try:
        made = merged(store, b, a)
    except MergeConflict as error:
        ids = {side.what for conflict in error.conflicts for side in conflict.sides}
        assert ids == {"R1", "R2"}
        return
    id = decode(second).id
    again = next(event.seq for event in store.read(a) if event.type == "declared" and decode(event).id == id)
    by_hand = amend(store, again, two, branch=a)
    assert digest(state_at(store, by_hand, store.head(by_hand).seq)) == made.digest
    assert [side.what for side in made.held] == ["R1", "R2"]


def test_rulings_of_three_branches_hold_on_one_line() -> None:
    """Each is cited in its place, the register tells where they stand, and promoted they all count."""
    store = fought(rounds=3).store
    seqs = [seq for seq, fact in attacks(store) if fact.result == "hit"]
    names = [amend(store, seqs[0], "goblin.attack+1"), amend(store, seqs[1], "ogre.hp=40")]
    names.append(what_if(store, "main", faces={key_before(store, seqs[-1]): (7,)}).name)
    made = merged(store, *names)
    assert [side.what for side in made.held][:2] == ["R1", "R2"]
    assert [side.branches for side in made.held[2:]] == [(names[2],)]
    assert made.parent == "main"
    rolled = {one.key: one for event in store.read(made.name) if type(one := decode(event)) is Rolled}
    assert rolled[key_before(store, seqs[-1])].faces == (7,)
    assert [found.a for found in made.differences] == sorted(names)
    assert [one.also for one in register(store).rulings] == [[made.name], [made.name]]
    promote(store, made.name)
    assert all(one.counts for one in register(store).rulings)


def test_faces_that_contradict_are_named_as_they_are_typed() -> None:
    """Not as Python writes them."""
    store = fought(rounds=2).store
    key = key_before(store, attacks(store)[0][0])
    lines = [what_if(store, "main", faces={key: (face,)}).name for face in (2, 3)]
    with pytest.raises(MergeConflict, match=f"both set {key}: 2 and 3"):
        merge(store, lines)


def test_two_that_say_different_things_are_a_conflict() -> None:
    """Both sides are named with ruling, event and branch, nothing is written, and either can be taken."""
    store = fought(rounds=2).store
    seq, fact = attacks(store)[0]
    a = amend(store, seq, f"{fact.target}.hp=12")
    b = amend(store, seq, f"{fact.target}.hp=3")
    with pytest.raises(MergeConflict, match="both set") as raised:
        merge(store, [a, b])
    one, other = raised.value.conflicts[0].sides
    assert [(side.what, side.event, side.branches) for side in (one, other)] == [
        ("R1", seq, (a,)),
        ("R2", seq, (b,)),
    ]
    assert [branch.name for branch in store.branches()] == ["main", a, b]
    for side, line in (("R1", a), (b, b)):
        made = merged(store, b, a, take=(side,))
        assert made.digest == digest(state_at(store, line, store.head(line).seq))
        assert len(made.held) == len(made.dropped) == 1
    with pytest.raises(MergeConflict):
        merge(store, [a, b], take=(a, b))


def test_a_ruling_whose_subject_no_longer_happens_is_a_conflict() -> None:
    """Who lies dead attacks nobody: the earlier ruling has taken its subject from the later one."""
    store = fought(rounds=3).store
    hits = attacks(store)
    early, fact = hits[0]
    later = next(seq for seq, one in hits[1:] if one.attacker == fact.attacker)
    a = amend(store, early, f"{fact.attacker}.hp=-30", f"{fact.attacker}+dead")
    b = amend(store, later, f"{fact.attacker}.attack+2")
    with pytest.raises(MergeConflict, match=r"no longer possible|not declared|no longer made") as raised:
        merge(store, [b, a])
    assert {side.what for side in raised.value.conflicts[0].sides} == {"R1", "R2"}
    assert merged(store, a, b, take=("R1",)).dropped[0].what == "R2"


def test_a_roll_that_is_no_longer_made_is_a_conflict() -> None:
    """A miss throws no damage: faces for that roll and the ruling that the blow missed do not go together."""
    store = fought(rounds=2).store
    seq, _ = next(one for one in attacks(store) if one[1].result == "hit")
    damage = next(decode(event).key for event in store.read("main", after=seq) if event.type == "rolled")
    a = amend(store, seq, "attack=miss")
    notation = next(
        one for event in store.read("main") if type(one := decode(event)) is Rolled and one.key == damage
    )
    b = what_if(store, "main", faces={damage: [1] * len(notation.faces)}).name
    with pytest.raises(MergeConflict, match="no longer asked for"):
        merge(store, [a, b])


def test_the_same_ruling_on_two_branches_holds_once() -> None:
    """Two that strike out the same declaration agree."""
    store = fought(rounds=2).store
    seq, _ = attacks(store)[0]
    names = [
        rule(store, "overturn", text, by="GM", at=seq, branch="main").ruling.branch
        for text in ("no", "never")
    ]
    made = merged(store, *names)
    assert [side.what for side in made.held] == ["R1"]
    assert [side.what for side in made.agreed] == ["R2"]


def test_a_branch_of_a_branch() -> None:
    """A ruling made upon another one, and one made upon main, and what was played on: all on one line."""
    store = fought(rounds=3).store
    seqs = [seq for seq, _ in attacks(store)]
    a = amend(store, seqs[0], "rogue.hp=20")
    b = amend(store, seqs[3], "fighter.hp=39", branch=a)
    c = amend(store, seqs[2], "ogre.hp=45")
    table = Table(store, b)
    table.declare(acts.EndTurn(actor=table.state.active))
    made = merged(store, c, b)
    assert sorted(side.what for side in made.held) == ["R1", "R2", "R3"]
    assert [*made.added] == [b]
    inner = merged(store, made.name, a)
    assert inner.digest == made.digest


def test_what_was_played_on_in_two_ways_is_a_conflict() -> None:
    """Main went on and so did a fork: one of them is taken, and what is left out is told."""
    store = brawl(opened(), 2).store
    fork(store, "end", "retry")
    for line, act in (("main", acts.EndTurn), ("retry", acts.TotalDefense)):
        on = Table(store, line)
        assert on.declare(act(actor=on.state.active)).refused is None
    with pytest.raises(MergeConflict, match="played on differently"):
        merge(store, ["main", "retry"])
    made = merged(store, "main", "retry", take=("retry",))
    assert [*made.left_out] == ["main"]
    assert any(b"total-defense" in event.data for event in store.read(made.name, after=made.at))


def waiting() -> Store:
    """Return a fight of people who answer themselves, in which the rogue walks off past the goblin."""
    table = opened(answers=ask)
    foes = {"fighter": "ogre", "ogre": "fighter", "goblin": "rogue"}
    while (who := table.state.active) != "rogue":
        table.declare(acts.Attack(actor=who, target=foes[who]))
        table.declare(acts.EndTurn(actor=who))
    table.declare(acts.Move(actor="rogue", path=((3, 4), (3, 5))))
    assert table.waiting is not None
    return table.store


def test_a_question_that_all_branches_leave_open_stays_open() -> None:
    """Two rulings before it: the line waits where both do, though the main line was answered since."""
    store = waiting()
    seq, _ = attacks(store)[0]
    a, b = amend(store, seq, "ogre.hp=25"), amend(store, seq, "fighter.hp=33")
    open = Table(store, answers=ask).waiting
    assert open is not None
    Table(store, answers=ask).choose("take")
    made = merged(store, a, b)
    assert made.waiting == open.question
    assert Table(store, made.name).waiting == open
    assert merged(store, a, "main").waiting != open.question
    assert origins(store, made.name) == Origins([a, b], origins(store, made.name).events)


def test_an_answer_holds_though_its_line_is_not_the_longest() -> None:
    """Who answered on a branch has answered: the other branch waits, and is in the alphabet before it."""
    store = waiting()
    seq, _ = attacks(store)[0]
    a, b = amend(store, seq, "ogre.hp=25"), amend(store, seq, "fighter.hp=33")
    Table(store, b, answers=ask).choose("take")
    made = merged(store, a, b)
    key = Table(store, a).waiting.key
    said = next(event for event in store.read(made.name) if event.type == "chosen")
    assert (decode(said).key, decode(said).answer) == (key, "take")
    assert origins(store, made.name).events[said.seq] == [b]


def test_two_answers_to_one_question_are_a_conflict() -> None:
    """Both are named with their branches, and the one taken holds; what goes is told."""
    store = waiting()
    fork(store, "end", "retry")
    Table(store, "main", answers=ask).choose("take")
    Table(store, "retry", answers=ask).choose("decline")
    for names in (["main", "retry"], ["retry", "main"]):
        with pytest.raises(MergeConflict, match=r"the answer 'take' .* against the answer 'decline'"):
            merge(store, names)
    for side, answer in (("main", "take"), ("retry", "decline")):
        made = merged(store, "main", "retry", take=(side,))
        said = next(decode(event) for event in store.read(made.name) if event.type == "chosen")
        assert said.answer == answer
        assert len(made.dropped) == 1


def test_what_nobody_asks_any_more_is_told() -> None:
    """A ruling has the goblin elsewhere: the answer that another branch gave for it finds no question."""
    store = waiting()
    seq, _ = attacks(store)[0]
    a, b = amend(store, seq, "goblin.hp=-30", "goblin+dead"), amend(store, seq, "fighter.hp=33")
    key = Table(store, b).waiting.key
    Table(store, b, answers=ask).choose("take")
    made = merged(store, a, b)
    assert made.unasked == {key: "take"}


def test_a_throw_by_hand_in_two_ways_is_a_conflict() -> None:
    """Dice that people throw are what they show: the same attack, thrown on two lines."""
    store = opened().store
    fork(store, "end", "retry")
    for line, face in (("main", 3), ("retry", 7)):
        table = Table(store, line, dice=Manual(lambda key, notation, face=face: [face] * notation.count))
        table.declare(acts.Attack(actor="fighter", target="ogre"))
    with pytest.raises(MergeConflict, match=r"the throw of 3 for .* against the throw of 7 "):
        merge(store, ["main", "retry"])
    made = merged(store, "main", "retry", take=("retry",))
    rolled = [one for event in store.read(made.name) if type(one := decode(event)) is Rolled]
    assert [one.faces for one in rolled][-1] == (7,)


def test_bad_merges_are_refused() -> None:
    """One branch, one twice, an unknown one, a side that nobody is on, a name that is taken."""
    store = fought(rounds=1).store
    a = amend(store, attacks(store)[0][0], "rogue.hp=20")
    for names in ([a], [a, a]):
        with pytest.raises(BadMerge, match="two or more"):
            merge(store, names)
    with pytest.raises(UnknownStream):
        merge(store, [a, "nobody"])
    with pytest.raises(BadMerge, match="there is no side 'R9'"):
        merge(store, [a, "main"], take=("R9",))
    with pytest.raises(AffrayError, match="exists already"):
        merge(store, [a, "main"], name=a)
