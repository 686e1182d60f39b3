"""A frame: what the page needs of one event beside the event itself."""

from typing import Any

from msgspec import Struct, field

from affray.engine.grid.battlefield import Square

Line = tuple[int, int, int, int]
Sightline = tuple[int, int, int, int, int]
"""From grid corner (x, y) to grid corner (x, y); 1 if something stops it."""


class Sight(Struct, omit_defaults=True):
    """The cover of a target: its kind, the squares and creatures that give it, the lines that were drawn.

    Adjacent combatants have no lines: there nothing but the border between them counts.
    """

    kind: str
    squares: tuple[Square, ...] = ()
    creatures: tuple[str, ...] = ()
    lines: tuple[Sightline, ...] = ()


class Change(Struct, omit_defaults=True):
    """The fields that an event changed: of the encounter, and of combatants by id."""

    g: dict[str, Any] = field(default_factory=dict)
    c: dict[str, dict[str, Any]] = field(default_factory=dict)


class Frame(Struct, array_like=True, omit_defaults=True):
    """One event: its sentence, the events that led to it, what it changed, and who could see whom.

    `chance` is that of an attack to hit, in twentieths, where a die that was thrown decided it; `area` are
    the squares of a spell that is declared.
    """

    text: str
    chain: tuple[int, ...] = ()
    change: Change | None = None
    sight: Sight | None = None
    chance: int | None = None
    area: tuple[Square, ...] | None = None
