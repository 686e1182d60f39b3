"""Handlers of all routes: parse and check a request, and build its answer."""

import asyncio
import gzip
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import cache, partial, wraps
from importlib.resources import files
from io import BytesIO
from typing import Final, TypeVar
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec
from msgspec.structs import replace
from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from affray.engine.dice.notation import count_dice, parse
from affray.engine.language.sentences import Answer, Declaration, Several
from affray.engine.language.sentences import Request as LineRequest
from affray.engine.version import VERSION
from affray.events.errors import (
    counted,
)
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import AnyAct
from affray.events.stores.store import Store
from affray.events.validation import Unreadable, read_json
from affray.replay import entry_sheets
from affray.replay.language import Ruling
from affray.replay.log.branches import concerned
from affray.replay.log.playhead import state_at
from affray.replay.privacy.audience import Audience, has_name_of_combatant
from affray.replay.privacy.visibility import words_of
from affray.replay.serve.access import Guest, draw_qr_svg, link_of
from affray.replay.serve.commands import Written
from affray.replay.serve.http import ADDRESS, Problem, bearer_of
from affray.replay.serve.messages import (
    MOST_EVENTS,
    Body,
    Choose,
    Contest,
    Decide,
    Declare,
    Expects,
    FeedCursor,
    Fork,
    Guests,
    HeldDeclarations,
    Hiding,
    Invite,
    Invited,
    ParsedSheet,
    Promote,
    Redo,
    RuleOn,
    Say,
    Sheets,
    SheetWanted,
    SwingWanted,
    Undo,
    Unheld,
    Withdrawal,
    end_of,
)
from affray.replay.serve.messages import (
    Choice as LineChoice,
)
from affray.replay.serve.read_model import Wanted
from affray.replay.serve.server_context import ServerContext, clearly, get_house_of_request, position_of
from affray.replay.text.html import framed
from affray.replay.viewer.pages import make_live_page, make_overlay_page, policy_of

# --- Parsing requests and building answers

T = TypeVar("T")


def guest_of(request: Request) -> Guest:
    """Return the guest that sends a request. Raises Problem without a valid token."""
    token = bearer_of(request.scope["headers"])
    if not token:
        raise Problem(
            "no_token", "no token: send the header Authorization: Bearer TOKEN with the token of your link"
        )
    guest = get_house_of_request(request).access.guest_of(token)
    if guest is None:
        raise Problem("unknown_token", "unknown token: ask the game master for a new link")
    return guest


async def parse_body(request: Request, kind: type[T]) -> T:
    """Parse the body of a request as a type. Raises Problem naming what does not fit."""
    try:
        return read_json(await request.body(), kind)  # type: ignore[no-any-return]
    except Unreadable as error:
        raise Problem("bad_request", str(error)) from None


def only(request: Request, *names: str) -> None:
    """Raise Problem for a query parameter that is unknown or repeated; it would otherwise be ignored."""
    for name, times in Counter(name for name, _ in request.query_params.multi_items()).items():
        if name not in names:
            known = f"expected {', '.join(names)}" if names else "this path takes none"
            raise Problem("bad_request", f"no query parameter {name[:40]!r}: {known}")
        if times > 1:
            raise Problem("bad_request", f"the query parameter {name!r} is given more than once")


def as_json(value: object) -> Response:
    """Return a value as a JSON answer."""
    return respond_with_json(msgspec.json.encode(value))


def respond_with_json(told: bytes) -> Response:
    """Return encoded JSON as an answer."""
    return Response(told, media_type="application/json")


# --- Query parameters: each with its meaning, its bounds and its default


@dataclass(frozen=True, slots=True)
class Query:
    """One query parameter. `schema` describes its values in the documents."""

    name: str
    about: str
    usual: str
    schema: JsonObject

    def text(self, request: Request) -> str:
        """Return the value in a request, or the default."""
        return request.query_params.get(self.name, self.usual)

    def number(self, request: Request) -> int:
        """Return the number in a request, within its bounds. Raises Problem."""
        text, least, most = self.text(request), self.schema["minimum"], self.schema["maximum"]
        if not (text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most):
            raise Problem("bad_request", f"{self.name}={text[:40]}: expected a number from {least} to {most}")
        return int(text)


