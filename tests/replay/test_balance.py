"""The grid: odds that are known exactly come out, differences by the same dice, and the looks are honest."""

import csv
import json
import random
from fractions import Fraction
from io import StringIO
from itertools import pairwise
from math import comb, sqrt
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from affray.engine.table.table import Table
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.sheet import Bonus, Sheet, Weapon
from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite import SqliteStore
from affray.replay.chance.balance import (
    BadAxis,
    Grid,
    armor_class,
    axis,
    exact,
    grid,
    half_width,
    paired,
    quantile,
    schedule,
    share_at,
)
from affray.replay.chance.balance_report import make_grid_page, table, yield_grid_lines
from affray.replay.chance.odds import odds, wilson
from tests.cli.conftest import Run, run
from tests.relatives import RELATIVES

pytestmark = pytest.mark.slow

__all__ = ["run"]

DEADLY = Weapon("club", "1d6", bonus_damage=(Bonus(200, "enhancement", "doom"),))
"""Whoever is hit by it is dead."""


def duelist(name: str, armor: int = 5) -> Sheet:
    """Return somebody with a bonus of 0 on attacks and an Armor Class of 10 and `armor`."""
    return Sheet(name, 1, weapons=(DEADLY,), armor=(Bonus(armor, "armor", "mail"),))


@pytest.fixture(scope="module")
def duel() -> MemoryStore:
    """Two who kill with whatever hits, the first of whom always begins: each blow is decided by one die."""
    store = MemoryStore()
    put = Table.create(store, dialect="srd35", terrain=("....",), name="duel", seed=b"duel")
    put.declare(acts.Enter(id="a", side="first", sheet=duelist("Ann"), at=(0, 0), initiative=20))
    put.declare(acts.Enter(id="b", side="second", sheet=duelist("Bob"), at=(1, 0), initiative=10))
    return store


def exactly(mine: int, other: int = 15) -> float:
    """Return the exact odds of the first, whose opponent has an Armor Class of `mine` to be hit at.

    It wins at once with p, or once both have missed, (1 - p)(1 - q) on, begins again.
    """
    p, q = (Fraction(min(19, max(1, 21 - defense)), 20) for defense in (mine, other))
    return float(p / (1 - (1 - p) * (1 - q)))


def test_odds_that_are_known_exactly(duel: MemoryStore) -> None:
    """In each cell the exact odds lie in the interval; differences from the base lie in theirs."""
    found = grid(duel, ["bob.armor=11..19..2", "Ann.armor=13,17"], runs=200, base=("15", "13"))
    assert found.base == ("15", "13")
    for cell in found.cells:
        sure = exactly(int(cell.values[0]), int(cell.values[1]))
        assert cell.odds is not None
        assert cell.odds.low <= 100 * sure <= cell.odds.high
        assert cell.odds == cell.wins["first"] == cell.lives["a"]
        if cell.values != found.base:
            assert cell.gap is not None
            assert cell.gap.low <= 100 * (sure - exactly(15, 13)) <= cell.gap.high


def test_the_same_dice_show_small_differences(duel: MemoryStore) -> None:
    """A point of armor is told apart by fewer fights than two grids of their own would take."""
    found = grid(duel, ["b.armor=15,16"], runs=300, base=("15",))
    gap, cells = found.cell("16").gap, found.cells
    assert gap is not None
    assert gap.high < 0
    shares = [cell.odds.count / cell.runs for cell in cells if cell.odds is not None]
    alone = 196 * sqrt(sum(share * (1 - share) / 300 for share in shares))
    assert gap.high - gap.low < 0.6 * 2 * alone
    rising = grid(duel, ["b.armor=11..19"], runs=100, base=("11",))
    counts = [cell.odds.count for cell in rising.cells if cell.odds is not None]
    assert counts == sorted(counts, reverse=True)


