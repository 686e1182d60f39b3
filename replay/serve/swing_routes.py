"""Routes about the chances of winning: how far they are worked out and what they are, and having them so."""

from starlette.requests import Request
from starlette.responses import Response

from affray.replay.serve.asked import as_json, body_of, guest_of
from affray.replay.serve.errors import Problem
from affray.replay.serve.messages import SwingWanted
from affray.replay.serve.ports import house_of


async def swing(request: Request) -> Response:
    """Tell the chances along the main line, as far as they were worked out, and how far that is."""
    house, guest = house_of(request), guest_of(request)
    master = guest.role == "game master"
    if not master and (not house.swing.for_all or house.access.hidden):
        raise Problem("hidden", "the chances of winning are the game master's to show")
    told = house.swing.seen(all_of_it=master)
    return as_json(await house.look(guest, lambda looking, store: looking.swing(store, told)))


async def swing_wanted(request: Request) -> Response:
    """Have the chances worked out, beside the fight, and say who may see them."""
    house = house_of(request)
    body = await body_of(request, SwingWanted)
    house.swing.for_all = body.for_all
    if body.runs:
        house.swing.begin(body.runs)
    return as_json(house.swing.seen(all_of_it=True))
