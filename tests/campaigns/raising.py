"""The campaign on exceptions: random declarations in random start states, none of which may raise.

    python tests/campaigns/raising.py [--declarations 100000] [--seed 0] [--part K/N] [--json]

Each fight has combatants of any sheet of the scenarios, who enter under random conditions, with levels,
losses, holds, mounts and used supplies, on a random map, half of them under readings chosen at random.
Illegal declarations are refused; anything else that is raised is a fault. Prints the count, and each fault
once with the place in the code and the declaration that reached it; the exit status is 1 if there is any.
"""

import argparse
import json
import random
import sys
import traceback
from collections import Counter
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[2]))

from msgspec import Struct

from affray.engine.book.catalogue import Book, dialects
from affray.engine.fight.fight import Fight
from affray.engine.table import policies
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.projections.state import Combatant
from tests.campaigns.played import counted
from tests.house.changing import ROWS, changing_act
from tests.house.crowds import PASSAGES, crowding_act
from tests.house.wild import sheets, wild_act
from tests.relatives import conditions_of

STEPS: Final = 50
"""Declarations of a fight, its entries included."""


class Fault(Struct, frozen=True):
    """What was raised: the error, where, and the declaration of a fight that reached it."""

    error: str
    place: str
    fight: str
    act: str


def entry(dice: random.Random, fight: Fight, id: str) -> acts.Enter:
    """Return the entry of anybody in any state, held by or holding, riding, weakened, out of supplies."""
    state = fight.state
    sheet = dice.choice(sheets(state.dialect))
    there = list(state.combatants.values())
    other: Combatant | None = dice.choice(there) if there else None
    known = conditions_of(fight.dialect)
    conditions = tuple(dict.fromkeys(dice.choice(known) for _ in range(dice.choice((0, 0, 1, 1, 2, 3)))))
    grapples = other is not None and dice.random() < 0.25
    riding = other is not None and dice.random() < 0.25
    mount = min(there, key=lambda one: -one.space) if riding else None
    at = (dice.randrange(len(state.terrain[0])), dice.randrange(len(state.terrain)))
    if grapples and other is not None:
        at = (other.at[0] + dice.randint(-1, 1), other.at[1] + dice.randint(-1, 1))
    if mount is not None:
        at = mount.at
    words = [
        *sheet.classes,
        *(one.name for one in sheet.spells),
        *(one.name for one in sheet.weapons),
        "arrows",
    ]
    return acts.Enter(
        id=id,
        side=mount.side if mount is not None else dice.choice("ab"),
        sheet=sheet,
        at=at,
        hp=dice.choice((None, None, None, sheet.hp, 1, 0, -1, -5)),
        nonlethal=dice.choice((0, 0, 0, 3, sheet.hp)),
        conditions=conditions,
        held=dice.choice((None, None, (), tuple(one.name for one in sheet.weapons[:2]))),
        initiative=dice.choice((None, 3, 12)),
        acted=dice.random() < 0.6,
        riding=mount.id if mount is not None else "",
        by=tuple((one, other.id) for one in conditions) if other is not None and dice.random() < 0.4 else (),
        levels=tuple((one, dice.choice((1, 2, 30))) for one in conditions if dice.random() < 0.3),
        losses=dice.choice(((), (), (("str", 3),), (("dex drain", 2), ("con", 1)))),
        used=((dice.choice(words), dice.choice((1, 3))),) if dice.random() < 0.2 else (),
        grapples=other.id if grapples and other is not None else "",
        grip=dice.choice(("", "", "pins", "pinned")) if grapples else "",
    )


def play(dialect: str, seed: int, faults: dict[tuple[str, str], Fault]) -> Counter[str]:
    """Play a fight; count declarations by whether they were refused, and note what was raised."""
    dice = random.Random(f"raising {dialect} {seed}")
    counts: Counter[str] = Counter()
    contested = [one for one in Book.load(dialect).contested.values() if not one.awaits] if seed % 2 else []
    table = Table.create(
        MemoryStore(),
        dialect=dialect,
        terrain=dice.choice((*PASSAGES, ROWS, ROWS)),
        options={one.option: dice.choice(one.readings).name for one in contested},
        seed=f"raising {seed}".ljust(32)[:32].encode(),
    )
    table.use(None, dice.choice((policies.auto, policies.ask, policies.cautious)))
    beginning = [acts.Begin(unaware=())]
    for number in range(STEPS):
        act: Any = "choose"
        try:
            if table.waiting is not None:
                table.choose(dice.choice(table.waiting.options or ("roll",)))
                continue
            if len(table.state.combatants) < 4 and number < 20:
                act = entry(dice, table.fight, f"c{number}")
            elif not table.state.combatants:
                break
            elif beginning:
                act = beginning.pop()
            else:
                act = declaration(dice, table)
            outcome = table.declare(act)
            counts["refused" if outcome.refused is not None else "played"] += 1
        except Exception as raised:
            counts["raised"] += 1
            note(faults, raised, f"{dialect} {seed} step {number}", act)
            break
    return counts


def declaration(dice: random.Random, table: Table) -> Any:
    """Return a declaration, sensible or senseless."""
    share = dice.random()
    if share < 0.15:
        return next_act(table) or acts.EndTurn(actor=table.state.active)
    if share < 0.3 and {"c0", "c1"} <= table.state.combatants.keys() and has_enemies(table):
        return changing_act(dice, table)
    if share < 0.34:
        known = conditions_of(table.fight.dialect)
        return acts.Hazard(target=dice.choice(list(table.state.combatants)), condition=dice.choice(known))
    return (crowding_act if share < 0.5 else wild_act)(dice, table.fight)


def has_enemies(table: Table) -> bool:
    """Say whether the combatant whose turn it is has an enemy."""
    active = table.state.combatants.get(table.state.active)
    return active is None or any(one.side != active.side for one in table.state.combatants.values())


def note(faults: dict[tuple[str, str], Fault], raised: Exception, fight: str, act: Any) -> None:
    """Keep the first of all faults of one kind at one place."""
    frames = [one for one in traceback.extract_tb(raised.__traceback__) if "/engine/" in one.filename]
    last = frames[-1] if frames else traceback.extract_tb(raised.__traceback__)[-1]
    place = f"{last.filename.rpartition('/engine/')[2]}:{last.lineno} {last.name}"
    error = f"{type(raised).__name__}: {raised}"
    faults.setdefault((type(raised).__name__, place), Fault(error[:300], place, fight, str(act)[:600]))


def main() -> int:
    """Run the campaign as the command line says and print what it found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--declarations", type=int, default=100_000, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the first seed")
    parser.add_argument("--part", default="1/1", metavar="K/N", help="the Kth of N parts")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    part, parts = map(int, given.part.split("/"))
    faults: dict[tuple[str, str], Fault] = {}
    counts: Counter[str] = Counter()
    fights = given.declarations // parts // STEPS
    for number in counted(range(fights), f"fights of {STEPS} declarations"):
        seed = given.seed + (number * parts + part - 1) // len(dialects())
        counts += play(dialects()[number % len(dialects())], seed, faults)
    if given.json:
        told = [{name: getattr(one, name) for name in one.__struct_fields__} for one in faults.values()]
        print(json.dumps({**counts, "faults": told}))
    else:
        print(f"{counts.total()} declarations: {dict(counts)}; {len(faults)} faults")
        for one in faults.values():
            print(f"  {one.error}\n    at {one.place}\n    in {one.fight}: {one.act}")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