def test_it_stops_when_a_cell_is_known_well_enough(duel: MemoryStore) -> None:
    """Each cell stops at the first look at which it is, and not before; seldom cells take fewer fights."""
    found = grid(duel, ["b.armor=11,14,20"], precision=7)
    looks = len(found.looks)
    assert looks > 2
    for cell in found.cells:
        assert cell.odds is not None
        assert cell.enough
        count = cell.odds.count
        earlier = [look for look in found.looks if look < cell.runs]
        assert (*earlier, cell.runs) == found.looks[: len(earlier) + 1]
        assert half_width(count, cell.runs, looks) <= 7
        assert cell.odds.low <= 100 * exactly(int(cell.values[0])) <= cell.odds.high
        for look in earlier:
            (before,) = grid(duel, [f"b.armor={cell.values[0]}"], runs=look).cells
            assert before.odds is not None
            assert half_width(before.odds.count, look, looks) > 7
    assert found.cell("20").runs < found.cell("14").runs
    short = grid(duel, ["b.armor=15"], precision=3, runs=120)
    assert [cell.enough for cell in short.cells] == [False]
    assert short.cells[0].runs == 120
    assert any("less precise" in line for line in yield_grid_lines(short))


def missed(looks: tuple[int, ...], precision: float, share: float) -> float:
    """Return how likely a cell of these odds stops with an interval in which they do not lie, exactly."""
    going = {0: 1.0}
    wrong = 0.0
    for before, look in pairwise((0, *looks)):
        more = look - before
        chances = [comb(more, n) * share**n * (1 - share) ** (more - n) for n in range(more + 1)]
        after: dict[int, float] = {}
        for count, weight in going.items():
            for n, chance in enumerate(chances):
                after[count + n] = after.get(count + n, 0.0) + weight * chance
        going = {}
        for count, weight in after.items():
            if look < looks[-1] and half_width(count, look, len(looks)) > precision:
                going[count] = weight
                continue
            found = share_at(count, look, len(looks))
            wrong += weight * (not found.low <= 100 * share <= found.high)
    return wrong


@pytest.mark.parametrize("share", [0.004, 0.02, 0.1, 0.31, 0.5, 0.77, 0.95])
def test_the_looks_are_honest(share: float) -> None:
    """Whatever the odds: the interval at which a cell stops misses them less than one time in twenty."""
    looks = schedule(7, 100_000)
    assert len(looks) > 2
    assert missed(looks, 7, share) < 0.05


@pytest.mark.parametrize(
    ("count", "runs", "low", "high"),
    [(0, 10, 0.0, 0.3085), (1, 10, 0.0025, 0.4450), (5, 10, 0.1871, 0.8129), (10, 10, 0.6915, 1.0)],
)
def test_exact_intervals_are_those_of_the_tables(count: int, runs: int, low: float, high: float) -> None:
    """Values of Clopper and Pearson that one can look up; and large numbers add up."""
    assert exact(count, runs, 0.05) == pytest.approx((low, high), abs=0.0001)
    wide, narrow = exact(9_600, 19_200, 0.05), wilson(9_600, 19_200)
    assert wide == pytest.approx(narrow, abs=0.0002)


def test_differences_are_honest_too() -> None:
    """Simulated pairs: the interval of the difference misses it about one time in twenty at most."""
    dice, wrong = random.Random(3), 0
    for _ in range(600):
        pairs = [
            (x < 0.4, x < 0.5 if dice.random() < 0.9 else x > 0.7)
            for x in map(random.Random.random, [dice] * 80)
        ]
        _, low, high = paired([one for one, _ in pairs], [other for _, other in pairs], quantile(1))
        sure = 100 * (0.9 * 0.5 + 0.1 * 0.3 - 0.4)
        wrong += not low <= sure <= high
    assert wrong < 40


