"""Routes of the game master about who is to enter: the sheets there are, and what a stat block says."""

from starlette.requests import Request
from starlette.responses import Response

from affray.events.store import Store
from affray.replay.playhead import state_at
from affray.replay.serve.asked import as_json, body_of
from affray.replay.serve.errors import Problem
from affray.replay.serve.messages import SheetFound, Sheets, SheetWanted, Unheld
from affray.replay.serve.ports import house_of
from affray.replay.serve.positions import end_of


async def sheets(request: Request) -> Response:
    """Tell the sheets that ship with the dialect of the fight."""
    house = house_of(request)
    return as_json(await house.apart(lambda store: Sheets(house.sheets.shipped(_dialect(store)))))


async def sheet(request: Request) -> Response:
    """Tell a sheet that ships, or that of a printed stat block; nobody enters by it."""
    house = house_of(request)
    wanted = await body_of(request, SheetWanted)
    if bool(wanted.use) == bool(wanted.block):
        raise Problem("bad_request", "either a sheet that ships (use) or a printed stat block (block)")

    def found(store: Store) -> SheetFound:
        if wanted.use:
            return SheetFound(house.sheets.shipped_sheet(_dialect(store), wanted.use), [])
        made, notes = house.sheets.printed_sheet(_dialect(store), wanted.block)
        return SheetFound(made, [Unheld(one.line, one.text, one.reason, one.grade) for one in notes])

    return as_json(await house.apart(found))


def _dialect(store: Store) -> str:
    """Return the dialect of a fight, which its first event names."""
    return state_at(store, end_of(store).branch, 1).dialect
