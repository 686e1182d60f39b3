"""The odds of a fight: play on from a position many times with new dice and count how it ends."""

import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from itertools import chain
from math import sqrt

from msgspec import Struct

from affray.engine.dice import Seeded, Source
from affray.engine.fight.fight import Fight, is_down
from affray.engine.steps import Choice
from affray.engine.table.appending import Outcome, end_event_rulings
from affray.engine.table.policies import NAMED, Answers, auto
from affray.engine.table.runner import resolve
from affray.engine.table.tactics import play_on
from affray.events.errors import AffrayError
from affray.events.facts.flow import AnyAct, Declared
from affray.events.stores.store import Store
from affray.projections.fold import apply
from affray.projections.state import Encounter, Question, duplicate
from affray.replay.log.branches import find_declarable_event
from affray.replay.log.declarations import group_of
from affray.replay.log.playhead import state_at
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.workers import Shared, fan_out

ROUNDS = 50
"""Rounds after which a fight counts as undecided."""

PART = 25
"""Minimum number of fights that a worker plays at a time; more if there would be more parts than below."""
EACH = 20
"""Parts per process of this machine: all end nearly together, and the overhead of a part is small."""
MOST_PARTS = 4000
"""Most parts: they keep a thousand workers of Ray busy, and handing them out takes only seconds."""

_Z = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""


class Share(Struct, frozen=True):
    """How often an event happened: `count` of `runs`, with the 95 % Wilson interval in percent."""

    count: int
    runs: int
    low: float
    high: float

    @classmethod
    def of(cls, count: int, runs: int) -> "Share":
        """Return the share with its interval."""
        low, high = wilson(count, runs)
        return cls(count, runs, round(100 * low, 1), round(100 * high, 1))


class Odds(Struct):
    """How a fight ends when it is played on from event `seq`: by side, by combatant, in rounds.

    `wins` has "" for fights without a winner within the limit. `rounds` is the mean number of rounds played
    on, with its 95 % interval.
    """

    branch: str
    seq: int
    round: int
    seed: str
    runs: int
    wins: dict[str, Share]
    lives: dict[str, Share]
    rounds: float
    rounds_low: float
    rounds_high: float


class Run(Struct, frozen=True):
    """How one fight ended: the winner ("" for none), the survivors, and the number of further rounds."""

    won: str
    alive: tuple[str, ...]
    rounds: int


def _none(state: Encounter) -> str:
    return ""


class Scratch:
    """A table without a log: declarations take effect, `hear` is called with each fact and each roll.

    Declarations are not checked for storage, since they are never read back.
    """

    def __init__(self, fight: Fight, hear: Callable[[object], object] = id) -> None:
        """Play on in a fight. Without a listener, a builtin is called, which costs no frame per step.

        The facts then have no digests of the state.
        """
        self.fight, self._hear = fight, hear
        for fact in chain.from_iterable(end_event_rulings(fight.state)):
            apply(fight.state, fact)  # before any question: the fight has cached nothing yet
        if hear is id:
            fight.digest = _none
        self._start = duplicate(fight.state)
        self.dice: Source
        self.answers: Answers = answer_by_policy

    @property
    def state(self) -> Encounter:
        """The current state."""
        return self.fight.state

    @property
    def waiting(self) -> Question | None:
        """The question that the fight waits for: none, since all questions are answered."""
        return None

    def again(self, seed: bytes) -> None:
        """Return to the start with other dice. O(combatants); sheets and map are shared."""
        self.fight.begin_again(self._start)
        self.dice = Seeded(seed)

    def declare(self, act: AnyAct, by: str = "") -> Outcome:
        """Execute a declaration."""
        declared = Declared(f"d{self.state.declarations + 1}", act, by)
        result = resolve(self.fight, declared, seq=1, dice=self.dice, answers=self.answers, tell=self._hear)
        return Outcome((), result.refused)


