"""Asking: the ten questions, the pages of them, and the commands."""

import csv
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from affray.events.errors import AffrayError
from affray.projections.rows import TABLES
from affray.replay.rows import questions
from affray.replay.rows.dataset import make_dataset
from affray.replay.rows.questions import QUESTIONS, Answer, answer, open_rows_for_queries, question_of
from affray.replay.rows.rows_file import make_rows_file
from affray.replay.rows.source import sources
from tests.cli.conftest import called as run
from tests.rows.question_docs import DOCS, charts, questions_page, rows_page
from tests.server import Server

HOW = "run: python tests/rows/question_docs.py"
SECONDS = 0.1
MISTAKEN = {
    "dealt FROM damages": "no such table: damages; did you mean damage?",
    "d.dealed FROM damage d": "no such column: d.dealed; did you mean dealt?",
    "multiplier FROM moves": "no such column: multiplier; it is a column of damage",
    "zzz FROM moves": "affray rows --columns all lists what there is",
    "count(* FROM moves": 'near "FROM": syntax error',
}
"""SQL that cannot be asked, and how its message ends."""

Told = tuple[Path, dict[str, Answer]]


def test_the_pages_are_current(told: Told) -> None:
    """docs/questions.md and its charts are what the questions come to, docs/rows.md lists every column."""
    assert (DOCS / "questions.md").read_text(encoding="utf-8") == questions_page(told[1]), HOW
    assert (DOCS / "rows.md").read_text(encoding="utf-8") == rows_page(), HOW
    drawn = charts(told[1])
    assert {file.name for file in (DOCS / "questions").iterdir()} == set(drawn)
    for name, drawing in drawn.items():
        assert (DOCS / "questions" / name).read_text(encoding="utf-8") == drawing, HOW


def test_each_question_has_an_answer_within_its_time(told: Told) -> None:
    """All ten bring something of this fight, each at its best within a tenth of a second."""
    assert len(QUESTIONS) == 10
    with open_rows_for_queries([told[0]]) as connection:
        for question in QUESTIONS.values():
            best = SECONDS
            for _ in range(3):
                began = time.perf_counter()
                found = answer(connection, question)
                best = min(best, time.perf_counter() - began)
            assert found.rows, question.name
            assert best < SECONDS, question.name


def test_the_commands(told: Told, tmp_path: Path) -> None:
    """What is made and what is asked is told, as JSON too; nothing is written over a log."""
    made = tmp_path / "x.rows.db"
    words = ("rows", told[0], "--into", made)
    for _ in range(2):  # a rows file is made anew
        assert run(*words).exit_code == 0
    found = msgspec.json.decode(run(*words, "--json", "--metadata", tmp_path / "m.json").stdout)
    assert found["rows"]["attacks"] == sum(row[3] for row in told[1]["luck"].rows)
    assert "queries" in (tmp_path / "m.json").read_text(encoding="utf-8")
    before = told[0].read_bytes()
    for into in (told[0], told[0].with_name("ford.db-secrets")):
        assert run("rows", told[0], "--into", into).exit_code == 2
    assert told[0].read_bytes() == before
    answered = msgspec.json.decode(run("ask", "luck", made, "--json").stdout)
    assert answered["rows"] == told[1]["luck"].rows
    page = tmp_path / "page.html"
    assert run("ask", "all", made, "--page", page).exit_code == 0
    assert page.read_text(encoding="utf-8").count("<svg") == 10
    assert "expected" in run("ask", "luck", told[0]).stdout
    assert run("ask", "lick", made).stderr.count("did you mean luck?") == 1
    for asked, meant in MISTAKEN.items():
        assert run("ask", f"SELECT {asked}", made).stderr.rstrip().endswith(meant), asked
    unnamed = run("rows", "--columns")
    assert (unnamed.exit_code, "affray rows --columns all" in unnamed.stderr) == (2, True), unnamed.stderr
    assert run("rows", "--columns", "saves").stdout.count("\n") == 1 + len(TABLES["saves"].columns)
    asked = run("rows", told[0], "--format", "csv")
    whither = f"where to? Name a place for rows as csv: affray rows {told[0]} --format csv --into rows"
    assert (asked.exit_code, whither in asked.stderr) == (2, True)
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in ("one", "other"):
        assert run("new", folder / f"{name}.db", "--encounter", "toll", "--seed", name).exit_code == 0
    asked = run("rows", folder)
    whither = f"where to? Name a place for rows of 2 logs: affray rows {folder} --into fights.rows.db"
    assert (asked.exit_code, whither in asked.stderr) == (2, True)
    assert (
        "it cannot be written: No such file or directory"
        in run("rows", told[0], "--into", tmp_path / "no" / "x.db").stderr
    )
    assert f"passed over {made}: a SQLite" in run("ask", "luck", told[0], made).stderr


