"""Routes of the game master about guests: who has which link, and whom only the game master sees."""

from starlette.requests import Request
from starlette.responses import Response

from affray.replay.serve.asked import as_json, body_of
from affray.replay.serve.links import link_of, qr_svg
from affray.replay.serve.messages import Guests, Hiding, Invite, Invited, Withdrawal
from affray.replay.serve.ports import House, house_of
from affray.replay.serve.spoken_of import speaks_of


async def invitations(request: Request) -> Response:
    """Tell all guests, with their links, and whom only the game master sees."""
    return guests(house_of(request))


async def invite(request: Request) -> Response:
    """Invite a guest."""
    house = house_of(request)
    body = await body_of(request, Invite)
    await house.apart(lambda store: house.access.invite(body.role, body.combatants, body.name))
    return guests(house)


async def withdrawals(request: Request) -> Response:
    """Let the link of a guest hold no longer; whoever follows by it is sent away."""
    house = house_of(request)
    body = await body_of(request, Withdrawal)
    await house.apart(lambda store: house.access.withdraw(body.token))
    house.feed.poke()
    return guests(house)


async def hidings(request: Request) -> Response:
    """Hide a combatant from all but the game master, or show it."""
    house = house_of(request)
    body = await body_of(request, Hiding)
    change = house.access.hide if body.hidden else house.access.unhide
    await house.apart(lambda store: change(body.combatant, heard_of=speaks_of(store, body.combatant)))
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
