"""The commands of a dispute: verify, why, fork, branches, promote, whatif, diff."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from affray.events.codec import decode
from affray.events.stores.sqlite import SqliteStore
from affray.replay.cli import affray
from tests.replay.fights import fought

Run = Callable[..., Result]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Return a log file with a fight that goes on."""
    path = tmp_path / "fight.db"
    with SqliteStore(path) as store:
        fought(store, rounds=4, seed=b"d", close=False)
    return path


@pytest.fixture
def run(db: Path) -> Run:
    """Return a function that runs a command on the log: command first, then what follows the file."""

    def call(command: str, *args: str) -> Result:
        return CliRunner().invoke(affray, [command, str(db), *args])

    return call


def first(db: Path, type: str) -> int:
    """Return the position of the first event of a type."""
    with SqliteStore(db, readonly=True) as store:
        return next(event.seq for event in store.read("main") if event.type == type)


def test_verify_says_yes(run: Run) -> None:
    """A good log: status 0, one line a check; as JSON with the same verdict."""
    result = run("verify")
    assert result.exit_code == 0
    assert result.output.count("\nok ") + result.output.startswith("ok ") == 6
    told = json.loads(run("verify", "--json").output)
    assert told["ok"]
    assert [check["name"] for check in told["checks"]] == [
        *("chain", "structure", "state", "dice", "outcomes", "record")
    ]


def test_verify_says_no(run: Run, db: Path) -> None:
    """An edited face: status 1, the place and both versions are shown."""
    seq = first(db, "rolled")
    with closing(sqlite3.connect(db)) as connection, connection:
        ((trigger,),) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'events_no_update'")
        connection.execute("DROP TRIGGER events_no_update")
        connection.execute(
            "UPDATE events SET data = json_set(data, '$.faces', json('[20]'), '$.total', 20) WHERE seq = ?",
            (seq,),
        )
        connection.execute(trigger)
    result = run("verify")
    assert result.exit_code == 1
    assert "BROKEN  chain" in result.output
    assert "BROKEN  dice" in result.output
    assert f"main#{seq}" in result.output
    assert "recorded: 20" in result.output
    assert not json.loads(run("verify", "--json").output)["ok"]


def test_why_explains(run: Run, db: Path) -> None:
    """An attack is explained with its roll, its sums and its rules; as JSON with the same parts."""
    seq = first(db, "attack.resolved")
    result = run("why", str(seq))
    assert result.exit_code == 0
    for heading in ("Declared", "Dice", "Attack roll", "Defense", "Rules"):
        assert f"\n{heading}\n" in result.output
    assert "\nDeclared\n  Ogre attacks " in result.output
    told = json.loads(run("why", str(seq), "--json").output)
    assert told["explanation"]["seq"] == seq
    assert told["explanation"]["dice"]
    assert all(rule["text"] for rule in told["rules"])


def test_a_dispute_from_what_if_to_promotion(run: Run, db: Path) -> None:
    """Another die makes a branch, diff shows what it changed, promote makes it the main line."""
    with SqliteStore(db, readonly=True) as store:
        fact = next(decode(event) for event in store.read("main") if event.type == "attack.resolved")
    face = 1 if fact.result != "miss" else 20
    result = run("whatif", "--faces", f"{fact.key}={face}", "--as", "other")
    assert result.exit_code == 0
    assert "main and other separate at event" in result.output
    result = run("diff", "main", "other")
    assert result.exit_code == 1
    assert f"{fact.key}: {fact.natural} | {face}" in result.output
    told = json.loads(run("diff", "main", "other", "--json").output)
    assert told["sentence"] in result.output
    assert run("diff", "main", "main").exit_code == 0
    assert run("promote", "other", "--by", "gm").exit_code == 0
    listed = run("branches")
    assert "* other" in listed.output
    assert [line["main"] for line in json.loads(run("branches", "--json").output)] == [False, True]
    assert run("verify").exit_code == 0
    assert json.loads(run("verify", "--json").output)["branch"] == "other"


def test_a_ruling_with_an_effect(run: Run, db: Path) -> None:
    """The wall gives cover after all: the ruling's branch shows the modifier."""
    with SqliteStore(db, readonly=True) as store:
        event = next(event for event in store.read("main") if event.type == "attack.resolved")
    effect = f"{decode(event).target}.defense+4:cover"
    args = ["--at", str(event.seq), "--ruling", "the wall covers", "--effect", effect, "--json"]
    told = json.loads(run("whatif", *args).output)
    name = told["whatif"]["name"]
    # The ruling and its effect stand before the declaration and move it two events on.
    shown = run("why", str(event.seq + 2), "--branch", name)
    assert "the wall covers (cover)" in shown.output


def test_a_reading_by_round(run: Run) -> None:
    """Another reading may hold from a round on."""
    told = json.loads(run("whatif", "--reading", "soft_cover_blocks_aoo=off", "--at", "r2", "--json").output)
    assert told["whatif"]["at"] > 20
    assert told["difference"]["events"][0]["what"].startswith("options.changed")


def test_fork_leaves_where_it_is_told(run: Run) -> None:
    """A branch leaves at a number or a round and is listed with its place."""
    assert run("fork", "--at", "30", "--as", "here").output == "here leaves main after event 30\n"
    assert json.loads(run("fork", "--at", "r2", "--as", "later", "--json").output)["parent"] == "main"
    assert len(json.loads(run("branches", "--json").output)) == 3


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["fork", "--at", "r99", "--as", "x"], "there is no round 99"),
        (["fork", "--at", "5", "--as", "main"], "exists already"),
        (["fork", "--as", "x"], "--at"),
        (["why", "99999"], "there is no event 99999"),
        (["why", "0"], "0"),
        (["why", "5", "--branch", "nowhere"], "no branch named 'nowhere'"),
        (["verify", "--branch", "nowhere"], "no branch named 'nowhere'"),
        (["diff", "main", "nowhere"], "no branch named 'nowhere'"),
        (["promote", "nowhere"], "no branch named 'nowhere'"),
        (["whatif"], "give one of them"),
        (["whatif", "--faces", "d5=x"], "is not a list of dice results"),
        (["whatif", "--faces", "d5"], "NAME=VALUE"),
        (["whatif", "--effect", "x"], "needs --ruling"),
        (["whatif", "--ruling", "x"], "name its event"),
        (["whatif", "--reading", "gravity=off"], "gravity"),
    ],
)
def test_mistakes_are_one_line_with_status_2(run: Run, args: list[str], message: str) -> None:
    """Whatever cannot be told is one line on standard error, without a traceback."""
    result = run(*args)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stdout == ""


@pytest.mark.parametrize("command", ["verify", "why", "fork", "branches", "promote", "whatif", "diff"])
def test_help_has_an_example(command: str) -> None:
    """Every command says what it does and shows how it is called."""
    result = CliRunner().invoke(affray, [command, "--help"])
    assert result.exit_code == 0
    assert f"affray {command} fight.db" in " ".join(result.output.split())


@pytest.mark.parametrize("command", ["verify", "branches"])
def test_a_file_that_is_no_log_is_no_traceback(tmp_path: Path, command: str) -> None:
    """A missing file and one of another kind are told apart and answered in a line."""
    other = tmp_path / "notes.txt"
    other.write_text("nothing of that kind\n" * 100)
    for path in (tmp_path / "missing.db", other):
        result = CliRunner().invoke(affray, [command, str(path)])
        assert result.exit_code == 2
        assert len(result.stderr.strip().splitlines()) == 1
