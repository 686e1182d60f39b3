"""Playing: explained attacks and whole fights per second, everything logged and chained in memory."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from affray.engine.scenario import packaged, set_up
from affray.engine.table import Table
from affray.engine.tactics import play_on
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct
from affray.projections.state import digest
from tests.bench.arena import MAP, hero, ogre, opened, round_of

HIT_POINTS = 60
WINDOW = 4
"""Rounds of the arena (about 100 attacks) in one window."""
DUEL_WINDOW = 17
"""Rounds of the duel (about 100 attacks) in one window."""


def attacks(rounds: int) -> tuple[dict[str, Any], MemoryStore]:
    """Play rounds of the endless arena; the best and the median window, and what came of all."""
    store = MemoryStore()
    return timed(opened(store), store, round_of, max(3, rounds // WINDOW), WINDOW), store


def duel(rounds: int) -> dict[str, Any]:
    """Play full attacks one on one in the open: what a plain attack costs, without place and company."""
    store = MemoryStore()
    table = Table.create(store, dialect="srd35", terrain=("......",) * 4, name="duel", seed=b"duel " * 4)
    table.declare(acts.Enter(id="h", side="heroes", sheet=hero("h"), at=(0, 0), initiative=20))
    table.declare(acts.Enter(id="o", side="ogres", sheet=ogre("o"), at=(1, 0), initiative=10))
    table.declare(acts.Begin())
    return timed(table, store, blows, max(3, rounds // DUEL_WINDOW), DUEL_WINDOW)


def blows(table: Table) -> Iterator[AnyAct]:
    """Yield the declarations of one round of the duel."""
    for one, other in (("h", "o"), ("o", "h")):
        yield acts.FullAttack(actor=one, strikes=(acts.Strike(other),) * 3)
        yield acts.EndTurn(actor=one)


def timed(
    table: Table, store: MemoryStore, round_of: Callable[[Table], Iterator[AnyAct]], windows: int, window: int
) -> dict[str, Any]:
    """Play windows of that many rounds; return their speeds and what proves the work."""
    for act in round_of(table):  # one round for the caches
        table.declare(act)
    first, declared = table.seq, 0
    speeds = []
    made = 0
    for _ in range(windows):
        seq = table.seq
        began = time.perf_counter()
        for _ in range(window):
            for act in round_of(table):
                outcome = table.declare(act)
                if outcome.refused is not None:
                    raise SystemExit(f"the fight is broken: {outcome.refused.reason}")
                declared += 1
        seconds = time.perf_counter() - began
        resolved = sum(event.type == "attack.resolved" for event in store.read("main", after=seq))
        made += resolved
        speeds.append(resolved / seconds)
    speeds.sort()
    return {
        "attacks": made,
        "declarations": declared,
        "events": table.seq - first,
        "attacks/s, best window": round(speeds[-1]),
        "attacks/s, median window": round(speeds[len(speeds) // 2]),
        "state": digest(table.state),
        "head": store.head("main").digest.hex(),
    }


def fights(count: int) -> dict[str, Any]:
    """Play whole fights, four against four, from entering to the last one standing, by tactics."""
    heads = []
    events = rounds = 0
    times = []
    for number in range(count):
        began = time.perf_counter()
        store = MemoryStore()
        table = mortal(store, b"fight %d" % number)
        play_on(table, 60)
        times.append(time.perf_counter() - began)
        events += table.seq
        rounds += table.state.round
        heads.append(store.head("main").digest)
    times.sort()
    return {
        "fights": count,
        "rounds": rounds,
        "events": events,
        "fights/s": round(count / sum(times), 1),
        "fights/s, median": round(1 / times[count // 2], 1),
        "events/s": round(events / sum(times)),
        "heads": combined(heads),
    }


def mortal(store: MemoryStore, seed: bytes) -> Table:
    """Return the arena's table with combatants who can fall."""
    from msgspec.structs import replace

    table = Table.create(store, dialect="srd35", terrain=MAP, name="arena", seed=seed)
    for number in range(4):
        for side, sheet, x in (("heroes", hero(f"h{number}"), 3), ("ogres", ogre(f"o{number}"), 9)):
            table.declare(
                acts.Enter(
                    id=sheet.name, side=side, sheet=replace(sheet, hp=HIT_POINTS), at=(x, 2 * number + 1)
                )
            )
    outcome = table.declare(acts.Begin())
    assert outcome.refused is None, outcome.refused
    return table


def dialects(rounds: int) -> dict[str, Any]:
    """Play the packaged fight of every dialect by tactics; events per second."""
    result: dict[str, Any] = {}
    for dialect in ("srd35", "pf1", "futurepath", "woa"):
        best = 0.0
        for _ in range(3):
            store = MemoryStore()
            table = set_up(packaged(f"demo_{dialect}"), store, seed=b"bench")
            table.declare(acts.Begin())
            began, seq = time.perf_counter(), table.seq
            play_on(table, rounds)
            best = max(best, (table.seq - seq) / (time.perf_counter() - began))
        result[f"{dialect} events/s"] = round(best)
        result[f"{dialect} head"] = store.head("main").digest.hex()
    return result


def combined(digests: list[bytes]) -> str:
    """Return one checksum for several."""
    from hashlib import sha256

    return sha256(b"".join(digests)).hexdigest()
