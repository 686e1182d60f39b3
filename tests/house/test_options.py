"""What `options` lists is never refused: in random fights, for each combatant in its turn."""

import random
from collections.abc import Iterator
from typing import cast

import pytest

from affray.engine.dice import Seeded
from affray.engine.fight.fight import Fight
from affray.engine.rules.turns.proposals import samples
from affray.engine.table import policies
from affray.engine.table.legal import UNLISTED, candidates, legal
from affray.engine.table.runner import resolve
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events.facts import acts
from affray.events.facts.flow import AnyAct, Declared, Refused
from affray.events.stores.memory import MemoryStore
from affray.projections.state import duplicate
from tests.house.fights import opened, random_act, random_fiat
from tests.house.links_played import answer
from tests.house.wild import anywhere
from tests.relatives import RELATIVES

MOST_OPEN = 60
"""So many declarations of what is open to a combatant are made, drawn at random."""


def declared_on_a_copy(table: Table, act: AnyAct) -> Refused | None:
    """Return why an act is refused that is declared on a copy of the fight, None if it is not."""
    fight = Fight(duplicate(table.state), table.fight.dialect)
    fight.seed = table.fight.seed
    declared = Declared(f"d{table.state.declarations + 1}", act, "")
    return resolve(fight, declared, seq=1, dice=Seeded(b"copy"), answers=policies.auto).refused


def turns(dialect: str, seed: int) -> Iterator[tuple[Table, random.Random]]:
    """Yield a random fight at moments of it, in which the game master sets things now and then."""
    dice = random.Random(f"options {dialect} {seed}")
    begin = anywhere(dice, dialect, MemoryStore(), seed) if seed % 2 else opened(dialect, MemoryStore(), seed)
    begin.use(None, policies.auto)
    if not begin.state.begun:
        begin.declare(acts.Begin())
    for number in range(60):
        if begin.waiting is not None:
            begin.choose(answer(begin, dice))
            continue
        if begin.state.active and not begin.state.closed and number % 4 == 0:
            yield begin, dice
        act = next_act(begin) if dice.random() < 0.5 else random_act(dice, begin.fight)
        if dice.random() < 0.2:
            act = random_fiat(dice, begin.fight, dice.choice([*begin.state.combatants]))
        if act is not None:
            begin.declare(act)


@pytest.mark.parametrize("dialect", RELATIVES)
@pytest.mark.parametrize("seed", range(2))
def test_nothing_that_is_listed_is_refused(dialect: str, seed: int) -> None:
    """Each declaration that is listed can be made; each kind in words of one's own takes some words."""
    looked = 0
    for table, dice in turns(dialect, seed):
        actor = table.state.combatants[table.state.active]
        found = legal(table.fight, actor)
        for act in dice.sample(found.open, min(MOST_OPEN, len(found.open))):
            refused = declared_on_a_copy(table, act)
            assert refused is None, (act, refused)
            looked += 1
        for kind in UNLISTED & {*table.fight.dialect.acts}:
            if str(kind.__struct_config__.tag) in found.not_all:
                said = cast("list[AnyAct]", list(samples(table.fight, actor, kind, candidates)))
                refusals = [declared_on_a_copy(table, act) for act in said]
                assert None in refusals, (actor.id, kind, refusals)
        assert not {shut.kind for shut in found.closed} & {*found.not_all}
    assert looked > 50
