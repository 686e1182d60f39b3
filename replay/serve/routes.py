"""All routes in one table, from which the server and its document are made, with permissions and messages."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from affray.events.facts.base import JsonObject
from affray.replay.explain.why import Why
from affray.replay.serve import handlers
from affray.replay.serve import messages as said
from affray.replay.serve.handlers import (
    AT,
    FOLLOWED_FROM,
    FRAMES,
    HOW,
    KIND,
    LEARNED_TO,
    LIMIT,
    PATH,
    TARGET,
    TOLD_FROM,
    Query,
    guest_of,
    only,
)
from affray.replay.serve.http import Problem
from affray.replay.viewer.map_picture import Underlay


class May(Enum):
    """Who may use a route, from most to fewest."""

    ANYBODY = "All, without a token."
    GUEST = "All guests."
    PLAYER = "The game master and players."
    MASTER = "The game master."


@dataclass(frozen=True, slots=True)
class Entry:
    """One route. `answer` is the body with status 200: a type, which is sent as JSON, or a media type.

    `held` describes status 202 if there is such an answer. `codes` are the errors of this route beyond those
    of all routes; `named` are the variable parts of the path, with their meaning and schema.
    """

    method: str
    path: str
    serve: Callable[[Request], Awaitable[Response]]
    may: May
    answer: type | str
    body: type | None = None
    query: tuple[Query, ...] = ()
    codes: tuple[str, ...] = ()
    held: str = ""
    named: tuple[tuple[str, str, JsonObject], ...] = ()

    def yield_error_codes(self) -> Iterable[str]:
        """Yield the codes of all errors of the route."""
        yield from ANYWHERE
        if self.may is not May.ANYBODY:
            yield from TOKEN
        if self.may in (May.PLAYER, May.MASTER):
            yield "wrong_role"
        if self.body is not None:
            yield from BODY
            if issubclass(self.body, said.Body):
                yield "stale_position"
        yield from self.codes

    async def __call__(self, request: Request) -> Response:
        """Answer a request of a permitted guest. Raises Problem for others and for unknown parameters."""
        only(request, *(one.name for one in self.query))
        if self.may is not May.ANYBODY:
            guest = guest_of(request)
            if self.may is May.MASTER and guest.role != "game master":
                raise Problem("wrong_role", "only the game master may do that")
            if self.may is May.PLAYER and guest.role == "onlooker":
                raise Problem("wrong_role", "an onlooker may only watch")
        return await self.serve(request)


ANYWHERE: Final = ("bad_request", "wrong_origin", "wrong_host", "too_many", "internal", "too_many_feeds")
TOKEN: Final = ("no_token", "unknown_token")
BODY: Final = ("too_slow", "too_large", "not_json")
PLAYED: Final = ("not_yours", "request_reused")
"""Further errors of a declaration or an answer."""

FEED: Final = "text/event-stream"
_SEQ: Final = ("seq", "The number of an event of the main line.", {"type": "integer", "minimum": 1})
_WHO: Final = ("id", "The id of a combatant.", {"type": "string"})
_JSON: Final = "application/json"
_MASTER: Final = May.MASTER

TABLE: Final = (
    Entry("GET", "/session", handlers.session, May.GUEST, said.Session),
    Entry("GET", "/feed", handlers.feed, May.GUEST, FEED, query=(FOLLOWED_FROM, FRAMES)),
    Entry("GET", "/events", handlers.events, May.GUEST, said.Events, query=(TOLD_FROM, LIMIT)),
    Entry("GET", "/state", handlers.state, May.GUEST, said.State, query=(AT,)),
    Entry("GET", "/why/{seq}", handlers.why, May.GUEST, Why, codes=("hidden", "not_found"), named=(_SEQ,)),
    Entry(
        "GET",
        "/legal/{id}",
        handlers.legal,
        May.GUEST,
        said.Legal,
        codes=("not_yours", "hidden", "not_found", "waiting"),
        named=(_WHO,),
    ),
    Entry(
        "GET",
        "/legal/{id}/way",
        handlers.way,
        May.PLAYER,
        said.Priced,
        query=(KIND, PATH, HOW, TARGET),
        codes=("not_yours", "hidden", "not_found", "waiting"),
        named=(_WHO,),
    ),
    Entry("GET", "/page", handlers.page, May.GUEST, said.Page),
    Entry("GET", "/picture", handlers.picture, May.GUEST, Underlay),
    Entry("GET", "/names", handlers.names, May.GUEST, said.Names, query=(LEARNED_TO,)),
    Entry(
        "POST",
        "/declarations",
        handlers.declarations,
        May.PLAYER,
        said.CommandResult,
        said.Declare,
        codes=(*PLAYED, "waiting"),
        held="The declaration waits for the game master. The feed sends `held` when it is decided.",
    ),
    Entry(
        "POST",
        "/say",
        handlers.sentences,
        May.PLAYER,
        said.CommandResult,
        said.Say,
        codes=(*PLAYED, "waiting", "not_waiting", "not_found", "hidden"),
        held="The declaration waits for the game master. The feed sends `held` when it is decided.",
    ),
    Entry("GET", "/held", handlers.held, May.PLAYER, said.HeldDeclarations),
    Entry(
        "POST",
        "/held",
        handlers.decisions,
        _MASTER,
        said.CommandResult,
        said.Decide,
        codes=("request_reused", "waiting", "not_found"),
    ),
    Entry(
        "POST",
        "/choices",
        handlers.choices,
        May.PLAYER,
        said.CommandResult,
        said.Choose,
        codes=(*PLAYED, "not_waiting"),
    ),
    Entry("POST", "/disputes", handlers.disputes, May.PLAYER, said.CommandResult, said.Contest),
    Entry("POST", "/rulings", handlers.rulings, _MASTER, said.CommandResult, said.RuleOn),
    Entry("POST", "/undo", handlers.undo, _MASTER, said.CommandResult, said.Undo),
    Entry("POST", "/redo", handlers.redo, _MASTER, said.CommandResult, said.Redo),
    Entry("POST", "/forks", handlers.forks, _MASTER, said.CommandResult, said.Fork),
    Entry("POST", "/promotions", handlers.promotions, _MASTER, said.CommandResult, said.Promote),
    Entry("GET", "/invitations", handlers.invitations, _MASTER, said.Guests),
    Entry("POST", "/invitations", handlers.invite, _MASTER, said.Guests, said.Invite),
    Entry("POST", "/invitations/withdraw", handlers.withdrawals, _MASTER, said.Guests, said.Withdrawal),
    Entry("POST", "/hidden", handlers.hidings, _MASTER, said.Guests, said.Hiding),
    Entry("GET", "/swing", handlers.swing, May.GUEST, said.WinChanceStatus, codes=("hidden",)),
    Entry("POST", "/swing", handlers.swing_wanted, _MASTER, said.WinChanceStatus, said.SwingWanted),
    Entry("GET", "/sheets", handlers.sheets, _MASTER, said.Sheets),
    Entry("POST", "/sheets", handlers.sheet, _MASTER, said.ParsedSheet, said.SheetWanted),
    Entry("GET", "/openapi.json", handlers.openapi_json, May.ANYBODY, _JSON),
    Entry("GET", "/asyncapi.json", handlers.asyncapi_json, May.ANYBODY, _JSON),
    Entry("GET", "/schemas/events.json", handlers.events_json, May.ANYBODY, "application/schema+json"),
    Entry("GET", "/foundry/module.json", handlers.foundry_manifest, May.ANYBODY, _JSON),
    Entry("GET", "/foundry/affray.zip", handlers.foundry_module, May.ANYBODY, "application/zip"),
)
"""All routes except those of the pages, which need no token and do not belong to the interface."""


class _AtPath:
    """The routes of one path, by method. Starlette accepts an endpoint that is not a function."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = {one.method: one for one in entries}

    async def serve(self, request: Request) -> Response:
        """Answer a request by its method; HEAD as GET."""
        return await self.entries["GET" if request.method == "HEAD" else request.method](request)


def make_starlette_routes(table: Iterable[Entry] = TABLE) -> list[Route]:
    """Return the routes of a table for Starlette, one for each path."""
    paths: dict[str, list[Entry]] = {}
    for one in table:
        paths.setdefault(one.path, []).append(one)
    made = []
    for path, entries in paths.items():
        route = Route(path, _AtPath(entries).serve, methods=[one.method for one in entries])
        if any(one.answer == FEED for one in entries) and route.methods is not None:
            route.methods.discard("HEAD")  # HEAD is not possible for an endless answer
        made.append(route)
    return made
