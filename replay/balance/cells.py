"""The cells of a grid: what came of each, and what is to be said of all."""

from collections.abc import Iterator

from msgspec import Struct, field

from affray.events.wording import counted
from affray.replay.odds import Share


class Gap(Struct, frozen=True):
    """By how many points a cell's odds are above those of the base cell, with an interval, by `pairs`."""

    points: float
    low: float
    high: float
    pairs: int


class Cell(Struct):
    """One cell: its `values`, axis by axis, and how the fights with them ended.

    `odds` are those that the grid is about; `wins` and `lives` those of all sides ("": undecided) and
    combatants. `refused` says why there can be no such fight; then nothing else is said. `enough` says that
    the interval is as narrow as was wanted.
    """

    values: tuple[str, ...]
    runs: int = 0
    odds: Share | None = None
    gap: Gap | None = None
    wins: dict[str, Share] = field(default_factory=dict)
    lives: dict[str, Share] = field(default_factory=dict)
    rounds: float = 0
    enough: bool = True
    refused: str = ""


class Grid(Struct):
    """How the odds of `of` (a side that wins, or a combatant who lives) change from cell to cell.

    All cells have the same dice, run by run (`seed`). `seq` is the last event before they part. `looks` are
    the runs after which a cell may stop; all intervals of a cell, at whichever look, hold together with 95 %.
    `base` are the values of the cell that the others are compared with. `idle` says in
    sentences which axes made no difference.

    >>> from pathlib import Path
    >>> from affray.events import MemoryStore
    >>> from affray.replay import grid, import_notation
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> found = grid(store, ["fighter.hp=1,42"], runs=20)
    >>> found.of, found.base, found.cell("1").runs
    ('heroes', ('42',), 20)
    >>> found.cell("1").gap.points < 0
    True
    """

    branch: str
    at: str
    seq: int
    seed: str
    of: str
    axes: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    base: tuple[str, ...]
    precision: float
    looks: tuple[int, ...]
    cells: list[Cell]
    idle: list[str] = field(default_factory=list)

    def cell(self, *values: str) -> Cell:
        """Return the cell with these values, axis by axis. Raises LookupError."""
        return next(one for one in self.cells if one.values == values)


def what_of(found: Grid) -> str:
    """Return in words what the odds are about."""
    sides = [side for cell in found.cells for side in cell.wins]
    return f"{found.of} win" if found.of in sides else f"{found.of} lives"


def summary(found: Grid) -> Iterator[str]:
    """Yield in sentences what was played, how sure it is, and what made no difference."""
    place = f"event {found.seq} of {found.branch}" if found.at else "the beginning"
    played = [cell.runs for cell in found.cells if cell.runs]
    many = f"{min(played)} to {max(played)}" if min(played) < max(played) else str(played[0])
    yield f"How often {what_of(found)}: {many} fights a cell from {place}, seed {found.seed!r}"
    if len(found.looks) > 1:
        looks = ", ".join(map(str, found.looks))
        yield f"Looked at after {looks} fights, and played on until known to {precision_of(found)}"
        yield "All intervals of a cell, at whichever look, hold together with 95 %"
    if short := sum(not cell.enough for cell in found.cells):
        yield f"{counted(short, 'cell')} not known so well after the most runs there may be"
    if refused := [cell for cell in found.cells if cell.refused]:
        yield f"{counted(len(refused), 'cell')} refused: {', '.join(refused[0].values)}: {refused[0].refused}"
    yield from found.idle


def precision_of(found: Grid) -> str:
    """Return in words how well each cell was to be known."""
    return f"{found.precision:g} {'point' if found.precision == 1 else 'points'}"


def cell_name(cell: Cell) -> str:
    """Return what a cell is called: its values."""
    return ", ".join(cell.values)


def percent_of(share: Share) -> float:
    """Return a share in percent."""
    return 100 * share.count / share.runs
