"""What the map holds besides its squares: obstacles between them, and what covers them."""

from typing import Literal

from msgspec import Struct

from affray.events.facts.base import Name, Number

Square = tuple[int, int]


class Barrier(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An obstacle between two neighbouring squares that hampers whoever crosses it, both ways.

    `check` names the skill that crossing asks for, against `dc`; "" for none. `cover` is what it gives to
    those behind it: "low" as a low wall, "high" as any other obstacle, "" none.
    """

    here: Square
    there: Square
    check: Name = ""
    dc: Number = 0
    cover: Literal["", "low", "high"] = ""


class Ground(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What covers the squares of the map from `here` to `there`, two opposite corners: ice, deep snow."""

    here: Square
    there: Square
    what: Name
