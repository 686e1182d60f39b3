"""A fight with flanking and cover, played once, with a branch that leaves in the middle of it."""

from pathlib import Path

import pytest

from affray.replay.rows.dataset import make_dataset
from affray.replay.rows.questions import Answer
from affray.replay.rows.rows_file import make_rows_file
from affray.replay.rows.source import sources
from tests.cli.conftest import called
from tests.rows.question_docs import answers


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Answer]]:
    """The log of the fight, and the answers to the ten questions about it."""
    folder = tmp_path_factory.mktemp("rows")
    return folder / "ford.db", answers(folder)


@pytest.fixture(scope="session")
def forked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log with a ruling, a dispute, a refusal and three lines of play, the second of them the main line."""
    db = tmp_path_factory.mktemp("forked") / "fight.db"
    for words in (
        ("demo", "--db", db),
        ("dispute", db, 52, "--by", "Anna", "--claim", "covered"),
        ("fork", db, "--at", "60", "--as", "other"),
        ("fork", db, "--at", "30", "--as", "third"),
        ("ruling", db, "overturn", "--dispute", "Q1", "--by", "GM", "--text", "she was"),
    ):
        result = called(*words)
        assert result.exit_code == 0, result.output
    return db


@pytest.fixture(scope="session")
def rows_file(forked: Path) -> Path:
    """The rows file of that log."""
    path = forked.with_name("fight.rows.db")
    make_rows_file(path, sources([forked]).logs)
    return path


@pytest.fixture(scope="session")
def dataset(told: tuple[Path, dict[str, Answer]]) -> Path:
    """The data set of the fight in Parquet."""
    folder = told[0].parent / "dataset"
    make_dataset(folder, sources([told[0]], "2026-11").logs)
    return folder
