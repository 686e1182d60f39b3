"""Balance: how the odds of a fight change with figures, readings and sheets, cell by cell of a grid."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice, product
from math import ceil, exp, floor, lgamma, log, log1p, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Literal

from msgspec import Struct, convert, field
from msgspec.structs import fields, replace

from affray.engine.book import Book
from affray.engine.dialects import book_for
from affray.engine.fight.fight import Fight
from affray.engine.kernel.sheets import expand_sheet, fault_of
from affray.engine.language.names import People, names_of
from affray.engine.rules.classes.sheets import ability
from affray.engine.table.scenario import naming
from affray.engine.table.scenario_parts import (
    BadScenario,
    converted,
    packaged_sheets,
    read_text,
    read_toml,
    reading_of,
)
from affray.events.codec import decode
from affray.events.errors import AffrayError, counted, did_you_mean, nearest
from affray.events.facts.acts import Begin, Enter
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import AnyAct, Declared, Refused
from affray.events.facts.sheet import Bonus, Sheet, Weapon
from affray.events.stores.store import Store
from affray.projections.fold import apply, fold
from affray.projections.state import Encounter, duplicate
from affray.replay.chance.odds import Run, Scratch, Share, played_out, run_seed
from affray.replay.log.branches import find_declarable_event
from affray.replay.log.declarations import group_of, groups
from affray.replay.log.playhead import state_at
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.names import set_figure_in_sheet
from affray.replay.redecide.rule_change import address_in, rule_in, value_for
from affray.replay.workers import Shared, fan_out

# --- Axes of a grid: what varies, and its values

MOST_VALUES = 100
"""Most values of an axis."""
ARMOR, WEAPON, SHEET, PLACE = "armor", "weapon", "sheet", "at"
"""Values that vary as a whole: the total Armor Class, the only weapon, the sheet, the square."""
SIZE, OVERLAP = "size.attack-ac-table", "ac.natural-armor-no-stack"
"""Topics of the Armor Class that not every rulebook has a rule on."""
_RANGE = re.compile(r"(?P<first>-?\d{1,6})\.\.(?P<last>-?\d{1,6})(?:\.\.(?P<step>\d{1,6}))?")


class BadAxis(AffrayError):
    """An axis that does not apply to this fight, or an impossible value of one."""


class Axis(Struct, frozen=True):
    """What varies, as written, and its values in order.

    `kind` is its kind: a reading, a figure (at the address `name`) or a part of the sheet of `who`.
    """

    said: str
    values: tuple[str, ...]
    kind: Literal["", "reading", "figure", "sheet"] = ""
    name: str = ""
    who: str = ""


def axis(text: str) -> Axis:
    """Parse an axis: `NAME=1..6`, `NAME=1..20..5` or `NAME=one,other`.

    Values that contain commas are separated by `|`. Raises BadAxis.
    """
    name, equals, said = text.rpartition("=")
    if not (name.strip() and equals and said.strip()):
        raise BadAxis(f"{text!r} is not an axis: write NAME=FIRST..LAST or NAME=ONE,OTHER")
    if found := _RANGE.fullmatch(said.strip()):
        first, last, step = int(found["first"]), int(found["last"]), int(found["step"] or 1)
        if not step or last < first:
            raise BadAxis(f"{text!r}: a range must go up from its first number to its last")
        numbers = list(islice(range(first, last + 1, step), MOST_VALUES + 1))
        values = tuple(map(str, numbers))
    else:
        values = tuple(one.strip() for one in said.split("|" if "|" in said else ","))
    if len(values) > MOST_VALUES:
        raise BadAxis(f"{text!r}: an axis may have at most {counted(MOST_VALUES, 'value')}")
    if not all(values) or len(set(values)) < len(values):
        raise BadAxis(f"{text!r}: each value must be different and not empty")
    return Axis(name.strip(), values)


def resolved(one: Axis, book: Book, state: Encounter) -> Axis:
    """Return an axis with its meaning in a fight. Raises BadAxis with the nearest name, BadFigure."""
    name = one.said
    if name in book.contested:
        for value in one.values:
            book.check_readings({name: reading_of(value)})
        return replace(one, kind="reading", name=name)
    people = People.find_combatants_in_fights(state)
    # An id may contain a dot itself.
    for at in (at for at, sign in enumerate(name) if sign == "."):
        if people.knows(name[:at]):
            return replace(
                one,
                kind="sheet",
                who=people.find_id_of_combatant(name[:at]),
                name=_checked(name[at + 1 :], name),
            )
    if rule_in(book, name):
        return replace(one, kind="figure", name=address_in(book, name))
    near = nearest(name, [*book.contested, *(rule.id for rule in book)])
    first, _, rest = name.partition(".")
    called = [word for one in state.combatants.values() for word in (*names_of(one.sheet.name), one.id)]
    whom = nearest(first, called) if rest else ""
    near = f"; did you mean {f'{whom}.{rest}' if whom else near}?" if whom or near else ""
    raise BadAxis(
        f"{name!r} is not an option, a figure (RULE.FIGURE) or a field of a sheet (WHO.FIELD){near}"
    )


def parse_figure_value(one: Axis, value: str, book: Book) -> object:
    """Return a value in the form of a figure's axis; the figure's own value may be among them."""
    rule, _, path = one.name.partition("/")
    before = book.figure(rule, *path.split("/")) if path else book.figure(rule)
    return before if str(before) == value else value_for(book, one.name, value)


def value_there(one: Axis, book: Book, state: Encounter) -> str | None:
    """Return the current value in a fight, None if it is not a single word."""
    if one.kind == "reading":
        return book.reading(one.name, book.chosen(state.options, state.defaults)).name
    if one.kind == "figure":
        rule, _, path = one.name.partition("/")
        return str(book.figure(rule, *path.split("/")) if path else book.figure(rule))
    sheet = state.combatants[one.who].sheet
    if one.name == WEAPON:
        return sheet.weapons[0].name if sheet.weapons else None
    if one.name in (ARMOR, SHEET, PLACE):
        return None
    with suppress(AffrayError):
        return next(
            (value for value in one.values if set_figure_in_sheet(sheet, one.name, value) == sheet), None
        )
    return None


def entering(one: Axis, value: str, act: Enter, dialect: str, total: int) -> Enter:
    """Return an entry with a value of an axis in its sheet.

    `total` is the Armor Class of the sheet without it. Raises BadAxis, BadFigure, BadScenario.
    """
    if one.name == PLACE:
        try:
            x, y = map(int, value.split(","))
        except ValueError:
            raise BadAxis(f"{one.said}={value}: write a square as x,y and separate squares by |") from None
        return replace(act, at=(x, y))
    if act.sheet is None:
        raise BadAxis(f"{one.said}: {act.id} has no sheet")
    return replace(act, sheet=set_value_in_sheet(one, value, act.sheet, dialect, total))


def set_value_in_sheet(one: Axis, value: str, sheet: Sheet, dialect: str, total: int) -> Sheet:
    """Return a sheet with a value of an axis in it. Raises BadAxis, BadFigure, BadScenario."""
    if one.name == SHEET:
        return _whole(one, value, dialect)
    if one.name == WEAPON:
        return replace(sheet, weapons=(_weapon(value, sheet),))
    is_armor = one.name == ARMOR
    made = _armored(one, value, sheet, total) if is_armor else set_figure_in_sheet(sheet, one.name, value)
    if fault := fault_of(made):
        raise BadAxis(f"{one.said}={value}: {fault}")
    return made


def armor_class(fight: Fight, who: str) -> int:
    """Return the Armor Class of a sheet in a fight, with nothing denied (ac.formula).

    Size is left out if the rulebook has no such rule. Raises BadAxis if worn and natural armor do not add up
    (woa.ac.natural-armor-no-stack): then no single part determines the total.
    """
    one = fight.state.combatants[who]
    cap = fight.dialect.defense.dexterity_cap(fight, one)[0]
    dexterity = ability(one.sheet, "dex")
    parts = sum(part.value for part in one.sheet.armor)
    if fight.book.has(OVERLAP) and any(part.kind == "natural" for part in one.sheet.armor):
        there = ", ".join(_sources(one.sheet))
        raise BadAxis(f"{who}.armor: worn and natural armor do not add up; name the part to vary: {there}")
    base = int(fight.figure("ac.formula", "base"))
    sized = fight.book.has(SIZE)
    size = int(fight.figure(SIZE, one.sheet.size.capitalize())) if sized else 0
    return base + parts + size + (dexterity if cap is None else min(dexterity, cap))


def _checked(path: str, said: str) -> str:
    field = path.partition(".")[0]
    known = {WEAPON, SHEET, PLACE, *(one.name for one in fields(Sheet))}
    if field not in known:
        raise BadAxis(f"{said!r}: a sheet has no {field!r}{did_you_mean(field, sorted(known))}")
    return path


def _whole(one: Axis, value: str, dialect: str) -> Sheet:
    """Return the sheet of a TOML file, or an included one by name."""
    sheets = packaged_sheets(dialect)
    if value in sheets:
        raw = dict(sheets[value])
    elif Path(value).is_file():
        raw = read_toml(read_text(value), value)
    else:
        meant = did_you_mean(value, sheets)
        raise BadAxis(f"{one.said}={value}: no such file, and no such sheet in {dialect}{meant}")
    if not isinstance(raw, dict):
        raise BadScenario(f"{value}: not a sheet")
    sheet: Sheet = converted(expand_sheet(raw), Sheet, value)
    if fault := fault_of(sheet):
        raise BadAxis(f"{value}: {fault}")
    return sheet


def _weapon(name: str, sheet: Sheet) -> Weapon:
    """Return a weapon of the sheet by name, else one from the rulebook's tables."""
    for weapon in sheet.weapons:
        if weapon.name.casefold() == name.casefold():
            return weapon
    made: Weapon = convert(expand_sheet({"weapons": [name]})["weapons"][0], Weapon)
    return made


