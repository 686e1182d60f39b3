"""The picture under the map of a page."""

from typing import Final

from msgspec import Struct


class Underlay(Struct):
    """A picture as a data address, and how many squares it is wide and high; "" for none."""

    href: str
    width: float
    height: float


NO_PICTURE: Final = Underlay("", 0, 0)
