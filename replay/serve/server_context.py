"""A server as its routes know it: what is looked up for a guest, and what becomes of a command."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeVar

from starlette.requests import Request

from affray.engine.steps import Refusal
from affray.events.codec import decode
from affray.events.errors import AffrayError, BrokenLog, LogUnavailable, NewerLog, NotALog, SecretsMissing
from affray.events.facts.flow import AnyAct
from affray.events.stores.store import Store
from affray.replay.log.playhead import state_at
from affray.replay.privacy.audience import Key
from affray.replay.serve.access import Access, BadAccess, Guest
from affray.replay.serve.commands import Holding, Ledger, Written, refused_by_hidden
from affray.replay.serve.feed import Feed
from affray.replay.serve.http import Problem, failed
from affray.replay.serve.long_looks import SHORT, LookupProcesses
from affray.replay.serve.messages import BadPlace, Body, CommandResult, Expects, FeedCursor
from affray.replay.serve.read_model import Looking, Wanted
from affray.replay.serve.visibility import told_between
from affray.replay.serve.workers import Desk, RulebookWorker, Turns, WinChances
from affray.replay.viewer.map_picture import Underlay

T = TypeVar("T")

UNAVAILABLE = (LogUnavailable, NotALog, NewerLog, BrokenLog, SecretsMissing, BadAccess)
"""What is no fault of whoever asks, and says where the files are kept."""


async def clearly(work: Awaitable[T]) -> T:
    """Return what comes of it; what the program refuses is raised as a Problem."""
    try:
        return await work
    except UNAVAILABLE as error:
        raise failed(error, "log") from None
    except AffrayError as error:
        raise Problem("bad_request", str(error)) from None


def position_of(text: str) -> FeedCursor:
    """Return the position that is written so. Raises Problem."""
    try:
        return FeedCursor.read(text)
    except BadPlace as error:
        raise Problem("bad_request", str(error)) from None


@dataclass
class ServerContext:
    """A server as its routes know it: its guests, its parts, its picture, and where it is found."""

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

    async def refused_by_hidden(self, guest: Guest, act: AnyAct, expected: Expects) -> Refusal | None:
        """Return why a declaration is refused by what a guest cannot know, None if it is not."""
        audience = self.feed.views.audience(guest)
        return await self.apart(lambda store: refused_by_hidden(store, audience, act, expected))

    async def look(self, guest: Guest, work: Callable[[Looking, Store], T]) -> T:
        """Return what is looked up for a guest. Raises Problem."""
        looking = Looking(self.feed.views.audience(guest), self.feed.counting)
        return await clearly(self.desk.do(lambda store: work(looking, store)))

    async def look_briefly(self, guest: Guest, what: str, work: Callable[[Looking, Store], T]) -> T:
        """Return what is looked up for a guest in no time (`what`), each in turn. Raises Problem."""
        return await self._look_at(self.desk, guest, what, work)

    async def look_by_rules(self, guest: Guest, what: str, work: Callable[[Looking, Store], T]) -> T:
        """Return what the rules or some events have to be asked for, each guest in turn. Raises Problem."""
        return await self._look_at(self.rules, guest, what, work)

    async def _look_at(self, desk: Desk, guest: Guest, what: str, work: Callable[[Looking, Store], T]) -> T:
        looking = Looking(self.feed.views.audience(guest), self.feed.counting)
        # What is told depends on who may see what, and that may change while it waits.
        key = what, looking.audience
        return await clearly(desk.run_in_turn(guest.token, key, lambda store: work(looking, store)))

    async def look_long(self, guest: Guest, wanted: Wanted) -> bytes:
        """Return what is looked up in many events, as JSON, each guest in turn. Raises Problem."""
        if self.feed.place.seq <= SHORT:
            return await self.look_by_rules(guest, str(wanted), wanted.found)
        audience = self.feed.views.audience(guest)
        return await clearly(
            self.long_turns.do(guest.token, (wanted, audience), lambda: self.long.find(audience, wanted))
        )

    async def apart(self, work: Callable[[Store], T]) -> T:
        """Return what is done where it holds nobody up. Raises Problem."""
        return await clearly(self.desk.do(work))

    async def done(
        self, guest: Guest, command: Callable[[Expects, str], Awaitable[Written]], body: Body
    ) -> CommandResult:
        """Return what came of a command, as far as the guest may know it, one of each guest at a time.

        The command gets the position that the guest expects, and the id of its request. Raises Problem.
        """
        return await self.commands.do(guest.token, object(), lambda: self._done(guest, command, body))

    async def _done(
        self, guest: Guest, command: Callable[[Expects, str], Awaitable[Written]], body: Body
    ) -> CommandResult:
        key = Key(self.feed.views.audience(guest), False)
        looking = Looking(key.audience, self.feed.counting)
        expected = looking.expected(position_of(body.expected))
        # Two guests may hit upon the same id; neither is to get the other's answer.
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
            return CommandResult(looking.told(store, after), events, refused, question, said, written.held)

        return await clearly(self.desk.do(rest))


def get_house_of_request(request: Request) -> ServerContext:
    """Return the server that a request has come to."""
    house: ServerContext = request.app.state.house
    return house