def _armored(one: Axis, value: str, sheet: Sheet, total: int) -> Sheet:
    """Return a sheet with another Armor Class, by changing its armor."""
    try:
        more = int(value) - total
    except ValueError:
        raise BadAxis(f"{one.said}={value}: an Armor Class is a number") from None
    parts = [part for part in sheet.armor if part.kind == "armor"]
    if len(parts) > 1 or sheet.worn:
        there = ", ".join(_sources(sheet)) or "worn"
        raise BadAxis(f"{one.said}={value}: name the part to vary, {one.said}.PART: {there}")
    before = parts[0] if parts else Bonus(0, "armor", "armor")
    if before.value + more < 0:
        least = total - before.value
        raise BadAxis(f"{one.said}={value}: without its armor it has {least}: begin the range there")
    made = Bonus(before.value + more, "armor", before.source)
    rest = tuple(part for part in sheet.armor if part.kind != "armor")
    return replace(sheet, armor=(made, *rest) if made.value else rest)


def _sources(sheet: Sheet) -> Iterator[str]:
    yield from (part.source or part.kind for part in sheet.armor)


# --- The cells of a grid: the result of each, and the summary of all


class Gap(Struct, frozen=True):
    """The difference of a cell's odds from the base cell's, in points, with an interval, by `pairs`."""

    points: float
    low: float
    high: float
    pairs: int


