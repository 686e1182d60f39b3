"""How far a splash weapon goes astray, by either reading (srd35.splash.miss-distance)."""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.events.facts.sheet import Weapon


def strays_by_increments(fight: Fight, flask: Weapon, feet: int) -> bool:
    """Say whether a miss goes as many squares astray as range increments were thrown."""
    return fight.option("splash_miss_distance") == "increments-thrown"


def increment_in_squares(fight: Fight, flask: Weapon, feet: int) -> int:
    """Return how many squares a miss goes astray: as many as the increment is long."""
    return flask.range // SQUARE_FT
