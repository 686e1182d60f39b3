"""Playing: explained attacks and whole fights per second, everything logged and chained in memory."""

import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from affray.engine.table.scenario import packaged, set_up
from affray.engine.table.table import Table
from affray.engine.table.tactics import play_on
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved
from affray.events.facts.flow import AnyAct
from affray.projections.state import digest, duplicate
from affray.replay.chance.odds import Scratch
from affray.replay.log.rules_for_fight import make_fight_context
from tests.bench.arena import MAP, SEED, hero, ogre, opened, round_of

HIT_POINTS = 60
WINDOW = 4
"""Rounds of the arena (about 100 attacks) in one window."""
DUEL_WINDOW = 17
"""Rounds of the duel (about 100 attacks) in one window."""
DUEL = b"duel " * 4
"""The seed of the duel's dice."""
Player = Table | Scratch
Rounds = Callable[[Player], Iterator[AnyAct]]
"""Yields the declarations of one round."""


def attacks(rounds: int) -> tuple[dict[str, Any], MemoryStore]:
    """Play rounds of the endless arena; the best and the median window, and what came of all."""
    store = MemoryStore()
    return logged(opened(store), store, round_of, max(3, rounds // WINDOW), WINDOW), store


def duel(rounds: int) -> dict[str, Any]:
    """Play full attacks one on one in the open: what a plain attack costs, without place and company."""
    store = MemoryStore()
    return logged(facing(store), store, blows, max(3, rounds // DUEL_WINDOW), DUEL_WINDOW)


def salted(windows: int) -> dict[str, Any]:
    """Play the duel into a log with salts and one without, a window each in turn: what the salts cost.

    The share of the plain log's speed that is left, by the processor's time: of the best windows of both, and
    the median of all pairs.
    """
    stores = [MemoryStore(), MemoryStore()]
    tables = [facing(stores[0], salted=True), facing(stores[1], salted=False)]
    times: list[list[float]] = [[], []]
    for window in range(windows):
        for which in (0, 1) if window % 2 else (1, 0):
            began = time.process_time()
            for _ in range(DUEL_WINDOW):
                for act in blows(tables[which]):
                    tables[which].declare(act)
            times[which].append(time.process_time() - began)
    ratios = sorted(plain / with_salts for with_salts, plain in zip(*times, strict=True))
    ends = [digest(table.state) for table in tables]
    return {
        "speed left, best windows": round(min(times[1]) / min(times[0]), 3),
        "speed left, median pair": round(ratios[len(ratios) // 2], 3),
        "windows": windows,
        "same state": ends[0] == ends[1],
        "events": [store.head("main").seq for store in stores],
    }


def attacks_kept(rounds: int) -> dict[str, Any]:
    """Play rounds of the arena without a log, as odds do: all facts are decided alike, and kept as objects.

    The state comes out as with a log.
    """
    return heard(opened(MemoryStore()), SEED, round_of, max(3, rounds // WINDOW), WINDOW)


def duel_kept(rounds: int) -> dict[str, Any]:
    """Play the duel so."""
    return heard(facing(MemoryStore()), DUEL, blows, max(3, rounds // DUEL_WINDOW), DUEL_WINDOW)


def facing(store: MemoryStore, *, salted: bool = True) -> Table:
    """Return the table of the duel, begun."""
    table = Table.create(
        store, dialect="srd35", terrain=("......",) * 4, name="duel", seed=DUEL, salted=salted
    )
    table.declare(acts.Enter(id="h", side="heroes", sheet=hero("h"), at=(0, 0), initiative=20))
    table.declare(acts.Enter(id="o", side="ogres", sheet=ogre("o"), at=(1, 0), initiative=10))
    table.declare(acts.Begin())
    return table


def blows(table: Player) -> Iterator[AnyAct]:
    """Yield the declarations of one round of the duel."""
    for one, other in (("h", "o"), ("o", "h")):
        yield acts.FullAttack(actor=one, strikes=(acts.Strike(other),) * 3)
        yield acts.EndTurn(actor=one)


def logged(table: Table, store: MemoryStore, round_of: Rounds, windows: int, window: int) -> dict[str, Any]:
    """Play windows of that many rounds into a log; return their speeds and what proves the work."""
    read = [table.seq]

    def made() -> int:
        read.append(table.seq)
        return sum(event.type == "attack.resolved" for event in store.read("main", after=read[-2]))

    found = timed(table, made, round_of, windows, window)
    # The first is the beginning, the second where the round for the caches ended.
    return {**found, "events": read[-1] - read[1], "head": store.head("main").digest.hex()}


def heard(table: Table, seed: bytes, round_of: Rounds, windows: int, window: int) -> dict[str, Any]:
    """Play windows of that many rounds on without a log, with the dice of the table."""
    facts: list[object] = []
    scratch = Scratch(table.fight, facts.append)
    scratch.again(seed)
    read = 0

    def made() -> int:
        nonlocal read
        read, before = len(facts), read
        return sum(type(fact) is AttackResolved for fact in islice(facts, before, None))

    return timed(scratch, made, round_of, windows, window)


def timed(
    table: Player, made: Callable[[], int], round_of: Rounds, windows: int, window: int
) -> dict[str, Any]:
    """Play windows of that many rounds; `made` says how many attacks there have been since it was asked."""
    for act in round_of(table):  # one round for the caches
        table.declare(act)
    made()
    attacks = declared = 0
    speeds = []
    for _ in range(windows):
        began = time.perf_counter()
        for _ in range(window):
            for act in round_of(table):
                outcome = table.declare(act)
                if outcome.refused is not None:
                    raise SystemExit(f"the fight is broken: {outcome.refused.reason}")
                declared += 1
        seconds = time.perf_counter() - began
        resolved = made()
        attacks += resolved
        speeds.append(resolved / seconds)
    speeds.sort()
    return {
        "attacks": attacks,
        "declarations": declared,
        "attacks/s, best window": round(speeds[-1]),
        "attacks/s, median window": round(speeds[len(speeds) // 2]),
        "state": digest(table.state),
    }


def fights(count: int, begin: Callable[[MemoryStore, bytes], Table] | None = None) -> dict[str, Any]:
    """Play whole fights, four against four, from entering to the last one standing, by tactics.

    begin: opens the fight of a seed; by default the one of the arena.
    """
    begin = begin or mortal
    heads, states = [], []
    events = rounds = 0
    times = []
    for number in range(count):
        began = time.perf_counter()
        store = MemoryStore()
        table = begin(store, b"fight %d" % number)
        play_on(table, 60)
        times.append(time.perf_counter() - began)
        events += table.seq
        rounds += table.state.round
        heads.append(store.head("main").digest)
        states.append(digest(table.state).encode())
    times.sort()
    return {
        "fights": count,
        "rounds": rounds,
        "events": events,
        "fights/s": round(count / sum(times), 1),
        "fights/s, median": round(1 / times[count // 2], 1),
        "events/s": round(events / sum(times)),
        "heads": combined(heads),
        "states": combined(states),
    }


def fights_kept(count: int) -> dict[str, Any]:
    """Play the same fights from their beginning on without a log, every fact kept as an object.

    Each from a beginning of its own, with what fights under these rules and on this map remember together;
    they end as with a log.
    """
    starts = [mortal(MemoryStore(), b"fight %d" % number).state for number in range(count)]
    states = []
    facts = rounds = 0
    times = []
    for number, start in enumerate(starts):
        kept: list[object] = []
        began = time.perf_counter()
        scratch = Scratch(make_fight_context(duplicate(start), None), kept.append)
        scratch.again(b"fight %d" % number)
        play_on(scratch, 60)
        times.append(time.perf_counter() - began)
        facts += len(kept)
        rounds += scratch.state.round
        states.append(digest(scratch.state).encode())
    times.sort()
    return {
        "fights": count,
        "rounds": rounds,
        "facts and rolls": facts,
        "fights/s": round(count / sum(times), 1),
        "fights/s, median": round(1 / times[count // 2], 1),
        "states": combined(states),
    }


def played_on(runs: int) -> dict[str, Any]:
    """Play one fight on from its beginning again and again, with other dice each time, as odds do."""
    scratch = Scratch(make_fight_context(duplicate(mortal(MemoryStore(), b"fight 0").state), None))
    states = []
    times = []
    for number in range(runs):
        began = time.perf_counter()
        scratch.again(b"odds %d" % number)
        play_on(scratch, 60)
        times.append(time.perf_counter() - began)
        states.append(digest(scratch.state).encode())
    times.sort()
    return {
        "runs": runs,
        "runs/s": round(runs / sum(times), 1),
        "runs/s, median": round(1 / times[runs // 2], 1),
        "states": combined(states),
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
