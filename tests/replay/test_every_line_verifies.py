"""Whatever a command writes verifies: what-ifs and rulings of all kinds, one upon another, on any fight."""

import random
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from affray.engine.table.dice import EVERYBODY
from affray.engine.table.policies import ask, auto
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.flow import Declared, Refused
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.replay.explain.disputes import rule
from affray.replay.log.declarations import groups
from affray.replay.log.playhead import state_at
from affray.replay.redecide.rulings import Ruling
from affray.replay.rule_changes.another_dialect import decide_under
from affray.replay.undo import redo, undo
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import what_if
from tests.house import wild
from tests.house.fights import DIALECTS, opened, play_wildly
from tests.house.links_played import answer, joined

pytestmark = pytest.mark.slow

Write = Callable[[random.Random, Store, str], str]


def some_fight(dice: random.Random, dialect: str, seed: int) -> Table:
    """Return a fight played at random, from its beginning or the middle of a scenario; perhaps it waits."""
    store = MemoryStore()
    if dice.random() < 0.5:
        table = opened(dialect, store, seed)
        if dice.random() < 0.3:
            joined(table, "alex", "kim")
        table.declare(acts.Begin())
    else:
        table = wild.anywhere(dice, dialect, store, seed)
    who = dice.choice((*table.state.combatants, EVERYBODY, EVERYBODY))
    hands = (who,) if dice.random() < 0.3 else ()
    table = Table(store, answers=dice.choice((auto, ask)), hands=hands)
    while table.waiting is not None:
        answer(table, dice)
    play_wildly(table, dice, 25)
    if dice.random() < 0.3 and table.waiting is None and not table.state.closed:
        joined(table, "lee")
        play_wildly(table, dice, 12)
    return table


def played_on(dice: random.Random, store: Store, line: str) -> None:
    """Play a little on a line."""
    table = Table(store, line, answers=auto)
    for _ in range(4):
        if table.waiting is not None:
            answer(table, dice)
        elif (act := next_act(table)) is not None:
            table.declare(act)


def declarations(store: Store, line: str) -> dict[str, tuple[int, object]]:
    """Return the declarations of a line by id: where they stand and what came last of them."""
    found = {}
    for group in groups(store.read(line)):
        first = decode(group[0])
        if type(first) is Declared:
            found[first.id] = (group[0].seq, decode(group[-1]))
    return found


def some_effect(dice: random.Random, store: Store, line: str) -> tuple[str, ...]:
    """Return changes that a ruling may make, about somebody who is there."""
    who = dice.choice(list(state_at(store, line, store.head(line).seq).combatants))
    some = (f"{who}.hp=1", f"{who}.defense+9:cover", f"{who}+prone", f"{who}.attack-2:luck", f"{who}.hp=40")
    return tuple(dice.sample(some, dice.choice((1, 1, 2))))


def another_face(dice: random.Random, store: Store, line: str) -> str:
    """Ask what would have been with another face."""
    rolled = [decode(event) for event in store.read(line) if event.type == "rolled"]
    roll = dice.choice(rolled)
    return what_if(store, line, faces={roll.key: [1] * len(roll.faces)}, leave_open=dice.random() < 0.3).name


def a_ruling(dice: random.Random, store: Store, line: str) -> str:
    """Amend, overturn or strike out a declaration."""
    at = dice.choice([seq for seq, _ in declarations(store, line).values()])
    changes = some_effect(dice, store, line) if dice.random() < 0.8 else ()
    scope = dice.choice(("event", "onward"))
    open = dice.random() < 0.3
    done = rule(
        store, "overturn", "so be it", at=at, changes=changes, scope=scope, branch=line, leave_open=open
    )
    return done.ruling.branch


def revived(dice: random.Random, store: Store, line: str) -> str:
    """Revive one refused declaration and perhaps rule that something was otherwise before it."""
    refused = {id: seq for id, (seq, last) in declarations(store, line).items() if type(last) is Refused}
    id = dice.choice(sorted(refused))
    if dice.random() < 0.5:
        return what_if(store, line, revive=(id,)).name
    ruling = Ruling("so be it", some_effect(dice, store, line))
    return what_if(store, line, at=refused[id], ruling=ruling, revive=(id,)).name


