"""The grid: the odds of a fight in each cell, by the same dice, as often as a precision wants."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from affray.engine.dialects import book_for
from affray.events.errors import AffrayError, did_you_mean
from affray.events.store import Store
from affray.projections.state import Encounter, duplicate
from affray.replay.balance.axes import Axis, BadAxis, axis, resolved, value_there
from affray.replay.balance.cells import Cell, Gap, Grid
from affray.replay.balance.looks import MOST_RUNS, half_width, paired, quantile, schedule, share_at
from affray.replay.balance.starts import Beginnings, Start
from affray.replay.fan_out import Shared, fan_out
from affray.replay.fight_over import fight_over
from affray.replay.odds import Run, Scratch, Share, played_out, run_seed
from affray.replay.people import People

MOST_CELLS = 1000
RUNS = 200
PART = 25
"""Fights of a cell that are played at a time."""


Task = tuple[Shared[Start], str, range]


def grid(
    store: Store,
    axes: Sequence[str],
    *,
    at: str = "",
    of: str = "",
    base: Sequence[str] = (),
    runs: int = 0,
    precision: float = 0,
    jobs: int = 1,
    on: str = "",
    seed: str = "odds",
    branch: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Grid:
    """Play a fight many times in each cell of a grid, and return the odds with their intervals.

    `axes` are what is varied (`ysolde.armor=16..22`, `gharm.weapon=greatclub,longsword`, `OPTION=on,off`,
    `RULE.FIGURE=1..4`, `WHO.sheet=file.toml,ogre`). Without `at` everybody enters anew and rolls initiative;
    with a position the fight is played on from there. `of` is a side or a combatant, the side that entered
    first without it; `base` the values of the cell to compare with, that of the fight as it stands if it is
    among them. Run n has the same dice in each cell, so that differences are known better than the odds.
    `runs` is how often each cell is played; with a `precision`, in points on either side, each stops at the
    first look at which it is known that well, at `runs` at most. The same seed gives the same grid however
    many workers share the work (`fan_out`). O(cells x runs) fights. Raises BadAxis, BadFigure, UnknownFigure,
    UnknownReading and the like, AffrayError where there is nothing to play.

    >>> from pathlib import Path
    >>> from affray.events import MemoryStore
    >>> from affray.replay import grid, import_notation
    >>> store = MemoryStore()
    >>> gate = import_notation(Path("docs/examples/gate.affray").read_bytes(), store)
    >>> found = grid(store, ["fighter.hp=1,42", "goblin.weapon=morningstar,javelin"], runs=10)
    >>> [(*cell.values, cell.odds.count) for cell in found.cells]
    [('1', 'morningstar', 6), ('1', 'javelin', 5), ('42', 'morningstar', 10), ('42', 'javelin', 10)]
    """
    if jobs < 1 or runs < 0 or precision < 0 or precision > 50:
        raise AffrayError("a grid needs one job at least, and a precision of 0 to 50 points")
    branch = branch or store.main_line()
    from_there = Beginnings(store, branch, at)
    whole = from_there.whole
    book = book_for(whole.dialect, whole.tables, whole.packages)
    found = [resolved(axis(text), book, whole) for text in axes]
    _check(found)
    shown = _asked_about(of, whole)
    cells = [Cell(values) for values in product(*(one.values for one in found))]
    starts: dict[tuple[str, ...], Start] = {}
    for cell in cells:
        try:
            starts[cell.values] = from_there.start(list(zip(found, cell.values, strict=True)))
        except BadAxis:
            raise
        except AffrayError as fault:
            cell.refused = str(fault)
    if not starts:
        raise AffrayError(f"there is no such fight: {cells[0].refused}")
    compared = _base(base, [value_there(one, book, whole) for one in found], cells)
    looks = schedule(precision, runs or MOST_RUNS) if precision else (runs or RUNS,)
    done = _played(starts, looks, precision, (shown, seed, jobs, on), progress)
    many = len(looks) if precision else 0
    for cell in cells:
        if cell.values in done:
            _write(cell, done[cell.values], done.get(compared), shown, whole, many)
            assert cell.odds is not None
            cell.enough = not precision or half_width(cell.odds.count, cell.runs, many) <= precision
    return Grid(
        branch,
        at,
        from_there.seq,
        seed,
        shown,
        tuple(one.said for one in found),
        tuple(one.values for one in found),
        compared,
        precision,
        looks,
        cells,
        list(_idle(found, done)),
    )


def happened(run: Run, of: str, sides: Sequence[str]) -> bool:
    """Say whether a run ended as the odds are about: a side won, or a combatant is alive."""
    return run.won == of if of in sides else of in run.alive


def _check(axes: Sequence[Axis]) -> None:
    cells = 1
    for one in axes:
        cells *= len(one.values)
    if not axes or cells > MOST_CELLS:
        raise BadAxis(f"a grid has one axis at least, and {MOST_CELLS} cells at most, not {cells}")
    meant = [(one.kind, one.who, one.name) for one in axes]
    for number, this in enumerate(meant):
        if this in meant[:number]:
            raise BadAxis(f"{axes[number].said!r} is varied twice")


def _asked_about(of: str, state: Encounter) -> str:
    sides = list(dict.fromkeys(one.side for one in state.combatants.values()))
    if not of:
        return sides[0]
    people = People.in_fight(state)
    if of in sides:
        return of
    if people.knows(of):
        return people.id_of(of)
    raise BadAxis(f"{of!r} is no side and nobody{did_you_mean(of, [*sides, *state.combatants])}")


def _base(said: Sequence[str], there: Sequence[str | None], cells: Sequence[Cell]) -> tuple[str, ...]:
    """Return the values of the cell that the others are compared with."""
    all_values = [cell.values for cell in cells]
    if said:
        if tuple(said) not in all_values:
            raise BadAxis(f"there is no cell {', '.join(said)}: give a value of each axis, in their order")
        return tuple(said)
    own = tuple(one or "" for one in there)
    playable = [cell.values for cell in cells if not cell.refused]
    return own if own in playable else playable[0]


def _played(
    starts: Mapping[tuple[str, ...], Start],
    looks: Sequence[int],
    precision: float,
    by: tuple[str, str, int, str],
    progress: Callable[[int, int], None] | None,
) -> dict[tuple[str, ...], list[Run]]:
    """Play all cells up to each look, those that are known well enough no further."""
    shown, seed, jobs, on = by
    done: dict[tuple[str, ...], list[Run]] = {values: [] for values in starts}
    shared = {values: Shared(start) for values, start in starts.items()}
    sides = {one.side for start in starts.values() for one in start.state.combatants.values()}
    before = count = 0
    for look in looks:
        going = [
            values
            for values, had in done.items()
            if not had or _width(had, shown, list(sides), len(looks)) > precision
        ]
        spans = [range(first, min(first + PART, look)) for first in range(before, look, PART)]
        parts = [(values, (shared[values], seed, span)) for values in going for span in spans]
        most = count + len(going) * (looks[-1] - before)
        played = fan_out(_part, [task for _, task in parts], jobs=jobs, on=on)
        for (values, _), some in zip(parts, played, strict=True):
            done[values] += some
            count += len(some)
            if progress is not None:
                progress(count, most)
        before = look
    if progress is not None:
        progress(count, count)
    return done


def _width(runs: Sequence[Run], shown: str, sides: Sequence[str], looks: int) -> float:
    return half_width(sum(happened(run, shown, sides) for run in runs), len(runs), looks)


def _part(task: Task) -> list[Run]:
    """Play some of the fights of a cell."""
    shared, seed, numbers = task
    start = shared.value
    table = Scratch(fight_over(duplicate(start.state), None, start.figures))
    found = []
    for number in numbers:
        table.again(run_seed(seed, number))
        if start.begin is not None:
            refused = table.declare(start.begin).refused
            if refused is not None:
                raise AffrayError(f"the fight cannot begin so: {refused.reason}")
        found.append(played_out(table))
    return found


def _write(
    cell: Cell, runs: list[Run], base: list[Run] | None, shown: str, state: Encounter, looks: int
) -> None:
    """Write down the odds of a cell: by Wilson's intervals, or at one of so many looks by exact ones."""

    def share(count: int) -> Share:
        return share_at(count, len(runs), looks) if looks else Share.of(count, len(runs))

    sides = list(dict.fromkeys(one.side for one in state.combatants.values()))
    cell.runs = len(runs)
    cell.odds = share(sum(happened(run, shown, sides) for run in runs))
    won = [run.won for run in runs]
    cell.wins = {side: share(won.count(side)) for side in (*sides, "")}
    cell.lives = {id: share(sum(id in run.alive for run in runs)) for id in state.combatants}
    cell.rounds = round(sum(run.rounds for run in runs) / len(runs), 2)
    if base is not None and base is not runs:
        pairs = min(len(runs), len(base))
        mine, theirs = ([happened(run, shown, sides) for run in some[:pairs]] for some in (base, runs))
        points, low, high = paired(mine, theirs, quantile(max(1, looks)))
        cell.gap = Gap(round(points, 1) + 0.0, round(low, 1) + 0.0, round(high, 1) + 0.0, pairs)


def _idle(axes: Sequence[Axis], done: Mapping[tuple[str, ...], list[Run]]) -> Iterator[str]:
    """Yield in sentences which axes, and which values of one, made no difference in any run."""
    for at, one in enumerate(axes):
        lines: dict[tuple[str, ...], list[list[Run]]] = {}
        for values, runs in done.items():
            lines.setdefault(values[:at] + values[at + 1 :], []).append(runs)
        if len(one.values) > 1 and all(_alike(line) for line in lines.values()):
            fewest = min(len(runs) for runs in done.values())
            yield f"{one.said} made no difference in any of {fewest} fights: all its cells are equal"


def _alike(line: Sequence[list[Run]]) -> bool:
    fewest = min(map(len, line))
    return all(runs[:fewest] == line[0][:fewest] for runs in line)
