"""What turned the fight: each side's chance of winning after every declaration, with luck and choice
separated.

From each moment the fight is played on many times by automatic play. Between two moments the chance changes
by the declaration (choice) and by its dice (luck): the declaration is made again and again with other dice,
of which the decisive one shows each of its results equally often. The change by a ruling is the difference
from the line on which it was made.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from msgspec import Struct

from affray.engine.dice import ImpossibleFaces, Notation, Source, parse, rethrow
from affray.engine.dice.distribution import distribution, faces_for
from affray.engine.dice.sources import Answer
from affray.engine.fight.fight import Fight
from affray.engine.language.cast import dialect_words
from affray.engine.steps import Choice
from affray.engine.version import VERSION
from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.facts import combat
from affray.events.facts.flow import Chosen, Declared, Rolled, Ruled
from affray.events.files import read_found, replacing
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.projections.sentence import sentence
from affray.projections.state import Encounter, duplicate
from affray.replay.chance.odds import Scratch, answer_by_policy, played_out
from affray.replay.chance.summaries import Swing, Turn
from affray.replay.log.declarations import groups
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.workers import Shared, fan_out

RUNS = 400
"""Fights from each moment: a chance of one half is then known within 5 points with 95 %."""
PART = 40
"""Fights that a process plays at a time."""

Told = Callable[[Encounter, Declared], str]
"""Describes a declaration in words, in the state in which it was made."""
Kept = MutableMapping[str, dict[str, int]]
"""How often each side won, by starting moment: results that can be reused."""


def plainly(state: Encounter, declared: Declared) -> str:
    """Return a declaration in words without context."""
    return sentence(declared, dialect_words(state))


class Task(Struct, frozen=True):
    """A moment to play on from, or with `again` a declaration to make again first.

    `stake` is the end of the key of its decisive roll, `dice` its notation; `chosen` are the answers given.
    """

    key: str
    state: Encounter
    again: Declared | None = None
    stake: str = ""
    dice: str = ""
    chosen: tuple[tuple[str, str], ...] = ()


class Step(Struct):
    """A declaration of the line: where it ends, and the tasks that measure its parts."""

    event: Event
    declared: Declared
    after: Task
    fresh: Task | None
    unruled: Task | None
    die: str
    told: str


def swing(
    store: Store,
    *,
    branch: str = "",
    runs: int = RUNS,
    jobs: int = 1,
    on: str = "",
    seed: str = "swing",
    kept: Kept | None = None,
    progress: Callable[[int, int], None] | None = None,
    told: Told = plainly,
) -> Swing:
    """Return how the chances of winning changed along a line, the main one without a `branch`.

    The same seed gives the same numbers however many workers share the work (see `workers`). Results in
    `kept` are reused, and new ones are added. `progress` is called with the number of finished fights and of
    all; `told` describes a declaration. Raises AffrayError if there are no declarations.
    """
    branch = branch or store.main_line()
    if runs < 1 or jobs < 1:
        raise AffrayError("this needs at least one run and one job")
    begun, steps = _steps(store, branch, told)
    if begun is None or not steps:
        raise AffrayError(
            f"there are no declarations in this fight: {branch!r} has no moment to play on from"
        )
    wanted = [begun]
    for step in steps:
        wanted += [one for one in (step.after, step.fresh, step.unruled) if one is not None]
    known: Kept = {} if kept is None else kept
    named = {_name(task, runs, seed): task for task in wanted}
    missing = [(name, task) for name, task in named.items() if name not in known]
    for done, (name, wins) in enumerate(_yield_wins_by_task(missing, seed, runs, jobs, on), 1):
        known[name] = wins
        if progress is not None:
            progress(done * runs, len(missing) * runs)
    sides = tuple(dict.fromkeys(one.side for one in steps[-1].after.state.combatants.values()))

    def chance(task: Task) -> dict[str, float]:
        wins = known[_name(task, runs, seed)]
        return {side: 100 * wins.get(side, 0) / runs for side in sides}

    return _add_up_changes(
        branch, seed, runs, sides, chance(begun), list(_turns(chance(begun), steps, chance))
    )


def _turns(
    before: dict[str, float], steps: Iterable[Step], chance: Callable[[Task], dict[str, float]]
) -> Iterator[Turn]:
    """Yield the declarations with the changes by each of their parts."""
    for step in steps:
        after = chance(step.after)
        unruled = after if step.unruled is None else chance(step.unruled)
        fresh = unruled if step.fresh is None else chance(step.fresh)
        yield Turn(
            seq=step.event.seq,
            declaration=step.declared.id,
            actor=step.declared.act.actor,
            told=step.told,
            round=step.event.round,
            turn=step.event.turn,
            chance=_rounded(after),
            choice=_rounded({side: fresh[side] - before[side] for side in after}),
            luck=_rounded({side: unruled[side] - fresh[side] for side in after}),
            ruling=_rounded({side: after[side] - unruled[side] for side in after}),
            die=step.die,
        )
        before = after


def _add_up_changes(
    branch: str, seed: str, runs: int, sides: tuple[str, ...], start: dict[str, float], turns: list[Turn]
) -> Swing:
    def all_of(part: str) -> dict[str, float]:
        return _rounded({side: sum(getattr(turn, part)[side] for turn in turns) for side in sides})

    parts = {part: all_of(part) for part in ("choice", "luck", "ruling")}
    margin = round(98 / runs**0.5, 1)
    return Swing(branch, seed, runs, margin, sides, _rounded(start), tuple(turns), **parts)


def _rounded(values: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 1) + 0.0 for name, value in values.items()}


def _steps(store: Store, branch: str, told: Told) -> tuple[Task | None, list[Step]]:
    """Return the moment at which the fight began, and the resolved declarations since."""
    state, steps = Encounter(), list[Step]()
    begun: Task | None = None
    ruled: Event | None = None
    for group in groups(store.read(branch)):
        before = duplicate(state) if begun is not None else state
        fold(group, state)
        first = decode(group[0])
        if isinstance(first, Ruled):
            ruled = group[0]
        if begun is None:
            if state.begun and state.pending is None:
                begun = Task(_place(group[-1]), duplicate(state))
            continue
        if not isinstance(first, Declared) or state.closed or state.pending is not None:
            continue
        after = Task(_place(group[-1]), duplicate(state))
        unruled = None if ruled is None else _get_declaration_on_parent(store, ruled, first)
        source, facts = (before, group) if unruled is None else unruled[:2]
        fresh, die = _make_repeat_task(source, facts)
        words = told(before, first)
        steps.append(Step(group[-1], first, after, fresh, unruled[2] if unruled else None, die, words))
        ruled = None
    return begun, steps


def _get_declaration_on_parent(
    store: Store, ruled: Event, declared: Declared
) -> tuple[Encounter, Sequence[Event], Task] | None:
    """Return a declaration on the line that a ruling left: state before, events, task after."""
    own = next((one for one in store.branches() if one.name == ruled.stream), None)
    if own is None or not own.parent:
        return None
    state = fold(store.read(own.parent, upto=own.at))
    for group in groups(store.read(own.parent, after=own.at)):
        before = duplicate(state)
        fold(group, state)
        first = decode(group[0])
        if isinstance(first, Declared) and first.id == declared.id:
            return None if state.pending is not None else (before, group, Task(_place(group[-1]), state))
    return None


def _make_repeat_task(before: Encounter, group: Sequence[Event]) -> tuple[Task | None, str]:
    """Return the task to make a declaration again and the key of its decisive die; (None, "") if there is
    none.
    """
    facts = [decode(event) for event in group]
    rolls = [fact for fact in facts if isinstance(fact, Rolled)]
    if not rolls:
        return None, ""
    stake = max(rolls, key=lambda one: _weight(facts, one))
    declared = facts[0]
    assert isinstance(declared, Declared)
    chosen = tuple((_tail(fact.key), fact.answer) for fact in facts if isinstance(fact, Chosen))
    dice = stake.notation if _weight(facts, stake) else ""
    return Task(f"{_place(group[-1])}/again", before, declared, _tail(stake.key), dice, chosen), stake.key


def _weight(facts: Sequence[object], roll: Rolled) -> int:
    """Return how much depends on a roll: 2 on that of a test, 1 on another single die, 0 on others."""
    notation = parse(roll.notation)
    tested = any(isinstance(fact, TESTS) and fact.key == roll.key for fact in facts)
    if tested or (notation.count == 1 and notation.sides >= 20):
        return 2
    return notation.count == 1


TESTS = combat.AttackResolved | combat.CheckResolved | combat.ConfirmationResolved


def _tail(key: str) -> str:
    return key.partition("/")[2]


def _place(event: Event) -> str:
    return event.digest.hex()


def _name(task: Task, runs: int, seed: str) -> str:
    """Return the key of a result: the moment, including the digest of its event, and how it was played."""
    said = "\n".join((VERSION, task.key, str(runs), seed))
    return blake2b(said.encode(), digest_size=16).hexdigest()


def _yield_wins_by_task(
    wanted: Sequence[tuple[str, Task]], seed: str, runs: int, jobs: int, on: str
) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield how often each side won, task by task, in order."""
    spans = [range(first, min(first + PART, runs)) for first in range(0, runs, PART)]
    parts = [(shared, seed, runs, span) for _, task in wanted for shared in [Shared(task)] for span in spans]
    yield from _gathered(wanted, len(spans), fan_out(_part, parts, jobs=jobs, on=on))


