"""Routes that write: declarations, choices, rulings, disputes, undo, redo, forks, promotions, guests."""

from starlette.requests import Request
from starlette.responses import Response

from affray.events.facts.declared import AnyAct
from affray.events.meaning import Holds, texts
from affray.events.sqlite import SqliteStore
from affray.replay.playhead import state_at
from affray.replay.serve.access import Guest
from affray.replay.serve.audience import Audience, Eyes
from affray.replay.serve.errors import Problem
from affray.replay.serve.house import House, as_json, body_of, place_of, plainly
from affray.replay.serve.links import link_of, qr_svg
from affray.replay.serve.looking import Looking
from affray.replay.serve.looking_routes import house_of
from affray.replay.serve.messages import (
    Choose,
    Contest,
    Declare,
    Fork,
    Guests,
    Hiding,
    Invite,
    Invited,
    Promote,
    Redo,
    RuleOn,
    Undo,
    Withdrawal,
)
from affray.replay.serve.positions import Place, end_of


async def declarations(request: Request) -> Response:
    """Declare an act: the game master any, a player those of its combatants."""
    house, guest = house_of(request), house_of(request).guest(request)
    body = await body_of(request, Declare)
    if guest.role != "game master":
        await _may_declare(house, guest, body.act)
    return as_json(
        await house.done(
            guest,
            lambda expected, id: house.ledger.declare(body.act, expected, called(guest), id, body.manual),
            body,
        )
    )


async def choices(request: Request) -> Response:
    """Answer what the fight waits for: the game master anything, a player for its combatants."""
    house, guest = house_of(request), house_of(request).guest(request)
    body = await body_of(request, Choose)
    if guest.role == "onlooker":
        raise Problem("wrong_role", "an onlooker answers nothing")
    if guest.role != "game master" and not await _may_answer(house, guest, place_of(body.expected)):
        raise Problem("not_yours", "that is for somebody else to answer")
    return as_json(
        await house.done(
            guest,
            lambda expected, id: house.ledger.choose(body.answer, expected, called(guest), id, body.manual),
            body,
        )
    )


async def rulings(request: Request) -> Response:
    """Rule on an event."""
    house, guest = house_of(request), house_of(request).guest(request)
    body = await body_of(request, RuleOn)
    await _refuse_naming(house, body.name)
    return as_json(
        await house.done(
            guest,
            lambda expected, id: house.ledger.rule(
                expected,
                id,
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
            ),
            body,
        )
    )


async def disputes(request: Request) -> Response:
    """Put on record that an event is contested: whoever has a combatant may, and the game master."""
    house, guest = house_of(request), house_of(request).guest(request)
    body = await body_of(request, Contest)
    return as_json(
        await house.done(
            guest,
            lambda expected, id: house.ledger.dispute(body.at, body.text, expected, called(guest), id),
            body,
        )
    )


async def undo(request: Request) -> Response:
    """Take back the last declarations."""
    house, guest = house_of(request), house_of(request).guest(request)
    body = await body_of(request, Undo)
    return as_json(
        await house.done(
            guest, lambda expected, id: house.ledger.undo(body.count, expected, called(guest), id), body
        )
    )


async def redo(request: Request) -> Response:
    """Bring again what the last undo took back."""
    house, guest = house_of(request), house_of(request).guest(request)
    body = await body_of(request, Redo)
    return as_json(
        await house.done(guest, lambda expected, id: house.ledger.redo(expected, called(guest), id), body)
    )


async def forks(request: Request) -> Response:
    """Begin a branch of the main line."""
    house, guest = house_of(request), house_of(request).guest(request)
    body = await body_of(request, Fork)
    await _refuse_naming(house, body.name)
    return as_json(
        await house.done(
            guest, lambda expected, id: house.ledger.fork(body.at, body.name, expected, id), body
        )
    )


async def promotions(request: Request) -> Response:
    """Make a branch the main line."""
    house, guest = house_of(request), house_of(request).guest(request)
    body = await body_of(request, Promote)
    await _refuse_naming(house, body.branch)
    return as_json(
        await house.done(
            guest, lambda expected, id: house.ledger.promote(body.branch, expected, called(guest), id), body
        )
    )


async def invitations(request: Request) -> Response:
    """Tell all guests, with their links, and whom only the game master sees."""
    return guests(house_of(request))


async def invite(request: Request) -> Response:
    """Invite a guest."""
    house = house_of(request)
    body = await body_of(request, Invite)
    await plainly(house.desk.do(lambda store: house.access.invite(body.role, body.combatants, body.name)))
    return guests(house)


async def withdrawals(request: Request) -> Response:
    """Let the link of a guest hold no longer; whoever follows by it is sent away."""
    house = house_of(request)
    body = await body_of(request, Withdrawal)
    await plainly(house.desk.do(lambda store: house.access.withdraw(body.token)))
    house.feed.poke()
    return guests(house)


async def hidings(request: Request) -> Response:
    """Hide a combatant from all but the game master, or show it."""
    house = house_of(request)
    body = await body_of(request, Hiding)
    change = house.access.hide if body.hidden else house.access.unhide
    await plainly(house.desk.do(lambda store: change(body.combatant)))
    house.feed.poke()
    return guests(house)


def guests(house: House) -> Response:
    """Return all guests as the game master sees them."""
    told = [
        Invited(
            one.role,
            one.name,
            one.combatants,
            one.token,
            link_of(one, house.address),
            qr_svg(link_of(one, house.address)),
        )
        for one in house.access.guests
    ]
    return as_json(Guests(told, house.access.hidden))


def called(guest: Guest) -> str:
    """Return who is put on record: a guest's name, else its role."""
    return guest.name or guest.role


async def _refuse_naming(house: House, branch: str) -> None:
    """Raise Problem for a line whose name would tell of the hidden: it stands in every position."""
    if not branch:
        return

    def names_hidden(looking: Looking, store: SqliteStore) -> bool:
        place = end_of(store)
        state = state_at(store, place.branch, place.seq)
        everybody = Audience(frozenset(), hide=frozenset(house.access.hidden))
        return Eyes(everybody, state).is_hidden(branch)

    told = await house.look(house.access.guests[0], names_hidden)
    if told:
        raise Problem("bad_request", "the name of a line stands in every position: that one names the hidden")


async def _may_declare(house: House, guest: Guest, act: AnyAct) -> None:
    """Raise Problem unless a player may declare that."""
    if act.declared_by == "game master" or act.actor not in guest.combatants:
        raise Problem("not_yours", "a player declares what its own combatants do")

    def strangers(looking: Looking, store: SqliteStore) -> list[str]:
        place = end_of(store)
        there = state_at(store, place.branch, place.seq).combatants.keys() - looking.audience.hide
        return [text for held, text in texts(act) if held is Holds.COMBATANT and text not in there]

    # Who is hidden is answered for as anybody who is not there.
    if unknown := await house.look(guest, strangers):
        raise Problem("bad_request", f"there is no combatant {unknown[0][:80]!r} in this fight")


async def _may_answer(house: House, guest: Guest, expected: Place) -> bool:
    """Say whether what is asked at a position is for a player to answer, or the fight is at another one: then
    the answer was given before, or comes too late.
    """

    def asked(looking: Looking, store: SqliteStore) -> bool:
        place = end_of(store)
        found = looking.question(state_at(store, place.branch, place.seq))
        return place != expected or found is None or found.yours

    return await house.look(guest, asked)
