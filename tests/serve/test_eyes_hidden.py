"""The hidden: whoever they are, whatever they are called, and whether they are there at all."""

import re

import msgspec
import pytest

from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.replay.privacy.audience import Audience
from affray.replay.serve.http import Problem
from affray.replay.serve.messages import CloudEvent, encode_sse
from affray.replay.serve.read_model import Looking
from affray.replay.serve.visibility import Passed
from affray.replay.viewer.frames import Frame
from tests.house.fights import DIALECTS
from tests.serve.haunted import (
    GHOST,
    NAME,
    called_otherwise,
    haunted,
    passed_without,
    told_straight,
)
from tests.serve.looks import audience, entered_sides, everything, told_of
from tests.serve.many import seeds
from tests.serve.test_eyes import assert_same
from tests.serve.twins import renamed, twin

pytestmark = pytest.mark.slow

OTHER, OTHER_NAME = "quaxbeast-of-old", "Modrel"


def audiences(store: Store, ghost: str = GHOST) -> list[Audience]:
    """Return an onlooker and the players of two combatants, to whom somebody is hidden."""
    ids = [id for id in entered_sides(store) if id != ghost]
    return [audience(store, own, (ghost,)) for own in ((), (ids[0],), (ids[-1],))]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("seed", seeds(1))
def test_it_is_named_nowhere(dialect: str, seed: int) -> None:
    """Neither by id nor by name nor by its first name, in any answer to anybody."""
    store = haunted(dialect, seed)
    for who in audiences(store):
        for name, data in everything(store, who, every=5):
            for word in (GHOST, NAME, "vexlord", "grim"):
                assert word.encode() not in data.lower(), (name, word)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_way_at_it_is_a_way_at_nobody(dialect: str) -> None:
    """A player who names the hidden in a way of its own is answered as for a name that nobody has."""
    store = haunted(dialect, 0)
    for who in audiences(store):
        for mover in sorted(who.own):
            told = [_priced_at(store, who, mover, name) for name in (GHOST, "nobody-at-all")]
            assert told[0].replace(GHOST, "nobody-at-all") == told[1]


def _priced_at(store: Store, who: Audience, mover: str, target: str) -> str:
    try:
        found = Looking(who).price(store, acts.Charge(actor=mover, target=target, path=((1, 1), (2, 1))))
    except Problem as problem:
        return str(problem)
    return msgspec.json.encode(found).decode()


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("seed", seeds(1))
def test_whoever_it_is(dialect: str, seed: int) -> None:
    """With another id, another name and other numbers it leaves the same bytes."""
    store = haunted(dialect, seed)
    words = {GHOST: OTHER, NAME: OTHER_NAME, "Vexlord": OTHER_NAME}
    for who, same in zip(audiences(store), audiences(renamed(store, words), OTHER), strict=True):
        other = renamed(twin(store, who, entered_sides(store)), words)
        assert_same(store, other, who, legal=False, then=same)
        assert_same(store, renamed(store, words), who, then=same)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_name_that_somebody_else_bears(dialect: str) -> None:
    """Of two who are called alike the one that is seen keeps the name while the other is hidden."""
    store = haunted(dialect, 1)
    for who in audiences(store):
        seen = next(event for event in store.read("main") if event.type == "combatant.entered")
        same = called_otherwise(store, decode(seen).sheet.name)
        assert_same(store, same, who)


def comparable(told: list[CloudEvent]) -> list[str]:
    """Return what is told, without the ids of declarations that are not, where they stand in a key."""
    return [re.sub(r'"d\d+\.\d+/', '"#/', encode_sse(one).decode()) for one in told]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("seed", seeds(1))
def test_whether_it_is_there(dialect: str, seed: int) -> None:
    """What is told of the fight is what would be told without it, byte for byte."""
    store = haunted(dialect, seed)
    passed = [Passed(event, decode(event), None, None) for event in store.read("main")]
    for who in audiences(store):
        there = comparable(told_straight(passed, who))
        gone = comparable(told_straight(passed_without(store, GHOST), who))
        assert there == gone
        assert len(there) > 20


def test_words_of_a_view_call_it_by_the_name() -> None:
    """What one's own combatant means to do names the one who is seen as if nobody else were called so."""
    store = MemoryStore()
    table = Table.create(store, dialect="woa", terrain=["......"] * 4, seed=b"s")
    for at, (id, name) in enumerate((("hero", "Hero"), ("orc", "Orc"), (GHOST, "Orc"))):
        side = "heroes" if id == "hero" else "dark"
        table.declare(acts.Enter(id=id, side=side, sheet=Sheet(name=name, hp=9), at=(2 * at, 1)))
    table.declare(acts.Begin())
    plan = acts.Plan(actor="hero", actions=(acts.Intent("standard", "attack", "orc"),))
    assert table.declare(plan).refused is None
    for hide, words in (((), "attack orc"), ((GHOST,), "attack Orc")):
        who = audience(store, ("hero",), hide)
        frames = [told.data.frame for told in told_of(store, who, frames=True)]
        changes = [frame.change.c for frame in frames if isinstance(frame, Frame) and frame.change]
        plans = [plan for one in changes if (plan := one.get("hero", {}).get("plan"))]
        assert plans == [[words]]
        assert Looking(who).state(store, "end").combatants["hero"]["plan"] == [words]