def _gathered(
    wanted: Sequence[tuple[str, Task]], each: int, parts: Iterator[dict[str, int]]
) -> Iterator[tuple[str, dict[str, int]]]:
    for name, _ in wanted:
        wins: dict[str, int] = {}
        for _ in range(each):
            for side, count in next(parts).items():
                wins[side] = wins.get(side, 0) + count
        yield name, wins


def _part(given: tuple[Shared[Task], str, int, range]) -> dict[str, int]:
    """Play some of the fights of a task, and return how often each side won."""
    shared, seed, runs, numbers = given
    task = shared.value
    table = Scratch(make_fight_context(duplicate(task.state), None))
    wins: dict[str, int] = {}
    for number in numbers:
        table.again(blake2b(f"{seed}/{number}".encode(), digest_size=32).digest())
        if task.again is not None:
            total = distribution(task.dice).quantile(number, runs) if task.dice else None
            dice, table.dice = table.dice, Staked(table.dice, task.stake, total)
            table.answers = _Answers(task.chosen)
            with suppress(AffrayError):
                table.declare(task.again.act)
            table.dice, table.answers = dice, answer_by_policy
        won = played_out(table).won
        wins[won] = wins.get(won, 0) + 1
    return wins


class Staked:
    """Dice of which the decisive ones have a given total; None leaves them to the other dice."""

    def __init__(self, then: Source, stake: str, total: int | None) -> None:
        self.then, self.stake, self.total = then, stake, total

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the total for the decisive roll, the result of the other dice for any other roll."""
        if self.total is not None and _tail(key) == self.stake:
            with suppress(ImpossibleFaces):
                return rethrow(notation, faces_for(notation, self.total)), "overridden"
        return self.then.throw(key, notation)


class _Answers:
    """The answers given when it was declared, as long as the same is asked; then the default policy."""

    def __init__(self, chosen: Iterable[tuple[str, str]]) -> None:
        self.chosen = dict(chosen)

    def __call__(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        said = self.chosen.get(_tail(key), "")
        return (said, "as before") if said in choice.options else answer_by_policy(fight, key, choice)


# --- A fight's chances stored in a file next to the log, for reuse

FORMAT, FORMAT_VERSION = "affray-swing", 1
MOST_BYTES = 20_000_000
"""A larger file is started again."""


def beside(log: Path) -> Path:
    """Return the path of the results for a log: next to the log itself, also if a link leads to it."""
    path = Path(os.path.realpath(log))
    return path.with_name(f"{path.name}-swing")


def compute_stored_swing(
    store: Store,
    log: Path,
    *,
    branch: str = "",
    runs: int = RUNS,
    jobs: int = 1,
    on: str = "",
    seed: str = "swing",
    progress: Callable[[int, int], None] | None = None,
    told: Told = plainly,
) -> Swing:
    """Return the chances along a line (see `swing`), and store the results next to the log.

    Results are stored by the digest of the starting event: they fit no other log. An unreadable file is
    ignored; if writing fails, nothing is stored.
    """
    kept = _read(beside(log))
    before = len(kept)
    try:
        return swing(
            store,
            branch=branch,
            runs=runs,
            jobs=jobs,
            on=on,
            seed=seed,
            kept=kept,
            progress=progress,
            told=told,
        )
    finally:
        if len(kept) > before:
            _write(beside(log), kept)


def _read(path: Path) -> Kept:
    with suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
        found = json.loads(read_found(path, MOST_BYTES, path.parent))
        if (found["format"], found["version"]) == (FORMAT, FORMAT_VERSION):
            wins = found["wins"].items()
            return {str(name): {str(side): int(count) for side, count in one.items()} for name, one in wins}
    return {}


def _counts(wins: dict[str, int]) -> dict[str, int]:
    return {str(side): int(count) for side, count in wins.items()}


def _write(path: Path, kept: Kept) -> None:
    written = json.dumps({"format": FORMAT, "version": FORMAT_VERSION, "wins": kept}, separators=(",", ":"))
    with suppress(OSError), replacing(path) as file:
        file.write(written.encode())
