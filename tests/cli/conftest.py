"""A played fight to read, and a way to run the command line in this process."""

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from affray.events.secrets import secrets_path
from affray.replay.cli import affray
from tests.connections import unclosed
from tests.replay.signing import make_keys

Run = Callable[..., Result]


def called(*words: object, input: str | None = None) -> Result:
    """Run `affray` with these words; the result has exit_code, stdout and stderr.

    A command closes every connection to a log that it has opened, however it ends.
    """
    before = unclosed()
    result = CliRunner().invoke(affray, [str(word) for word in words], input=input, prog_name="affray")
    assert unclosed() == before, f"affray {' '.join(map(str, words))} leaves a connection open"
    return result


@pytest.fixture
def run() -> Run:
    """What runs `affray` with some words in this process."""
    return called


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of the packaged srd35 fight, played once."""
    db = tmp_path_factory.mktemp("played") / "demo.db"
    result = called("demo", "--db", db)
    assert result.exit_code == 0, result.output
    return db


@cache
def begun(folder: Path) -> Path:
    """Return the log of a new fight: a fighter and, three squares away, an ogre that asks its player."""
    db = folder / "begun.db"
    rows = [word for _ in range(3) for word in ("--rows", "........")]
    assert called("new", db, "--dialect", "srd35", "--seed", "x", *rows).exit_code == 0
    hero = ("--id", "fighter", "--side", "heroes", "--at", "0,0", "--use", "fighter", "--initiative", "20")
    assert called("add", db, *hero).exit_code == 0
    ogre = ("--id", "ogre", "--side", "monsters", "--at", "3,0", "--use", "ogre", "--initiative", "10")
    assert called("add", db, *ogre, "--policy", "ask").exit_code == 0
    assert called("do", db, "begin").exit_code == 0
    return db


def copied(log: Path, to: Path) -> Path:
    """Copy a log and its secrets to another place, which is returned."""
    shutil.copy(log, to)
    shutil.copy(secrets_path(log), secrets_path(to))
    return to


@pytest.fixture
def fight(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Path:
    """A copy of the new fight that a test may go on with."""
    return copied(begun(tmp_path_factory.getbasetemp()), tmp_path / "fight.db")


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> Path:
    """A copy of the played log that a test may spoil."""
    return copied(played, tmp_path / "copy.db")


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a key for each of three people, and the file that lets them sign."""
    folder = tmp_path_factory.mktemp("keys")
    make_keys(folder)
    return folder


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The place of a witness file that is not there yet."""
    return tmp_path / "table.witness"
