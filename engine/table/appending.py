"""How a table appends to its line of the log: each command once, in one transaction, behind what it saw."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from affray.engine.fight.fight import Fight
from affray.engine.table.outcome import MustAnswer, Outcome, Resolution, repeats
from affray.events import oplog
from affray.events.codec import check_readable, decode, entry
from affray.events.errors import AffrayError, Conflict, LogUnavailable, RequestReused
from affray.events.store import Store
from affray.projections.state import Encounter


class Appending:
    """A line of play as far as a table has read it."""

    def __init__(self, store: Store, branch: str) -> None:
        self.store = store
        self.branch = branch
        self._seq = 0
        self._behind = False
        self._running = False

    fight: Fight

    @property
    def state(self) -> Encounter:
        """What is true now."""
        return self.fight.state

    @property
    def seq(self) -> int:
        """The position of the last event."""
        return self._seq

    def _load(self) -> None:
        """Take the state from the log."""
        raise NotImplementedError

    def _once(self, request: str, begin: Callable[[Any], Callable[[], Resolution]], command: Any) -> Outcome:
        """Run a command and append what comes of it, unless it was recorded under this request already.

        `begin` refuses the command while nothing is touched, or returns what runs it. Returns the outcome,
        then or now.
        """
        if self._running:
            raise _busy()
        if self._behind:
            self._load()
        if request and (known := self._repeated(request, command)) is not None:
            return known
        run = begin(command)
        self._running = True
        try:
            found = run()
            if self.fight.state.packages:  # what an installed package says is anybody's word
                for made in found.entries:
                    check_readable(made)
            events = self.store.append(self.branch, found.entries, self._seq, request)
            self._seq += len(events)
        except BaseException as error:
            if isinstance(error, Conflict):
                oplog.warning("append.conflict", expected=error.expected, actual=error.actual)
            self._catch_up()
            # Somebody may have sent the same command in the meantime, and met another state.
            if isinstance(error, RequestReused) and (known := self._repeated(request, command)) is not None:
                return known
            raise
        finally:
            self._running = False
        if found.waiting is not None:
            oplog.info("choice.waiting", who=found.waiting.who, question=found.waiting.question)
        return Outcome(tuple(events), found.refused, found.waiting)

    def _repeated(self, request: str, command: Any) -> Outcome | None:
        """Return what was recorded under the request, None for a new one. Raises RequestReused."""
        events = self.store.recorded(request)
        if not events:
            return None
        if events[0].stream != self.branch:
            raise RequestReused(f"request {request!r} was recorded on branch {events[0].stream!r}")
        if not repeats(decode(events[0]), command):
            raise RequestReused(f"request {request!r} was recorded with another command")
        if self._seq < events[-1].seq:
            self._load()
        return Outcome.of(events)

    def _catch_up(self) -> None:
        """Take the state from the log: the working state may have run ahead of it, or others of this table.

        If the log cannot be read now, that is made up for before anything else is done here.
        """
        self._behind = True
        with suppress(LogUnavailable):
            self._load()

    def _aside(self, fact: Any) -> int:
        """Append a fact that no declaration brings about; return its position."""
        if self._running:
            raise _busy()
        state = self.state
        self.store.append(self.branch, [entry(fact, state.round, state.turn, "", self._seq + 1)], self._seq)
        self._load()
        return self._seq

    def _be_idle(self) -> None:
        """Raise MustAnswer while the fight waits, Conflict if it waits no more."""
        if self._behind:
            self._load()
        if (question := self.state.pending) is not None:
            self._be_current()
            raise MustAnswer(f"the fight waits for {question.who or 'the game master'}: {question.question}")

    def _be_current(self) -> None:
        """Raise Conflict if somebody else has appended: the question may be another one by now.

        The table has caught up then.
        """
        expected, head = self._seq, self.store.head(self.branch).seq
        if head != expected:
            oplog.warning("append.conflict", expected=expected, actual=head)
            self._catch_up()
            raise Conflict(self.branch, expected, head)


def _busy() -> AffrayError:
    """Return what to raise in the middle of a declaration, which dice or a policy have called for."""
    return AffrayError("the table is deciding a declaration: neither dice nor a policy can command it")
