"""The ledger: where the server writes. One table over the main line, one thread, one command at a time."""

from collections.abc import Callable, Collection
from typing import Any

from msgspec import Struct

from affray.engine.dice import Manual, Source
from affray.engine.fight.fight import Fight
from affray.engine.steps import Choice
from affray.engine.table import policies
from affray.engine.table.by_hand import by_hand
from affray.engine.table.outcome import MustAnswer, NothingAsked, Outcome
from affray.engine.table.table import Table
from affray.events.envelope import Event
from affray.events.errors import Conflict, InvalidBranch, RequestReused
from affray.events.facts.declared import AnyAct, Asked, Refused
from affray.events.sqlite import SqliteStore
from affray.replay.branch import fork, promote
from affray.replay.disputes import dispute, rule
from affray.replay.serve.desks import Desk
from affray.replay.serve.errors import Problem
from affray.replay.serve.positions import Place, end_of
from affray.replay.undo import redo, undo


class Written(Struct, frozen=True):
    """What a command came to: the positions before and after it, its events, a refusal, a question.

    `before` and `after` are on one line unless another one became the main line.
    """

    before: Place
    after: Place
    events: tuple[Event, ...] = ()
    refused: Refused | None = None
    asked: Asked | None = None
    told: str = ""


class Asking:
    """Answers of combatants whose players are there: none, the fight waits. All others by their policies."""

    def __init__(self, asked: Callable[[], Collection[str]], everybody: bool) -> None:
        """Ask the combatants that `asked` returns, or with `everybody` whoever has a choice."""
        self._asked = asked
        self._then = policies.by_combatant(policies.ask if everybody else policies.auto)

    def __call__(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return (answer, by whom), or None for the fight to wait."""
        return None if choice.who in self._asked() else self._then(fight, key, choice)


class Ledger:
    """Writes to the main line, for whoever may: that is not asked here."""

    def __init__(self, desk: Desk, answers: policies.Answers) -> None:
        """Write at a desk; `answers` are asked for what nobody is."""
        self._desk, self._answers = desk, answers
        self._table: Table | None = None

    async def declare(self, act: AnyAct, expected: Place, by: str, request: str, manual: bool) -> Written:
        """Declare an act; with `manual` its dice are thrown by people. Raises Problem, AffrayError."""
        return await self._written(
            expected, request, manual, lambda table: table.declare(act, by=by, request=request)
        )

    async def choose(self, answer: str, expected: Place, by: str, request: str, manual: bool) -> Written:
        """Answer what the fight waits for. Raises Problem, AffrayError."""
        return await self._written(
            expected, request, manual, lambda table: table.choose(answer, by=by, request=request)
        )

    async def undo(self, count: int, expected: Place, by: str, request: str) -> Written:
        """Take back the last declarations. Raises Problem, AffrayError."""
        return await self._promoted(expected, request, lambda store: _many(undo(store, count, by, request)))

    async def redo(self, expected: Place, by: str, request: str) -> Written:
        """Bring again what the last undo took back. Raises Problem, AffrayError."""
        return await self._promoted(expected, request, lambda store: _many(redo(store, by, request)))

    async def fork(self, at: str, name: str, expected: Place) -> Written:
        """Begin a branch of the main line; the same once more is no error. Raises Problem, AffrayError."""

        def begun(store: SqliteStore) -> str:
            try:
                made = fork(store, at, name)
            except InvalidBranch:
                known = [one for one in store.branches() if one.name == name and str(one.at) == at]
                if not known:
                    raise
                made = known[0]
            return f"{name} leaves {made.parent} after event {made.at}"

        return await self._promoted(expected, "", begun)

    async def promote(self, branch: str, expected: Place, by: str, request: str) -> Written:
        """Make a branch the main line. Raises Problem, AffrayError."""

        def made(store: SqliteStore) -> str:
            promote(store, branch, by, request)
            return f"{branch} is the main line"

        return await self._promoted(expected, request, made)

    async def dispute(self, at: int, claim: str, expected: Place, by: str, request: str) -> Written:
        """Put on record that somebody contests an event. Raises Problem, AffrayError."""
        return await self._promoted(
            expected, request, lambda store: dispute(store, at, by, claim, request=request).id
        )

    async def rule(self, expected: Place, request: str, by: str, **ruling: Any) -> Written:
        """Rule on an event; see `disputes.rule`. Raises Problem, AffrayError."""

        def ruled(store: SqliteStore) -> str:
            done = rule(store, by=by, request=request, **ruling)
            return done.difference.sentence if done.difference is not None else done.ruling.text

        return await self._promoted(expected, request, ruled)

    async def _written(
        self, expected: Place, request: str, manual: bool, command: Callable[[Table], Outcome]
    ) -> Written:
        dice = Manual(lambda key, notation: None) if manual else None

        def work(store: SqliteStore) -> Written:
            known = store.recorded(request)
            before = end_of(store)
            if not known and before != expected:
                raise stale(expected, before)
            outcome = self._commanded(store, before, dice, command)
            after = end_of(store)
            return Written(
                Place(before.branch, before.epoch, outcome.events[0].seq - 1),
                Place(before.branch, before.epoch, outcome.events[-1].seq) if known else after,
                outcome.events,
                outcome.refused,
                outcome.waiting,
            )

        return await self._desk.do(work)

    def _commanded(
        self, store: SqliteStore, now: Place, dice: Source | None, command: Callable[[Table], Outcome]
    ) -> Outcome:
        table = self._table
        if table is None or (table.branch, table.seq) != (now.branch, now.seq):
            table = self._table = Table(store, now.branch, answers=self._answers, hands=by_hand(store))
        table.use(dice)
        try:
            return command(table)
        except Conflict:
            raise stale(now, end_of(store)) from None
        except MustAnswer as error:
            raise Problem("waiting", str(error), position=str(now)) from None
        except NothingAsked as error:
            raise Problem("not_waiting", str(error), position=str(now)) from None
        except RequestReused as error:
            raise Problem("request_reused", str(error), position=str(now)) from None

    async def _promoted(
        self, expected: Place, request: str, command: Callable[[SqliteStore], str]
    ) -> Written:
        def work(store: SqliteStore) -> Written:
            before = end_of(store)
            known = store.recorded(request) if request else []
            if known:
                return Written(before, before, (), told=_told_before(known))
            if before != expected:
                raise stale(expected, before)
            try:
                told = command(store)
            except Conflict:
                raise stale(before, end_of(store)) from None
            return Written(before, end_of(store), told=told)

        return await self._desk.do(work)


def stale(expected: Place, now: Place) -> Problem:
    """Return what tells that the fight has gone on since."""
    return Problem(
        "stale_position", f"the fight has gone on: it is at {now}, not at {expected}", position=str(now)
    )


def _many(step: Any) -> str:
    return f"{step.line} is the main line, {step.left} keeps what was taken back or left"


def _told_before(events: list[Event]) -> str:
    return f"done before: {events[0].type} at {events[0].seq} of {events[0].stream}"
