"""What the game master sets from now on: in random fights, in the notation, undone, and told to players."""

import random
from io import BytesIO
from typing import Any

import pytest

from affray.engine.table.table import Table
from affray.engine.text.narrate import lines
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.facts.flow import Declared
from affray.events.stores.memory import MemoryStore
from affray.replay import export_notation, import_notation
from affray.replay.undo import undo
from affray.replay.verification.verify import verify
from tests.campaigns import fights
from tests.house.fights import DIALECTS, opened, random_fiat
from tests.relatives import RELATIVES


@pytest.mark.parametrize("number", [4, 7])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_referee_has_nothing_against_it(
    dialect: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a random fight in which much is set, the books of the referee stay right, and the log verifies."""
    wild = fights.wild_act

    def act(dice: random.Random, fight: Any) -> Any:
        if fight.state.combatants and dice.random() < 0.35:
            return random_fiat(dice, fight, dice.choice([*fight.state.combatants]))
        return wild(dice, fight)

    monkeypatch.setattr(fights, "wild_act", act)
    tally = fights.Tally(dialect)
    fights.fight(dialect, number, tally, 150)
    assert tally.declarations > 50


def fought(dialect: str) -> Table:
    """Return a fight in which all kinds of things were set, refused ones among them."""
    table = opened(dialect, MemoryStore(), 1)
    table.declare(acts.Begin())
    for act in (
        acts.Fiat(target="ogre", hp=9, text="he has bled all the while"),
        acts.Fiat(target="fighter", gains=("shaken",), at=(0, 0)),
        acts.Fiat(target="fighter", loses=("shaken",), hp=3),
        acts.Fiat(target="fighter", hp=1000),
        acts.Fiat(target="goblin", hp=-60, text="fell into the abyss"),
    ):
        table.declare(act, by="GM")
    return table


@pytest.mark.parametrize("dialect", RELATIVES)
def test_it_is_folded_verified_and_undone_as_any_declaration(dialect: str) -> None:
    """One step back gives the hit points of before; who declared it and why is on record."""
    table = fought(dialect)
    store = table.store
    assert verify(store).ok
    assert (table.state.combatants["ogre"].hp, table.state.combatants["fighter"].at) == (9, (0, 0))
    first = next(fact for event in store.read("main") if type(fact := decode(event)) is Declared and fact.by)
    assert (first.by, getattr(first.act, "text", "")) == ("GM", "he has bled all the while")
    step = undo(store)
    assert [one.act.split(",")[0] for one in step.declarations] == ["fiat"]
    again = Table(store)
    assert again.state.combatants["goblin"].hp > 0
    assert again.state.combatants["ogre"].hp == 9
    assert verify(store, step.line).ok


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_notation_tells_it_whole(dialect: str) -> None:
    """Written as a text and read again it is the same log, byte for byte."""
    store, text, copy = fought(dialect).store, BytesIO(), MemoryStore()
    export_notation(store, text)
    import_notation(text.getvalue(), copy)
    assert copy.head("main") == store.head("main")


def test_it_is_told_in_words() -> None:
    """Of whom, what it is from now on, and why."""
    table = fought("srd35")
    told = " ".join(" ".join(lines([decode(event) for event in table.store.read("main")])).split())
    assert "Gharm has 9 hit points from now on: he has bled all the while" in told
    assert "Brannoc is shaken and is at 0,0 from now on" in told
    assert "Brannoc has 3 hit points and is no longer shaken from now on" in told
