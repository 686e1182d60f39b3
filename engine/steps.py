"""The requests that a resolver may yield in addition to facts, and its refusals."""

from collections.abc import Callable, Generator, Iterable, Mapping
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from affray.events.errors import UNNAMED, AffrayError, counted, did_you_mean
from affray.events.facts.base import Fact

T = TypeVar("T")
Steps = Generator[Any, Any, T]
"""A resolver: yields facts, rolls and choices; is sent Rolled facts and answers; returns T."""


def _finished() -> Steps[None]:
    return
    yield


NOTHING: Final = _finished()
"""No steps, for a point that has nothing to do: an iterator that is exhausted for every user."""

next(NOTHING, None)


def altered(steps: Steps[T], alter: Callable[[object], object]) -> Steps[T]:
    """Run steps, each replaced by what `alter` returns for it."""
    sent = None
    while True:
        try:
            step = steps.send(sent)
        except StopIteration as done:
            found: T = done.value
            return found
        sent = yield alter(step)


def reciting(steps: Steps[T], kind: type[Fact] | tuple[type[Fact], ...], *rules: str) -> Steps[T]:
    """Run steps, with these rules cited by the facts of one kind (or of some)."""

    def cited(step: object) -> object:
        if not isinstance(step, kind):
            return step
        return replace(step, cites=tuple(dict.fromkeys((*step.cites, *rules))))

    return altered(steps, cited)


def observed(steps: Steps[T], observe: Callable[[object], object]) -> Steps[T]:
    """Run steps, and let `observe` see each of them first."""

    def seen(step: object) -> object:
        observe(step)
        return step

    return altered(steps, seen)


def answered(steps: Steps[None], answer: Callable[[object], Steps[None]]) -> Steps[None]:
    """Run steps and, right after each of them, the steps that `answer` returns to it."""
    sent = None
    while True:
        try:
            step = steps.send(sent)
        except StopIteration:
            return
        sent = yield step
        yield from answer(step)


def onward(steps: Steps[None], step: object) -> Steps[None]:
    """Continue steps whose first one, `step`, was taken already but not yet yielded."""
    try:
        while True:
            step = steps.send((yield step))
    except StopIteration:
        return


Judge = Callable[..., object]
"""Returns the fact of a roll, given its key and the total of its dice, None if it is undecided."""


class Roll(Struct, frozen=True, gc=False):
    """Ask for dice. The resolver is sent the Rolled fact.

    `judge` returns the result of each total of the dice in the state at the time of the roll; odds call it
    for all totals. `along` are the keys of earlier rolls that are compared with this one and are still
    undecided: the judge takes a total of each of them before its own. If a roll decides for several
    combatants, each has a judge by its id.
    """

    who: str
    purpose: str
    notation: str = "1d20"
    judge: Judge | Mapping[str, Judge] | None = None
    along: tuple[str, ...] = ()


def judged(
    combatant_id: str,
    purpose: str,
    judge: Callable[..., T],
    notation: str = "1d20",
    taken: int = 0,
    along: tuple[str, ...] = (),
) -> Steps[T]:
    """Roll the dice of a test, unless a number is `taken` for them, and return the resulting fact."""
    key, face = "", taken
    if not taken:
        rolled = yield Roll(combatant_id, purpose, notation, judge, along)
        key, face = rolled.key, rolled.total
    fact = judge(key, face)
    yield fact
    return fact


class Choice(Struct, frozen=True, gc=False):
    """Ask a combatant's player (or the game master: who "") to choose. The answer, an option, is sent.

    The first option is the usual answer, which automatic play gives.
    """

    who: str
    purpose: str
    question: str
    options: tuple[str, ...]
    rule: str = ""


class Distraction(Struct, frozen=True, gc=False):
    """A spell with this DC distracts a combatant; a casting in progress reacts to it.

    It is not a fact: the runner ignores it where the combatant is not casting.
    """

    who: str
    dc: int


class Refusal(AffrayError):
    """A declaration that the rules forbid: `reason` in words, `rule` the id of the rule.

    Resolvers raise it before their first roll or fact; the runner turns it into a Refused value.
    """

    def __init__(self, reason: str, rule: str) -> None:
        super().__init__(f"{reason} [{rule}]")
        self.reason, self.rule = reason, rule


class Interrupted(Exception):
    """A combatant's act cannot go on after an interruption; `lost` is the fact that reports why."""

    def __init__(self, lost: Fact) -> None:
        self.lost = lost


MOST_TIES: Final = 100
"""The most rolls in a row that may be tied: two fair d20s do so once in 20**100 fights."""


class EndlessTie(AffrayError):
    """Dice that break no tie, however often they are rolled again: a constant source, or a forged log."""

    def __init__(self, *ids: str) -> None:
        ties = counted(MOST_TIES, "tie")
        super().__init__(f"{ties} in a row between {' and '.join(ids)}: these dice decide nothing")


MOST_WORDS: Final = 12
"""The most words of the rules to list if none was given."""


def unknown_word(
    kind: str, said: str, known: Iterable[str], rule: str, owner: str = "", use: str = ""
) -> Refusal:
    """Return the refusal of a word that is no `kind`, or of none: with the nearest known one, or with all.

    `owner` is the combatant without it, `use` the purpose: "to draw".
    """
    named = f"{owner} has no {kind} {said!r}" if owner else f"{said!r} is no {kind}"
    what = f"{named if said else f'no {kind} {UNNAMED}'}{use and ' '}{use}"
    return Refusal(f"{what}{did_you_mean(said, known, MOST_WORDS)}", rule)
