"""The sample set: reproducible fights for trying out questions."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from affray.engine.fight.fight import is_down
from affray.engine.table.scenario import play
from affray.engine.table.scenario_parts import Entrant, Scenario, packaged_sheets
from affray.engine.version import VERSION
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts.flow import Rolled
from affray.events.files import atomic_folder
from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite import SqliteStore
from affray.events.stores.store import Store
from affray.replay.log_files import copy_log
from affray.replay.notation.writing import export_notation
from affray.replay.rows.dataset import make_dataset
from affray.replay.rows.source import source_of
from affray.replay.whatif.what_if import what_if
from affray.replay.workers import fan_out

# --- The texts in the folder of a sample set: its content and its terms

ABOUT: Final = """\
# The sample set of Affray

{fights} fights in four dialects of d20 rules, played by automatic play with fixed dice, built by
`affray samples` of version {version}: the same version builds the same fights, digest by digest.

| | |
|---|---|
| `fights.json` | one entry per fight: dialect, events, rounds, who won, the digest of its last event |
| `logs/` | the fights as logs (SQLite); each tenth has a branch with another result of one die |
| `logs/*-secrets` | the seed of each log's dice, for playing on: not a secret here |
| `notation/` | the same in combat notation, for people to read and write |
| `rows/` | the main lines as Parquet, a folder for each table, grouped by `dialect=/year=/month=` |

Try `affray verify` on a log, `affray ask luck logs`, or in DuckDB:

    SELECT dialect, count(*) AS attacks
    FROM read_parquet('rows/attacks/**/*.parquet', hive_partitioning = true) GROUP BY dialect;

The maps, fights and rows here are published under CC0 1.0 (see LICENSE). Names and figures
of rules and creatures are game content that their publishers have opened under the Open Game License:
they are excluded.
"""

CC0: Final = """\
CC0 1.0 Universal

To the extent possible under law, those who made this sample set have waived all copyright and related or
neighboring rights to it: https://creativecommons.org/publicdomain/zero/1.0/legalcode

