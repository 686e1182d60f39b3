"""What turned the fight: chances after each declaration, in parts that add up."""

from pathlib import Path

import pytest

from affray.engine.table.scenario import packaged, parse_scenario, play
from affray.events import MemoryStore
from affray.events.errors import AffrayError
from affray.events.stores.sqlite import SqliteStore
from affray.replay.chance import swing as swings
from affray.replay.chance.odds import Run, Scratch
from affray.replay.chance.summaries import Swing
from affray.replay.chance.swing import Kept, beside, compute_stored_swing, swing
from affray.replay.cli.swing import told
from affray.replay.explain.disputes import rule
from tests.cli.conftest import called

pytestmark = pytest.mark.slow

FRAIL = """
dialect = "srd35"
map = ["......", "......"]
combatants = [
  {id = "a", side = "heroes", use = "ogre", at = [0, 0], initiative = 20, acted = true},
  {id = "b", side = "monsters", use = "ogre", at = [2, 0], initiative = 10, acted = true, hp = 1},
]
script = [
  {do = {act = "end-turn", actor = "a"}},
  {do = {act = "attack", actor = "b", target = "a"}, dice = {attack = 2}},
  {do = {act = "end-turn", actor = "b"}},
  {do = {act = "attack", actor = "a", target = "b"}, dice = {attack = 15, damage = [4, 4]}},
]
"""
"""Ogres hit each other with 9 or more: +7 against an Armor Class of 16. One has a hit point left."""


@pytest.fixture(scope="module")
def demo() -> MemoryStore:
    """Return the log of the packaged fight."""
    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    return store


def parts_add_up(found: Swing) -> None:
    """Compare each chance with the one before and what changed it."""
    before = found.start
    for turn in found.turns:
        for side in found.sides:
            parts = turn.choice[side] + turn.luck[side] + turn.ruling[side]
            assert turn.chance[side] == pytest.approx(before[side] + parts, abs=0.21)
        before = turn.chance
    for side in found.sides:
        whole = found.choice[side] + found.luck[side] + found.ruling[side]
        assert before[side] == pytest.approx(found.start[side] + whole, abs=2)


def test_the_parts_add_up(demo: MemoryStore) -> None:
    """From the first chance to the last, which is none or all; without dice there is no luck."""
    found = swing(demo, runs=20)
    parts_add_up(found)
    assert found.sides == ("heroes", "monsters")
    assert found.turns[-1].chance == {"heroes": 0.0, "monsters": 100.0}
    assert all(not any(turn.luck.values()) for turn in found.turns if not turn.die)
    assert not any(any(turn.ruling.values()) for turn in found.turns)
    told = {turn.declaration: turn.told for turn in found.turns}
    assert told["d10"] == "sorcerer withdraws to 4,6 (d10)"


def test_a_long_declaration_is_cut_before_its_id(demo: MemoryStore) -> None:
    """So that one sees what was cut, and can ask why of it."""
    rows = list(told(swing(demo, runs=8), "heroes"))
    assert any(row.startswith("#38   goblin attacks sorc... (d8) ") for row in rows), rows
    assert len({row.index("%") for row in rows if row.startswith("#")}) == 1


def test_the_same_numbers_however_it_is_worked_out(demo: MemoryStore) -> None:
    """By one process or two, from kept results or anew; another seed gives others."""
    kept: Kept = {}
    first = swing(demo, runs=8, kept=kept)
    assert swing(demo, runs=8, jobs=2) == first
    told: list[tuple[int, int]] = []
    assert swing(demo, runs=8, kept=kept, progress=lambda done, of: told.append((done, of))) == first
    assert not told
    assert swing(demo, runs=8, seed="other") != first


def test_the_die_at_stake_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each face comes equally often: before it falls the chance is that of those that hit, 12 of 20."""

    def as_it_stands(table: Scratch) -> Run:
        fallen = table.state.combatants["b"].hp < 1
        return Run("heroes" if fallen else "monsters", (), 0)

    monkeypatch.setattr(swings, "played_out", as_it_stands)
    store = MemoryStore()
    play(parse_scenario(FRAIL), store)
    found = swing(store, runs=40)
    last = found.turns[-1]
    assert last.die.endswith("/attack/1")
    assert (last.choice["heroes"], last.luck["heroes"], last.chance["heroes"]) == (60.0, 40.0, 100.0)
    assert found.start["heroes"] == 0.0


def test_a_ruling_is_told_apart() -> None:
    """What it changed is the difference to the line that it was made on, not luck."""
    store = MemoryStore()
    play(parse_scenario(FRAIL), store)
    before = swing(store, runs=10)
    struck = [event.seq for event in store.read("main") if event.type == "attack.resolved"]
    rule(store, "amend", "a miss", by="GM", at=struck[-1], changes=("attack=miss",), promoting=True)
    found = swing(store, runs=10)
    parts_add_up(found)
    turn = found.turns[-1]
    assert turn.ruling["heroes"] == pytest.approx(turn.chance["heroes"] - 100, abs=0.2)
    assert turn.ruling["heroes"] < 0
    assert turn.luck == before.turns[-1].luck


def test_nothing_to_play_on_from() -> None:
    """A fight that has not begun has no chances; a branch that there is not is named."""
    scenario = parse_scenario(FRAIL)
    store = MemoryStore()
    with pytest.raises(AffrayError, match="nothing was declared"):
        swing(store)
    play(scenario, store)
    with pytest.raises(AffrayError, match="nowhere"):
        swing(store, branch="nowhere")


def test_results_are_kept_beside_the_log(tmp_path: Path) -> None:
    """They are used again; a file that is none is passed over and written anew."""
    db = tmp_path / "fight.db"
    with SqliteStore(db) as store:
        play(parse_scenario(FRAIL), store)
        found = compute_stored_swing(store, db, runs=4)
        written = beside(db).read_bytes()
        assert compute_stored_swing(store, db, runs=4) == found
        assert beside(db).read_bytes() == written
        for broken in (b"", b"{", b'{"format":"affray-swing","version":1,"wins":[]}', b"\xff"):
            beside(db).write_bytes(broken)
            assert compute_stored_swing(store, db, runs=4) == found
            assert beside(db).read_bytes() == written


def test_the_command(tmp_path: Path) -> None:
    """A row for each declaration that changed something, what turned the fight, and JSON."""
    db = tmp_path / "fight.db"
    with SqliteStore(db) as store:
        play(parse_scenario(FRAIL), store)
    done = called("swing", db, "--runs", "20", "--jobs", "1")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("Chance of heroes to win: 20 fights from each moment, give or take 21.9 %")
    assert "#####" in done.stdout
    assert "In all: choice " in done.stdout
    other = called("swing", db, "--runs", "20", "--jobs", "1", "--side", "monsters").stdout
    assert other.startswith("Chance of monsters to win")
    assert '"sides":["heroes","monsters"]' in called("swing", db, "--runs", "20", "--json").stdout
    wrong = called("swing", db, "--runs", "20", "--side", "nobody")
    assert (wrong.exit_code, wrong.stderr.count("\n")) == (2, 1)
    assert "there is no side 'nobody': heroes, monsters" in wrong.stderr
