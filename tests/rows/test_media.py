"""The same rows in every medium that another library reads: Parquet, DuckDB, frames, Datasette.

Their libraries are those of the extra frames.
"""

import asyncio
from pathlib import Path
from textwrap import dedent
from typing import Any
from urllib.parse import quote

import pytest

from affray.events import SqliteStore
from affray.projections import frames
from affray.projections.rows import TABLES
from affray.replay import rows_of
from affray.replay.rows.dataset import make_dataset
from affray.replay.rows.questions import QUESTIONS, Answer, metadata
from affray.replay.rows.rows_file import make_rows_file
from affray.replay.rows.source import sources
from tests.rows.question_docs import DOCS

duckdb = pytest.importorskip("duckdb", reason="needs the extra frames")
arrow_dataset = pytest.importorskip("pyarrow.dataset", reason="needs the extra frames")
for library in ("pandas", "polars", "datasette.app"):
    pytest.importorskip(library, reason="needs the extra frames")

Told = tuple[Path, dict[str, Answer]]


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


def _rows(told: Told) -> list[tuple[str, tuple[Any, ...]]]:
    with SqliteStore(told[0], readonly=True) as store:
        return list(rows_of(store))


def test_frames_hold_the_same(told: Told) -> None:
    """pandas, polars and Arrow have every row and cell of a log, each table of the rows one frame."""
    rows = _rows(told)
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


def test_every_table_of_a_data_set_is_there(told: Told, tmp_path: Path, dataset: Path) -> None:
    """Two workers write the same files as one, Arrow's as Parquet's."""
    logs = sources([told[0]], "2026-11").logs
    make_dataset(tmp_path / "arrow", logs, "arrow", jobs=2)
    made = [
        sorted(file.relative_to(folder).with_suffix("") for file in folder.rglob("part-*"))
        for folder in (dataset, tmp_path / "arrow")
    ]
    assert made[0] == made[1]
    assert {file.parts[0] for file in made[0]} == {"fights", *(name for name, _ in _rows(told))}


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


def test_the_program_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """What docs/questions.md shows of pandas runs as it stands."""
    text = (DOCS / "questions.md").read_text(encoding="utf-8")
    start = text.index("    from affray.engine")
    program = dedent(text[start : text.index("\n\n`frames.in_polars`", start)])
    exec(compile(program, "questions.md", "exec"), {})
    assert capsys.readouterr().out.split()[:2] == ["hit", "chance"]
