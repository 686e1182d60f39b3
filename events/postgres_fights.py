"""The fights of a database: which there are, by name; and what stands beside one that is served."""

from collections.abc import Iterable
from contextlib import suppress

from msgspec import Struct

from affray.events.address import Address
from affray.events.chain import GENESIS
from affray.events.errors import AffrayError, LogUnavailable, did_you_mean
from affray.events.postgres_wire import Taken, Wire
from affray.events.store import MAIN

_FIND = "SELECT id, master FROM affray.my_fights() WHERE name = %s"
_NAMES = "SELECT name FROM affray.my_fights() ORDER BY name"
_MAKE = "SELECT affray.open_fight(%s, %s, %s)"
_LISTED = """SELECT f.name, c.events, c.branches,
    to_char(f.made AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
    FROM affray.my_fights() f JOIN affray.my_counts() c ON c.id = f.id ORDER BY f.id"""


class Listed(Struct, frozen=True):
    """A fight of a database: its name, how much is in it, and when it was made (UTC)."""

    name: str
    events: int
    branches: int
    made: str


def fight_of(wire: Wire, name: str, *, make: bool) -> tuple[int, bool]:
    """Return the number of a fight, and whether it was made here. Raises LogUnavailable for none."""
    if not name:
        raise AffrayError(f"{wire.address}: name the fight: {wire.address}#NAME{_known(wire, '')}")
    for _ in range(2):
        found = wire.rows(_FIND, (name,))
        if found:
            number, is_master = found[0]
            if not is_master:
                raise LogUnavailable(
                    f"{wire.address}: a player's role, which reads affray.events_of({name!r}) by SQL"
                )
            return int(number), False
        if not make:
            raise LogUnavailable(f"{wire.address}: no such fight{_known(wire, name)}")
        with suppress(Taken):  # another process was faster, or it is there for others to see
            ((made,),) = wire.write(_MAKE, (name, MAIN, GENESIS.hex())).fetchall()
            return int(made), True
    raise LogUnavailable(f"{wire.address}: a fight of that name belongs to somebody else")


def _known(wire: Wire, name: str) -> str:
    return did_you_mean(name, [str(one) for (one,) in wire.rows(_NAMES)])


def fights_in(address: Address) -> list[Listed]:
    """Return the fights of a database that this role may read, in the order in which they were made.

    For a player's role counts are those of the events that it may see, and of the branches they are on.
    """
    wire = Wire(address, readonly=True, busy_seconds=5.0)
    try:
        return [Listed(*row) for row in wire.rows(_LISTED)]
    finally:
        wire.close()


def give_back(wire: Wire, *, used: bool) -> None:
    """Let the name of the fight at hand, which was begun in vain, be used again.

    It stays readable as `name~number`. One that is not `used` keeps its name if others have recorded
    something in it by now.
    """
    wire.write("SELECT affray_one.give_back(%s)", (used,))


class Beside:
    """What stands beside a fight and changes: the guests of its servers, and whom no player sees."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def hidden(self) -> tuple[str, ...]:
        """Return the ids of the combatants that only masters see."""
        return tuple(str(one) for (one,) in self._wire.rows("SELECT combatant FROM affray_one.hidden()"))

    def guests(self) -> bytes | None:
        """Return the list of the guests as it was put there, None where there is none."""
        rows = self._wire.rows("SELECT kept FROM affray_one.guests()")
        return bytes(rows[0][0]) if rows else None

    def put_guests(self, before: bytes | None, after: bytes, hidden: Iterable[str]) -> bool:
        """Put another list in place of `before`, with whom it hides; say whether `before` stood there."""
        values = (before, after, list(hidden))
        ((is_put,),) = self._wire.write("SELECT affray_one.put_guests(%s, %s, %s)", values).fetchall()
        return bool(is_put)
