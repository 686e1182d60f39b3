"""What goes wrong is one clear line on standard error and an exit status."""

import os
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from affray.engine.table.table import Table
from affray.events.errors import AffrayError
from affray.events.stores.sqlite import SqliteStore
from affray.replay.cli.group import LazyGroup
from affray.replay.cli.terminal.base import creating
from affray.replay.workers import PYTHON
from tests.cli.conftest import Run

READERS = (("show",), ("log",), ("export", "--format", "jsonl"), ("export", "--format", "markdown"))


def one_line(stderr: str, *words: str) -> None:
    """Assert that this is one line of ours which holds the words."""
    assert stderr.startswith("affray: ")
    assert stderr.count("\n") == 1, stderr
    assert "Traceback" not in stderr
    for word in words:
        assert word in stderr


@pytest.mark.parametrize("reader", READERS, ids=" ".join)
def test_missing_file(run: Run, tmp_path: Path, reader: tuple[str, ...]) -> None:
    """A file that is not there is named, and none comes into being."""
    command, *options = reader
    result = run(command, tmp_path / "none.db", *options)
    assert result.exit_code == 2
    one_line(result.stderr, "none.db", "no such file")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("reader", READERS, ids=" ".join)
def test_no_database(run: Run, tmp_path: Path, reader: tuple[str, ...]) -> None:
    """A text, a directory and somebody else's database are no logs, and are left as they are."""
    text, other = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("hello\n" * 200)
    with closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("CREATE TABLE t (a)")
    command, *options = reader
    before = text.read_bytes(), other.read_bytes()
    for path in (tmp_path, text, other):
        result = run(command, path, *options)
        assert result.exit_code == 2
        one_line(result.stderr, str(path))
    assert (text.read_bytes(), other.read_bytes()) == before


def test_newer_log(run: Run, copy: Path) -> None:
    """A log of a later version says so instead of being misread."""
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute("PRAGMA user_version = 999")
    result = run("show", copy)
    assert result.exit_code == 2
    one_line(result.stderr, "999")


def test_broken_log(run: Run, copy: Path) -> None:
    """A log without its triggers is broken: the answer is no, status 1."""
    with closing(sqlite3.connect(copy)) as connection, connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        connection.execute(f"DROP TRIGGER {names[0][0]}")
    result = run("show", copy)
    assert result.exit_code == 1
    one_line(result.stderr, "broken log")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("dialect = [", "TOML"),
        ("map = ['..']\ncombatants = []\n", "dialect"),
        ("dialect = 'srd35'\nmap = ['..']\ncombatants = 3\n", "combatants"),
        ("dialect = 'srd99'\nmap = ['..']\ncombatants = []\n", "srd99"),
        ("dialect = 'srd35'\nmap = ['?']\ncombatants = []\n", "terrain"),
        ("dialect = 'srd35'\nmap = ['..']\ncombatants = [{id='a',side='b',at=[0,0],use='none'}]\n", "none"),
        ("dialect = 'srd35'\nmap = ['..']\ncombatants = [{id='a',side='b',at=[9,9],use='ogre'}]\n", "9,9"),
    ],
)
def test_malformed_scenario(run: Run, tmp_path: Path, text: str, word: str) -> None:
    """A scenario that cannot be played says where it is wrong, and leaves no log behind."""
    file = tmp_path / "bad.toml"
    file.write_text(text)
    result = run("play", file, "--db", tmp_path / "new.db")
    assert result.exit_code == 2
    if word != "TOML":
        one_line(result.stderr, word)
    one_line(result.stderr)
    assert list(tmp_path.iterdir()) == [file]


def test_never_overwrites(run: Run, played: Path) -> None:
    """A file that is there already is not played over."""
    size = played.stat().st_size
    for words in (("demo", "--db", played), ("new", played, "--dialect", "srd35")):
        result = run(*words)
        assert result.exit_code == 2
        one_line(result.stderr, "already")
    assert played.stat().st_size == size


def test_export_spares_the_log(run: Run, copy: Path) -> None:
    """An export onto its own log is refused."""
    before = copy.read_bytes()
    result = run("export", copy, "--format", "jsonl", "--out", copy)
    assert result.exit_code == 2
    one_line(result.stderr, "overwrite")
    assert copy.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("shwo",), "No such command"),
        (("show",), "Missing argument"),
        (("show", "x.db", "--at"), "--at"),
        (("rules", "srd99"), "srd99"),
        (("rules", "--id", "srd35.flank.bonu"), "srd35.flank.bonus"),
        (("rules", "diff", "srd35"), "diff A B"),
        (("rules", "--coverage"), "dialect"),
        (("new", "x.db", "--dialect", "srd35", "--option", "a"), "OPTION=READING"),
        (("add", "x.db", "--id", "a", "--side", "b", "--at", "0,0"), "--sheet"),
    ],
)
def test_bad_usage(run: Run, words: tuple[str, ...], said: str) -> None:
    """Bad usage is one line that says what is missing and where to look."""
    result = run(*words)
    assert result.exit_code == 2
    one_line(result.stderr, said)


