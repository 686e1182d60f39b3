"""The same rows in every medium: SQLite, Parquet, DuckDB, frames, CSV, Datasette; and the pages of them."""

import asyncio
import csv
import time
from pathlib import Path
from urllib.parse import quote

import duckdb
import msgspec
import pytest
from pyarrow import dataset as arrow_dataset

from affray.events import SqliteStore
from affray.events.errors import AffrayError
from affray.projections import frames
from affray.projections.rows.declared_tables import TABLES
from affray.replay import rows_of
from affray.replay.rows.asking import answer, asked_of
from affray.replay.rows.dataset import make_dataset
from affray.replay.rows.datasette import metadata
from affray.replay.rows.questions import QUESTIONS, Answer
from affray.replay.rows.rows_file import make_rows_file
from affray.replay.rows.source import sources
from tests.cli.conftest import called as run
from tests.rows.question_docs import DOCS, charts, questions_page, rows_page

HOW = "run: python tests/rows/question_docs.py"
SECONDS = 0.1

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
    with asked_of([told[0]]) as connection:
        for question in QUESTIONS.values():
            best = SECONDS
            for _ in range(3):
                began = time.perf_counter()
                found = answer(connection, question)
                best = min(best, time.perf_counter() - began)
            assert found.rows, question.name
            assert best < SECONDS, question.name


def test_duckdb_answers_alike(told: Told, dataset: Path) -> None:
    """DuckDB reads the data set and answers all ten as SQLite does, word for word the same SQL."""
    with duckdb.connect() as connection:
        for name in TABLES:
            if (dataset / name).exists():
                connection.execute(f"CREATE VIEW {name} AS FROM '{dataset / name}/**/*.parquet'")
        for name, expected in told[1].items():
            found = connection.execute(QUESTIONS[name].sql).fetchall()
            assert [[_plain(cell) for cell in row] for row in found] == expected.rows, name
        partition = connection.execute("SELECT DISTINCT dialect, year, month FROM attacks").fetchall()
    assert [tuple(map(str, row)) for row in partition] == [("srd35", "2026", "11")]


def _plain(cell: object) -> object:
    """Return a number of DuckDB, which adds up in decimals, as the one of Python that it is."""
    if cell is None or isinstance(cell, str | float):
        return cell
    return float(str(cell)) if "." in str(cell) else int(str(cell))


def test_arrow_tells_unit_and_meaning(dataset: Path) -> None:
    """The schema in the file says of each column what it means."""
    shape = arrow_dataset.dataset(dataset / "attacks", partitioning="hive").schema
    assert shape.field("distance").metadata[b"unit"] == b"feet"
    assert all(
        shape.field(one.name).metadata[b"meaning"].decode() == one.meaning
        for one in TABLES["attacks"].columns
    )


def test_frames_hold_the_same(told: Told) -> None:
    """pandas, polars and Arrow have every row and cell of a log, each table of the rows one frame."""
    with SqliteStore(told[0], readonly=True) as store:
        rows = list(rows_of(store))
    panda, polar, arrow = frames.in_pandas(rows), frames.in_polars(rows), frames.in_arrow(rows)
    for name, table in TABLES.items():
        expected = [row for table, row in rows if table == name]
        assert list(panda[name].columns) == polar[name].columns == arrow[name].schema.names
        assert polar[name].rows() == expected
        assert list(zip(*arrow[name].to_pydict().values(), strict=True)) == expected
        assert len(panda[name]) == len(expected)
        assert list(panda[name].columns) == [one.name for one in table.columns]
    hits = panda["attacks"]["hit"].sum()
    assert hits == sum(row[-1] for row in polar["attacks"].select("hit").rows())


def test_a_data_set_does_not_depend_on_workers(told: Told, tmp_path: Path, dataset: Path) -> None:
    """Two workers write the same files as one; a folder that is there stays as it is."""
    logs = sources([told[0]], "2026-11").logs
    make_dataset(tmp_path / "csv", logs, "csv", jobs=2)
    make_dataset(tmp_path / "arrow", logs, "arrow")
    for name in TABLES:
        there = [file.relative_to(dataset).with_suffix("") for file in (dataset / name).rglob("*.parquet")]
        for other in ("csv", "arrow"):
            folder = tmp_path / other
            assert [
                file.relative_to(folder).with_suffix("") for file in (folder / name).rglob("*.*")
            ] == there
    (file,) = (tmp_path / "csv" / "damage").rglob("*.csv")
    with file.open(encoding="utf-8", newline="") as lines:
        heading, *rows = csv.reader(lines)
    assert heading == [one.name for one in TABLES["damage"].columns]
    assert len(rows) == sum(row[4] for row in told[1]["weapons"].rows)
    with pytest.raises(AffrayError, match="there already"):
        make_dataset(dataset, logs)


def test_datasette_shows_named_queries(told: Told) -> None:
    """Datasette serves the rows file: tables with descriptions, and all ten questions by name."""
    from datasette.app import Datasette

    path = told[0].with_name("served.db")
    make_rows_file(path, sources([told[0]]).logs)
    served = Datasette([], immutables=[str(path)], metadata=metadata("served"))

    async def looked() -> None:
        page = await served.client.get("/served")
        assert page.status_code == 200
        for name, question in QUESTIONS.items():
            assert question.asked in page.text
            found = (await served.client.get(f"/served/{name}.json?_shape=arrays")).json()
            assert found["rows"] == told[1][name].rows
        table = (await served.client.get("/served/attacks")).text
        assert "feet between the nearest squares of both" in table
        assert (await served.client.get(f"/served/{quote('secrets')}")).status_code == 404

    asyncio.run(looked())


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
    assert run("rows", "--columns", "saves").stdout.count("\n") == 1 + len(TABLES["saves"].columns)
    assert run("rows", told[0], "--format", "csv").exit_code == 2
