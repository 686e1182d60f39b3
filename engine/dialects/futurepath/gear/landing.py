"""Where what is thrown at a square comes to rest: a corner of that square or, after a miss, of one nearby.

The tables speak as the thrower sees it: "beyond" the target is away from the thrower, "short" of it back
towards it, "upper" the far side of a square and "lower" its near side. The way of a throw counts as the one
of the four directions along the map that it goes farther in, from the middle of the thrower to that of the
square; one that goes as far along both, or nowhere, counts as one along the columns of the map (up or down).
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import UNSET

from affray.engine.dialects.futurepath.damage.area_damage import covered_squares
from affray.engine.fight.fight import Fight
from affray.engine.grid.area import burst
from affray.engine.grid.battlefield import Square
from affray.engine.steps import Roll, Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

HIT: Final = "futurepath.table.thrown-explosive-hit-corner"
NEAR: Final = "futurepath.table.thrown-explosive-miss-2-3"
FAR: Final = "futurepath.table.thrown-explosive-miss-4-5"
MISS: Final = "futurepath.attack.thrown-explosive.miss"
WITHIN: Final = "futurepath.attack.thrown-explosive.within-increment"
NUMBERS: Final[Mapping[str, int]] = {"one": 1, "two": 2}


def direction_of_throw(thrower: Combatant, square: Square) -> Square:
    """Return the one of four directions in which a throw at a square goes, up if it goes nowhere."""
    (x, y), side = thrower.at, thrower.space
    across, down = 2 * square[0] + 1 - 2 * x - side, 2 * square[1] + 1 - 2 * y - side
    if abs(across) > abs(down):
        return (1 if across > 0 else -1), 0
    return 0, (1 if down > 0 else -1)


def corner_of(square: Square, corner: str, ahead: Square) -> Square:
    """Return a corner of a square, such as the "upper left" one, as a thrower sees it who looks `ahead`."""
    upright, _, side = corner.partition(" ")
    (fx, fy), (rx, ry) = ahead, right_of(ahead)
    far, right = (1 if upright == "upper" else -1), (1 if side == "right" else -1)
    return square[0] + (1 + far * fx + right * rx) // 2, square[1] + (1 + far * fy + right * ry) // 2


def right_of(ahead: Square) -> Square:
    """Return the direction to the right of one who looks `ahead`; the map's rows count downwards."""
    return -ahead[1], ahead[0]


def square_of_row(target: Square, where: str, ahead: Square) -> Square:
    """Return the square that a row names, such as "one beyond and right of target"."""
    right = right_of(ahead)
    ways = {
        "beyond": ahead,
        "short": (-ahead[0], -ahead[1]),
        "right": right,
        "left": (-right[0], -right[1]),
    }
    words = where.split()
    steps = NUMBERS[words[0]]
    x, y = target
    for word in words:
        dx, dy = ways.get(word, (0, 0))
        x, y = x + steps * dx, y + steps * dy
    return x, y


def table_of_miss(fight: Fight, weapon: Weapon, feet: int) -> str:
    """Return the table by which a throw lands that missed so many feet away (scatter_bands).

    futurepath.table.thrown-explosive-miss-2-3, futurepath.table.thrown-explosive-miss-4-5.
    """
    if fight.option("scatter_bands") == "feet":
        return NEAR if feet <= fight.figure(MISS, "near_ft") else FAR
    return NEAR if feet <= fight.figure(MISS, "near_increments") * weapon.range else FAR


def land(
    fight: Fight, thrower: Combatant, weapon: Weapon, square: Square, feet: int, hit: bool, splash_ft: int = 0
) -> Steps[tuple[Square, tuple[str, ...]]]:
    """Roll at which corner a throw comes to rest; return it and the rules that say so.

    What breaks there and splashes covers the squares within `splash_ft` feet.
    futurepath.attack.thrown-explosive.within-increment, futurepath.attack.thrown-explosive.miss,
    futurepath.table.thrown-explosive-hit-corner.
    """
    ahead = direction_of_throw(thrower, square)
    if hit:
        rolled = yield Roll(thrower.id, "corner", str(fight.figure(WITHIN, "dice")))
        corner = corner_of(square, str(fight.figure(HIT, str(rolled.total))), ahead)
        cites = fight.rules(HIT)
    else:
        table = table_of_miss(fight, weapon, feet)
        dice = fight.figure(MISS, "near_dice" if table == NEAR else "far_dice")
        rolled = yield Roll(thrower.id, "misdirection", str(dice))
        row: dict[str, Any] = next(one for one in fight.figure(table) if one["roll"] == rolled.total)
        corner = corner_of(square_of_row(square, row["square"], ahead), row["corner"], ahead)
        cites = fight.rules(MISS, table)
    what = f"the {weapon.name} comes to rest at the corner {corner[0]},{corner[1]}"
    wet = covered_squares(fight, burst(corner, splash_ft), (corner, 0, (0, 0))) if splash_ft else UNSET
    yield RuleApplied(who=thrower.id, what=what, squares=wet, corner=corner, aimed=square, cites=cites)
    return corner, cites
