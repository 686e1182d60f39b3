"""What a way is said to come to is what declaring it does, if nobody strikes."""

import random
from collections.abc import Iterator

import pytest

from affray.engine.table import policies
from affray.engine.table.legal import Price
from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.events.facts.combat import Moved, Provoked
from affray.events.facts.flow import AnyAct
from affray.projections.state import freeze
from tests.house.fights import opened, play_wildly, random_path
from tests.relatives import RELATIVES

TURNS, WAYS = 5, 12


def ways_of(table: Table, dice: random.Random) -> Iterator[AnyAct]:
    """Yield ways of every kind, most of them possible: known ones, and walks at random."""
    who = table.state.combatants[table.state.active]
    known = [way.path for way in table.legal().ways]
    others = [id for id in table.state.combatants if id != who.id] or [who.id]
    for _ in range(WAYS):
        path = dice.choice(known) if known and dice.random() < 0.7 else random_path(dice, who)
        kind = dice.choice((acts.Move, acts.Move, acts.Run, acts.Withdraw, acts.Charge, acts.Step))
        if kind is acts.Step:
            yield acts.Step(actor=who.id, to=path[0])
        elif kind is acts.Charge:
            yield acts.Charge(actor=who.id, target=dice.choice(others), path=path)
        else:
            yield kind(actor=who.id, path=path)


def compared(table: Table, act: AnyAct) -> Price:
    """Return the price of a way, having held it against the declaration, where all let it pass."""
    before = freeze(table.state)
    told = table.price(act)
    assert freeze(table.state) == before
    store = table.store
    name = f"try-{len(store.branches())}"
    store.fork(name, table.branch, store.head(table.branch).seq)
    came = Table(store, name, answers=policies.cautious).declare(act)
    refused = came.refused
    assert (told.refused, told.rule) == ((refused.reason, refused.rule) if refused else ("", "")), act
    if refused is not None or told.depends:
        return told
    goer = table.state.combatants[act.actor].mount or act.actor
    walked = [fact for fact in came.facts if isinstance(fact, Moved) and fact.who == goer]
    assert sum(fact.feet for fact in walked) == told.feet, act
    assert [at for fact in walked for at in fact.path] == [*told.path], came.facts
    offered = [
        fact.by
        for fact in came.facts
        if isinstance(fact, Provoked) and fact.who in (act.actor, goer) and not fact.denied
    ]
    assert tuple(dict.fromkeys(offered)) == told.past, act
    assert told.left is None or told.left >= 0
    return told


@pytest.mark.parametrize("dialect", RELATIVES)
def test_a_price_is_what_the_declaration_does(dialect: str) -> None:
    """Cost, openings and refusal, in random fights of every dialect."""
    free = struck = shut = 0
    for seed in range(2):
        dice = random.Random(f"{dialect} price {seed}")
        table = opened(dialect, MemoryStore(), seed)
        table.use(answers=policies.auto)
        table.declare(acts.Begin())
        for _ in range(TURNS):
            play_wildly(table, dice, 6)
            if table.waiting is not None or not table.state.active or table.state.closed:
                continue
            for act in ways_of(table, dice):
                told = compared(table, act)
                free += not told.refused and not told.past
                struck += bool(told.past)
                shut += bool(told.refused)
    assert min(free, struck, shut) > 0, (free, struck, shut)
