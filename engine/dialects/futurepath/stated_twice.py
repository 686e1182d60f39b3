"""Figures that the text states in two places."""

from affray.engine.fight.fight import Fight

#: A figure's topic and the path to it.
Place = tuple[str, ...]


def stated_twice(fight: Fight, one: Place, other: Place) -> int:
    """Return a figure that stands in two places of the text, which print the same.

    Where a house rule has raised one of them, the greater one holds.
    """
    return int(max(fight.figure(*one), fight.figure(*other)))
