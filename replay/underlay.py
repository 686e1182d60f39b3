"""The picture of a map file under the map of a fight."""

import base64
from pathlib import Path

from affray.engine.grid.battlefield import GridError
from affray.engine.maps.document import read_document
from affray.engine.maps.picture import read_picture
from affray.engine.maps.reading import size_in_squares
from affray.events.store import Store
from affray.projections.fold import fold
from affray.replay.map_picture import Underlay


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
