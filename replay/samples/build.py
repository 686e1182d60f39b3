"""Building the sample set: each fight played, kept as a log, in the notation, and all of them as rows."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from affray.engine.fight.fight import is_down
from affray.engine.table.scenario import play
from affray.engine.version import VERSION
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts.rolled import Rolled
from affray.events.files import folder_made
from affray.events.memory import MemoryStore
from affray.events.sqlite import SqliteStore
from affray.events.store import Store
from affray.replay.copied import copy_log
from affray.replay.fan_out import fan_out
from affray.replay.notation.writing import export_notation
from affray.replay.rows.dataset import make_dataset
from affray.replay.rows.source import source_of
from affray.replay.samples.about import ABOUT, CC0
from affray.replay.samples.chosen import FIGHTS, sample
from affray.replay.whatif import what_if

EACH_BRANCHED: Final = 10
"""Of so many fights one has a branch, in which one die of its second half fell otherwise."""
BRANCH: Final = "another-die"
MONTH: Final = "2026-01"
"""Under which month the rows of the set stand: a set built today is the one that was built before."""

Part = tuple[str, int]
"""What a worker builds: the folder and the number of a fight."""


class SampleFight(Struct, frozen=True):
    """A fight of the set: `won` is the side that was left standing, "" where none or both were.

    `digest` is that of the last event of its main line: alike wherever the same version built it.
    """

    name: str
    dialect: str
    events: int
    branches: int
    rounds: int
    won: str
    digest: str


class SampleSet(Struct, frozen=True):
    """What was built: the fights, and how many rows of each table; `version` is that of Affray.

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

    What is built depends on the version alone, on no clock and no machine. `progress` is told how many of the
    fights are done. O(fights), shared among `jobs` processes. Afterwards the folder is there whole, or not at
    all. Raises AffrayError where a folder or file is already, for no fight at all, and for rows without
    pyarrow.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from affray.replay import build_samples
    >>> with TemporaryDirectory() as folder:
    ...     build_samples(Path(folder) / "set", 1, rows=False).fights[0].name
    '001-srd35-bog'
    """
    if folder.exists():
        raise AffrayError(
            f"{folder}: there is a {'folder' if folder.is_dir() else 'file'} already; name another one"
        )
    if fights < 1:
        raise AffrayError("a sample set has one fight at least")
    with folder_made(folder) as beside:
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
    """Play one fight into its log, write it in the notation, and return what is told of it."""
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
    """Decide the second half of the fight again, with its first single d20 fallen otherwise."""
    half = store.head("main").seq // 2
    facts: Iterable[object] = map(decode, store.read("main", after=half))
    rolled = next((fact for fact in facts if isinstance(fact, Rolled) and fact.notation == "1d20"), None)
    if rolled is not None:
        face = 1 if rolled.faces == (20,) else 20
        what_if(store, faces={rolled.key: [face]}, name=BRANCH)


def _log(folder: Path, name: str) -> Path:
    return folder / "logs" / f"{name}.db"
