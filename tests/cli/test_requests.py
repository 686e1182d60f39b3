"""Commands that are repeated under a request id, as a script does that lost the answer."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from affray.events.stores.sqlite import SqliteStore
from tests.cli.conftest import Run


def length(db: Path) -> int:
    """Return the number of events of a log."""
    with SqliteStore(db, readonly=True) as store:
        return store.head("main").seq


def test_a_turn_is_ended_once(run: Run, fight: Path) -> None:
    """Ending the turn again under the same id ends no second turn and tells the same."""
    first = run("do", fight, "end-turn", "--request", "r1")
    head = length(fight)
    again = run("do", fight, "end-turn", "--request", "r1")
    assert (first.exit_code, again.exit_code) == (0, 0)
    assert again.stdout == first.stdout
    assert length(fight) == head


def test_an_answer_counts_once(run: Run, fight: Path) -> None:
    """The declaration that waits and its answer can both be repeated, in JSON too."""
    for _ in range(2):  # nobody is flat-footed in the second round
        run("do", fight, "end-turn")
    walk = ("do", fight, "move", "1,0", "2,0", "--request", "r2", "--json")
    asked = run(*walk)
    assert json.loads(asked.stdout)["waiting"]["options"] == ["take", "trip", "disarm", "grapple", "decline"]
    assert run(*walk).stdout == asked.stdout
    answered = run("choose", fight, "decline", "--request", "r3")
    head = length(fight)
    assert run("choose", fight, "decline", "--request", "r3").stdout == answered.stdout
    assert run(*walk).stdout == asked.stdout
    assert length(fight) == head


def test_another_command_under_the_id(run: Run, fight: Path) -> None:
    """A used id with another command is one line on standard error and exit status 2."""
    run("do", fight, "end-turn", "--request", "r1")
    head = length(fight)
    for words in (
        ("do", fight, "stand"),
        ("choose", fight, "take"),
        ("ruling", fight, "--void", "--text", "x", "--by", "y"),
    ):
        told = run(*words, "--request", "r1")
        assert told.exit_code == 2
        assert told.stderr.strip() == "affray: request 'r1' was recorded with another command"
    assert length(fight) == head


def test_a_refusal_stays_one(run: Run, fight: Path) -> None:
    """A repeated refusal is refused again with the same words, and recorded once."""
    first = run("do", fight, "end-turn", "ogre", "--request", "r1")
    head = length(fight)
    again = run("do", fight, "end-turn", "ogre", "--request", "r1")
    assert (first.exit_code, first.stderr) == (again.exit_code, again.stderr)
    assert first.exit_code == 1
    assert length(fight) == head


def test_a_combatant_is_added_once(run: Run, fight: Path) -> None:
    """An addition that is repeated brings nobody in twice."""
    words = (
        "add",
        fight,
        "--id",
        "extra",
        "--side",
        "heroes",
        "--at",
        "6,2",
        "--use",
        "fighter",
        "--request",
        "a",
    )
    assert run(*words).stdout == run(*words).stdout
    entered = [
        line for line in run("log", fight).stdout.splitlines() if "extra" in line and "entered" in line
    ]
    assert len(entered) == 1


def test_new_goes_on_where_a_crash_left_an_empty_log(run: Run, tmp_path: Path) -> None:
    """A file that holds an empty log, as a crash of `new` may leave one, is used; any other is not."""
    db = tmp_path / "fight.db"
    SqliteStore(db).close()
    assert run("new", db, "--dialect", "srd35").exit_code == 0
    assert run("verify", db).exit_code == 0
    assert run("new", db, "--dialect", "srd35").exit_code == 2
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE mine (x)")
    assert "the file exists already" in run("new", other, "--dialect", "srd35").stderr