@pytest.mark.parametrize(("precision", "most"), [(10, 10**6), (5, 10**6), (1, 10**6), (1, 500), (0.5, 10**6)])
def test_the_last_look_is_enough_whatever_the_odds(precision: float, most: int) -> None:
    """The looks grow, end at the most, and the last is no later than it need be."""
    looks = schedule(precision, most)
    assert list(looks) == sorted(set(looks))
    last = looks[-1]
    assert last == most or half_width(last // 2, last, len(looks)) <= precision
    if last < most:
        assert half_width((last - 2) // 2, last - 2, len(looks)) > precision


def test_the_same_however_many_processes(duel: MemoryStore) -> None:
    """One process or two: the same grid; the log is as it was."""
    before = len(list(duel.read_all()))
    steps: list[tuple[int, int]] = []
    one = grid(duel, ["b.armor=12,18"], runs=60, progress=lambda done, of: steps.append((done, of)))
    assert grid(duel, ["b.armor=12,18"], runs=60, jobs=2) == one
    assert grid(duel, ["b.armor=12,18"], runs=60, seed="other") != one
    assert steps[-1] == (120, 120)
    assert len(list(duel.read_all())) == before


def test_from_a_position_it_is_what_odds_say(duel: MemoryStore) -> None:
    """The cell that changes nothing has the odds that `odds` counts from there."""
    store = MemoryStore()
    put = Table.create(store, dialect="srd35", terrain=("....",), name="duel", seed=b"duel")
    for event, who in enumerate(("a", "b")):
        put.declare(acts.Enter(id=who, side=who * 2, sheet=duelist(who), at=(event, 0), initiative=9 - event))
    put.declare(acts.Begin())
    found = grid(store, ["b.armor.mail=5,9"], at="end", runs=40)
    assert found.base == ("5",)
    assert found.cell("5").wins == {**odds(store, "end", runs=40).wins, "": found.cell("5").wins[""]}
    with pytest.raises(BadAxis, match="leave out --at"):
        grid(store, ["b.at=2,0"], at="end", runs=1)


def test_what_makes_no_difference_is_told(duel: MemoryStore) -> None:
    """A number that nothing in the fight asks for: all its cells are equal, and that is said."""
    found = grid(duel, ["b.armor=12,18", "soft_cover_blocks_aoo=on,off"], runs=30)
    assert [line.split()[0] for line in found.idle] == ["soft_cover_blocks_aoo"]
    assert found.base == (found.cells[0].values[0], "on")


def test_figures_readings_weapons_sheets_and_places(duel: MemoryStore, tmp_path: Path) -> None:
    """Whatever can be varied: the fight is another one; what the rules refuse is a cell that is refused."""
    figure = grid(duel, ["srd35.ac.formula.base=8,10,12"], runs=60)
    assert figure.base == ("10",)
    assert [cell.gap is None for cell in figure.cells] == [False, True, False]
    weapon = grid(duel, ["a.weapon=club,dagger"], runs=40)
    assert weapon.base == ("club",)
    assert weapon.cell("dagger").wins["first"].count < weapon.cell("club").wins["first"].count
    file = tmp_path / "strong.toml"
    file.write_text('name = "Strong"\nhp = 500\nbase_attack = 30\nweapons = ["club"]\n', encoding="utf-8")
    sheet = grid(duel, [f"a.sheet=goblin,{file}"], runs=20)
    assert sheet.cell(str(file)).lives["a"].count > sheet.cell("goblin").lives["a"].count
    place = grid(duel, ["b.at=1,0|0,0"], runs=5)
    assert place.cell("1,0").runs == 5
    assert place.cell("0,0").refused
    damage = grid(duel, ["a.weapons.club.damage=1d6,2d6", "a.hp=1,2", "b.hp=1"], runs=5)
    assert len(damage.cells) == 4
    assert not any("▓" in line for line in yield_grid_lines(damage))


@pytest.mark.parametrize("dialect", RELATIVES)
def test_armor_in_every_dialect(dialect: str) -> None:
    """The total of the armor is varied also where no size is in it; what does not add up is told."""
    store = MemoryStore()
    put = Table.create(store, dialect=dialect, terrain=("....",), name="duel", seed=b"duel")
    ann, bob = duelist("Ann"), replace(duelist("Bob"), size="small")
    put.declare(acts.Enter(id="a", side="first", sheet=ann, at=(0, 0), initiative=20))
    put.declare(acts.Enter(id="b", side="second", sheet=bob, at=(1, 0), initiative=10))
    assert armor_class(put.fight, "b") == (15 if dialect == "woa" else 16)


def test_armor_that_does_not_add_up() -> None:
    """Worn over natural armor in woa only the larger counts: the part is named."""
    store, skin = MemoryStore(), Bonus(3, "natural", "skin")
    put = Table.create(store, dialect="woa", terrain=("....",), name="duel", seed=b"duel")
    for id, at in (("a", (0, 0)), ("b", (1, 0))):
        sheet = replace(duelist(id), armor=(Bonus(5, "armor", "mail"), skin))
        put.declare(acts.Enter(id=id, side=id, sheet=sheet, at=at))
    with pytest.raises(AffrayError, match="do not add up; name the part to vary: mail, skin"):
        grid(store, ["b.armor=15"], runs=1)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("bob.armr=1,2", "did you mean armor"),
        ("bobb.armor=1,2", "did you mean bob.armor"),
        ("soft_cover_blocks_ao=on,off", "did you mean soft_cover_blocks_aoo"),
        ("srd35.ac.formla.base=1,2", "did you mean srd35.ac.formula"),
        ("srd35.ac.formula.bse=1,2", "there is base"),
        ("soft_cover_blocks_aoo=perhaps", "no reading 'perhaps'"),
        ("b.weapon=clubb", "did you mean club"),
        ("b.armor.male=1,2", "did you mean mail"),
        ("b.armor=4", "without its armor it has 10"),
        ("b.hp=0,3", "at least 1"),
        ("b.sheet=nobody", "no such file, and no such sheet"),
        ("b.hp", "is not an axis"),
        ("b.hp=3..1", "go up from its first number"),
        ("b.hp=1,1", "each value must be different"),
        ("b.hp=1..500", "at most 100"),
    ],
)
def test_what_there_is_not_is_refused(duel: MemoryStore, said: str, told: str) -> None:
    """With the nearest name, before anything is played."""
    with pytest.raises(AffrayError, match=told):
        grid(duel, [said], runs=1)