@pytest.mark.parametrize("position", ["zz", "r99", "0x1", "-1", "999999", "r1.t99"])
def test_bad_position(run: Run, played: Path, position: str) -> None:
    """A position that the log does not have is an error, not an empty answer."""
    result = run("show", played, f"--at={position}")
    assert result.exit_code == 2
    one_line(result.stderr)


def test_unknown_branch(run: Run, played: Path) -> None:
    """A branch that is not there is named."""
    for command in (("show",), ("log",), ("export", "--format", "markdown")):
        result = run(command[0], played, *command[1:], "--branch", "nowhere")
        assert result.exit_code == 2
        one_line(result.stderr, "nowhere")


def test_unexpected_error(run: Run, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake of the program is one line too; --debug lets the traceback through."""

    def fail(*_: object) -> None:
        raise RuntimeError("not\nforeseen")

    monkeypatch.setattr(LazyGroup, "get_command", fail)
    result = run("show", played)
    assert result.exit_code == 2
    one_line(result.stderr, "RuntimeError", "not foreseen", "--debug")
    assert isinstance(run("--debug", "show", played).exception, RuntimeError)


def test_reader_goes_away(played: Path) -> None:
    """A pipe that closes early ends the command without a word."""
    command = [*PYTHON, "-m", "affray.replay.cli", "log", str(played), "--json"]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(write)
    assert done.stderr == b""
    assert done.returncode == 141


@pytest.mark.parametrize("words", [("demo", "--html", "page.html"), ("play", "toll")], ids=["demo", "play"])
@pytest.mark.parametrize("both", [False, True], ids=["output", "errors too"])
def test_a_fight_is_finished_unheard(tmp_path: Path, words: tuple[str, ...], both: bool) -> None:
    """A fight is played to its end whoever reads of it, and the status says that nobody did."""
    command = [*PYTHON, "-m", "affray.replay.cli", *words, "--db", "fight.db"]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        command,
        stdout=write,
        stderr=write if both else subprocess.PIPE,
        timeout=60,
        check=False,
        cwd=tmp_path,
    )
    os.close(write)
    assert done.returncode == 141
    assert b"affray" not in (done.stderr or b"")
    with SqliteStore(tmp_path / "fight.db", readonly=True) as store:
        assert list(store.read("main"))[-1].type == "encounter.closed"
    assert (tmp_path / "page.html").exists() == ("--html" in words)


def test_a_refusal_that_nobody_reads_is_a_no_all_the_same(fight: Path) -> None:
    """Where output and errors go nowhere the status still tells."""
    command = [*PYTHON, "-m", "affray.replay.cli", "do", str(fight), "attack", "ogre", "fighter"]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(command, stdout=write, stderr=write, timeout=60, check=False)
    os.close(write)
    assert done.returncode == 1


def test_interrupt(run: Run, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Control-C ends a command with status 130 and one line."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(LazyGroup, "get_command", stop)
    result = run("show", played)
    assert result.exit_code == 130
    assert "interrupted" in result.stderr


def begin_and_fail(db: Path, before: Callable[[SqliteStore], object], *discard: type[Exception]) -> None:
    """Begin a log, do something before, and fail with an error that is told."""
    with pytest.raises(AffrayError, match="no such thing"), creating(db, discard=discard) as store:
        _fail(before, store)


def _fail(before: Callable[[SqliteStore], object], store: SqliteStore) -> None:
    before(store)
    raise AffrayError("no such thing")


def opened(store: SqliteStore) -> Table:
    """Open a fight in a log."""
    return Table.create(store, dialect="srd35", terrain=["...."])


def test_a_file_that_others_begin_is_not_taken_back(tmp_path: Path) -> None:
    """Who has made the file and fails leaves it to another who has it open, or has recorded something."""

    def by_another(store: SqliteStore) -> None:
        with creating(db) as other:
            opened(other)

    for name, discard in (("kept.db", ()), ("discarded.db", (AffrayError,))):
        db = tmp_path / name
        begin_and_fail(db, by_another, *discard)
        with SqliteStore(db) as store:
            assert Table(store).seq == 1
    db = tmp_path / "late.db"
    with creating(db) as late:
        begin_and_fail(db, lambda store: None)
        opened(late)
    with SqliteStore(db) as store:
        assert Table(store).seq == 1


def test_a_file_that_nobody_else_begins_is_taken_back(tmp_path: Path) -> None:
    """What was recorded is taken back with it where the block says so, and else only an empty file."""
    db = tmp_path / "fight.db"
    begin_and_fail(db, opened, AffrayError)
    assert [one.name for one in tmp_path.iterdir()] == []
    begin_and_fail(db, lambda store: None)
    assert [one.name for one in tmp_path.iterdir()] == []
    begin_and_fail(db, opened)
    with SqliteStore(db) as store:
        assert Table(store).seq == 1
