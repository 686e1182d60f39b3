"""Routes that write: declarations, choices, rulings, disputes, undo, redo, forks, promotions."""

from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import Final, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from affray.events.facts.declared import AnyAct
from affray.replay.serve.access import Guest
from affray.replay.serve.asked import as_json, body_of, guest_of
from affray.replay.serve.errors import Problem
from affray.replay.serve.messages import (
    Body,
    Choose,
    Contest,
    Declare,
    Fork,
    Promote,
    Redo,
    RuleOn,
    Undo,
)
from affray.replay.serve.ports import House, Written, house_of
from affray.replay.serve.positions import Expects, end_of
from affray.replay.sieve import words_of

HELD_STATUS: Final = 202

B = TypeVar("B", bound=Body)
CarryOut = Callable[[House, Guest, B, Expects, str], Awaitable[Written]]
"""Carries out a command of a guest, at the position that it expects, under the id of its request."""


def commanding(kind: type[B]) -> Callable[[CarryOut[B]], Callable[[Request], Awaitable[Response]]]:
    """Make a route of what carries out commands of a kind: it is answered what came of one."""

    def made(carry_out: CarryOut[B]) -> Callable[[Request], Awaitable[Response]]:
        @wraps(carry_out)
        async def route(request: Request) -> Response:
            house, guest = house_of(request), guest_of(request)
            body = await body_of(request, kind)
            done = await house.done(guest, partial(carry_out, house, guest, body), body)
            answer = as_json(done)
            answer.status_code = HELD_STATUS if done.held else answer.status_code
            return answer

        return route

    return made


@commanding(Declare)
async def declarations(house: House, guest: Guest, body: Declare, expected: Expects, request: str) -> Written:
    """Declare an act: the game master any, a player those of its combatants.

    What the rules refuse for no reason that the player could know is held for the game master, status 202.
    """
    act, by_chance = body.act, None
    if guest.role != "game master":
        if act.declared_by == "game master" or act.actor not in guest.combatants:
            raise Problem("not_yours", "a player declares what its own combatants do")
        # Who is hidden is answered for as anybody who is not there.
        if unknown := await house.look(guest, lambda looking, store: looking.strangers(store, act)):
            raise Problem("bad_request", f"there is no combatant {unknown[0][:80]!r} in this fight")
        by_chance = await _by_chance(house, guest, *words_of(act))
        if held := await _held(house, guest, act, expected, request):
            now = await house.apart(end_of)
            return Written(now, now, held=held)
    written = await house.ledger.declare(
        act, expected, called(guest), request, body.manual, by_chance=by_chance
    )
    if guest.role != "game master":
        house.holding.let_go(act.actor)  # only now: what comes too late is not done
    return written


async def _held(house: House, guest: Guest, act: AnyAct, expected: Expects, request: str) -> str:
    """Return the id under which a declaration is held for the game master, "" if it is not."""
    if held := house.holding.again(request, act, expected):
        return held
    refusal = await house.refused_by_hidden(guest, act, expected)
    return "" if refusal is None else house.holding.hold(guest, act, expected, refusal, request)


@commanding(Choose)
async def choices(house: House, guest: Guest, body: Choose, expected: Expects, request: str) -> Written:
    """Answer what the fight waits for: the game master anything, a player for its combatants."""
    if guest.role != "game master" and not await house.look(
        guest, lambda looking, store: looking.may_answer(store, expected)
    ):
        raise Problem("not_yours", "that is for somebody else to answer")
    return await house.ledger.choose(body.answer, expected, called(guest), request, body.manual)


@commanding(RuleOn)
async def rulings(house: House, guest: Guest, body: RuleOn, expected: Expects, request: str) -> Written:
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
async def disputes(house: House, guest: Guest, body: Contest, expected: Expects, request: str) -> Written:
    """Put on record that an event is contested: whoever has a combatant may, and the game master."""
    at = await house.look(guest, lambda looking, store: looking.event_of(store, body.at))
    by_chance = await _by_chance(house, guest, body.text)
    return await house.ledger.dispute(at, body.text, expected, called(guest), request, by_chance=by_chance)


@commanding(Undo)
async def undo(house: House, guest: Guest, body: Undo, expected: Expects, request: str) -> Written:
    """Take back the last declarations."""
    return await house.ledger.undo(body.count, expected, called(guest), request)


@commanding(Redo)
async def redo(house: House, guest: Guest, body: Redo, expected: Expects, request: str) -> Written:
    """Bring again what the last undo took back."""
    return await house.ledger.redo(expected, called(guest), request)


@commanding(Fork)
async def forks(house: House, guest: Guest, body: Fork, expected: Expects, request: str) -> Written:
    """Begin a branch of the main line."""
    await _refuse_naming(house, guest, body.name)
    return await house.ledger.fork(body.at, body.name, expected, request)


@commanding(Promote)
async def promotions(house: House, guest: Guest, body: Promote, expected: Expects, request: str) -> Written:
    """Make a branch the main line."""
    await _refuse_naming(house, guest, body.branch)
    return await house.ledger.promote(body.branch, expected, called(guest), request)


def called(guest: Guest) -> str:
    """Return who is put on record: a guest's name, else its role."""
    return guest.name or guest.role


async def _by_chance(house: House, guest: Guest, *said: str) -> bool | None:
    """Return whether words of a player name one of the hidden, of whom it cannot know; None if it can."""
    if guest.role == "game master":
        return None
    words, hidden = (called(guest), *said), house.access.hidden
    found: bool | None = await house.look(
        guest, lambda looking, store: looking.by_chance(store, words, hidden)
    )
    return found


async def _refuse_naming(house: House, guest: Guest, line: str) -> None:
    """Raise Problem for a line whose name would tell of the hidden: it stands in every position."""
    hidden = house.access.hidden
    if not line or not hidden:
        return
    told: bool = await house.look(guest, lambda looking, store: looking.names_hidden(store, hidden, line))
    if told:
        raise Problem("bad_request", "the name of a line stands in every position: that one names the hidden")