POSITION: Final = r"^[^:]+:[0-9]{1,12}(\.[0-9]{1,12})?:[0-9]{1,12}$"
"""The form of positions of the feed: branch:epoch:seq, or branch:epoch.view:seq."""

_POSITION: Final = {"type": "string", "pattern": POSITION, "examples": ["main:0:52"]}

FOLLOWED_FROM: Final = Query(
    "after",
    "The position to start after: `start`, `end`, or one sent earlier. The header "
    "`Last-Event-ID` means the same and takes precedence.",
    "start",
    {"anyOf": [{"enum": ["start", "end"]}, _POSITION], "default": "start"},
)
FRAMES: Final = Query(
    "frames",
    "With 1 each event has its `frame` too: what a page draws.",
    "0",
    {"enum": ["0", "1"], "default": "0"},
)
TOLD_FROM: Final = Query(
    "after",
    "The position to start after: `start`, or one sent earlier. If another line has become "
    "the main line since, the page starts after the last event that both have in common.",
    "start",
    {"anyOf": [{"const": "start"}, _POSITION], "default": "start"},
)
LEARNED_TO: Final = Query(
    "after",
    "The position up to which the page knows the fight, as sent with `/page` or here.",
    "main:0:0",
    {**_POSITION, "default": "main:0:0"},
)
LIMIT: Final = Query(
    "limit",
    "The most events in the answer.",
    "100",
    {"type": "integer", "minimum": 1, "maximum": MOST_EVENTS, "default": 100},
)
AT: Final = Query(
    "at",
    "The moment: the number of an event (`17`), the beginning of a round (`r3`) or of a turn (`r3.t2`), "
    "`start` or `end`.",
    "end",
    {
        "type": "string",
        "pattern": r"^(#?[0-9]{1,18}|r[0-9]{1,9}(\.t[0-9]{1,9})?|start|end)$",
        "default": "end",
        "examples": ["17", "r3", "r3.t2", "end"],
    },
)
WAYS: Final = ("move", "run", "withdraw", "step", "charge")
"""Declarations whose path is drawn square by square."""
MOST_SQUARES: Final = 200

KIND: Final = Query(
    "act",
    "The kind of movement: a `step` goes to the last of the squares, a `charge` is aimed at the `target`.",
    "move",
    {"enum": [*WAYS], "default": "move"},
)
PATH: Final = Query(
    "path",
    f"The squares entered, in order: `4,1;4,2;5,3`, {MOST_SQUARES} at most. Without any, nothing is computed "
    "except `shut`, the squares that no step from here leads to.",
    "",
    {
        "type": "string",
        "pattern": r"^(-?[0-9]{1,4},-?[0-9]{1,4}(;-?[0-9]{1,4},-?[0-9]{1,4})*)?$",
        "default": "",
        "examples": ["4,1;4,2;5,3"],
    },
)
HOW: Final = Query(
    "how",
    "The mode of movement, as in the declaration of a move.",
    "",
    {"type": "string", "maxLength": 80, "default": ""},
)
TARGET: Final = Query(
    "target",
    "The id of the target of a charge.",
    "",
    {"type": "string", "maxLength": 200, "default": ""},
)


# --- Routes that change nothing: session, feed, events, state, why, allowed declarations, the page's data

SEND_SECONDS = 20
"""Seconds after which a follower that reads nothing is disconnected; it may reconnect and continue."""

PING_SECONDS = 10


async def session(request: Request) -> Response:
    """Describe the requesting guest and the position of the fight."""
    house, guest = get_house_of_request(request), guest_of(request)
    hidden = house.access.hidden if guest.role == "game master" else ()
    what = f"session {hidden}"
    return as_json(
        await house.look_briefly(guest, what, lambda looking, store: looking.session(store, guest, hidden))
    )


