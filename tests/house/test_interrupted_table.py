"""Ctrl-C in the middle of a declaration: the table goes on from what is recorded."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from affray.engine.table import policies
from affray.engine.table.scenario import parse_scenario, play
from affray.engine.table.table import Table
from affray.events import SqliteStore
from affray.events.facts import acts
from affray.projections.fold import fold
from affray.projections.state import freeze
from affray.replay.verification.verify import verify
from tests.events.test_interrupts import interrupted
from tests.house.test_waiting import SCENARIO

STRIDE = 67
"""Every so many instructions one interrupt: prime, so that loops are met at different places."""


@pytest.mark.parametrize("again", [False, True])
def test_a_declaration_is_interrupted_anywhere(tmp_path: Path, again: bool) -> None:
    """Whatever instruction an interrupt comes before: what is recorded is whole, and the table stands there.

    With a request id the same declaration, sent again, is recorded once.
    """
    with SqliteStore(tmp_path / "log.db", synchronous="NORMAL") as store:
        table = play(parse_scenario(SCENARIO), store, answers=policies.auto)

        def declare(at: int) -> Callable[[], object]:
            act = acts.Speak(actor="fighter", words=f"stroke {at}.")
            return lambda: table.declare(act, request=f"r{at}" if again else "")

        for at in count(1, STRIDE):
            run = declare(at)
            if not interrupted(run, at):
                break
            run()
            events = list(store.read("main"))
            assert table.seq == events[-1].seq
            assert freeze(fold(events)) == freeze(table.state)
            said = [one for one in events if one.type == "declared" and f"stroke {at}.".encode() in one.data]
            assert len(said) in ((1,) if again else (1, 2))
        assert at > 3 * STRIDE
        assert verify(store, "main").ok


def test_what_an_interrupt_left_is_read_anew(tmp_path: Path) -> None:
    """Where even reading the log again is interrupted, the next call does it."""
    with SqliteStore(tmp_path / "log.db", synchronous="NORMAL") as store:
        table: Table = play(parse_scenario(SCENARIO), store, answers=policies.auto)
        for at in range(1, 4000, STRIDE):
            table._behind = True
            interrupted(lambda: table.declare(acts.Speak(actor="fighter", words="ho")), at)
        table.declare(acts.Speak(actor="fighter", words="hey"))
        assert freeze(fold(store.read("main"))) == freeze(table.state)
        assert verify(store, "main").ok
