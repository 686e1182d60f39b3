"""Concealment by terrain: fog, foliage."""

from functools import lru_cache

from affray.engine.grid.battlefield import Battlefield, Space
from affray.engine.grid.distance import adjacent
from affray.engine.grid.fans import corners, edge_corners
from affray.engine.grid.line import trace
from affray.engine.grid.reach import space


def obscured(field: Battlefield, attacker: Space, target: Space, *, melee: bool) -> bool:
    """Whether the map's fog or foliage conceals the target from this attacker.

    Melee next to it: only if the target's whole space is concealing (srd35.concealment.melee-adjacent-test).
    Otherwise the attacker picks a corner, and any line from it to a corner of the target through a
    concealing square, the target's own among them, conceals (srd35.concealment.ranged-test,
    .melee-reach-test). Remembered.
    """
    if not field.concealing:
        return False
    return _obscured(field, attacker, target, melee)


@lru_cache(maxsize=16384)
def _obscured(field: Battlefield, attacker: Space, target: Space, melee: bool) -> bool:
    fog = field.concealing
    if melee and adjacent(attacker[0], target[0], attacker[1], target[1]):
        return fog.issuperset(space(*target))
    for start in edge_corners(*attacker):
        traces = [trace(start, end) for end in corners(*target)]
        if not any(
            any(square in fog for square in found.squares)
            or any(one in fog and other in fog for one, other in found.pairs)
            for found in traces
        ):
            return False
    return True
