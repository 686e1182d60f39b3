"""Rows say what the log says: every event once, how both stood, and the chance beforehand."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from affray.engine.fight.fight import rectangle_between
from affray.engine.kernel.places import footprint
from affray.events import SqliteStore
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.projections.rows import TABLES
from affray.replay import rows_of, state_at
from affray.replay.chance.luck import luck
from affray.replay.chance.outcome_odds import chances
from affray.replay.rows import walk
from affray.replay.rows.questions import Answer, answer, open_rows_for_queries, question_of
from affray.replay.rows.rows_file import make_rows_file
from affray.replay.rows.source import sources
from affray.replay.rows.walk import yield_rows_of_branches

Told = tuple[Path, dict[str, Answer]]


@contextmanager
def opened(log: Path) -> Iterator[SqliteStore]:
    """Open a log to read."""
    with SqliteStore(log, readonly=True) as store:
        yield store


def named(rows: Iterator[tuple[str, tuple[object, ...]]], table: str) -> list[dict[str, object]]:
    """Return the rows of one table, each by the names of its columns."""
    names = [one.name for one in TABLES[table].columns]
    return [dict(zip(names, row, strict=True)) for name, row in rows if name == table]


def test_every_event_of_a_table_is_one_row(forked: Path) -> None:
    """A table has a row for each event of its types, with a cell for each column, and no other."""
    with opened(forked) as store:
        events = Counter(event.type for event in store.read(store.main_line()))
        rows = list(rows_of(store))
    assert all(len(row) == len(TABLES[name].columns) for name, row in rows)
    assert sum(events[kind] for kind in {k for one in TABLES.values() for k in one.events}) == len(rows)
    assert len({row[2] for _, row in rows}) == len(rows)
    kinds = {"integer": int, "real": float, "text": str, "truth": bool}
    for name, row in rows:
        for column, cell in zip(TABLES[name].columns, row, strict=True):
            assert cell is None or type(cell) is kinds[column.kind], (name, column.name, cell)


def test_every_event_is_decoded_once(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    """The walk's cost is one decoding an event: what it is is counted, not timed."""
    seen: list[int] = []

    def counting(event: object) -> object:
        seen.append(event.seq)  # type: ignore[attr-defined]
        return decode(event)  # type: ignore[arg-type]

    monkeypatch.setattr(walk, "decode", counting)
    with opened(told[0]) as store:
        assert list(rows_of(store))
    assert len(seen) == len(set(seen))


def test_rows_say_how_both_stood(told: Told) -> None:
    """Hit points, places, conditions and distance are those of the state before the event."""
    with opened(told[0]) as store:
        for row in named(rows_of(store), "attacks")[::4]:
            state = state_at(store, "main", int(str(row["seq"])) - 1)
            for who in ("attacker", "target"):
                one = state.combatants[str(row[who])]
                assert (row[f"{who}_hp"], row[f"{who}_side"]) == (one.hp, one.side)
                assert (row[f"{who}_x"], row[f"{who}_y"]) == one.at
                assert row[f"{who}_conditions"] == "; ".join(one.conditions)
            attacker, target = state.combatants[str(row["attacker"])], state.combatants[str(row["target"])]
            left, top, right, bottom = rectangle_between(footprint(attacker), footprint(target))
            assert 5 <= int(str(row["distance"])) <= 5 * (right - left + bottom - top)


def test_sums_are_those_of_the_parts(told: Told) -> None:
    """Face and bonus come to the total, and cover and flanking are among the parts."""
    attacks = []
    with opened(told[0]) as store:
        attacks = named(rows_of(store), "attacks")
    assert any(row["cover"] for row in attacks)
    assert any(row["flanking"] == 2 for row in attacks)
    for row in attacks:
        assert int(str(row["face"])) + int(str(row["bonus"])) == row["total"]
        assert ('"kind":"flanking"' in str(row["attack_parts"])) >= bool(row["flanking"])


