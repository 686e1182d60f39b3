"""How fast a combatant is on foot, and what is told of it as it sets out."""

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps


class Pace(Struct, frozen=True, gc=False):
    """A speed in feet, before conditions: how it comes about, in words, and the rules that had a part."""

    feet: int
    told: str = ""
    cites: tuple[str, ...] = ()


def with_speed_told(fight: Fight, mover_id: str, steps: Steps[None], *cites: str) -> Steps[None]:
    """Carry out an act of movement and tell, once its action is spent, where the speed comes from.

    `cites` are rules that had a part in the action.
    """
    first = next(steps)
    if cites:
        first = replace(first, cites=tuple(dict.fromkeys((*first.cites, *cites))))
    yield first
    if pace := fight.dialect.movement.speed_told(fight, fight.state.combatants[mover_id]):
        yield pace
    yield from steps
