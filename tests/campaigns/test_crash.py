"""The crash campaign in small, and that its judge can tell a broken log from a whole one."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from affray.events import SqliteStore
from affray.events.envelope import Event
from tests import server
from tests.campaigns.judge import Broken, judge
from tests.campaigns.victim import play

COMMAND = Path(__file__).with_name("crash.py")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="SIGKILL and fork are of POSIX")
def test_nothing_acknowledged_is_lost_in_fifty_crashes() -> None:
    """Fifty writers are killed at all kinds of places, and every log keeps its promises."""
    done = subprocess.run(
        [sys.executable, str(COMMAND), "--runs", "50", "--json", "--no-strace"],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    figures = json.loads(done.stdout)
    assert figures["kills"] == 50
    assert figures["acknowledgements checked"] > 100
    assert len(figures["places"]) >= 8


@pytest.mark.skipif(bool(server.lacking()), reason=f"needs PostgreSQL: {server.lacking()}")
def test_nothing_acknowledged_is_lost_in_a_database() -> None:
    """Writers, their connections and the server are killed: what was told is there, and done once."""
    command = COMMAND.with_name("postgres_crash.py")
    done = subprocess.run(
        [sys.executable, str(command), "--kills", "4", "--json"], capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stdout + done.stderr
    figures = json.loads(done.stdout)
    assert figures["kills"] == 4
    assert figures["acknowledged"] > 20


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log that was played and not killed, and its side file."""
    folder = tmp_path_factory.mktemp("played")
    play(folder / "log.db", folder / "log.notes", "srd35", 5, 2)
    return folder


class TestJudge:
    """What the judge is for: saying no."""

    @pytest.fixture
    def log(self, played: Path, tmp_path: Path) -> tuple[Path, Path, list[Event]]:
        """A copy of that log to spoil, its side file and its events."""
        names = ("log.db", "log.notes", "log.db-secrets")
        path, side, _ = (Path(shutil.copy(played / name, tmp_path)) for name in names)
        with SqliteStore(path, readonly=True) as store:
            return path, side, list(store.read("main"))

    @staticmethod
    def rewritten(path: Path, events: list[Event]) -> None:
        """Put a log of other events in the place of one, its seed kept."""
        with SqliteStore(path, readonly=True) as store:
            seed = store.secret("seed")
        path.unlink()
        with SqliteStore(path) as store:
            store.restore(store.branches(), events)
            store.keep_secret("seed", seed or b"")

    def test_a_whole_log_is_fine(self, log: tuple[Path, Path, list[Event]]) -> None:
        """What was played and closed in peace is judged whole."""
        path, side, events = log
        assert judge(path, side, "srd35", 5, 2).events == len(events)

    def test_a_lost_declaration_is_noticed(self, log: tuple[Path, Path, list[Event]]) -> None:
        """A log without the last acknowledged event breaks a promise."""
        path, side, events = log
        self.rewritten(path, events[:-1])
        with pytest.raises(Broken, match="acknowledged was"):
            judge(path, side, "srd35", 5, 2)

    def test_half_a_declaration_is_noticed(self, log: tuple[Path, Path, list[Event]]) -> None:
        """A tail that is the beginning of the command under way, and not the whole, breaks a promise."""
        path, side, events = log
        lines = side.read_text().splitlines()
        at = max(
            n
            for n, line in enumerate(lines)
            if '"ack"' in line and json.loads(line)["last"] > json.loads(line)["first"]
        )
        side.write_text("\n".join(lines[:at]) + "\n")
        self.rewritten(path, events[: json.loads(lines[at])["first"]])
        with pytest.raises(Broken, match="neither nothing nor one whole command"):
            judge(path, side, "srd35", 5, 2)

    def test_another_event_in_its_place_is_noticed(self, log: tuple[Path, Path, list[Event]]) -> None:
        """An acknowledgement whose digest is not the log's breaks a promise."""
        path, side, _ = log
        lines = side.read_text().splitlines()
        at = next(n for n, line in enumerate(lines) if '"ack"' in line)
        ack = json.loads(lines[at])
        lines[at] = json.dumps({**ack, "digest": "0" * 64})
        side.write_text("\n".join(lines) + "\n")
        with pytest.raises(Broken, match="not the one acknowledged"):
            judge(path, side, "srd35", 5, 2)