That does not cover names and figures of rules and creatures, which their publishers have opened under the
Open Game License 1.0a. That licence ships with Affray.
"""


# --- The maps of the sample set: 20 by 12 squares, with four free columns on both sides for entering

#: `#` is a wall, `=` a low one, `^` high ground, `~` hard going.
GROUNDS: Final[Mapping[str, tuple[str, ...]]] = {
    "meadow": ("." * 20,) * 12,
    "ruin": (
        "....................",
        "......#####.........",
        "......#...#.........",
        "..........#....=....",
        "......#...#....=....",
        "......##.##....=....",
        "...............=....",
        "....................",
        ".........##.........",
        ".........##.........",
        "....................",
        "....................",
    ),
    "pillars": (
        "....................",
        "....................",
        "......#...#...#.....",
        "....................",
        "....................",
        "........#...#.......",
        "........#...#.......",
        "....................",
        "....................",
        "......#...#...#.....",
        "....................",
        "....................",
    ),
    "bog": (
        "....................",
        ".....~~~.....~......",
        "....~~~~~...~~~.....",
        ".....~~~~~~~~~~.....",
        ".......~~~~~~.......",
        "......~~~~~~........",
        "....~~~~...~~~......",
        ".....~~....~~~~.....",
        "............~~......",
        "......~~............",
        ".....~~~~...........",
        "....................",
    ),
    "hill": (
        "....................",
        "......====..........",
        "....................",
        ".......^^^^^........",
        "......^^^^^^^.......",
        "......^^^^^^^.......",
        "......^^^^^^^.......",
        ".......^^^^^........",
        "....................",
        "..........====......",
        "....................",
        "....................",
    ),
}


# --- The fights of the sample set: sides, map, and dice, all determined by the fight's number

Item = TypeVar("Item")

FIGHTS: Final = 200
DIALECTS: Final = ("srd35", "pf1", "woa", "futurepath")
"""The dialects, in rotation: a quarter of any multiple of four is of each."""

HEROES: Final[Mapping[str, tuple[str, ...]]] = {
    "futurepath": ("fighter", "sorcerer", "soldier", "medic", "hacker", "sniper"),
    "": ("fighter", "sorcerer", "cleric", "rogue", "barbarian", "archer", "monk"),
}
"""The sheets of one side, by dialect, "" for the others; all other sheets are of the other side."""

ROUNDS: Final = 40
"""A longer fight stays undecided."""
LARGEST: Final = 6
"""Combatants of the other side."""


def sample(number: int) -> Scenario:
    """Return the fight with a number, counted from 1: always the same. Raises AffrayError."""
    if number < 1:
        raise AffrayError(f"fights are counted from 1, not from {number}")
    drawn = _Drawn(number)
    dialect = DIALECTS[(number - 1) % len(DIALECTS)]
    ground = drawn.one_of(sorted(GROUNDS), "ground")
    return Scenario(
        map=GROUNDS[ground],
        combatants=tuple(_entrants(dialect, drawn)),
        dialect=dialect,
        name=f"{number:03}-{dialect}-{ground}",
        seed=f"affray sample {number}",
        auto=ROUNDS,
    )


class _Drawn:
    """Choices for a fight, derived from its number and the purpose, the same in every version of Python."""

    def __init__(self, number: int) -> None:
        self._number = number

    def one_of(self, items: Sequence[Item], *purpose: object) -> Item:
        said = "/".join(str(word) for word in (self._number, *purpose))
        return items[int.from_bytes(blake2b(said.encode(), digest_size=8).digest()) % len(items)]


def _entrants(dialect: str, drawn: _Drawn) -> Iterator[Entrant]:
    """Yield two to four heroes, and opponents until these have four fifths of the heroes' hit points."""
    sheets = packaged_sheets(dialect)
    heroes = HEROES.get(dialect, HEROES[""])
    others = [name for name in sheets if name not in heroes]
    band = []
    for place in range(drawn.one_of((2, 3, 3, 4), "heroes")):
        left = [name for name in heroes if name not in band]
        band.append(drawn.one_of(left, "hero", place))
    hit_points = sum(sheets[name]["hp"] for name in band)
    kind = drawn.one_of(others, "first")
    company = [kind]
    while len(company) < LARGEST and sum(sheets[name]["hp"] for name in company) < 0.8 * hit_points:
        # Mostly several of a kind, as in typical encounters.
        company.append(
            kind
            if drawn.one_of((1, 1, 1, 0), "more", len(company))
            else drawn.one_of(others, "other", len(company))
        )
    for side, names, columns in (("heroes", band, (2, 0)), ("monsters", company, (16, 18))):
        for place, name in enumerate(names):
            at = columns[place % 2], 1 + 3 * (place // 2) + place % 2
            yield Entrant(id=_id(names, place), side=side, use=name, at=at)


def _id(names: Sequence[str], place: int) -> str:
    """Return the id of a combatant: its kind, numbered if there are several of it."""
    name = names[place]
    return f"{name}-{names[:place].count(name) + 1}" if names.count(name) > 1 else name


# --- Building the sample set: each fight played and stored as a log and in notation, and all of them as rows

EACH_BRANCHED: Final = 10
"""One in this many fights has a branch in which one die of its second half has another result."""
BRANCH: Final = "another-die"
MONTH: Final = "2026-01"
"""The month of the set's rows: fixed, for identical sets on every day."""

Part = tuple[str, int]
"""A worker's task: the folder and the number of a fight."""


class SampleFight(Struct, frozen=True):
    """A fight of the set: `won` is the side that was left standing, "" if none or both were.

    `digest` is that of the last event of its main line: the same wherever the same version built it.
    """

    name: str
    dialect: str
    events: int
    branches: int
    rounds: int
    won: str
    digest: str


class SampleSet(Struct, frozen=True):
    """The result of building: the fights, and the number of rows of each table; `version` is that of Affray.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from affray.replay import build_samples
    >>> with TemporaryDirectory() as folder:
    ...     built = build_samples(Path(folder) / "set", 1, rows=False)
    >>> built.fights[0].dialect, built.fights[0].won, built.rows
    ('srd35', 'monsters', {})
    """

    version: str
    fights: tuple[SampleFight, ...]
    rows: dict[str, int]


def build_samples(
    folder: Path,
    fights: int = FIGHTS,
    *,
    rows: bool = True,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> SampleSet:
    """Build the first `fights` of the sample set in a new folder: `logs`, `notation` and with `rows` Parquet.

    The result depends only on the version, not on clock or machine. `progress` is called with the number of
    finished fights. O(fights), shared among `jobs` processes. Afterwards the folder is complete or does not
    exist. Raises AffrayError if a folder or file exists already, for no fights, and for rows without pyarrow.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from affray.replay import build_samples
    >>> with TemporaryDirectory() as folder:
    ...     build_samples(Path(folder) / "set", 1, rows=False).fights[0].name
    '001-srd35-bog'
    """
    if folder.exists():
        raise AffrayError(
            f"{folder}: a {'folder' if folder.is_dir() else 'file'} exists already; choose another name"
        )
    if fights < 1:
        raise AffrayError("a sample set needs at least one fight")
    with atomic_folder(folder) as beside:
        for name in ("logs", "notation"):
            (beside / name).mkdir(parents=True)
        made = []
        parts = [(str(beside), number) for number in range(1, fights + 1)]
        for one in fan_out(build_one, parts, jobs=jobs):
            made.append(one)
            if progress is not None:
                progress(len(made), fights)
        counts: dict[str, int] = {}
        if rows:
            logs = [source_of(_log(beside, one.name), MONTH) for one in made]
            counts = make_dataset(beside / "rows", logs, jobs=jobs)
        found = SampleSet(VERSION, tuple(made), counts)
        (beside / "fights.json").write_bytes(msgspec.json.format(msgspec.json.encode(found.fights)) + b"\n")
        (beside / "README.md").write_text(ABOUT.format(version=VERSION, fights=fights), encoding="utf-8")
        (beside / "LICENSE").write_text(CC0, encoding="utf-8")
    return found


def build_one(part: Part) -> SampleFight:
    """Play one fight into its log, write it in notation, and return its summary."""
    folder, number = Path(part[0]), part[1]
    scenario = sample(number)
    with MemoryStore() as store:  # a file would be flushed after each declaration
        table = play(scenario, store)
        if number % EACH_BRANCHED == 0:
            _branch_off(store)
        with SqliteStore(_log(folder, scenario.name)) as kept:
            copy_log(store, kept)
        with (folder / "notation" / f"{scenario.name}.affray").open("wb") as out:
            export_notation(store, out)
        state, head = table.state, store.head("main")
        sides = {one.side for one in state.combatants.values() if not is_down(table.fight, one)}
        won = sides.pop() if len(sides) == 1 else ""
        branches = len(store.branches())
    return SampleFight(
        scenario.name, scenario.dialect, head.seq, branches, state.round, won, head.digest.hex()
    )


def _branch_off(store: Store) -> None:
    """Decide the second half of the fight again, with another result of its first single d20."""
    half = store.head("main").seq // 2
    facts: Iterable[object] = map(decode, store.read("main", after=half))
    rolled = next((fact for fact in facts if isinstance(fact, Rolled) and fact.notation == "1d20"), None)
    if rolled is not None:
        face = 1 if rolled.faces == (20,) else 20
        what_if(store, faces={rolled.key: [face]}, name=BRANCH)


def _log(folder: Path, name: str) -> Path:
    return folder / "logs" / f"{name}.db"
