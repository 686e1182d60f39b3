"""Going on after something came between the squares of a way: an attack, a spell, an opponent run over."""

from collections.abc import Callable, Sequence

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.rules.movement.movement import halted, tell_halt
from affray.engine.steps import Steps
from affray.projections.state import Combatant


def is_stopped(fight: Fight, mover: Combatant, here: Square, how: str) -> Steps[bool]:
    """Say whether a mover that stopped `here` on its way can go no further, and tell why."""
    if not halted(fight, mover, here, how):
        return False
    yield from tell_halt(fight, mover, how)
    return True


def walk_on(
    fight: Fight,
    mover: Combatant,
    path: Sequence[Square],
    how: str,
    *cites: str,
    here: Square,
    spare: Callable[[int, Combatant], bool],
) -> Steps[None]:
    """Go on along the rest of a path from `here`, where the mover stopped, unless something has halted it."""
    if path and not (yield from is_stopped(fight, mover, here, how)):
        yield from fight.dialect.movement.walk(fight, mover, path, how, *cites, spare=spare)
