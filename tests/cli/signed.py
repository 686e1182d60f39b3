"""Signed seals on the command line, for tests: keys, and the words of the commands."""

from pathlib import Path

from affray.replay.workers import PYTHON
from tests.cli.conftest import called

AFFRAY = (*PYTHON, "-m", "affray.replay.cli")
"""The beginning of a command in a process of its own."""


def sealing(db: Path, keys: Path, table: Path, *more: object, by: str = "alex") -> tuple[object, ...]:
    """Return the words of a signed seal."""
    return ("seal", db, "--sign", keys / by, "--by", by, "--witness", table, *more)


def signing(table: Path, keys: Path, *more: object, by: str = "kim") -> tuple[object, ...]:
    """Return the words of a countersignature."""
    allowed = keys / "allowed_signers"
    return ("countersign", table, "--sign", keys / by, "--by", by, "--signers", allowed, *more)


def checking(db: Path, keys: Path, table: Path, *more: object) -> tuple[object, ...]:
    """Return the words of a check of a log and its witness file."""
    return ("verify", db, "--witness", table, "--signers", keys / "allowed_signers", *more)


def good(*words: object) -> str:
    """Return what a command prints that must succeed."""
    result = called(*words)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*words: object, status: int = 1) -> str:
    """Return the one line that says why a command does not do it."""
    result = called(*words)
    assert (result.exit_code, result.stdout) == (status, ""), result.output
    assert result.stderr.count("\n") == 1
    return result.stderr
