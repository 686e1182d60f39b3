"""The chances of winning of a served fight: worked out beside it, told to whom they are shown."""

import time
from pathlib import Path

from tests.serve.served import server, small_fight

WITHIN = 60
"""Seconds."""


def test_the_chances_are_worked_out_and_shown(tmp_path: Path) -> None:
    """While the fight goes on; others see them only where the game master lets them, and nobody is hidden."""
    log = tmp_path / "fight.db"
    small_fight(log)
    with server(log) as served:
        player = served.access.invite("player", ["hero"])
        assert served.get(served.master, "/swing")["swing"] is None
        begun = served.ask(served.master, "POST", "/swing", {"runs": 1})
        assert (begun.status, begun.json["working"]) == (200, True)
        assert served.declare(player, "speak", actor="hero", words="meanwhile").status == 200
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
        served.ask(served.master, "POST", "/hidden", {"combatant": "imp", "hidden": True})
        assert served.status(player, "GET", "/swing") == 403