def amended(dice: random.Random, store: Store, line: str) -> str:
    """Change a declaration, put one before or after it, swap two, or let somebody enter otherwise."""
    known = declarations(store, line)
    id, other = dice.choice(list(known)), dice.choice(list(known))
    after = list(known)[min(len(known) - 1, list(known).index(id) + 1)]
    people = list(state_at(store, line, store.head(line).seq).combatants)
    who = dice.choice(people)
    act = dice.choice(("end-turn", f"attack {who}", "move 3,2 4,2", "total-defense", "stand", "speak hey"))
    change = dice.choice(
        (
            *(f"{id}={act}", f"{id}.target={who}", f"{id}.path=3,2 4,3", f"before {id}: {act}"),
            *(f"before {id}: opening {who} opponent={dice.choice(people)}",),
            *(f"after {id}: {act}", f"swap {id} {after}", f"swap {id} {other}", f"{who}.sheet.hp=9"),
            *(f"{who}.sheet.abilities.str=24", f"{who}.sheet.feats=dodge", f"{who}.sheet.base_attack=9"),
        )
    )
    leave_open = dice.random() < 0.3
    return rule(store, "amend", "so", changes=(change,), branch=line, leave_open=leave_open).ruling.branch


def from_the_start(dice: random.Random, store: Store, line: str) -> str:
    """Let somebody enter with other hit points, in another place or in another condition."""
    who = dice.choice(list(state_at(store, line, store.head(line).seq).combatants))
    change = dice.choice((f"{who}.hp=3", f"{who}.at=1,1", f"{who}.at=4,4", f"{who}+prone", f"{who}-prone"))
    return rule(store, "amend", "so", changes=(change,), scope="fight", branch=line).ruling.branch


def by_word(dice: random.Random, store: Store, line: str) -> str:
    """Let a roll come to a hit or a miss, a success or a failure."""
    rolled = [decode(event) for event in store.read(line) if event.type == "rolled"]
    key = dice.choice([roll.key for roll in rolled if roll.notation == "1d20"])
    word = dice.choice(("hit", "miss", "success", "failure"))
    at = next(seq for id, (seq, _) in declarations(store, line).items() if id == key.split("/")[0])
    roll = dice.choice((key, key.split("/")[-2]))
    return rule(store, "amend", "so", at=at, changes=(f"{roll}={word}",), branch=line).ruling.branch


def taken_back(dice: random.Random, store: Store, line: str) -> str:
    """Take back some declarations of the main line, and perhaps bring them again."""
    step = undo(store, dice.randint(1, max(1, min(6, len(declarations(store, store.main_line()))))))
    return redo(store).line if dice.random() < 0.4 else step.line


WRITERS: tuple[Write, ...] = (
    *(another_face, a_ruling, revived, amended, amended, from_the_start, by_word, taken_back),
)


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 100_000))
@example(seed=1063)  # woa: ends at a question before what is left of it has come about, and is played on
def test_every_line_verifies(dialect: str, seed: int) -> None:
    """Three lines, each leaving the one before: all verify, and none leaves anything where it failed."""
    dice = random.Random(seed)
    store = some_fight(dice, dialect, seed).store
    line = "main"
    for _ in range(4):
        known = {one.name for one in store.branches()}
        write = dice.choice(WRITERS)
        try:
            line = write(dice, store, line)
        except (AffrayError, IndexError):  # nothing of the kind is there, or the ruling cannot be
            assert known == {one.name for one in store.branches()}
            continue
        if dice.random() < 0.3:
            played_on(dice, store, line)
        report = verify(store, line)
        assert report.ok, (write.__name__, [str(one.problem) for one in report.checks if not one.ok])
    assert verify(store, "main").ok


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 100_000))
def test_every_line_crosses(dialect: str, seed: int) -> None:
    """A line of any kind, decided again under another rulebook, verifies there, or nothing is recorded."""
    dice = random.Random(seed)
    store = some_fight(dice, dialect, seed).store
    line = "main"
    for _ in range(dice.choice((0, 1, 1, 2))):
        with suppress(AffrayError, IndexError):
            line = dice.choice(WRITERS)(dice, store, line)
    into = MemoryStore()
    try:
        decide_under(store, dice.choice([one for one in DIALECTS if one != dialect]), into, branch=line)
    except AffrayError:  # somebody cannot enter, or an arm of theirs is none there
        assert into.head("main").seq == 0
        return
    report = verify(into)
    assert report.ok, [str(one.problem) for one in report.checks if not one.ok]


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 100_000))
def test_what_was_refused_never_comes_alive(dialect: str, seed: int) -> None:
    """On whatever line: what was refused is refused, unless it was revived or struck out."""
    dice = random.Random(seed)
    store = some_fight(dice, dialect, seed).store
    refused = {id for id, (_, last) in declarations(store, "main").items() if type(last) is Refused}
    try:
        line = dice.choice((another_face, a_ruling))(dice, store, "main")
    except (AffrayError, IndexError):
        return
    for id, (_, last) in declarations(store, line).items():
        assert type(last) is Refused or id not in refused or getattr(last, "reason", "").startswith("ruled")
