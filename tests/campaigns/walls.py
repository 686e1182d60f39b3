"""Random fights among random walls and doors between squares: nobody goes or strikes through one.

    python tests/campaigns/walls.py [--fights 100] [--dialect D] [--seed N]

Each fight is a scenario of the tables, or the packaged one, with walls put between squares at random: its own
script first, then declarations at random. Prints a line for each dialect; the exit status is 1 if any was
crossed, and the failing fight's number goes on with --seed.
"""

import argparse
import random
import sys
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dice import LeftoverDice
from affray.engine.table import policies
from affray.engine.table.policies import LeftoverAnswers
from affray.engine.table.scenario import play_line, set_up
from affray.engine.table.scenario_parts import BadScenario, Line, Scenario
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved, Moved
from affray.events.facts.sheet import Barrier
from affray.projections.fold import fold
from affray.projections.state import Combatant, Encounter
from tests.house.fights import DIALECTS, MOST, demo
from tests.house.wild import playable, wild_act

BODILESS = ("incorporeal", "ethereal")
#: Those who are put beside somebody else go where that one goes, round corners too.
CARRIED = ("carried", "grapple", "into the grapple", "into one space", "dragged", "swallowed")

Square = tuple[int, int]


class Crossed(AssertionError):
    """Somebody went or struck through a wall."""


class Counts(Struct):
    """What a campaign looked at."""

    fights: int = 0
    declarations: int = 0
    steps: int = 0
    put: int = 0
    blows: int = 0


class Watch(Struct):
    """The state up to where the log was looked at."""

    state: Encounter | None = None
    seq: int = 0


def closed_sides(state: Encounter) -> set[frozenset[Square]]:
    """Return the pairs of squares between which a wall or a closed door stands."""
    return {
        frozenset((tuple(one.here), tuple(one.there)))
        for one in state.barriers
        if one.cover == "total" and not (one.door and one.open)
    }


def crosses(closed: set[frozenset[Square]], here: Square, there: Square) -> bool:
    """Say whether one straight step from square to square crosses a wall: slantwise, whichever way round."""
    (x, y), (u, v) = here, there
    if x == u or y == v:
        return frozenset((here, there)) in closed
    over, under = (u, y), (x, v)
    first = frozenset((here, over)) in closed or frozenset((over, there)) in closed
    second = frozenset((here, under)) in closed or frozenset((under, there)) in closed
    return first and second


def linked(closed: set[frozenset[Square]], rows: tuple[str, ...], start: Square) -> set[Square]:
    """Return the squares that can be come to from one without crossing a wall of any kind."""
    found, ahead = {start}, [start]
    while ahead:
        x, y = ahead.pop()
        for there in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            inside = 0 <= there[1] < len(rows) and 0 <= there[0] < len(rows[0])
            if not inside or there in found or frozenset(((x, y), there)) in closed:
                continue
            if rows[there[1]][there[0]] != "#":
                found.add(there)
                ahead.append(there)
    return found


def check(state: Encounter, fact: Any, counts: Counts) -> None:
    """Raise Crossed where a fact has somebody go, or strike at one beside it, through a wall."""
    closed = closed_sides(state)
    if isinstance(fact, Moved):
        who = state.combatants[fact.who]
        if not has_body(who):
            return
        side = fact.space or who.space
        narrow = side if fact.space == 0 and fact.stretch == (0, 0) and who.stretch == (0, 0) else 1
        for here, there in pairwise((fact.start, *fact.path)):
            if max(abs(here[0] - there[0]), abs(here[1] - there[1])) == 1 and fact.how not in CARRIED:
                counts.steps += 1
                dx, dy = there[0] - here[0], there[1] - here[1]
                for x, y in ((here[0] + i, here[1] + j) for i in range(narrow) for j in range(narrow)):
                    if crosses(closed, (x, y), (x + dx, y + dy)):
                        raise Crossed(f"{fact.who} went from {x},{y} by {dx},{dy}: {fact.how}")
            else:
                counts.put += 1
                near = set[Square]().union(
                    *(
                        linked(closed, state.terrain, (here[0] + i, here[1] + j))
                        for i in range(who.space)
                        for j in range(who.space)
                    )
                )
                # Who is shut in with others, and no square left, comes out beyond a wall.
                if there not in near and near - {other.at for other in state.combatants.values()}:
                    raise Crossed(f"{fact.who} was put from {here} to {there}: {fact.how}")
    if isinstance(fact, AttackResolved):
        attacker, target = (state.combatants.get(id) for id in (fact.attacker, fact.target))
        if attacker is None or target is None:
            return
        if not (has_body(attacker) and has_body(target)) or attacker.space != 1 or target.space != 1:
            return
        here, there = attacker.at, target.at
        if abs(here[0] - there[0]) + abs(here[1] - there[1]) == 1:
            counts.blows += 1
            if frozenset((here, there)) in closed:
                raise Crossed(f"{attacker.id} at {here} struck {target.id} at {there}: {fact.mode}")


