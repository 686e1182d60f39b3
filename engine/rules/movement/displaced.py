"""Being put somewhere else: by others, by the ground, or with a step into a square."""

from collections.abc import Sequence

from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.events.facts.combat import Moved
from affray.projections.state import Combatant


def displaced(mover: Combatant, path: Sequence[Square], how: str, *cites: str, space: int = 0) -> Moved:
    """Return that somebody gets along a path without movement of its own: it costs no feet.

    `space` is how many squares a side it takes up there, 0 as many as before.
    """
    return Moved(
        who=mover.id, start=mover.at, path=tuple(path), feet=0, diagonals=0, how=how, space=space, cites=cites
    )


def moved(
    mover: Combatant, path: Sequence[Square], feet: int, how: str, *cites: str, diagonals: int = 0
) -> Moved:
    """Return that somebody moves along a path, which costs so many feet."""
    return Moved(
        who=mover.id, start=mover.at, path=tuple(path), feet=feet, diagonals=diagonals, how=how, cites=cites
    )


def stepped(mover: Combatant, to: Square, how: str, *cites: str) -> Moved:
    """Return that somebody takes one step into a square next to it."""
    diagonal = int(to[0] != mover.at[0] and to[1] != mover.at[1])
    return moved(mover, (to,), SQUARE_FT, how, *cites, diagonals=diagonal)