class Cell(Struct):
    """One cell: its `values`, axis by axis, and how the fights with them ended.

    `odds` are those that the grid is about; `wins` and `lives` those of all sides ("": undecided) and
    combatants. `refused` is the reason a cell is impossible; then there are no other values. `enough` is true
    if the interval is as narrow as requested.
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
    """How the odds of `of` (a side that wins, or a combatant that lives) change from cell to cell.

    All cells have the same dice, run by run (`seed`). `seq` is the last event that they share. `looks` are
    the numbers of runs after which a cell may stop; all intervals of a cell, at every look, are valid
    together with 95 %. `base` are the values of the cell that the others are compared with. `idle` lists in
    sentences the axes that made no difference.

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


def describe_question(found: Grid) -> str:
    """Return in words what the odds are about."""
    sides = [side for cell in found.cells for side in cell.wins]
    return f"{found.of} win" if found.of in sides else f"{found.of} lives"


def summary(found: Grid) -> Iterator[str]:
    """Yield sentences on the fights played, the precision, and what made no difference."""
    place = f"event {found.seq} of {found.branch}" if found.at else "the beginning"
    played = [cell.runs for cell in found.cells if cell.runs]
    many = f"{min(played)} to {max(played)}" if min(played) < max(played) else str(played[0])
    yield f"How often {describe_question(found)}: {many} fights per cell from {place}, seed {found.seed!r}"
    if len(found.looks) > 1:
        looks = ", ".join(map(str, found.looks))
        yield f"Checked after {looks} fights, and continued until known to {describe_precision(found)}"
        yield "All intervals of a cell, at every check, are valid together with 95 %"
    if short := sum(not cell.enough for cell in found.cells):
        yield f"{counted(short, 'cell')} less precise after the maximum number of runs"
    if refused := [cell for cell in found.cells if cell.refused]:
        yield f"{counted(len(refused), 'cell')} refused: {', '.join(refused[0].values)}: {refused[0].refused}"
    yield from found.idle


