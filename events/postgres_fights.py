"""The fights of a database: which there are, by name; and what stands beside one that is served."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from msgspec import Struct

from affray.events.address import Address
from affray.events.chain import GENESIS
from affray.events.errors import AffrayError, LogUnavailable, did_you_mean
from affray.events.postgres_wire import Taken, Wire
from affray.events.store import MAIN

_FIND = "SELECT id FROM affray.fights WHERE name = %s"
_NAMES = "SELECT name FROM affray.fights ORDER BY name"
_MAKE = "INSERT INTO affray.fights (name) VALUES (%s) RETURNING id"
_ROOT = "INSERT INTO affray.branches (fight, id, name, parent, at, digest) VALUES (%s, 1, %s, '', 0, %s)"
_LISTED = """SELECT f.name, (SELECT count(*) FROM affray.events e WHERE e.fight = f.id),
    (SELECT count(*) FROM affray.branches b WHERE b.fight = f.id), to_char(f.made AT TIME ZONE 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS"Z"') FROM affray.fights f ORDER BY f.id"""


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
            if not wire.rows("SELECT has_table_privilege('affray.record', 'SELECT')")[0][0]:
                raise LogUnavailable(
                    f"{wire.address}: a player's role, which reads affray.events by SQL, and no more"
                )
            return int(found[0][0]), False
        if not make:
            raise LogUnavailable(f"{wire.address}: no such fight{_known(wire, name)}")
        with suppress(Taken):  # another process was faster, or it is there for others to see
            with wire.transaction() as held:
                ((made,),) = held.execute(_MAKE, (name,)).fetchall()
                held.execute(_ROOT, (made, MAIN, GENESIS.hex()))
            return int(made), True
    raise LogUnavailable(f"{wire.address}: a fight of that name belongs to somebody else")


def _known(wire: Wire, name: str) -> str:
    return did_you_mean(name, [str(one) for (one,) in wire.rows(_NAMES)])


def fights_in(address: Address) -> list[Listed]:
    """Return the fights of a database that this role may read, in the order in which they were made."""
    wire = Wire(address, readonly=True, busy_seconds=5.0)
    try:
        return [Listed(*row) for row in wire.rows(_LISTED)]
    finally:
        wire.close()


def give_back(wire: Wire, fight: int, *, used: bool) -> None:
    """Let the name of a fight that was begun in vain be used again; it stays readable as `name~number`.

    One that is not `used` keeps its name if others have recorded something in it by now.
    """
    wire.write(
        "UPDATE affray.fights SET name = name || '~' || id WHERE id = %s"
        " AND (%s OR NOT EXISTS (SELECT 1 FROM affray.events WHERE fight = %s))",
        (fight, used, fight),
    )


class Beside:
    """What stands beside a fight and changes: the guests of its servers, and whom no player sees."""

    def __init__(self, wire: Wire, fight: int) -> None:
        self._wire, self._fight = wire, fight

    def hidden(self) -> tuple[str, ...]:
        """Return the ids of the combatants that only masters see."""
        rows = self._wire.rows(
            "SELECT combatant FROM affray.hidden WHERE fight = %s ORDER BY combatant", (self._fight,)
        )
        return tuple(str(one) for (one,) in rows)

    def guests(self) -> bytes | None:
        """Return the list of the guests as it was put there, None where there is none."""
        rows = self._wire.rows("SELECT kept FROM affray.guests WHERE fight = %s", (self._fight,))
        return bytes(rows[0][0]) if rows else None

    def put_guests(self, before: bytes | None, after: bytes, hidden: Iterable[str]) -> bool:
        """Put another list in place of `before`, with whom it hides; say whether `before` stood there."""
        try:
            with self._wire.transaction() as held:
                if before is None:
                    held.execute("INSERT INTO affray.guests VALUES (%s, %s)", (self._fight, after))
                elif not _replaced(held, self._fight, before, after):
                    return False
                held.execute("DELETE FROM affray.hidden WHERE fight = %s", (self._fight,))
                for one in hidden:
                    held.execute("INSERT INTO affray.hidden VALUES (%s, %s)", (self._fight, one))
        except Taken:
            return False
        return True


def _replaced(held: Any, fight: int, before: bytes, after: bytes) -> bool:
    done = held.execute(
        "UPDATE affray.guests SET kept = %s WHERE fight = %s AND kept = %s", (after, fight, before)
    )
    return bool(done.rowcount)
