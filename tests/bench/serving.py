"""What it costs to tell a fight to those who look on: once for each audience, however many they are."""

import tempfile
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

from affray.events import SqliteStore
from affray.replay.privacy.audience import GAME_MASTER, Audience, Key
from affray.replay.serve.feed import Look
from affray.replay.serve.messages import FeedCursor
from affray.replay.serve.visibility import Counting
from tests.bench.arena import opened, round_of

PLAYER = Audience(frozenset({"heroes"}), frozenset({"h1"}))
ONLOOKER = Audience(frozenset())
KEYS = (Key(GAME_MASTER, True), Key(PLAYER, True), Key(ONLOOKER, False))
"""A game master and a player with pages of their own, and onlookers."""


def telling(rounds: int) -> dict[str, Any]:
    """Play rounds of the arena into a file, and tell them declaration by declaration as a feed does."""
    with tempfile.TemporaryDirectory() as folder, SqliteStore(Path(folder) / "fight.db") as store:
        table = opened(store)
        look = Look(Counting())
        look.begin(store)
        begun, sums, times = table.seq, sha256(), []
        for _ in range(rounds):
            for act in round_of(table):
                table.declare(act)
                before = time.perf_counter()
                found = look.new(store, KEYS)
                assert found is not None
                _, batch, _ = found
                sent = [batch.sent(key) for key in KEYS]
                times.append(time.perf_counter() - before)
                for one in sent:
                    sums.update(one)
        assert look.place == FeedCursor("main", 0, table.seq)
        events = table.seq - begun
        return {
            "declarations": len(times),
            "events": events,
            "audiences": len(KEYS),
            "ms a declaration, median": round(sorted(times)[len(times) // 2] * 1000, 2),
            "ms a declaration, worst": round(max(times) * 1000, 2),
            "events told a second": round(events * len(KEYS) / sum(times)),
            "told": sums.hexdigest()[:16],
        }
