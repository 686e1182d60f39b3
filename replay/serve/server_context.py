"""The server as its routes use it: looking up data for a guest, and executing commands."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeVar

from starlette.requests import Request

from affray.engine.language.sentences import Declaration, Foreseen, Several, Waits
from affray.engine.steps import Refusal
from affray.events.codec import decode
from affray.events.errors import AffrayError, BrokenLog, LogUnavailable, NewerLog, NotALog, SecretsMissing
from affray.events.facts.flow import AnyAct, Declared
from affray.events.stores.store import Store
from affray.replay.language import Meaning
from affray.replay.log.playhead import state_at
from affray.replay.privacy.audience import Key
from affray.replay.serve.access import Access, BadAccess, Guest
from affray.replay.serve.commands import MOST_REMEMBERED, Holding, Ledger, Written, refused_by_hidden, stale
from affray.replay.serve.feed import Feed
from affray.replay.serve.http import Problem, failed
from affray.replay.serve.long_looks import SHORT, LookupProcesses
from affray.replay.serve.messages import BadPlace, Body, CommandResult, Expects, FeedCursor, Say, end_of
from affray.replay.serve.read_model import Looking, Wanted
from affray.replay.serve.visibility import told_between
from affray.replay.serve.workers import Desk, RulebookWorker, Turns, WinChances
from affray.replay.viewer.map_picture import Underlay

T = TypeVar("T")

UNAVAILABLE = (LogUnavailable, NotALog, NewerLog, BrokenLog, SecretsMissing, BadAccess)
"""Errors that are not the client's fault and contain paths of files."""


async def clearly(work: Awaitable[T]) -> T:
    """Return the result of the work; raise the program's errors as Problems."""
    try:
        return await work
    except UNAVAILABLE as error:
        raise failed(error, "log") from None
    except AffrayError as error:
        raise Problem("bad_request", str(error)) from None


def position_of(text: str) -> FeedCursor:
    """Parse a position. Raises Problem."""
    try:
        return FeedCursor.read(text)
    except BadPlace as error:
        raise Problem("bad_request", str(error)) from None