def describe_precision(found: Grid) -> str:
    """Return in words how well each cell was to be known."""
    return f"{found.precision:g} {'point' if found.precision == 1 else 'points'}"


def cell_name(cell: Cell) -> str:
    """Return the name of a cell: its values."""
    return ", ".join(cell.values)


def percent_of(share: Share) -> float:
    """Return a share in percent."""
    return 100 * share.count / share.runs


# --- Sequential stopping: when the runs of a cell are checked, and how precise the result is then
#
# A grid that stops as soon as an interval is narrow enough checks more than once, and the first narrow
# interval is wrong more often than a single one. Therefore the checks are fixed in advance, and each of K
# checks is made at 1 - 0.05/K: by Bonferroni's inequality all K intervals are valid at once with 95 %, hence
# also the one at which a cell stops, whatever the reason. For that, each must be valid as often as stated,
# also if the odds are near 0 or 1: therefore these are the exact intervals of Clopper and Pearson, which are
# never valid less often. Wilson's are valid 95 % of the time on the average of all odds, which is enough for
# a single check.

FIRST = 100
"""Runs at the first look; each further one has twice as many, or as many as the last one needs."""
UNSURE = 0.05
"""How often an interval may miss."""
MOST_LOOKS = 20
MOST_RUNS = 1_000_000


def quantile(looks: int) -> float:
    """Return the two-sided quantile of the normal distribution for one of several looks."""
    return NormalDist().inv_cdf(1 - UNSURE / looks / 2)