async def feed(request: Request) -> Response:
    """Follow the main line."""
    house, guest = get_house_of_request(request), guest_of(request)
    frames = FRAMES.text(request)
    if frames not in ("0", "1"):
        raise Problem("bad_request", "frames is 0 or 1")
    after = request.headers.get("last-event-id") or FOLLOWED_FROM.text(request)
    begun = await clearly(house.feed.begin(guest, after if after in ("start", "end") else position_of(after)))
    return EventSourceResponse(
        _greeted(house, guest, begun, frames == "1"),
        ping=PING_SECONDS,
        send_timeout=SEND_SECONDS,
        sep="\n",
    )


async def _greeted(
    house: ServerContext,
    guest: Guest,
    begun: tuple[FeedCursor, Audience | None, FeedCursor | None],
    frames: bool,
) -> AsyncIterator[bytes]:
    """Yield the feed after a comment, which confirms to the follower at once that it is connected."""
    yield b": affray\n\n"
    place, seen, come_from = begun
    following = house.feed.follow(guest, place, frames=frames, seen=seen, come_from=come_from)
    async with aclosing(following):
        async for sent in following:
            yield sent


async def events(request: Request) -> Response:
    """Return a page of the feed."""
    house, guest = get_house_of_request(request), guest_of(request)
    limit, after = LIMIT.number(request), TOLD_FROM.text(request)
    place = None if after == "start" else position_of(after)
    return respond_with_json(await house.look_long(guest, Wanted("events", place, limit)))


async def state(request: Request) -> Response:
    """Return the state of the fight, now or earlier."""
    house = get_house_of_request(request)
    guest, at = guest_of(request), AT.text(request)
    look = house.look_briefly if at == "end" else house.look_by_rules
    return as_json(await look(guest, f"state {at}", lambda looking, store: looking.state(store, at)))


async def why(request: Request) -> Response:
    """Explain one event of the main line."""
    house, guest = get_house_of_request(request), guest_of(request)
    seq = _seq(request.path_params["seq"])
    return as_json(
        await house.look_by_rules(guest, f"why {seq}", lambda looking, store: looking.why(store, seq))
    )


async def legal(request: Request) -> Response:
    """List the declarations that a combatant may make now."""
    house, guest = get_house_of_request(request), guest_of(request)
    who = request.path_params["id"]
    if guest.role != "game master" and who not in guest.combatants:
        raise Problem("not_yours", "only the combatant's player may see that")
    return as_json(
        await house.look_by_rules(guest, f"legal {who}", lambda looking, store: looking.legal(store, who))
    )


async def page(request: Request) -> Response:
    """Return the data that a page of the fight is drawn from."""
    house, guest = get_house_of_request(request), guest_of(request)
    return respond_with_json(await house.look_long(guest, Wanted("page")))


async def picture(request: Request) -> Response:
    """Return the picture under the map; without an address there is none."""
    return as_json(get_house_of_request(request).picture)


async def names(request: Request) -> Response:
    """Return the names that a page that knows the fight up to a position has yet to learn."""
    house, guest = get_house_of_request(request), guest_of(request)
    after = position_of(LEARNED_TO.text(request))
    return respond_with_json(await house.look_long(guest, Wanted("names", after)))


