"""The log as tables: every event is a row, every field a column, and nothing in a cell is a formula."""

import csv
import io
import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet
from affray.projections.tables import FORMULA, UnknownTable, columns, defuse_formula, rows, tables, write
from tests.cli.conftest import Run
from tests.house.fights import DIALECTS, opened, play_wildly

HOSTILE = "=cmd|A1"


def read(store: MemoryStore, table: str) -> list[dict[str, str]]:
    """Return the rows of a table as a CSV reader gives them."""
    out = io.StringIO(newline="")
    count = write(store.read("main"), table, out)
    found = list(csv.DictReader(io.StringIO(out.getvalue(), newline="")))
    assert len(found) == count
    return found


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_event_stands_in_its_table(dialect: str) -> None:
    """All tables together hold every event once more than the table of all; numbers stay numbers."""
    store = MemoryStore()
    table = opened(dialect, store, 3)
    table.declare(acts.Begin())
    play_wildly(table, random.Random(3), 60)
    events = list(store.read("main"))
    assert [int(row["seq"]) for row in read(store, "events")] == [event.seq for event in events]
    told = sorted(int(row["seq"]) for name in tables()[1:] for row in read(store, name))
    assert told == [event.seq for event in events]
    for row in read(store, "attack.resolved"):
        fact = decode(events[int(row["seq"]) - 1])
        assert (int(row["natural"]), int(row["total"]), row["result"]) == (
            fact.natural,
            fact.total,
            fact.result,
        )
        assert row["cites"].split("; ") == list(fact.cites)
        assert row["defense"].count(";") == len(fact.defense) - 1


def test_columns_come_from_the_fields() -> None:
    """Each row has as many cells as there are columns; an unknown table is refused by name."""
    table = opened("srd35", MemoryStore(), 1)
    for name in tables():
        assert all(len(row) == len(columns(name)) for row in rows(table.store.read("main"), name))
    with pytest.raises(UnknownTable, match="'nosuch'"):
        list(rows((), "nosuch"))


@given(st.text())
def test_no_text_is_a_formula(text: str) -> None:
    """A text that a spreadsheet would run is quoted, any other stays; the text itself stays readable."""
    made = defuse_formula(text)
    assert isinstance(made, str)
    assert not made.lstrip(" ").startswith(FORMULA)
    assert made in (text, f"'{text}")


def test_numbers_are_no_formulas() -> None:
    """Minus five points are a number and stay one."""
    assert defuse_formula(-5) == -5
    assert defuse_formula("-5") == "'-5"


def test_hostile_names_are_only_text() -> None:
    """A combatant whose name is a formula stands in the export behind an apostrophe."""
    store = MemoryStore()
    table = Table.create(store, dialect="srd35", terrain=("...",), seed=b"x")
    assert table.declare(acts.Enter(id=HOSTILE, side="+a", sheet=Sheet(HOSTILE, hp=5))).refused is None
    (row,) = read(store, "combatant.entered")
    assert row["id"] == f"'{HOSTILE}"
    assert row["side"] == "'+a"
    assert json.loads(row["sheet"])["name"] == HOSTILE


def test_the_command_writes_a_table(run: Run, tmp_path: Path) -> None:
    """`affray export --format csv` writes all events, or the type that --table names."""
    db, out = tmp_path / "fight.db", tmp_path / "hits.csv"
    assert run("demo", "--db", db).exit_code == 0
    assert run("export", db, "--format", "csv").stdout.startswith("seq,round,turn,actor,cause,type,sentence,")
    assert run("export", db, "--format", "csv", "--table", "damage.resolved", "--out", out).exit_code == 0
    with out.open(newline="") as file:
        assert {row["attacker"] for row in csv.DictReader(file)} >= {"fighter", "ogre"}
    refused = run("export", db, "--format", "csv", "--table", "nosuch")
    assert refused.exit_code == 2
    assert "no table 'nosuch'" in refused.stderr
    assert run("export", db, "--format", "html", "--table", "events").exit_code == 2
