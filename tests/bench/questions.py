"""What a dispute costs: why did that hit, what if it had not, is the log right."""

import time
from typing import Any

from affray.engine.scenario import packaged, set_up
from affray.engine.tactics import play_on
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.facts import acts
from affray.replay.explanation import why
from affray.replay.verification import verify
from affray.replay.whatif import what_if


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


def median(times: int, work: Any) -> float:
    """Return the median milliseconds of a piece of work."""
    found = []
    for number in range(times):
        began = time.perf_counter()
        work(number)
        found.append(time.perf_counter() - began)
    found.sort()
    return round(found[len(found) // 2] * 1000, 2)
