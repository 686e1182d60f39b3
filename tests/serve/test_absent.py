"""Who is hidden, and does nothing, against a fight in which it is not at all: players are told the same."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.sqlite import SqliteStore
from affray.replay.serve.access import Guest
from tests.serve.served import Served, enter, server

#: What counts events and declarations, of which the hidden has its own.
NUMBERS = re.compile(r'"(?:seq|head|cause|id|after)": ?(?:\d+|"d\d+")|main:0:\d+|\bd\d+\b|urn:affray:\w+')


def fight(log: Path, *, imp: bool) -> None:
    """Make a log: a hero and a friend against an orc, with an imp that is last in the order, or without."""
    with SqliteStore(log) as store:
        table = Table.create(store, dialect="srd35", terrain=["........"] * 6, seed=b"s")
        enter(table, "hero", "heroes", (1, 1), initiative=20)
        enter(table, "friend", "heroes", (1, 3), initiative=15)
        enter(table, "orc", "dark", (5, 1), initiative=10)
        if imp:
            enter(table, "imp", "dark", (3, 4), initiative=5, name="Vexlord")
        table.declare(acts.Begin())


@pytest.fixture
def both(tmp_path: Path) -> Iterator[list[tuple[Served, Guest]]]:
    """Serve the fight with the imp, hidden, and without it; each with the player of hero and friend."""
    with ExitStack() as stack:
        found = []
        for imp in (True, False):
            log = tmp_path / f"{imp}.db"
            fight(log, imp=imp)
            served = stack.enter_context(server(log))
            served.ask(served.master, "POST", "/hidden", {"combatant": "imp", "hidden": True})
            found.append((served, served.access.invite("player", ["hero", "friend"])))
        yield found


def plain(text: str) -> str:
    """Return what was answered without what counts on."""
    return NUMBERS.sub("#", text)


def told(served: Served, guest: Guest) -> list[str]:
    """Return what the feed tells, as far as it tells anything."""
    events: list[Any] = served.get(guest, "/events?limit=1000")["events"]
    return [plain(json.dumps(one)) for one in events if not one["type"].startswith("dev.affray.hidden")]


def test_nothing_tells_that_somebody_is_there(both: list[tuple[Served, Guest]]) -> None:
    """What is open, what is refused and why, what comes of moves and turns, who is where."""
    declared: tuple[dict[str, Any], ...] = (
        {"act": "move", "actor": "hero", "path": [[2, 1], [3, 1], [4, 1], *([5, 2], [4, 2]) * 12]},
        {"act": "attack", "actor": "hero", "target": "imp"},
        {"act": "charge", "actor": "hero", "target": "orc", "path": [[2, 1], [3, 1]]},
        {"act": "step", "actor": "hero", "to": [3, 3]},
        {"act": "move", "actor": "hero", "path": [[2, 2], [2, 3]]},
        {"act": "end-turn", "actor": "hero"},
        {"act": "move", "actor": "friend", "path": [[0, 3], [0, 4]]},
    )
    for step in range(len(declared) + 1):
        for path in ("/legal/hero", "/legal/friend", "/state", "/held"):
            answers = [plain(served.ask(guest, "GET", path).text) for served, guest in both]
            assert answers[0] == answers[1], (step, path)
        if step < len(declared):
            answers = []
            for served, guest in both:
                found = served.post(guest, "/declarations", act=declared[step])
                body = found.json
                body["events"] = [one for one in body.get("events", ()) if "hidden" not in one["type"]]
                answers.append((found.status, plain(json.dumps(body))))
            assert answers[0] == answers[1], declared[step]
    feeds = [told(served, guest) for served, guest in both]
    assert feeds[0] == feeds[1]


def test_it_is_found_by_being_run_into_alone(both: list[tuple[Served, Guest]]) -> None:
    """A way into its square is open in both fights; with it there the game master has the declaration."""
    into = {"act": "move", "actor": "hero", "path": [[2, 2], [3, 3], [3, 4]]}
    statuses = [served.post(guest, "/declarations", act=into).status for served, guest in both]
    assert statuses == [202, 200]
