"""The sample set: the same fights wherever it is built, whole or not at all."""

import json
from collections import Counter
from pathlib import Path

import pytest

from affray.events.errors import AffrayError
from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite import SqliteStore
from affray.replay import build_samples, import_notation, verify
from affray.replay.rows.samples import BRANCH, DIALECTS, FIGHTS, GROUNDS, HEROES, LARGEST, sample
from tests.cli.conftest import Run
from tests.relatives import RELATIVES

pytestmark = pytest.mark.slow


def test_the_plan_is_worth_its_name() -> None:
    """All dialects evenly, every ground, every sheet, bands of two to four, and nobody on a square twice."""
    planned = [sample(number) for number in range(1, FIGHTS + 1)]
    assert set(DIALECTS) == set(RELATIVES)
    assert set(Counter(one.dialect for one in planned).values()) == {FIGHTS // len(DIALECTS)}
    assert {one.name.split("-")[-1] for one in planned} == set(GROUNDS)
    for one in planned:
        sides = Counter(entrant.side for entrant in one.combatants)
        assert 2 <= sides["heroes"] <= 4
        assert 1 <= sides["monsters"] <= LARGEST
        assert len({entrant.at for entrant in one.combatants}) == len(one.combatants)
        assert len({entrant.id for entrant in one.combatants}) == len(one.combatants)
        assert all(
            (entrant.use in HEROES.get(one.dialect, HEROES[""])) is (entrant.side == "heroes")
            for entrant in one.combatants
        )
    assert len({entrant.use for one in planned for entrant in one.combatants}) > 20


def test_built_twice_it_is_the_same(tmp_path: Path) -> None:
    """By one worker or two; each log is good, and the notation comes back to its digest."""
    told: list[tuple[int, int]] = []
    one = build_samples(tmp_path / "one", 4, rows=False, progress=lambda done, of: told.append((done, of)))
    two = build_samples(tmp_path / "two", 4, rows=False, jobs=2)
    assert one == two
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert json.loads((tmp_path / "one" / "fights.json").read_text())[3]["name"] == one.fights[3].name
    for fight in one.fights:
        texts = [
            (tmp_path / name / "notation" / f"{fight.name}.affray").read_bytes() for name in ("one", "two")
        ]
        assert texts[0] == texts[1]
    fight = one.fights[3]
    with SqliteStore(tmp_path / "one" / "logs" / f"{fight.name}.db", readonly=True) as store:
        assert verify(store).ok
        assert store.head("main").digest.hex() == fight.digest
    with MemoryStore() as back:
        import_notation((tmp_path / "one" / "notation" / f"{fight.name}.affray").read_bytes(), back)
        assert back.head("main").digest.hex() == fight.digest


def test_each_tenth_has_a_branch(tmp_path: Path) -> None:
    """One die fell otherwise there."""
    made = build_samples(tmp_path / "set", 10, rows=False).fights
    assert [one.branches for one in made] == [1] * 9 + [2]
    with SqliteStore(tmp_path / "set" / "logs" / f"{made[9].name}.db", readonly=True) as store:
        assert [one.name for one in store.branches()] == ["main", BRANCH]


def test_rows_stand_under_one_month(tmp_path: Path) -> None:
    """Whenever it is built; and they are as many as the library says."""
    pytest.importorskip("pyarrow", reason="rows need pyarrow: pip install 'affray[tables]'")
    made = build_samples(tmp_path / "set", 1)
    files = [path.relative_to(tmp_path / "set" / "rows") for path in (tmp_path / "set").rglob("*.parquet")]
    assert {path.parts[1:4] for path in files} == {("dialect=srd35", "year=2026", "month=01")}
    assert made.rows["attacks"] > 0


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path, run: Run) -> None:
    """Nothing is overwritten, and what cannot be is one line."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes").write_text("x")
    result = run("samples", tmp_path / "mine")
    assert result.exit_code == 2
    assert "a folder exists already" in result.stderr
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes"]
    with pytest.raises(AffrayError, match="at least one fight"):
        build_samples(tmp_path / "none", 0)
    with pytest.raises(AffrayError, match="counted from 1"):
        sample(0)
    assert not (tmp_path / "none").exists()


def test_the_command_tells_what_it_built(tmp_path: Path, run: Run) -> None:
    """By dialect who won, and for programs every fight."""
    told = run("samples", tmp_path / "few", "--fights", 2, "--no-rows", "--jobs", 1)
    assert told.exit_code == 0, told.output
    assert "2 fights" in told.stdout
    assert "srd35" in told.stdout
    found = json.loads(run("samples", tmp_path / "more", "--fights", 1, "--no-rows", "--json").stdout)
    assert found["fights"][0]["name"].startswith("001-srd35-")
