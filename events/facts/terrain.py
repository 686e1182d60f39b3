"""What the map holds besides its squares: obstacles between them, and what covers them."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from affray.events.facts.base import Name, Number, Place

Row = Annotated[str, Meta(max_length=200)]

MOST_ROWS = 200
Rows = Annotated[tuple[Row, ...], Meta(max_length=MOST_ROWS)]
"""A map: a character for each square."""


class Barrier(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An obstacle between two neighbouring squares that hampers whoever crosses it, both ways.

    `check` names the skill that crossing asks for, against `dc`; "" for none. `cover` is what it gives to
    those behind it: "low" as a low wall, "high" as any other obstacle, "" none. With "total" it is a wall:
    nobody crosses it, and no line of effect or sight does. A wall that has a name under `door` is a door, or
    part of one, and lets everything through while it is `open`.
    """

    here: Place
    there: Place
    check: Name = ""
    dc: Number = 0
    cover: Literal["", "low", "high", "total"] = ""
    door: Name = ""
    open: bool = False


class Ground(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What covers the squares of the map from `here` to `there`, two opposite corners: ice, deep snow."""

    here: Place
    there: Place
    what: Name


Barriers = Annotated[tuple[Barrier, ...], Meta(max_length=10_000)]
Grounds = Annotated[tuple[Ground, ...], Meta(max_length=1000)]