def schedule(precision: float, most: int) -> tuple[int, ...]:
    """Return the numbers of runs at each look; the last one is narrow enough whatever the share.

    `precision` is half the width of an interval in points; `most` is the maximum number of runs.
    """
    looks = [min(FIRST, most)]
    while looks[-1] < most and half_width(looks[-1] // 2, looks[-1], len(looks)) > precision:
        looks.append(min(2 * looks[-1], most))
    # The last look does not need twice as many: only enough for a share of a half.
    low, high, all_looks = (looks[-2] if len(looks) > 1 else 1), looks[-1], len(looks)
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (
            (low, middle) if half_width(middle // 2, middle, all_looks) <= precision else (middle, high)
        )
    return (*looks[:-1], high)


def half_width(count: int, runs: int, looks: int) -> float:
    """Return half the width of the exact interval at one of several looks, in points."""
    low, high = exact(count, runs, UNSURE / looks)
    return 50 * (high - low)


def share_at(count: int, runs: int, looks: int) -> Share:
    """Return a share with its exact interval at one of several looks, rounded outwards."""
    low, high = exact(count, runs, UNSURE / looks)
    return Share(count, runs, floor(1000 * low) / 10, ceil(1000 * high) / 10)


@lru_cache(maxsize=4096)
def exact(count: int, runs: int, unsure: float) -> tuple[float, float]:
    """Return the interval of Clopper and Pearson of a proportion, which misses it at most this often."""
    low = _where(unsure / 2, count, runs - count + 1) if count else 0.0
    high = _where(1 - unsure / 2, count + 1, runs - count) if count < runs else 1.0
    return low, high


def _where(chance: float, a: int, b: int) -> float:
    """Return where the beta distribution reaches a chance, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _beta(middle, a, b) < chance else (low, middle)
    return (low + high) / 2


def _beta(x: float, a: int, b: int) -> float:
    """Return the incomplete beta function, regularized: by its continued fraction, after Lentz."""
    if not 0 < x < 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    tiny = 1e-300
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or tiny)
    found = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1 / ((1 + step * d) or tiny)
            c = (1 + step / c) or tiny
            found *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * found


def paired(base: Sequence[bool], other: Sequence[bool], z: float) -> tuple[float, float, float]:
    """Return by how many points the share of `other` is above that of `base`, with its interval.

    Both have the same dice run by run, so that only the runs in which they differ count: the interval of
    Agresti and Min for matched pairs, which adds half a run to each of the four cells.
    """
    pairs = list(zip(base, other, strict=True))
    gained, lost = sum(two and not one for one, two in pairs), sum(one and not two for one, two in pairs)
    runs = len(pairs)
    middle = (gained - lost) / (runs + 2)
    spread = sqrt(max(0.0, gained + lost + 1 - (gained - lost) ** 2 / (runs + 2))) / (runs + 2)
    share = (gained - lost) / runs
    low, high = max(-1.0, min(share, middle - z * spread)), min(1.0, max(share, middle + z * spread))
    return 100 * share, 100 * low, 100 * high


# --- The moment from which the fights of a cell are played: the fight with the cell's values in it

SETTING_UP = b"the fight is set up"
"""The seed of dice that are rolled before a fight begins, the same in each cell."""


class Start(Struct, frozen=True):
    """Where a cell's fights are played from: a state, the declaration that begins it, changed figures."""

    state: Encounter
    begin: Begin | None
    figures: JsonObject


class CannotBe(AffrayError):
    """The rules refuse a cell: a combatant cannot enter with its values."""


class Beginnings:
    """The starts of a grid's cells: before the fight began, or at a position of a line.

    From the beginning all combatants enter again, with other sheets if an axis varies them, and roll
    initiative. From a later position, sheets are exchanged there: hit points and past events stay.
    """

    def __init__(self, store: Store, branch: str, position: str) -> None:
        """Read the line. Raises AffrayError if there is nothing to play on, BadPosition."""
        self.seq = 0
        self.acts: list[Declared] = []
        self.begin: Begin | None = None
        if position:
            after = max(1, find_declarable_event(store, branch, position))
            self.seq = group_of(store, branch, after)[-1].seq
            self.state = state_at(store, branch, self.seq)
            if self.state.pending is not None:
                told = f"the fight waits at event {self.seq} ({self.state.pending.question}): answer it first"
                raise AffrayError(told)
            if not self.state.begun or self.state.closed:
                raise AffrayError(
                    f"there is nothing to play on at event {self.seq}: the fight has not begun or is over"
                )
            self.whole = self.state
            return
        self.state = Encounter()
        for group in groups(store.read(branch)):
            facts = [decode(event) for event in group]
            first = facts[0]
            if (
                isinstance(first, Declared)
                and isinstance(first.act, Begin)
                and type(facts[-1]) is not Refused
            ):
                self.begin = first.act
                break
            if not isinstance(first, Declared):
                for fact in facts:
                    apply(self.state, fact)
            elif type(facts[-1]) is not Refused:
                self.acts.append(first)
            self.seq = group[-1].seq
        if not self.state.dialect or not any(isinstance(one.act, Enter) for one in self.acts):
            raise AffrayError("no combatant has entered this fight: there is nothing to play")
        self.begin = self.begin or Begin()
        self.whole = fold(store.read(branch, upto=self.seq))

    def start(self, chosen: Sequence[tuple[Axis, str]]) -> Start:
        """Return the start of a cell. Raises CannotBe, BadAxis, BadFigure, UnreadFigure."""
        plain = make_fight_context(self.state, None)
        figures = {
            axis.name: value
            for axis, said in chosen
            if axis.kind == "figure"
            for value in [parse_figure_value(axis, said, plain.dialect.book)]
            if str(value) != value_there(axis, plain.dialect.book, self.state)
        }
        state = duplicate(self.state)
        state.options.update({axis.name: reading_of(said) for axis, said in chosen if axis.kind == "reading"})
        fight = make_fight_context(state, None, figures)
        fight.dialect.book.check_changes(state.options)
        sheets = [(axis, said) for axis, said in chosen if axis.kind == "sheet"]
        if self.begin is None:
            self._exchange(fight, sheets)
        else:
            self._set_up(fight, sheets)
        return Start(fight.state, self.begin, figures)

    def _exchange(self, fight: Fight, sheets: Iterable[tuple[Axis, str]]) -> None:
        state = fight.state
        for axis, said in sheets:
            if axis.name in (SHEET, PLACE):
                raise BadAxis(
                    f"{axis.said}: this applies to an entry; leave out --at to play from the beginning"
                )
            one = state.combatants[axis.who]
            total = armor_class(fight, axis.who) if axis.name == ARMOR else 0
            one.sheet = set_value_in_sheet(axis, said, one.sheet, state.dialect, total)
            fight.memory.touch_everything()

    def _set_up(self, fight: Fight, sheets: Sequence[tuple[Axis, str]]) -> None:
        table = Scratch(fight)
        table.again(SETTING_UP)
        for declared in self.acts:
            act = declared.act
            if isinstance(act, Enter):
                mine = [(axis, said) for axis, said in sheets if axis.who == act.id]
                # A whole sheet first: the other axes change parts of it.
                for axis, said in sorted(mine, key=lambda one: one[0].name != SHEET):
                    total = self._armor_class(act, declared, table) if axis.name == ARMOR else 0
                    act = entering(axis, said, act, table.state.dialect, total)
            refused = table.declare(act, declared.by).refused
            if refused is not None:
                reason = naming(act.id, refused.reason) if isinstance(act, Enter) else refused.reason
                raise CannotBe(reason + _meant(declared.act, sheets))

    def _armor_class(self, act: Enter, declared: Declared, table: Scratch) -> int:
        """Return the Armor Class that a combatant would have with this entry."""
        apart = Scratch(make_fight_context(duplicate(table.state), None, _changes(table)))
        apart.again(SETTING_UP)
        refused = apart.declare(act, declared.by).refused
        if refused is not None:
            raise CannotBe(naming(act.id, refused.reason))
        return armor_class(apart.fight, act.id)


def _meant(act: AnyAct, sheets: Iterable[tuple[Axis, str]]) -> str:
    """Return the nearest weapon of the combatant to an unknown one."""
    if not isinstance(act, Enter) or act.sheet is None:
        return ""
    names = [weapon.name for weapon in act.sheet.weapons]
    unknown = [
        said for axis, said in sheets if (axis.who, axis.name) == (act.id, WEAPON) and said not in names
    ]
    return did_you_mean(unknown[0], names) if unknown else ""


def _changes(table: Scratch) -> dict[str, object]:
    changes: Mapping[str, object] = table.fight.dialect.book.changes
    return dict(changes)


# --- The grid: the odds of a fight in each cell, with the same dice, as precisely as requested

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

    `axes` are the values that vary (`ysolde.armor=16..22`, `gharm.weapon=greatclub,longsword`,
    `OPTION=on,off`, `RULE.FIGURE=1..4`, `WHO.sheet=file.toml,ogre`). Without `at` all combatants enter again
    and roll initiative; with a position the fight is played on from there. `of` is a side or a combatant, by
    default the side that entered first; `base` the values of the cell to compare with, by default those of
    the actual fight if they are among them. Run n has the same dice in each cell, which makes differences
    more precise than the odds. `runs` is the number of fights per cell; with a `precision`, in points on
    either side, each cell stops at the first look that reaches it, at `runs` at most. The same seed gives the
    same grid however many workers share the work (`workers`). O(cells x runs) fights. Raises BadAxis,
    BadFigure, UnknownFigure, UnknownReading and the like, AffrayError if there is nothing to play.

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
        raise AffrayError("a grid needs at least one job, and a precision of 0 to 50 points")
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
        raise AffrayError(f"the fight is not possible: {cells[0].refused}")
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
    """Return whether a run ended as asked: a side won, or a combatant is alive."""
    return run.won == of if of in sides else of in run.alive


def _check(axes: Sequence[Axis]) -> None:
    cells = 1
    for one in axes:
        cells *= len(one.values)
    if not axes or cells > MOST_CELLS:
        raise BadAxis(f"a grid needs at least one axis and at most {MOST_CELLS} cells, not {cells}")
    meant = [(one.kind, one.who, one.name) for one in axes]
    for number, this in enumerate(meant):
        if this in meant[:number]:
            raise BadAxis(f"{axes[number].said!r} is varied twice")


def _asked_about(of: str, state: Encounter) -> str:
    sides = list(dict.fromkeys(one.side for one in state.combatants.values()))
    if not of:
        return sides[0]
    people = People.find_combatants_in_fights(state)
    if of in sides:
        return of
    if people.knows(of):
        return people.find_id_of_combatant(of)
    raise BadAxis(f"{of!r} is not a side or a combatant{did_you_mean(of, [*sides, *state.combatants])}")


def _base(said: Sequence[str], there: Sequence[str | None], cells: Sequence[Cell]) -> tuple[str, ...]:
    """Return the values of the cell that the others are compared with."""
    all_values = [cell.values for cell in cells]
    if said:
        if tuple(said) not in all_values:
            raise BadAxis(f"there is no cell {', '.join(said)}: give a value for each axis, in their order")
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
    """Play all cells up to each look; stop those that are precise enough."""
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
    table = Scratch(make_fight_context(duplicate(start.state), None, start.figures))
    found = []
    for number in numbers:
        table.again(run_seed(seed, number))
        if start.begin is not None:
            refused = table.declare(start.begin).refused
            if refused is not None:
                raise AffrayError(f"the fight cannot begin: {refused.reason}")
        found.append(played_out(table))
    return found


def _write(
    cell: Cell, runs: list[Run], base: list[Run] | None, shown: str, state: Encounter, looks: int
) -> None:
    """Store the odds of a cell: with Wilson's intervals, or exact ones at one of several looks."""

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
    """Yield sentences on the axes, and values of an axis, that made no difference in any run."""
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
