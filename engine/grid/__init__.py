"""The battle grid: distance, reach, lines, cover and areas, as exact integer geometry."""

from affray.engine.grid.area import DIRECTIONS, away, burst, cone, line_area, straight
from affray.engine.grid.battlefield import SQUARE_FT, Battlefield, GridError, Space, Square
from affray.engine.grid.concealment import obscured
from affray.engine.grid.cover import Cover, cover
from affray.engine.grid.distance import (
    Cost,
    adjacent,
    corner_blocked,
    distance_ft,
    obstructed,
    path_cost,
    step_cost,
    steps,
)
from affray.engine.grid.flanking import opposite
from affray.engine.grid.line import line_of_effect, line_of_sight, trace
from affray.engine.grid.reach import space, squeezed, threatened, within_reach
from affray.engine.grid.render import draw

__all__ = [
    "DIRECTIONS",
    "SQUARE_FT",
    "Battlefield",
    "Cost",
    "Cover",
    "GridError",
    "Space",
    "Square",
    "adjacent",
    "away",
    "burst",
    "cone",
    "corner_blocked",
    "cover",
    "distance_ft",
    "draw",
    "line_area",
    "line_of_effect",
    "line_of_sight",
    "obscured",
    "obstructed",
    "opposite",
    "path_cost",
    "space",
    "squeezed",
    "step_cost",
    "steps",
    "straight",
    "threatened",
    "trace",
    "within_reach",
]