def _seq(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Problem("not_found", f"{text[:40]!r} is not the number of an event")
    return int(text)


# --- Routes that write: declarations, choices, rulings, disputes, undo, redo, forks, promotions

HELD_STATUS: Final = 202

B = TypeVar("B", bound=Body)
CarryOut = Callable[[ServerContext, Guest, B, Expects, str], Awaitable[Written]]
"""Execute a command of a guest, at the position that it expects, under the id of its request."""


def commanding(kind: type[B]) -> Callable[[CarryOut[B]], Callable[[Request], Awaitable[Response]]]:
    """Make a route of a function that executes commands of a kind; it answers with the command's result."""

    def made(carry_out: CarryOut[B]) -> Callable[[Request], Awaitable[Response]]:
        @wraps(carry_out)
        async def route(request: Request) -> Response:
            house, guest = get_house_of_request(request), guest_of(request)
            body = await parse_body(request, kind)
            done = await house.done(guest, partial(carry_out, house, guest, body), body)
            answer = as_json(done)
            answer.status_code = HELD_STATUS if done.held else answer.status_code
            return answer

        return route

    return made


@commanding(Declare)
async def declarations(
    house: ServerContext, guest: Guest, body: Declare, expected: Expects, request: str
) -> Written:
    """Declare an act: the game master for any combatant, a player for its own.

    A declaration that is refused for a reason its player cannot know is held for the game master, status 202.
    """
    return await _declare(house, guest, body.act, body.manual, expected, request)


async def _declare(
    house: ServerContext, guest: Guest, act: AnyAct, manual: bool, expected: Expects, request: str
) -> Written:
    by_chance = None
    if guest.role != "game master":
        if act.declared_by == "game master" or act.actor not in guest.combatants:
            raise Problem("not_yours", "a player may only declare for its own combatants")
        # A hidden combatant gets the same answer as one that does not exist.
        if unknown := await house.look(guest, lambda looking, store: looking.strangers(store, act)):
            raise Problem("bad_request", f"there is no combatant {unknown[0][:80]!r} in this fight")
        by_chance = await _is_hidden_name_guessed(house, guest, *words_of(act))
        if held := await _held(house, guest, act, expected, request):
            now = await house.apart(end_of)
            return Written(now, now, held=held)
    written = await house.ledger.declare(act, expected, called(guest), request, manual, by_chance=by_chance)
    if guest.role != "game master":
        house.holding.let_go(act.actor)  # only now: a late command is not executed
    return written


async def _held(house: ServerContext, guest: Guest, act: AnyAct, expected: Expects, request: str) -> str:
    """Return the id under which a declaration is held for the game master, "" if it is not."""
    if held := house.holding.again(request, act, expected):
        return held
    refusal = await house.refused_by_hidden(guest, act, expected)
    return "" if refusal is None else house.holding.hold(guest, act, expected, refusal, request)


@commanding(Choose)
async def choices(
    house: ServerContext, guest: Guest, body: Choose, expected: Expects, request: str
) -> Written:
    """Answer the pending question: the game master any, a player those of its combatants."""
    return await _choose(house, guest, body.answer, body.manual, expected, request)


async def _choose(
    house: ServerContext, guest: Guest, answer: str, manual: bool, expected: Expects, request: str
) -> Written:
    if guest.role != "game master" and not await house.look(
        guest, lambda looking, store: looking.may_answer(store, expected)
    ):
        raise Problem("not_yours", "another player must answer that")
    return await house.ledger.choose(answer, expected, called(guest), request, manual)


@commanding(Say)
async def sentences(
    house: ServerContext, guest: Guest, body: Say, expected: Expects, request: str
) -> Written:
    """Do what a line of text says: the game master anything, a player for its own combatants."""
    meaning, foreseen = await house.meaning(guest, body, expected, request)
    if isinstance(meaning, Several):
        choices = [(label, one.act) for label, one in meaning.choices]
        return await _ask_which(house, meaning.question, choices)
    if isinstance(meaning, Declaration):
        if foreseen.past and not body.sure:
            choices = [("Go", meaning.act), *([("Go around", foreseen.around)] if foreseen.around else [])]
            return await _ask_which(
                house, f"{foreseen.cost}, provokes from {', '.join(foreseen.past)}", choices
            )
        manual = body.manual or bool(meaning.faces)
        written = await _declare(house, guest, meaning.act, manual, expected, request)
        return await _throw(house, guest, written, meaning.faces, request) if meaning.faces else written
    if isinstance(meaning, Answer):
        return await _choose(house, guest, meaning.text, body.manual, expected, request)
    if isinstance(meaning, LineRequest) and meaning.word == "why" and meaning.words[0].isdecimal():
        now = await house.apart(end_of)
        return Written(now, now, look=int(meaning.words[0]))
    if guest.role != "game master":
        raise Problem("wrong_role", "only the game master may do that")
    if isinstance(meaning, Ruling):
        at = meaning.at
        return await house.ledger.rule(
            expected,
            request,
            called(guest),
            verdict="amend",
            text=meaning.text,
            at=await house.apart(lambda store: concerned(store, store.main_line(), at)),
            changes=meaning.changes,
            revive=(),
            scope="event",
            dispute="",
            name="",
            promoting=True,
        )
    if meaning.word == "undo" and not meaning.words[1:]:
        count = int(meaning.words[0]) if meaning.words else 1
        return await house.ledger.undo(count, expected, called(guest), request)
    if meaning.word == "redo":
        return await house.ledger.redo(expected, called(guest), request)
    raise Problem("bad_request", f"{meaning.word} is not for this line: it is a word of affray table")


async def _ask_which(house: ServerContext, question: str, choices: Sequence[tuple[str, AnyAct]]) -> Written:
    """Return the answer to a line that is not carried out before one of its meanings is chosen."""
    now = await house.apart(end_of)
    return Written(now, now, told=question, choices=tuple(LineChoice(*one) for one in choices))


async def _throw(
    house: ServerContext, guest: Guest, written: Written, faces: Sequence[int], request: str
) -> Written:
    """Answer the rolls of a declaration with the faces at the end of its line."""
    left, number = list(faces), 0
    while left and written.refused is None and not written.held:
        question = written.asked
        if question is None or not question.notation:
            told = f"{counted(len(left), 'die', 'dice')} too many: {', '.join(map(str, left))}"
            return replace(written, told=told)
        many, number = count_dice(parse(question.notation)), number + 1
        answer, left = ",".join(map(str, left[:many])), left[many:]
        further = await _choose(house, guest, answer, True, written.after, f"{request}.{number}")
        written = replace(further, before=written.before, events=(*written.events, *further.events))
    return written


@commanding(RuleOn)
async def rulings(
    house: ServerContext, guest: Guest, body: RuleOn, expected: Expects, request: str
) -> Written:
    """Rule on an event."""
    await _refuse_naming(house, guest, body.name)
    return await house.ledger.rule(
        expected,
        request,
        called(guest),
        verdict=body.verdict,
        text=body.text,
        at=body.at,
        changes=body.effects,
        revive=body.revive,
        scope=body.scope,
        dispute=body.dispute,
        name=body.name,
        promoting=body.promote and body.verdict != "uphold",
    )


@commanding(Contest)
async def disputes(
    house: ServerContext, guest: Guest, body: Contest, expected: Expects, request: str
) -> Written:
    """Record a dispute of an event: the game master may, and every player with a combatant."""
    at = await house.look(guest, lambda looking, store: looking.event_of(store, body.at))
    by_chance = await _is_hidden_name_guessed(house, guest, body.text)
    return await house.ledger.dispute(at, body.text, expected, called(guest), request, by_chance=by_chance)


@commanding(Undo)
async def undo(house: ServerContext, guest: Guest, body: Undo, expected: Expects, request: str) -> Written:
    """Undo the last declarations."""
    return await house.ledger.undo(body.count, expected, called(guest), request)


@commanding(Redo)
async def redo(house: ServerContext, guest: Guest, body: Redo, expected: Expects, request: str) -> Written:
    """Redo what the last undo undid."""
    return await house.ledger.redo(expected, called(guest), request)


@commanding(Fork)
async def forks(house: ServerContext, guest: Guest, body: Fork, expected: Expects, request: str) -> Written:
    """Create a branch of the main line."""
    await _refuse_naming(house, guest, body.name)
    return await house.ledger.fork(body.at, body.name, expected, request)


@commanding(Promote)
async def promotions(
    house: ServerContext, guest: Guest, body: Promote, expected: Expects, request: str
) -> Written:
    """Make a branch the main line."""
    await _refuse_naming(house, guest, body.branch)
    return await house.ledger.promote(body.branch, expected, called(guest), request)


def called(guest: Guest) -> str:
    """Return the name to record for a guest: its name, or else its role."""
    return guest.name or guest.role


async def _is_hidden_name_guessed(house: ServerContext, guest: Guest, *said: str) -> bool | None:
    """Return whether a player's words name a hidden combatant it cannot know; None for the game master."""
    if guest.role == "game master":
        return None
    words, hidden = (called(guest), *said), house.access.hidden
    found: bool | None = await house.look(
        guest, lambda looking, store: looking.by_chance(store, words, hidden)
    )
    return found


async def _refuse_naming(house: ServerContext, guest: Guest, line: str) -> None:
    """Raise Problem for a line whose name contains a hidden combatant: every position shows the name."""
    hidden = house.access.hidden
    if not line or not hidden:
        return
    told: bool = await house.look(guest, lambda looking, store: looking.names_hidden(store, hidden, line))
    if told:
        raise Problem("bad_request", "choose another name: this one names a hidden combatant")


# --- Routes for declarations that are held for the game master


async def held(request: Request) -> Response:
    """List the declarations that are held: all with reasons for the game master, for a player its own."""
    return as_json(HeldDeclarations(list(get_house_of_request(request).holding.seen_by(guest_of(request)))))


@commanding(Decide)
async def decisions(
    house: ServerContext, guest: Guest, body: Decide, expected: Expects, request: str
) -> Written:
    """Decide on a held declaration: declare an act in its place, or reject it with words."""
    waiting = house.holding.waiting(body.held, request)
    if body.act is None:
        house.holding.decide(waiting.id, "declined", body.words, request)
        now = await house.apart(end_of)
        return Written(now, now, told=f"rejected: {waiting.label}")
    written = await house.ledger.declare(body.act, expected, called(guest), request, body.manual)
    if written.refused is None:
        house.holding.decide(waiting.id, "declared", body.words, request)
    return written


# --- Routes of the game master for combatants to enter: included sheets and stat blocks


async def sheets(request: Request) -> Response:
    """List the included sheets of the fight's dialect."""
    house = get_house_of_request(request)
    return as_json(await house.apart(lambda store: Sheets(entry_sheets.shipped(_dialect(store)))))


async def sheet(request: Request) -> Response:
    """Return an included sheet, or one made from a printed stat block, without entering a combatant."""
    house = get_house_of_request(request)
    wanted = await parse_body(request, SheetWanted)
    if bool(wanted.use) == bool(wanted.block):
        raise Problem("bad_request", "give either an included sheet (use) or a printed stat block (block)")

    def found(store: Store) -> ParsedSheet:
        if wanted.use:
            return ParsedSheet(entry_sheets.shipped_sheet(_dialect(store), wanted.use), [])
        made, notes = entry_sheets.printed_sheet(_dialect(store), wanted.block)
        return ParsedSheet(made, [Unheld(one.line, one.text, one.reason, one.grade) for one in notes])

    return as_json(await house.apart(found))


def _dialect(store: Store) -> str:
    """Return the dialect of a fight, from its first event."""
    return state_at(store, end_of(store).branch, 1).dialect


# --- Routes of the game master for guests: their links, and hidden combatants


async def invitations(request: Request) -> Response:
    """List all guests with their links, and the combatants that only the game master sees."""
    return guests(get_house_of_request(request))


async def invite(request: Request) -> Response:
    """Invite a guest."""
    house = get_house_of_request(request)
    body = await parse_body(request, Invite)
    await house.apart(lambda store: house.access.invite(body.role, body.combatants, body.name))
    return guests(house)


async def withdrawals(request: Request) -> Response:
    """Invalidate the link of a guest and disconnect its followers."""
    house = get_house_of_request(request)
    body = await parse_body(request, Withdrawal)
    await house.apart(lambda store: house.access.withdraw(body.token))
    house.feed.poke()
    return guests(house)


async def hidings(request: Request) -> Response:
    """Hide a combatant from all except the game master, or show it."""
    house = get_house_of_request(request)
    body = await parse_body(request, Hiding)
    change = house.access.hide if body.hidden else house.access.unhide
    await house.apart(
        lambda store: change(body.combatant, heard_of=has_name_of_combatant(store, body.combatant))
    )
    house.feed.poke()
    return guests(house)


def guests(house: ServerContext) -> Response:
    """Return all guests as the game master sees them."""
    told = [
        Invited(
            one.role,
            one.name,
            one.combatants,
            one.token,
            link_of(one, house.address),
            draw_qr_svg(link_of(one, house.address)),
        )
        for one in house.access.guests
    ]
    return as_json(Guests(told, house.access.hidden))


# --- The route that computes the result of a path before it is declared

_PATH: Final = re.compile(PATH.schema["pattern"])
_SAYS_HOW: Final = ("move", "withdraw")


async def way(request: Request) -> Response:
    """Return the cost of a path and the attacks that it provokes, or why it is refused."""
    house, guest = get_house_of_request(request), guest_of(request)
    act = act_of(request)
    if guest.role != "game master" and act.actor not in guest.combatants:
        raise Problem("not_yours", "only the combatant's player may see that")
    return as_json(
        await house.look_by_rules(guest, str(act), lambda looking, store: looking.price(store, act))
    )


def act_of(request: Request) -> AnyAct:
    """Return the declaration that a request asks about. Raises Problem."""
    kind, how, target = KIND.text(request), HOW.text(request), TARGET.text(request)
    if kind not in WAYS:
        raise Problem("bad_request", f"act={kind[:40]}: expected {', '.join(WAYS)}")
    path = squares_of(PATH.text(request))
    said: JsonObject = {"act": kind, "actor": request.path_params["id"]}
    if kind == "step" and path:
        said["to"] = path[-1]
    elif kind != "step":
        said["path"] = path
    for name, word, kinds in (("how", how, _SAYS_HOW), ("target", target, ("charge",))):
        if word and kind not in kinds:
            raise Problem("bad_request", f"a {kind} has no {name!r}")
        if word:
            said[name] = word
    try:
        return msgspec.convert(said, AnyAct)  # type: ignore[no-any-return]
    except msgspec.ValidationError as error:
        raise Problem("bad_request", str(error)) from None


def squares_of(text: str) -> list[tuple[int, int]]:
    """Parse the squares of a path. Raises Problem for one that is malformed or too long."""
    if len(text) > 12 * MOST_SQUARES or not _PATH.fullmatch(text):
        raise Problem(
            "bad_request", f"path={text[:40]}: write squares as 4,1;4,2;5,3, at most {MOST_SQUARES}"
        )
    squares = [tuple(map(int, one.split(","))) for one in text.split(";") if one]
    if len(squares) > MOST_SQUARES:
        raise Problem("bad_request", f"a path of {counted(len(squares), 'square')}: at most {MOST_SQUARES}")
    return squares  # type: ignore[return-value]


# --- Routes for win chances: the result and its progress, and starting the calculation


async def swing(request: Request) -> Response:
    """Return the win chances along the main line and the progress of their calculation."""
    house, guest = get_house_of_request(request), guest_of(request)
    master = guest.role == "game master"
    if not master and (not house.swing.for_all or house.access.hidden):
        raise Problem("hidden", "the game master has not shared the win chances")
    told = house.swing.seen(all_of_it=master)
    return as_json(await house.look(guest, lambda looking, store: looking.swing(store, told)))


async def swing_wanted(request: Request) -> Response:
    """Start calculating win chances in the background, and set who may see them."""
    house = get_house_of_request(request)
    body = await parse_body(request, SwingWanted)
    house.swing.for_all = body.for_all
    if body.runs:
        house.swing.begin(body.runs)
    return as_json(house.swing.seen(all_of_it=True))


# --- Routes without a token: the page of the fight, the overlay and the rulebook, which hold nothing of the
# fight

HELD = {"cache-control": "no-cache"}
"""A browser may store a page but asks again each time: an upgrade changes it."""


async def table_page(request: Request) -> Response:
    """Return the page for playing the fight."""
    only(request)
    return _page("table")


async def overlay(request: Request) -> Response:
    """Return the page for a stream or a screen at the table."""
    only(request)
    return _page("overlay")


async def rulebook_page(request: Request) -> Response:
    """Return the rulebook of the fight's dialect, the same for all; the first request waits for it."""
    only(request)
    house = get_house_of_request(request)
    packed = await house.weaving.packed(await house.apart(_dialect))
    headers = {**HELD, "content-security-policy": policy_of(framed("", [])), "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return HTMLResponse(packed, headers={**headers, "content-encoding": "gzip"})
    return HTMLResponse(await asyncio.to_thread(gzip.decompress, packed), headers=headers)


PAGES = (Route("/", table_page), Route("/overlay", overlay), Route("/rulebook", rulebook_page))
"""The routes of the pages."""


@cache
def _page(which: str) -> Response:
    page = make_live_page() if which == "table" else make_overlay_page()
    return HTMLResponse(page, headers={**HELD, "content-security-policy": policy_of(page)})


# --- The module for Foundry VTT: its manifest, with the address that it was requested at, and its files
#
# Foundry's own server fetches both when a game master installs it; they contain no data of a fight.

ID: Final = "affray"
GENERATION: Final = "13"
"""The Foundry generation whose published types the module is checked with. The manifest does not list it as
verified: that would mean tested in Foundry itself.
"""

BEGINNING: Final = (1980, 1, 1, 0, 0, 0)
"""The time of all files in the archive, which makes its bytes reproducible."""


async def foundry_manifest(request: Request) -> Response:
    """Return the manifest of the Foundry VTT module: the address to install it by."""
    return Response(_manifest_bytes(manifest(request.scope[ADDRESS])), media_type="application/json")


async def foundry_module(request: Request) -> Response:
    """Return the module's files as an archive, which Foundry VTT unpacks."""
    return Response(archive(request.scope[ADDRESS]), media_type="application/zip")


def manifest(address: str) -> JsonObject:
    """Return the manifest of the module for a server at an address."""
    return {
        "id": ID,
        "title": "Affray",
        "description": "Keeps combat, tokens, hit points, conditions and chat in step with a fight that"
        " <code>affray serve</code> serves.",
        "version": VERSION,
        "compatibility": {"minimum": GENERATION, "maximum": GENERATION},
        "esmodules": ["main.js"],
        "styles": ["affray.css"],
        "languages": [{"lang": "en", "name": "English", "path": "en.json"}],
        "url": f"{address}/",
        "manifest": f"{address}/foundry/module.json",
        "download": f"{address}/foundry/affray.zip",
    }


@cache
def archive(address: str) -> bytes:
    """Return the archive of the module: its manifest and all included files."""
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as packed:
        packed.writestr(ZipInfo("module.json", BEGINNING), _manifest_bytes(manifest(address)))
        for name, data in sorted(_shipped().items()):
            packed.writestr(ZipInfo(name, BEGINNING), data)
    return made.getvalue()


@cache
def _shipped() -> dict[str, bytes]:
    folder = files("affray.replay.serve") / "foundry" / "module"
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()}


def _manifest_bytes(manifest: JsonObject) -> bytes:
    return (json.dumps(manifest, indent=2) + "\n").encode()


# --- The documents of the interface, as included in the package: open to all, with nothing of a fight


async def openapi_json(request: Request) -> Response:
    """Return the OpenAPI 3.1 document of all routes."""
    return Response(shipped("affray.replay.serve", "openapi.json"), media_type="application/json")


async def asyncapi_json(request: Request) -> Response:
    """Return the AsyncAPI 3.0 document of the feed."""
    return Response(shipped("affray.replay.serve", "asyncapi.json"), media_type="application/json")


async def events_json(request: Request) -> Response:
    """Return the JSON Schema of the facts of all events of a log."""
    return Response(shipped("affray.events", "events.schema.json"), media_type="application/schema+json")


@cache
def shipped(package: str, name: str) -> bytes:
    """Return a file of a package, read once."""
    return (files(package) / name).read_bytes()