@dataclass
class ServerContext:
    """The server as its routes use it: its guests, its parts, its picture, and its address."""

    access: Access
    feed: Feed
    ledger: Ledger
    desk: Desk
    rules: Desk
    long: LookupProcesses
    long_turns: Turns
    commands: Turns
    address: str
    holding: Holding
    swing: WinChances
    weaving: RulebookWorker
    picture: Underlay
    said: OrderedDict[str, tuple[Meaning | Several, Foreseen]] = field(default_factory=OrderedDict)
    """The meanings of the latest lines, by their requests."""

    async def refused_by_hidden(self, guest: Guest, act: AnyAct, expected: Expects) -> Refusal | None:
        """Return the refusal of a declaration for a reason that a guest cannot know, or None."""
        audience = self.feed.views.audience(guest)
        return await self.apart(lambda store: refused_by_hidden(store, audience, act, expected))

    async def look(self, guest: Guest, work: Callable[[Looking, Store], T]) -> T:
        """Return data looked up for a guest. Raises Problem."""
        looking = Looking(self.feed.views.audience(guest), self.feed.counting)
        return await clearly(self.desk.do(lambda store: work(looking, store)))

    async def look_briefly(self, guest: Guest, what: str, work: Callable[[Looking, Store], T]) -> T:
        """Return data (`what`) that is looked up quickly for a guest, each guest in turn. Raises Problem."""
        return await self._look_at(self.desk, guest, what, work)

    async def look_by_rules(self, guest: Guest, what: str, work: Callable[[Looking, Store], T]) -> T:
        """Return data that needs the rules or some events, each guest in turn. Raises Problem."""
        return await self._look_at(self.rules, guest, what, work)

    async def _look_at(self, desk: Desk, guest: Guest, what: str, work: Callable[[Looking, Store], T]) -> T:
        looking = Looking(self.feed.views.audience(guest), self.feed.counting)
        # The answer depends on the audience, which may change while the request waits.
        key = what, looking.audience
        return await clearly(desk.run_in_turn(guest.token, key, lambda store: work(looking, store)))

    async def look_long(self, guest: Guest, wanted: Wanted) -> bytes:
        """Return data that is looked up in many events, as JSON, each guest in turn. Raises Problem."""
        if self.feed.place.seq <= SHORT:
            return await self.look_by_rules(guest, str(wanted), wanted.found)
        audience = self.feed.views.audience(guest)
        return await clearly(
            self.long_turns.do(guest.token, (wanted, audience), lambda: self.long.find(audience, wanted))
        )

    async def meaning(
        self, guest: Guest, body: Say, expected: Expects, request: str
    ) -> tuple[Meaning | Several, Foreseen]:
        """Return the meaning of a line where its guest expects the fight, and what is known of its path.

        A repeated request means what it meant the first time, although the fight has moved on. Raises
        Problem.
        """

        def find(looking: Looking, store: Store) -> tuple[Meaning | Several, Foreseen]:
            if request in self.said:
                return self.said[request]
            known = store.recorded(request)
            if known and isinstance(first := decode(known[0]), Declared):
                return Declaration(first.act), Foreseen()
            place = end_of(store)
            if not known and not expected.stands(store, place):
                raise stale(expected, place)
            try:
                return looking.meaning(store, body.text, body.actor)
            except Several as several:
                return several, Foreseen()
            except Waits as waits:
                raise Problem("waiting", str(waits), position=str(place)) from None

        found = await self.look(guest, find)
        self.said[request] = found
        if len(self.said) > MOST_REMEMBERED:
            self.said.popitem(last=False)
        return found

    async def apart(self, work: Callable[[Store], T]) -> T:
        """Return the result of work that delays no other requests. Raises Problem."""
        return await clearly(self.desk.do(work))

    async def done(
        self, guest: Guest, command: Callable[[Expects, str], Awaitable[Written]], body: Body
    ) -> CommandResult:
        """Return the result of a command as far as the guest may know it, one command of each guest at a
        time.

        The command gets the position that the guest expects, and the id of its request. Raises Problem.
        """
        return await self.commands.do(guest.token, object(), lambda: self._done(guest, command, body))

    async def _done(
        self, guest: Guest, command: Callable[[Expects, str], Awaitable[Written]], body: Body
    ) -> CommandResult:
        key = Key(self.feed.views.audience(guest), False)
        looking = Looking(key.audience, self.feed.counting)
        expected = looking.expected(position_of(body.expected))
        # Two guests may choose the same id; neither may get the other's answer.
        own = sha256(guest.token.encode()).hexdigest()[:12]
        with self.feed.followed(key):
            try:
                written = await clearly(command(expected, f"{own}:{body.request}"))
            except Problem as problem:
                if problem.position:
                    problem.position = await clearly(self.desk.do(looking.now))
                raise
            self.feed.poke()
            await self.feed.reached(written.after)
            before, after = written.before, written.after
            same = (before.branch, before.epoch) == (after.branch, after.epoch)
            told = self.feed.batches.told(key, before, after) if same else []
        source, counting = self.feed.source, self.feed.counting

        def rest(store: Store) -> CommandResult:
            events = told
            if events is None:
                events, _ = told_between(store, before, after.seq, key, source, counting)
            state = state_at(store, after.branch, after.seq)
            refused = None
            if written.refused is not None:
                refused = looking.refusal(state, decode(written.events[0]), written.refused)
            said = looking.translate_command_text(store, after, written.told)
            question = looking.question(state, looking.marks.counted(store, after.branch, after.seq))
            position = looking.told(store, after)
            return CommandResult(
                position, events, refused, question, said, written.held, written.choices, written.look
            )

        return await clearly(self.desk.do(rest))


def get_house_of_request(request: Request) -> ServerContext:
    """Return the server that received a request."""
    house: ServerContext = request.app.state.house
    return house
