"""Commands: how the server writes, and declarations that are held for the game master."""

from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from affray.engine.dice import Manual, Source
from affray.engine.fight.fight import Fight
from affray.engine.steps import Choice, Refusal
from affray.engine.table import policies
from affray.engine.table.appending import MustAnswer, NothingAsked, Outcome
from affray.engine.table.dice import by_hand
from affray.engine.table.runner import refusal_of
from affray.engine.table.table import Table
from affray.events.envelope import Event
from affray.events.errors import AffrayError, Conflict, InvalidBranch, RequestReused
from affray.events.facts.flow import AnyAct, Asked, Declared, Refused
from affray.events.stores.store import PROMOTED, Store, owner
from affray.replay.explain import disputes
from affray.replay.log.branches import find_declarable_event, fork, promote
from affray.replay.log.playhead import state_at
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.privacy.audience import Audience, AudienceFilter, without
from affray.replay.privacy.visibility import words_of
from affray.replay.serve.access import Guest
from affray.replay.serve.http import Problem
from affray.replay.serve.messages import Choice as LineChoice
from affray.replay.serve.messages import Expects, FeedCursor, HeldDeclaration, end_of
from affray.replay.serve.workers import Desk
from affray.replay.text.options import name_of, said_of
from affray.replay.undo import Step, redo, spoken, undo

# --- The ledger: where the server writes. One table for the main line, one thread, one command at a time

MOST_REMEMBERED = 256
"""Most stored answers to commands that leave no event on the main line."""


_KEPT = "served/"
"""The beginning of the name of the note on a request."""


class Written(msgspec.Struct, frozen=True):
    """The result of a command: the positions before and after it, its events, a refusal, a question.

    `before` and `after` are on one line unless another one became the main line. With `held` nothing has
    happened: the declaration waits under this id for the game master. With `choices` nothing has happened
    either; `look` is an event that a line asks about.
    """

    before: FeedCursor
    after: FeedCursor
    events: tuple[Event, ...] = ()
    refused: Refused | None = None
    asked: Asked | None = None
    told: str = ""
    held: str = ""
    choices: tuple[LineChoice, ...] = ()
    look: int = 0


class _Noted(msgspec.Struct, frozen=True):
    what: str
    before: FeedCursor
    after: FeedCursor
    told: str


