"""What a dispute costs: why that hit, what if it had not, is the log right; and a long fight as a page."""

import random
import time
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from affray.engine.table.scenario import packaged, set_up
from affray.engine.table.tactics import play_on
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.facts import acts
from affray.replay.explain.why import why
from affray.replay.verification.verify import verify
from affray.replay.viewer import build
from affray.replay.whatif.what_if import what_if
from tests.bench.arena import maneuvers_of, opened, round_of

LENGTH = 5000
"""Events of the long fight."""
QUESTIONS = 61
"""Events that are asked about."""
MANEUVERS = 1500
"""Events of a bout of maneuvers after it."""


def disputes(times: int) -> dict[str, Any]:
    """Explain, change and verify the packaged fight; the median of several times."""
    store = MemoryStore()
    table = set_up(packaged("demo_srd35"), store, seed=b"dispute")
    table.declare(acts.Begin())
    play_on(table, 20)
    events = list(store.read("main"))
    hit = next(event for event in events if event.type == "attack.resolved")
    key = decode(hit).key
    return {
        "events": len(events),
        "why ms": median(times, lambda number: why(store, "main", hit.seq)),
        "whatif ms": median(
            times, lambda number: what_if(store, "main", faces={key: [1]}, name=f"w{number}")
        ),
        "verify ms": median(times, lambda number: verify(store, "main")),
        "head": store.head("main").digest.hex(),
        "whatif head": store.head("w0").digest.hex(),
    }


def long_fight() -> dict[str, Any]:
    """Explain, change and export a fight of 5,000 events, four against four; the log is open already."""
    store = MemoryStore()
    table = opened(store)
    while table.seq < LENGTH:
        for act in round_of(table):
            table.declare(act)
    hits = [event for event in store.read("main") if event.type == "attack.resolved"]
    key = decode(hits[0]).key
    found = {"events": table.seq, **explained(store, hits, "why ms")}
    # Everybody wrestles now: the odds of two dice that met are those of all 400 pairs of faces.
    while table.seq < LENGTH + MANEUVERS:
        for act in maneuvers_of(table):
            table.declare(act)
    met = [event for event in store.read("main") if event.type == "contest.resolved"]
    found |= {
        "events with a bout of maneuvers": table.seq,
        "opposed checks": len(met),
        **explained(store, met, "why ms, an opposed check"),
        "whatif ms, from the first attack on": median(
            3, lambda number: what_if(store, "main", faces={key: [1]}, name=f"w{number}")
        ),
        "whatif head": store.head("w0").digest.hex(),
    }
    alone = MemoryStore()
    alone.restore([branch for branch in store.branches() if branch.name == "main"], store.read("main"))
    page = build(alone)
    found["html export ms"] = median(3, lambda number: build(alone))
    return {**found, "html MB": round(len(page) / 1e6, 1), "html": sha256(page.encode()).hexdigest()}


def explained(store: MemoryStore, events: Sequence[Event], name: str) -> dict[str, float]:
    """Return how long `why` takes for some of the events: in the median, and the slowest tenth at least."""
    dice = random.Random(3)
    asked = [dice.choice(events).seq for _ in range(QUESTIONS)]
    found = sorted(took(QUESTIONS, lambda number: why(store, "main", asked[number])))
    return {name: found[QUESTIONS // 2], f"{name}, one in ten takes": found[QUESTIONS * 9 // 10]}


def median(times: int, work: Any) -> float:
    """Return the median milliseconds of a piece of work."""
    return sorted(took(times, work))[times // 2]


def took(times: int, work: Any) -> list[float]:
    """Return the milliseconds that a piece of work took, each time that it was done."""
    found = []
    for number in range(times):
        began = time.perf_counter()
        work(number)
        found.append(round((time.perf_counter() - began) * 1000, 2))
    return found