def test_chances_are_those_of_odds(told: Told) -> None:
    """The chance of an attack is what deciding it again for every face comes to; its sum is that of luck."""
    with opened(told[0]) as store:
        attacks = named(rows_of(store), "attacks")
        for row in attacks[:3]:
            seq = int(str(row["seq"]))
            found = next(one for one in chances(store, "main", [seq]) if one.seq == seq)
            hit = found.favourable / found.possible
            assert row["chance"] == pytest.approx(hit if row["hit"] else 1 - hit)
        for one in luck(store).combatants:
            mine = [row for row in attacks if row["attacker"] == one.who and row["thrown"]]
            assert sum(float(str(row["chance"])) for row in mine) == pytest.approx(
                one.expected_hits, abs=0.006
            )
            assert sum(bool(row["hit"]) for row in mine) == one.hits


def test_a_query_counts_no_branch_twice(forked: Path, rows_file: Path) -> None:
    """A view has the main line, `_by_line` each line of play, `own_` every event once."""
    with opened(forked) as store, closing(sqlite3.connect(rows_file)) as connection:
        lines = [one.name for one in store.branches()]
        assert len(lines) == 4
        for name in TABLES:
            order = "ORDER BY seq"
            main = [row for table, row in rows_of(store) if table == name]
            assert connection.execute(f"SELECT * FROM {name} {order}").fetchall() == main
            for line in lines:
                found = connection.execute(f"SELECT * FROM {name}_by_line WHERE line = ? {order}", (line,))
                expected = [row for table, row in rows_of(store, line) if table == name]
                assert [row[1:] for row in found] == expected
            own = {row for table, row in yield_rows_of_branches(store) if table == name}
            assert set(connection.execute(f"SELECT * FROM own_{name}")) == own
        ((events,),) = connection.execute("SELECT events FROM fights").fetchall()
        assert events == store.head(store.main_line()).seq


def test_nothing_secret_is_in_a_rows_file(tmp_path: Path) -> None:
    """Neither the seed nor what is kept beside the log stands in its rows."""
    from tests.cli.conftest import begun

    log = begun(tmp_path)
    with opened(log) as store:
        seed = store.secret("seed")
        assert seed is not None
    made = tmp_path / "made.rows.db"
    make_rows_file(made, sources([log]).logs)
    data = made.read_bytes()
    assert seed not in data
    assert seed.hex().encode() not in data
    with closing(sqlite3.connect(made)) as connection:
        assert "secrets" not in {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}


def test_players_see_no_numbers_of_others(told: Told) -> None:
    """For a side rows that show numbers of others are gone, and cells with them are empty in the rest."""
    with opened(told[0]) as store:
        rows = list(rows_of(store, side="heroes", hide=["skit"]))
    assert {name for name, _ in rows} >= {"moves", "rolls", "rounds"}
    for name, row in rows:
        cells = dict(zip([one.name for one in TABLES[name].columns], row, strict=True))
        assert "skit" not in cells.values()
        assert "monsters" not in str(cells.get("hp_by_side"))
        for who in ("who", "attacker", "target"):
            if cells.get(f"{who}_side") == "monsters":
                assert cells[f"{who}_hp"] is cells[f"{who}_max_hp"] is cells[f"{who}_armor_class"] is None


def test_copies_of_a_fight_count_once(told: Told, tmp_path: Path) -> None:
    """Of two files with one fight the rows are there once, and a file that is no log is told."""
    for name in ("a.db", "b.db"):
        (tmp_path / name).write_bytes(told[0].read_bytes())
    (tmp_path / "c.db").write_bytes(b"no log")
    found = sources([tmp_path])
    assert [Path(one.path).name for one in found.logs] == ["a.db"]
    assert found.copies == {str(tmp_path / "b.db"): str(tmp_path / "a.db")}
    assert list(found.unread) == [str(tmp_path / "c.db")]


def test_nobody_can_write_or_look_elsewhere_by_a_question(rows_file: Path) -> None:
    """SQL of one's own reads the rows and nothing else."""
    with open_rows_for_queries([rows_file]) as connection:
        assert answer(connection, question_of("SELECT count(*) FROM attacks")).rows[0][0] > 0
        for text in (
            "WITH a AS (SELECT 1) DELETE FROM fights",
            "SELECT load_extension('x')",
            "SELECT nothing",
        ):
            with pytest.raises(AffrayError):
                answer(connection, question_of(text))
    for text in ("ATTACH 'x' AS y", "flankng", ""):
        with pytest.raises(AffrayError):
            question_of(text)
