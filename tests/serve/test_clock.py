"""The clock of the machine goes back an hour: nothing that is served, kept or limited goes by it."""

import ast
import os
import time
from pathlib import Path

import pytest

from affray.events import logging
from affray.replay.serve.http import Buckets, Rate
from tests.campaigns.spoiling import called
from tests.house.test_openings import modules
from tests.serve.served import server, small_fight

HOUR = 3600
BY_THE_CLOCK = {
    "affray.replay.verification.witness": "says when somebody signed, by the signer's clock",
}
"""What asks what time it is, and why it may: each other module measures time by `time.monotonic`."""

CLOCKS = ("time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "datetime.today", "date.today")


def test_nothing_else_asks_what_time_it_is() -> None:
    """Or it would go wrong when somebody sets the clock."""
    found = {
        name
        for name, file in modules().items()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in CLOCKS
    }
    assert found == {*BY_THE_CLOCK}


@pytest.fixture
def back(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Have a clock that can be set: by so many seconds as the last number says."""
    by, real, real_ns = [0], time.time, time.time_ns
    monkeypatch.setattr(time, "time", lambda: real() + by[-1])
    monkeypatch.setattr(time, "time_ns", lambda: real_ns() + by[-1] * 10**9)
    return by


@pytest.mark.parametrize("seconds", [-HOUR, HOUR])
def test_a_served_fight(tmp_path: Path, back: list[int], seconds: int) -> None:
    """Guests keep their links, feeds go on, requests are answered; new guests are known at once."""
    log = tmp_path / "fight.db"
    small_fight(log)
    with server(log) as one:
        player = one.access.invite("player", ["hero"])
        with one.following(player) as told:
            assert one.declare(one.master, "speak", actor="hero", words="before").status == 200
            before = next(told)[1]
            back.append(seconds)
            os.utime(one.access.path, (time.time(), time.time()))  # as a file that is written then
            assert one.declare(one.master, "speak", actor="hero", words="after").status == 200
            seen = [before, next(told)[1], next(told)[1]]
            assert [event["data"]["seq"] for event in seen] == sorted(event["data"]["seq"] for event in seen)
        late = one.access.invite("onlooker")
        for guest in (one.master, player, late):
            assert one.get(guest, "/session")["role"] == guest.role
            assert one.get(guest, "/page")["lines"]
        one.access.withdraw(late.token)
        assert one.status(late, "GET", "/session") == 401


def test_rates(back: list[int]) -> None:
    """Nobody waits an hour for a clock that was set back, or gets more for one that was set on."""
    buckets = Buckets(Rate(0.001, 2))
    for seconds in (0, -HOUR, HOUR):
        back.append(seconds)
        if not seconds:
            buckets.draw("a")
            buckets.draw("a")
            continue
        with pytest.raises(Exception, match="too many"):
            buckets.draw("a")


def test_commands(tmp_path: Path, back: list[int]) -> None:
    """A log that was begun an hour ahead is played on, taken back, decided again and verified."""
    log = tmp_path / "fight.db"
    small_fight(log)
    back.append(-HOUR)
    for words in (
        ("auto", log),
        ("undo", log, "1"),
        ("redo", log),
        ("fork", log, "--at", "r1", "--as", "other"),
        ("export", log, "--format", "jsonl", "--out", tmp_path / "fight.jsonl"),
        ("import", tmp_path / "fight.jsonl", "--db", tmp_path / "again.db"),
        ("verify", tmp_path / "again.db"),
        ("verify", log),
    ):
        result = called(*words)
        assert result.exit_code == 0, (words, result.output)


def test_the_operational_log(back: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    """It says what the clock says, line by line, in the order in which things happened."""
    logging.show("info", json=True)
    try:
        logging.info("first")
        back.append(-HOUR)
        logging.info("second")
    finally:
        logging.hide()
    lines = capsys.readouterr().err.splitlines()
    assert ["first" in lines[0], "second" in lines[1]] == [True, True]