def odds(
    store: Store,
    at: str,
    *,
    runs: int = 200,
    jobs: int = 1,
    on: str = "",
    seed: str = "odds",
    branch: str = "",
    progress: Callable[[int], bool | None] | None = None,
) -> Odds:
    """Play the fight on from a position `runs` times by automatic play and return how it ends.

    Run n has its own dice, derived from `seed` and n: the same seed gives the same odds however many workers
    share the work (see `workers`). `progress` is called with the number of finished runs; if it returns
    False, the odds are those of the runs so far. Raises AffrayError if the fight has not begun, is over, or
    waits for an answer there, BadPosition.
    """
    branch = branch or store.main_line()
    if runs < 1 or jobs < 1:
        raise AffrayError("odds need at least one run and one job")
    seq = group_of(store, branch, max(1, find_declarable_event(store, branch, at)))[-1].seq
    state = state_at(store, branch, seq)
    if not state.begun or state.closed:
        raise AffrayError(f"there is nothing to play on at event {seq}: the fight has not begun or is over")
    if state.pending is not None:
        raise AffrayError(
            f"the fight waits at event {seq} ({state.pending.question}): answer the question first"
        )
    done: list[Run] = []
    with closing(_played(state, seed, runs, jobs, on)) as played:
        for run in played:
            done.append(run)
            if progress is not None and progress(len(done)) is False:
                break
    runs = len(done)
    sides = list(dict.fromkeys(one.side for one in state.combatants.values()))
    undecided = sum(not run.won for run in done)
    mean = sum(run.rounds for run in done) / runs
    spread = sqrt(sum((run.rounds - mean) ** 2 for run in done) / max(1, runs - 1))
    margin = _Z * spread / sqrt(runs)
    return Odds(
        branch=branch,
        seq=seq,
        round=state.round,
        seed=seed,
        runs=runs,
        wins={side: Share.of(sum(run.won == side for run in done), runs) for side in sides}
        | ({"": Share.of(undecided, runs)} if undecided else {}),
        lives={id: Share.of(sum(id in run.alive for run in done), runs) for id in state.combatants},
        rounds=round(mean, 2),
        rounds_low=round(max(0.0, mean - margin), 2),
        rounds_high=round(mean + margin, 2),
    )


def wilson(count: int, runs: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a proportion."""
    share = count / runs
    scale = 1 + _Z * _Z / runs
    middle = share + _Z * _Z / (2 * runs)
    margin = _Z * sqrt(share * (1 - share) / runs + _Z * _Z / (4 * runs * runs))
    # At the ends the formula is exact but its floating point is not.
    low = (middle - margin) / scale if count else 0.0
    return low, (middle + margin) / scale if count < runs else 1.0


def _played(state: Encounter, seed: str, runs: int, jobs: int, on: str) -> Generator[Run, None, None]:
    """Yield the runs in order, whichever worker plays them."""
    if jobs == 1 and not on:
        yield from _some(state, seed, range(runs))
        return
    size = max(1, min(max(PART, runs // (MOST_PARTS if on else EACH * jobs)), -(-runs // jobs)))
    start = Shared(state)
    parts = [(start, seed, range(first, min(first + size, runs))) for first in range(0, runs, size)]
    yield from chain.from_iterable(fan_out(_part, parts, jobs=jobs, on=on))


def _part(given: tuple[Shared[Encounter], str, range]) -> list[Run]:
    start, seed, numbers = given
    return list(_some(start.value, seed, numbers))


def _some(state: Encounter, seed: str, numbers: Iterable[int]) -> Iterator[Run]:
    table = Scratch(make_fight_context(duplicate(state), None))
    for number in numbers:
        table.again(run_seed(seed, number))
        yield played_out(table)


def run_seed(seed: str, number: int) -> bytes:
    """Return the seed of the dice of a run: the same from every start."""
    return hashlib.blake2b(f"{seed}/{number}".encode(), digest_size=32).digest()


def played_out(table: Scratch) -> Run:
    """Play a fight to its end by automatic play, and return how it ended."""
    first = table.state.round
    # If automatic play is stuck, the fight stays undecided.
    with suppress(RuntimeError):
        play_on(table, ROUNDS)
    fight, state = table.fight, table.state
    standing = {one.side for one in state.combatants.values() if not is_down(fight, one)}
    alive = tuple(one.id for one in state.combatants.values() if not state.is_dead(one))
    return Run(next(iter(standing)) if len(standing) == 1 else "", alive, state.round - first)


def answer_by_policy(fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
    """Answer by the combatant's own policy; if that asks the player, by the default policy."""
    who = fight.state.combatants.get(choice.who)
    policy = NAMED.get(who.policy, auto) if who is not None and who.policy else auto
    return policy(fight, key, choice) or auto(fight, key, choice)