def has_body(one: Combatant) -> bool:
    """Say whether walls stop somebody."""
    told = (*one.conditions, *one.sheet.traits, one.sheet.kind, *(each.id for each in one.effects))
    return not any(word in str(each) for each in told for word in BODILESS)


def walled(dice: random.Random, scenario: Scenario) -> Scenario:
    """Return a scenario with walls and doors between some of its squares."""
    rows = scenario.map
    pairs = [
        (here, there)
        for y, row in enumerate(rows)
        for x in range(len(row))
        for here, there in (((x, y), (x + 1, y)), ((x, y), (x, y + 1)))
        if there[0] < len(row) and there[1] < len(rows)
    ]
    taken = {frozenset((tuple(one.here), tuple(one.there))) for one in scenario.barriers}
    share = dice.choice((0.03, 0.08, 0.15))
    found = []
    for here, there in pairs:
        if dice.random() < share and frozenset((here, there)) not in taken:
            door = f"door {len(found)}" if dice.random() < 0.3 else ""
            is_open = bool(door) and dice.random() < 0.4
            found.append(Barrier(here=here, there=there, cover="total", door=door, open=is_open))
    return replace(scenario, barriers=(*scenario.barriers, *found))


def play(dialect: str, seed: int, counts: Counts, most: int = 60) -> None:
    """Play one fight and check every fact of it. Raises Crossed."""
    dice = random.Random(f"walls {dialect} {seed}")
    store = MemoryStore()
    base = demo(dialect) if dice.random() < 0.2 else dice.choice(playable(dialect))
    try:
        table = set_up(walled(dice, base), store, seed=f"walls {seed}".encode())
    except AffrayError:
        return
    begin = Line(base.begin.act(), base.dice, base.choose)
    watch = Watch()
    looked_at(store, watch, counts)
    for line in (begin, *base.script):
        with suppress(LeftoverDice, LeftoverAnswers, BadScenario):
            play_line(table, line if line.dice else replace(line, dice="seed"))
        looked_at(store, watch, counts)
        if table.waiting is not None:
            break
    table.use(answers=policies.auto if dice.random() < 0.7 else policies.ask)
    for _ in range(most):
        if table.waiting is not None:
            if not table.waiting.options:
                break
            table.choose(dice.choice(table.waiting.options))
        else:
            table.declare(declaration(dice, table))
            counts.declarations += 1
        looked_at(store, watch, counts)
        if table.state.closed:
            break
    counts.fights += 1


def declaration(dice: random.Random, table: Table) -> Any:
    """Return what is declared next: by tactics, or anything."""
    act = next_act(table) if dice.random() < 0.4 else None
    if act is None or (isinstance(act, acts.Enter) and len(table.state.combatants) >= MOST):
        act = wild_act(dice, table.fight)
    return act


def looked_at(store: MemoryStore, watch: Watch, counts: Counts) -> None:
    """Check what has been appended since it was last looked at, fact by fact."""
    for event in store.read("main", after=watch.seq):
        if watch.state is not None and event.type in ("moved", "attack.resolved"):
            check(watch.state, decode(event), counts)
        watch.state, watch.seq = fold([event], watch.state), event.seq


def main() -> int:
    """Play the campaign; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--fights", type=int, default=100)
    parser.add_argument("--dialect", choices=DIALECTS)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    status = 0
    for dialect in (chosen.dialect,) if chosen.dialect else DIALECTS:
        counts = Counts()
        for seed in range(chosen.seed, chosen.seed + chosen.fights):
            try:
                play(dialect, seed, counts)
            except Crossed as found:
                print(f"{dialect} {seed}: {found}")
                status = 1
        print(dialect, counts)
    return status


if __name__ == "__main__":
    sys.exit(main())