def test_what_a_grid_cannot_be(duel: MemoryStore) -> None:
    """Nothing varied, something twice, too many cells, nobody to ask about, no such base."""
    for axes, named, told in (
        ([], {}, "at least one axis"),
        (["b.hp=1,2", "bob.hp=3,4"], {}, "varied twice"),
        (["b.hp=1..99", "a.hp=1..99"], {}, "at most 1000 cells"),
        (["b.hp=1"], {"of": "third"}, "is not a side or a combatant"),
        (["b.hp=1"], {"base": ("2",)}, "no cell 2"),
        (["b.hp=1"], {"jobs": 0}, "at least one job"),
    ):
        with pytest.raises(AffrayError, match=told):
            grid(duel, axes, **{"runs": 1, **named})
    assert axis("x=1..9..4").values == ("1", "5", "9")
    empty = MemoryStore()
    Table.create(empty, dialect="srd35", terrain=("....",), name="duel", seed=b"duel")
    with pytest.raises(AffrayError, match="no combatant has entered"):
        grid(empty, ["b.hp=1"])


def test_told_as_map_table_and_page(duel: MemoryStore) -> None:
    """The map has a shade for each cell, the CSV a row, the page a square; names are no markup."""
    found = grid(duel, ["b.armor=11,19", "a.armor=11,19"], runs=20)
    told = list(yield_grid_lines(found))
    assert sum(line.count("█") // 3 for line in told) >= 1
    rows = list(csv.DictReader(StringIO(table(found))))
    assert [(row["b.armor"], row["a.armor"]) for row in rows] == [cell.values for cell in found.cells]
    assert float(rows[0]["first win"]) == pytest.approx(100 * found.cells[0].wins["first"].count / 20)
    drawn = make_grid_page(found)
    assert drawn.count("<rect") == 4
    assert "<script" not in drawn
    assert "&lt;b&gt;" in make_grid_page(renamed(found, "<b>"))


def renamed(found: Grid, name: str) -> Grid:
    """Return a grid in which the first axis is called something else."""
    found.axes = (name, *found.axes[1:])
    return found


def test_at_the_command_line(run: Run, tmp_path: Path, duel: MemoryStore) -> None:
    """JSON, CSV, a page, a map; what goes with a grid alone is refused without one."""
    db, out = tmp_path / "duel.db", tmp_path / "grid.html"
    with SqliteStore(db) as store:
        put = Table.create(store, dialect="srd35", terrain=("....",), name="duel", seed=b"duel")
        for at, who in enumerate(("a", "b")):
            put.declare(acts.Enter(id=who, side=who * 2, sheet=duelist(who), at=(at, 0), initiative=9 - at))
    words: tuple[Any, ...] = ("odds", db, "--grid", "b.armor=12,18", "--runs", 20, "--jobs", 1)
    found = json.loads(run(*words, "--json", "--page", out).stdout)
    assert [cell["values"] for cell in found["cells"]] == [["12"], ["18"]]
    assert "<svg" in out.read_text(encoding="utf-8")
    assert run(*words, "--csv", "--of", "b").stdout.startswith("b.armor,runs,b lives,low,high")
    assert "compared with" in run(*words, "--base", "18").stdout
    for wrong in (
        ("odds", db, "--of", "b", "--at", "end"),
        ("odds", db, "--grid", "b.hp=1", "--event", 3),
        (*words, "--csv", "--json"),
        ("odds", db, "--grid", "b.hp=1", "--page", db),
    ):
        assert run(*wrong).exit_code == 2, wrong
