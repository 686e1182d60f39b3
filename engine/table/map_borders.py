"""What stands between the squares of a map, looked at before a fight is opened with it."""

from collections.abc import Sequence

from affray.engine.fight.fight import Dialect
from affray.engine.fight.walled_field import WALL
from affray.engine.grid.battlefield import GridError, battlefield
from affray.engine.grid.border import is_border
from affray.engine.grid.distance import adjacent
from affray.events.facts.terrain import Barrier


def refuse_barriers(terrain: Sequence[str], barriers: Sequence[Barrier], rules: Dialect) -> None:
    """Refuse what of a map means nothing in a dialect, or cannot be. Raises GridError.

    A barrier off the map, between squares that are no neighbours, that covers where squares share no side;
    one that says what no rule of the dialect reads; a wall that asks for a check; a door that is none.
    """
    field = battlefield(tuple(terrain))
    stands_open: dict[str, bool] = {}
    for one in barriers:
        where = f"the barrier between {one.here} and {one.there}"
        if not adjacent(one.here, one.there):
            raise GridError(f"no barrier stands between {one.here} and {one.there}")
        if one.cover != WALL and (fault := rules.movement.barrier_fault(one)):
            raise GridError(f"{where} {fault} in {rules.name}")
        if one.cover and not is_border(one.here, one.there):
            raise GridError(f"nothing covers between {one.here} and {one.there}: they share no side")
        if one.cover == WALL:
            if one.check or one.dc:
                raise GridError(f"{where} is a wall: nobody crosses it, whatever the check")
            if not (field.holds(one.here) and field.holds(one.there)):
                raise GridError(f"{where} is a wall off the map")
        elif one.door:
            raise GridError(
                f'{where} is called {one.door!r}: only what covers totally (cover = "total") opens'
            )
        if one.open and not one.door:
            raise GridError(f"{where} is open, and has no name to be closed by (door)")
        if one.door and stands_open.setdefault(one.door, one.open) != one.open:
            raise GridError(f"the door {one.door!r} is both open and closed")
