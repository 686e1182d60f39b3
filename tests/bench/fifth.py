"""Fifth edition beside dnd5e-engine: the combatants, the map and the attacks of its driver.

Four heroes stand before four brutes on eight by eight squares, each with one weapon and one attack a turn: a
hero with Strength 18, Armor Class 16 and a longsword, a brute with Armor Class 13, +6 and 2d8+4. Everything
is written and chained.
"""

from collections.abc import Iterator
from typing import Any, Final

from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.events.facts.flow import AnyAct
from affray.events.facts.sheet import Abilities, Bonus, Sheet, Weapon
from tests.bench import play
from tests.bench.play import Player, heard, logged

ENDLESS: Final = 1_000_000
MORTAL: Final = 30
MAP: Final = ("........",) * 8
WINDOW: Final = 13
"""Rounds (about 100 attacks) in one window."""


def hero(hp: int) -> Sheet:
    """Return a warrior of Armor Class 16 with a longsword."""
    return Sheet(
        "Hero",
        hp=hp,
        classes={"fighter": 1},
        abilities=Abilities(str=18, dex=10, con=10),
        armor=(Bonus(6, "armor", "half plate"),),
        weapons=(Weapon("longsword", "1d8", "slashing"),),
    )


def brute(hp: int) -> Sheet:
    """Return a brute of Armor Class 13 with +6 and 2d8+4."""
    return Sheet(
        "Brute",
        hp=hp,
        abilities=Abilities(str=18, dex=10, con=10),
        armor=(Bonus(3, "armor", "hide"),),
        weapons=(Weapon("club", "2d8", "bludgeoning", attack=(Bonus(2, "proficiency", "proficiency"),)),),
    )


def begun(store: MemoryStore, hp: int, seed: bytes) -> Table:
    """Return the table with both ranks in place and the fight begun."""
    table = Table.create(store, dialect="srd52", terrain=MAP, name="beside", seed=seed)
    for number in range(4):
        for id, side, sheet, row in (("h", "heroes", hero(hp), 1), ("o", "brutes", brute(hp), 2)):
            entered = acts.Enter(
                id=f"{id}{number}",
                side=side,
                sheet=sheet,
                at=(number, row),
                initiative=20 if id == "h" else 10,
            )
            outcome = table.declare(entered)
            assert outcome.refused is None, outcome.refused
    outcome = table.declare(acts.Begin())
    assert outcome.refused is None, outcome.refused
    return table


def blows(table: Player) -> Iterator[AnyAct]:
    """Yield the declarations of one round: everybody attacks whoever stands opposite."""
    for id in table.state.order:
        yield acts.Attack(actor=id, target=("o" if id[0] == "h" else "h") + id[1:])
        yield acts.EndTurn(actor=id)


def attacks(rounds: int) -> dict[str, Any]:
    """Play rounds of attacks that nobody can lose; the best and the median window."""
    store = MemoryStore()
    return logged(begun(store, ENDLESS, b"beside"), store, blows, max(3, rounds // WINDOW), WINDOW)


def attacks_kept(rounds: int) -> dict[str, Any]:
    """Play the same rounds without a log, every fact kept as an object, as dnd5e-engine keeps its events."""
    return heard(begun(MemoryStore(), ENDLESS, b"beside"), b"beside", blows, max(3, rounds // WINDOW), WINDOW)


def fights(count: int) -> dict[str, Any]:
    """Play whole fights by tactics, from entering to the last side standing."""
    return play.fights(count, lambda store, seed: begun(store, MORTAL, seed))
