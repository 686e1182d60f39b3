"""Routes about declarations that are held for the game master."""

from starlette.requests import Request
from starlette.responses import Response

from affray.replay.serve.access import Guest
from affray.replay.serve.asked import as_json, guest_of
from affray.replay.serve.commanding_routes import called, commanding
from affray.replay.serve.messages import AllHeld, Decide
from affray.replay.serve.ports import House, Written, house_of
from affray.replay.serve.positions import Expects, end_of


async def held(request: Request) -> Response:
    """Tell which declarations are held: the game master all, with the reasons, a player its own."""
    return as_json(AllHeld(list(house_of(request).holding.seen_by(guest_of(request)))))


@commanding(Decide)
async def decisions(house: House, guest: Guest, body: Decide, expected: Expects, request: str) -> Written:
    """Decide on what is held: declare something in its place, or turn it down with words."""
    waiting = house.holding.waiting(body.held, request)
    if body.act is None:
        house.holding.decide(waiting.id, "declined", body.words, request)
        now = await house.apart(end_of)
        return Written(now, now, told=f"turned down: {waiting.label}")
    written = await house.ledger.declare(body.act, expected, called(guest), request, body.manual)
    if written.refused is None:
        house.holding.decide(waiting.id, "declared", body.words, request)
    return written