def test_csv_needs_no_library(told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CSV is written without Arrow, by two workers too; Parquet says what it needs, and leaves nothing."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    logs = sources([told[0]], "2026-11").logs
    make_dataset(tmp_path / "csv", logs, "csv", jobs=2)
    (file,) = (tmp_path / "csv" / "damage" / "dialect=srd35" / "year=2026" / "month=11").iterdir()
    with file.open(encoding="utf-8", newline="") as lines:
        heading, *rows = csv.reader(lines)
    assert heading == [one.name for one in TABLES["damage"].columns]
    assert len(rows) == sum(row[4] for row in told[1]["weapons"].rows)
    with pytest.raises(AffrayError, match="there is a folder already; name another one"):
        make_dataset(tmp_path / "csv", logs, "csv")
    with pytest.raises(AffrayError, match=r"affray\[tables\]"):
        make_dataset(tmp_path / "parquet", logs)
    assert [one.name for one in tmp_path.iterdir()] == ["csv"]


def test_fights_in_a_database(postgres: Server, told: Told, tmp_path: Path) -> None:
    """A fight in a database is asked by its address, all of its fights by that of the database."""
    import psycopg

    with psycopg.connect(postgres.address(), autocommit=True) as owner:
        owner.execute("DROP DATABASE IF EXISTS rows_alone")
        owner.execute("CREATE DATABASE rows_alone")
    fight = postgres.address("rows_alone", "ford")
    assert run("copy", told[0], fight).exit_code == 0
    for place in (fight, postgres.address("rows_alone")):
        answered = msgspec.json.decode(run("ask", "luck", place, "--json").stdout)
        assert answered["rows"] == told[1]["luck"].rows
    assert "--date" in run("rows", fight, "--format", "csv", "--into", tmp_path / "x").stderr
    with open_rows_for_queries([fight]) as connection:
        assert connection.execute("SELECT log, date FROM fights").fetchall() == [("ford", "")]


def test_a_rows_file_with_parts_of_others_is_refused(told: Told, tmp_path: Path) -> None:
    """A view need not have an end; what was added is named, and nothing of the file is asked."""
    rows = tmp_path / "fight.rows.db"
    make_rows_file(rows, sources([told[0]]).logs)
    endless = "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r"
    with closing(sqlite3.connect(rows)) as connection:
        connection.execute("DROP VIEW attacks")
        connection.execute(f"CREATE VIEW attacks AS {endless}")
    with (
        pytest.raises(AffrayError, match="attacks is none of a rows file: drop it"),
        open_rows_for_queries([rows]),
    ):
        pass


def test_a_question_without_an_end_is_ended(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQL that takes longer than a question may is told so."""
    monkeypatch.setattr(questions, "SECONDS", 0.1)
    endless = "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"
    more = r"it takes more than 0\.1 seconds"
    with open_rows_for_queries([told[0]]) as connection, pytest.raises(AffrayError, match=more):
        answer(connection, question_of(endless))