class Asking:
    """No answer for combatants with players, which makes the fight wait; answers by policy for all others."""

    def __init__(self, asked: Callable[[], Collection[str]], everybody: bool) -> None:
        """Ask the combatants that `asked` returns, or with `everybody` every combatant with a choice."""
        self._asked = asked
        self._then = policies.by_combatant(policies.ask if everybody else policies.auto)

    def __call__(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return (answer, by whom), or None for the fight to wait."""
        return None if choice.who in self._asked() else self._then(fight, key, choice)


class Ledger:
    """Write to the main line; the permission to do so is checked elsewhere.

    A repeated request is executed once and answered the same: by the log, also after a restart. Requests that
    leave no event (a new branch, a trial ruling) are recorded in a note next to the log, which lets another
    server of the same log recognize them.
    """

    def __init__(self, desk: Desk, answers: policies.Answers) -> None:
        """Write at a desk; `answers` decides questions that no player is asked."""
        self._desk, self._answers = desk, answers
        self._table: Table | None = None
        self._done: OrderedDict[str, tuple[object, Written]] = OrderedDict()

    async def begin(self) -> None:
        """Load the rules before the first command: loading takes longer than using them."""
        with suppress(AffrayError):  # the first command reports it
            await self._desk.do(lambda store: self._at(store, end_of(store)))

    async def declare(
        self,
        act: AnyAct,
        expected: Expects,
        by: str,
        request: str,
        manual: bool,
        *,
        by_chance: bool | None = None,
    ) -> Written:
        """Declare an act; with `manual` people roll its dice. Raises Problem, AffrayError.

        `by_chance` is as in `Table.declare`.
        """
        return await self._played(
            expected,
            request,
            manual,
            lambda table: table.declare(act, by=by, request=request, by_chance=by_chance),
        )

    async def choose(self, answer: str, expected: Expects, by: str, request: str, manual: bool) -> Written:
        """Answer the pending question. Raises Problem, AffrayError."""
        return await self._played(
            expected, request, manual, lambda table: table.choose(answer, by=by, request=request)
        )

    async def undo(self, count: int, expected: Expects, by: str, request: str) -> Written:
        """Undo the last declarations. Raises Problem, AffrayError."""
        what = "undo", count
        return await self._turned(
            expected, request, what, (PROMOTED,), lambda store: _many(store, undo(store, count, by, request))
        )

    async def redo(self, expected: Expects, by: str, request: str) -> Written:
        """Redo what the last undo undid. Raises Problem, AffrayError."""
        return await self._turned(
            expected, request, ("redo",), (PROMOTED,), lambda store: _many(store, redo(store, by, request))
        )

    async def fork(self, at: str, name: str, expected: Expects, request: str) -> Written:
        """Create a branch of the main line; creating the same one again is not an error. Raises Problem,
        AffrayError.
        """

        def begun(store: Store) -> str:
            try:
                made = fork(store, at, name)
            except InvalidBranch:
                same = [one for one in store.branches() if one.name == name and one.parent]
                if not same or find_declarable_event(store, same[0].parent, at) != same[0].at:
                    raise
                made = same[0]
            return f"{name} leaves {made.parent} after event {made.at}"

        return await self._turned(expected, request, ("fork", at, name), (), begun)

    async def promote(self, branch: str, expected: Expects, by: str, request: str) -> Written:
        """Make a branch the main line. Raises Problem, AffrayError."""

        def made(store: Store) -> str:
            promote(store, branch, by, request)
            return f"{branch} is the main line"

        return await self._turned(expected, request, ("promote", branch), (PROMOTED,), made)

    async def dispute(
        self, at: int, claim: str, expected: Expects, by: str, request: str, *, by_chance: bool | None = None
    ) -> Written:
        """Record a dispute of an event. Raises Problem, AffrayError.

        `by_chance` is as in `disputes.dispute`.
        """

        def put_on_record(store: Store) -> str:
            now = end_of(store)
            if state_at(store, now.branch, now.seq).pending is not None:
                raise make_pending_problem(now)
            return disputes.dispute(store, at, by, claim, request=request, by_chance=by_chance).id

        return await self._turned(expected, request, ("dispute", at, claim), ("disputed",), put_on_record)

    async def rule(self, expected: Expects, request: str, by: str, **ruling: Any) -> Written:
        """Rule on an event; see `disputes.rule`. Raises Problem, AffrayError."""

        def ruled(store: Store) -> str:
            done = disputes.rule(store, by=by, request=request, **ruling)
            return str(done.difference.sentence if done.difference is not None else done.ruling.text)

        what = "rule", sorted(ruling.items())
        return await self._turned(expected, request, what, (PROMOTED, "ruled"), ruled)

    async def _played(
        self, expected: Expects, request: str, manual: bool, command: Callable[[Table], Outcome]
    ) -> Written:
        dice = Manual(lambda key, notation: None) if manual else None

        def work(store: Store) -> Written:
            known = store.recorded(request)
            before = end_of(store)
            if not known and (request in self._done or store.note(_KEPT + request) is not None):
                raise _reused(request, before)
            if known and known[0].stream != before.branch:
                return self._answer_from_other_line(store, before, known, command)
            if not known and not expected.stands(store, before):
                raise stale(expected, before)
            try:
                outcome = self._commanded(store, before, dice, command)
            except Conflict:
                if not expected.stands(store, end_of(store)):
                    raise stale(expected, end_of(store)) from None
                return work(store)  # the events in between do not matter to the sender
            return Written(*_span(before, outcome.events), outcome.events, outcome.refused, outcome.waiting)

        return await self._desk.do(work)

    def _answer_from_other_line(
        self, store: Store, now: FeedCursor, known: list[Event], command: Callable[[Table], Outcome]
    ) -> Written:
        """Return the answer to a command that was executed on a line from which the main line has branched
        off.
        """
        try:
            outcome = command(Table(store, known[0].stream))  # only checks that it is the same command
        except RequestReused as error:
            raise Problem("request_reused", str(error), position=str(now)) from None
        if not _holds(store, now, known):
            return Written(now, now, told=f"{_find_earlier_answer(known)}, but not on the current main line")
        return Written(*_span(now, outcome.events), outcome.events, outcome.refused, outcome.waiting)

    def _at(self, store: Store, now: FeedCursor) -> Table:
        table = self._table
        if table is None or (table.branch, table.seq) != (now.branch, now.seq):
            table = self._table = Table(store, now.branch, answers=self._answers, hands=by_hand(store))
        return table

    def _commanded(
        self, store: Store, now: FeedCursor, dice: Source | None, command: Callable[[Table], Outcome]
    ) -> Outcome:
        table = self._at(store, now)
        table.use(dice)
        try:
            return command(table)
        except MustAnswer:
            raise make_pending_problem(now) from None
        except NothingAsked as error:
            raise Problem("not_waiting", str(error), position=str(now)) from None
        except RequestReused as error:
            raise Problem("request_reused", str(error), position=str(now)) from None

    async def _turned(
        self,
        expected: Expects,
        request: str,
        what: object,
        kinds: Collection[str],
        command: Callable[[Store], str],
    ) -> Written:
        """Execute a command other than a declaration. `what` identifies it, `kinds` are its event types."""

        def work(store: Store) -> Written:
            before = end_of(store)
            if request in self._done:
                done, written = self._done[request]
                if done != what:
                    raise _reused(request, before)
                return written
            if (note := store.note(_KEPT + request)) is not None:
                return _noted(note, what, request, before)
            if known := store.recorded(request):
                return _again(store, before, known, kinds, request)
            if not expected.stands(store, before):
                raise stale(expected, before)
            try:
                told = command(store)
            except Conflict:
                if not expected.stands(store, end_of(store)):
                    raise stale(expected, end_of(store)) from None
                return work(store)  # as above
            events = tuple(store.recorded(request))
            here = bool(events) and events[0].stream == before.branch
            places = _span(before, events) if here else (before, end_of(store))
            written = Written(*places, events if here else (), told=told)
            if not events:
                store.keep_note(_KEPT + request, msgspec.json.encode(_Noted(repr(what), *places, told)))
            self._done[request] = what, written
            if len(self._done) > MOST_REMEMBERED:
                self._done.popitem(last=False)
            return written

        return await self._desk.do(work)


def stale(expected: Expects, now: FeedCursor) -> Problem:
    """Return the problem of a command whose expected position is outdated."""
    return Problem("stale_position", f"the fight has moved on since {expected}", position=str(now))


def _reused(request: str, now: FeedCursor) -> Problem:
    return Problem("request_reused", "the request id was already used for another command", position=str(now))


def _noted(note: bytes, what: object, request: str, now: FeedCursor) -> Written:
    """Return the answer to a command that left no event, possibly given by another server."""
    kept = msgspec.json.decode(note, type=_Noted)
    if kept.what != repr(what):
        raise _reused(request, now)
    return Written(kept.before, kept.after, told=kept.told)


def _again(
    store: Store, now: FeedCursor, known: list[Event], kinds: Collection[str], request: str
) -> Written:
    """Return the answer to a command executed earlier, from the log alone."""
    if known[0].type not in kinds:
        raise _reused(request, now)
    if known[0].type == PROMOTED or not _holds(store, now, known):
        return Written(now, now, told=_find_earlier_answer(known))
    return Written(*_span(now, known), tuple(known), told=_find_earlier_answer(known))


def _holds(store: Store, now: FeedCursor, events: Sequence[Event]) -> bool:
    """Return whether the main line holds these events."""
    return owner(store.lineage(now.branch), events[-1].seq) == events[0].stream


def _span(now: FeedCursor, events: Sequence[Event]) -> tuple[FeedCursor, FeedCursor]:
    """Return the positions before and after events of the main line."""
    first, last = events[0].seq, events[-1].seq
    return FeedCursor(now.branch, now.epoch, first - 1), FeedCursor(now.branch, now.epoch, last)


def make_pending_problem(now: FeedCursor) -> Problem:
    """Return the problem of a pending question; it does not show the question, which may be secret."""
    return Problem("waiting", "the fight waits for the answer to a question", position=str(now))


def _many(store: Store, step: Step) -> str:
    said, also = spoken(store, step)
    acts = [f"ruling {one.id}: {one.text}" for one in step.rulings]
    acts += [f"{one.id}: {said[one.id]}" for one in step.declarations if not one.refused] + also
    return f"{step.line} is the main line, {step.left} keeps what was undone ({'; '.join(acts)})"


def _find_earlier_answer(events: Sequence[Event]) -> str:
    return f"already done: {events[0].type}"


# --- Declarations that are held for the game master: refused for a reason that their player cannot know
#
# A refusal would reveal a hidden combatant for free. The declaration is therefore held: the game master sees
# the true reason, and declares an act in the player's place or rejects it. Held declarations are not facts of
# the fight and are lost when the server ends; their players declare again.

MISSED: Final = (LookupError, AttributeError, TypeError, ValueError)
"""Exceptions that the rules may raise when a combatant that they need is missing."""


def refused_by_hidden(store: Store, audience: Audience, act: AnyAct, expected: Expects) -> Refusal | None:
    """Return the refusal of a declaration that hidden combatants cause, None if they do not cause one.

    Also None if the fight has moved on or waits: that is reported before the rules are asked.
    """
    place = end_of(store)
    if not audience.hide or not expected.stands(store, place):
        return None
    state = state_at(store, place.branch, place.seq)
    if state.pending is not None:
        return None
    declared = Declared("held", act, "")
    refusal = refusal_of(make_fight_context(state, None), declared)
    if refusal is None:
        return None
    try:
        found = refusal_of(make_fight_context(without(state, audience.hide), None), declared)
    except MISSED:
        return refusal
    depends = found is None or AudienceFilter(audience, state).sieve.names_hidden(found.reason, words_of(act))
    return refusal if depends else None


class Holding:
    """The held declarations: the last of each combatant, until its player declares something else."""

    def __init__(self) -> None:
        """Start empty."""
        self._held: dict[str, tuple[HeldDeclaration, str, str]] = {}
        self._counts: Counter[str] = Counter()  # counted per guest: an id reveals no other guest's count
        self.changed: Callable[[], None] = lambda: None
        """Called when a held declaration is added, dropped or decided."""

    def again(self, request: str, act: AnyAct, now: Expects) -> str:
        """Return the id under which a request is held, "" if it is not. Raises Problem for another act."""
        for held, asked, _ in self._held.values():
            if asked == request:
                if held.act != act:
                    reason = "the request id was already used for another command"
                    raise Problem("request_reused", reason, position=str(now))
                return held.id
        return ""

    def hold(self, guest: Guest, act: AnyAct, place: Expects, refusal: Refusal, request: str) -> str:
        """Hold a declaration in place of its actor's previous one; return its id."""
        self._counts[act.actor] += 1
        path = getattr(act, "path", ())
        where = f"to {path[-1][0]},{path[-1][1]}" if path else ""
        label = " ".join(filter(None, (name_of(act), *said_of(act), where)))
        by = guest.name or guest.role
        held = HeldDeclaration(
            f"{act.actor}-{self._counts[act.actor]}",
            act.actor,
            act,
            label,
            by,
            str(place),
            "waiting",
            "",
            refusal.reason,
            refusal.rule,
        )
        self._held[act.actor] = held, request, ""
        self.changed()
        return held.id

    def let_go(self, who: str) -> None:
        """Drop the held declaration of a combatant: its player has declared something else."""
        if self._held.pop(who, None) is not None:
            self.changed()

    def waiting(self, id: str, request: str) -> HeldDeclaration:
        """Return the declaration that waits under an id, or was decided by that request. Raises Problem
        otherwise.
        """
        for held, _, decided_by in self._held.values():
            if held.id == id and (held.status == "waiting" or decided_by == request):
                return held
        raise Problem("not_found", f"no declaration waits under {id[:40]!r}")

    def decide(self, id: str, status: str, words: str, request: str) -> None:
        """Record a decision of the game master by a request, and its words to the player."""
        for who, (held, asked, _) in self._held.items():
            if held.id == id:
                self._held[who] = replace(held, status=status, words=words), asked, request
                self.changed()
                return

    def seen_by(self, guest: Guest) -> tuple[HeldDeclaration, ...]:
        """Return the held declarations that a guest may see: all, or for a player its own without the
        reasons.
        """
        held = [one for one, _, _ in self._held.values()]
        if guest.role == "game master":
            return tuple(held)
        return tuple(replace(one, reason="", rule="") for one in held if one.who in guest.combatants)
