"""What the routes share: who asks, what may be looked up or commanded, and in what form it is answered."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from affray.events.codec import decode
from affray.events.errors import AffrayError, BrokenLog, LogUnavailable, NewerLog, NotALog
from affray.events.misfit import Unreadable, read_json
from affray.events.sqlite import SqliteStore
from affray.replay.playhead import state_at
from affray.replay.serve.access import Access, Guest
from affray.replay.serve.audience import Key
from affray.replay.serve.desks import Desk
from affray.replay.serve.errors import Problem, failed
from affray.replay.serve.feed import Feed
from affray.replay.serve.ledger import Ledger, Written
from affray.replay.serve.looking import Looking
from affray.replay.serve.messages import Body, Done
from affray.replay.serve.positions import BadPlace, Place
from affray.replay.serve.told_late import told_between

T = TypeVar("T")

UNAVAILABLE = (LogUnavailable, NotALog, NewerLog, BrokenLog)
"""What is no fault of whoever asks."""


@dataclass(frozen=True)
class House:
    """The parts of a server, and where it is found."""

    access: Access
    feed: Feed
    ledger: Ledger
    desk: Desk
    address: str

    def guest(self, request: Request) -> Guest:
        """Return who asks. Raises Problem without a token that somebody has."""
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if kind.casefold() != "bearer" or not token.strip():
            raise Problem("no_token", "say who you are: Authorization: Bearer TOKEN, as your link has it")
        guest = self.access.guest_of(token.strip())
        if guest is None:
            raise Problem("unknown_token", "nobody is known by that token: ask for a new link")
        return guest

    def master(self, request: Request) -> Guest:
        """Return the game master who asks. Raises Problem for anybody else."""
        guest = self.guest(request)
        if guest.role != "game master":
            raise Problem("wrong_role", "only the game master may do that")
        return guest

    async def look(self, guest: Guest, work: Callable[[Looking, SqliteStore], T]) -> T:
        """Return what is looked up for a guest. Raises Problem."""
        looking = Looking(self.feed.views.audience(guest))
        return await plainly(self.desk.do(lambda store: work(looking, store)))

    async def done(
        self, guest: Guest, command: Callable[[Place, str], Awaitable[Written]], body: Body
    ) -> Done:
        """Return what came of a command, as far as the guest may know it. Raises Problem.

        The command gets the position that the guest expects, and the id of its request.
        """
        expected = place_of(body.expected)
        key = Key(self.feed.views.audience(guest), False)
        # Two guests may hit upon the same id; neither is to get the other's answer.
        own = sha256(guest.token.encode()).hexdigest()[:12]
        with self.feed.followed(key):
            written = await plainly(command(expected, f"{own}:{body.request}"))
            self.feed.poke()
            await self.feed.reached(written.after)
            before, after = written.before, written.after
            same = (before.branch, before.epoch) == (after.branch, after.epoch)
            told = self.feed.batches.told(key, before, after) if same else []
        source = self.feed.source
        looking = Looking(key.audience)

        def rest(store: SqliteStore) -> Done:
            events = told if told is not None else told_between(store, before, after.seq, key, source)[0]
            state = state_at(store, after.branch, after.seq)
            refused = None
            if written.refused is not None:
                refused = looking.refusal(state, decode(written.events[0]), written.refused)
            return Done(str(after), events, refused, looking.question(state), written.told)

        return await plainly(self.desk.do(rest))


async def plainly(work: Awaitable[T]) -> T:
    """Return what comes of it; what the program refuses is raised as a Problem."""
    try:
        return await work
    except UNAVAILABLE as error:  # which say where the log is kept
        raise failed(error, "log") from None
    except AffrayError as error:
        raise Problem("bad_request", str(error)) from None


def place_of(text: str) -> Place:
    """Return the position that is written so. Raises Problem."""
    try:
        return Place.read(text)
    except BadPlace as error:
        raise Problem("bad_request", str(error)) from None


async def body_of(request: Request, kind: type[T]) -> T:
    """Return the body of a request as what it should be. Raises Problem naming what does not fit."""
    try:
        return read_json(await request.body(), kind)  # type: ignore[no-any-return]
    except Unreadable as error:
        raise Problem("bad_request", str(error)) from None


def only(request: Request, *names: str) -> None:
    """Raise Problem for a word of the query that has no meaning here: it would be ignored."""
    for name in request.query_params:
        if name not in names:
            known = f"there is {', '.join(names)}" if names else "there are none here"
            raise Problem("bad_request", f"no query parameter {name[:40]!r}: {known}")


def as_json(value: Any) -> Response:
    """Return a value as an answer."""
    return Response(msgspec.json.encode(value), media_type="application/json")
