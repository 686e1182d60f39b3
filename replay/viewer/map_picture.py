"""The picture under the map of a page."""

import base64
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec import Struct

from affray.engine.fight.fight import WALL
from affray.engine.grid.battlefield import GridError, Side, side_between
from affray.engine.maps import read_document, read_map, read_picture, size_in_squares
from affray.events.errors import counted
from affray.events.facts.sheet import Barrier
from affray.events.stores.store import Store
from affray.projections.fold import fold


class Underlay(Struct):
    """A picture as a data address, and how many squares it is wide and high; "" for none."""

    href: str
    width: float
    height: float


NO_PICTURE: Final = Underlay("", 0, 0)


# --- The picture of a map file under the map of a fight


def underlay(path: Path, store: Store) -> Underlay:
    """Return the picture of a Universal VTT file, if its map is as large as that of the fight in a store.

    It stays in its file: no log holds it. Raises GridError for a file that is none, has no picture, or a map
    of another size.
    """
    document = read_document(path)
    terrain = fold(store.read("main", upto=1)).terrain
    size = size_in_squares(document)
    if size != (len(terrain[0]), len(terrain)):
        fight = f"{len(terrain[0])} by {len(terrain)}"
        raise GridError(f"{path} is a map {size[0]} by {size[1]}, that of the fight is {fight}")
    if not document.image:
        raise GridError(f"{path} has no picture")
    picture = read_picture(document.image)
    shown = document.resolution.map_size
    return Underlay(f"data:{picture.kind};base64,{base64.b64encode(picture.data).decode()}", shown.x, shown.y)


def explain_wrong_picture(path: Path, store: Store) -> str:
    """Return what speaks against a picture being that of the fight's map; "" for nothing.

    No log names a picture. But walls are drawn in its file too: those that the fight has not are counted, and
    the picture's digest is told, to know it by. Raises GridError as `underlay` does.
    """
    drawn = read_map(path)
    missing = len(_walls(drawn.barriers) - _walls(fold(store.read("main", upto=1)).barriers))
    if drawn.picture is None or not missing:
        return ""
    digest = sha256(drawn.picture.data).hexdigest()
    sides = counted(missing, "side of a square is", "sides of squares are")
    return (
        f"{path}: is it this map? {sides} walled off in it, not in the fight (picture sha256 {digest[:16]})"
    )


def _walls(barriers: Iterable[Barrier]) -> set[Side]:
    return {side_between(one.here, one.there) for one in barriers if one.cover == WALL and not one.door}
