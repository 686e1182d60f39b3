"""The chances of winning of a served fight: worked out beside it, told to whom they are shown."""

import time
from pathlib import Path

import msgspec

from affray.events.facts import acts
from affray.events.stores.address import Address
from affray.events.stores.sqlite import SqliteStore
from affray.replay.chance.summaries import Swing
from affray.replay.log_files import encode_log_location, open_log, parse_log_location
from affray.replay.serve.win_chances import work_out
from tests.house.fights import opened
from tests.serve.served import server
from tests.server import Server

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


def test_the_chances_of_a_fight_in_a_database(postgres: Server) -> None:
    """They are worked out as those of a file are."""
    log = Address(postgres.address(fight="swung"))
    with open_log(log) as store:
        table = opened("srd35", store, 1)
        table.declare(acts.Begin())
        table.declare(acts.Speak(actor="fighter", words="meanwhile"))
    told = work_out(log, 1)
    assert not told.startswith("! "), told
    assert msgspec.json.decode(told, type=Swing).runs == 1


def test_a_process_is_told_the_password_by_its_input() -> None:
    """The text of an address leaves it out; what a process reads has it."""
    log = Address("postgresql://gm:s3cret@host/db#fight")
    assert "s3cret" not in str(log)
    found = parse_log_location(encode_log_location(log))
    assert isinstance(found, Address)
    assert (found, found.uri) == (log, "postgresql://gm:s3cret@host/db")
    assert encode_log_location(Path("fight.db")) == "fight.db"
