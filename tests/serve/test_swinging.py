"""The chances of winning of a served fight: worked out beside it, told to whom they are shown."""

import time
from pathlib import Path

from affray.events.facts import acts
from affray.events.sqlite import SqliteStore
from tests.house.fights import opened
from tests.serve.served import server

WITHIN = 60
"""Seconds."""


def test_the_chances_are_worked_out_and_shown(tmp_path: Path) -> None:
    """While the fight goes on; others see them only where the game master lets them, and nobody is hidden."""
    log = tmp_path / "fight.db"
    with SqliteStore(log) as store:
        opened("srd35", store, 1).declare(acts.Begin())
    with server(log) as served:
        player = served.access.invite("player", ["fighter"])
        assert served.get(served.master, "/swing")["swing"] is None
        begun = served.ask(served.master, "POST", "/swing", {"runs": 1})
        assert (begun.status, begun.json["working"]) == (200, True)
        assert served.declare(player, "speak", actor="fighter", words="meanwhile").status == 200
        until = time.monotonic() + WITHIN
        while (told := served.get(served.master, "/swing"))["working"] and time.monotonic() < until:
            time.sleep(0.1)
        assert (told["fault"], told["swing"]["runs"]) == ("", 1)
        assert told["done"] == told["of"] > 0
        assert served.status(player, "GET", "/swing") == 403
        served.ask(served.master, "POST", "/swing", {"for_all": True})
        shown = served.get(player, "/swing")["swing"]
        assert shown["start"] == told["swing"]["start"]
        assert {turn["told"] for turn in shown["turns"]} == {""}
        served.ask(served.master, "POST", "/hidden", {"combatant": "goblin", "hidden": True})
        assert served.status(player, "GET", "/swing") == 403
