"""Over the brink: whoever is forced above a chasm falls into it, unless it flies."""

from typing import Any, Final

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import corner_blocked, obstructed
from affray.engine.grid.thin_walls import bars_step
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.position.place import CHASM, squares_of
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.projections.state import Combatant

SOLID: Final = "#T"
VOID: Final = " "
#: The depths among which the game master chooses.
DEPTHS: Final = tuple(f"{feet} ft." for feet in range(10, 210, 10))
#: What nobody does at the bottom of a chasm: nothing of it leads up.
WALKS: Final = (
    *(acts.Move, acts.Step, acts.Run, acts.Withdraw, acts.Charge, acts.Jump, acts.BullRush, acts.Overrun),
    *(acts.Push, acts.Mount, acts.Drag),
)


def is_chasm(fight: Fight, target: Combatant, there: Square) -> bool:
    """Say whether a place is above a chasm of the map.

    Half of the squares of a large creature are enough. Beyond the map there is no chasm.
    """
    field, squares = fight.field, squares_of(target, there)
    if not all(field.holds(square) and field.at(square) not in SOLID for square in squares):
        return False
    deep = sum(field.at(square) == VOID for square in squares)
    return bool(deep) and 2 * deep >= len(squares)


def is_above_chasm(fight: Fight, target: Combatant, here: Square, there: Square) -> bool:
    """Say whether a step leads above a chasm of the map, with nothing solid in the way."""
    if not is_chasm(fight, target, there):
        return False
    field, side = fight.field, target.space
    return not corner_blocked(field, here, there, side) and not bars_step(field, here, there, side)


def falls_at(fight: Fight, target: Combatant, here: Square, there: Square) -> bool:
    """Say whether a target that is forced from one place to the next falls into a chasm there."""
    return "flying" not in target.conditions and is_above_chasm(fight, target, here, there)


def is_barred(fight: Fight, target: Combatant, here: Square, there: Square) -> bool:
    """Say whether something solid stops a target that is forced a step on; a chasm stops nobody."""
    if is_above_chasm(fight, target, here, there):
        return False
    return obstructed(fight.field, here, there, target.space)


def fall_over(fight: Fight, target: Combatant, there: Square, name: str, *cites: str) -> Steps[None]:
    """Push a target over a brink: it falls as deep as the game master says, and stays at the bottom.

    srd35.falling.damage, pf1.falling, woa.falling.damage, futurepath.assumed.ground.
    """
    question = f"{target.id} goes over the brink: how deep is it?"
    answer = yield Choice("", "depth", question, DEPTHS, cites[0])
    feet = int(answer.split()[0])
    yield ConditionGained(
        who=target.id, condition=CHASM, source=name, level=-feet, aloft=True, cites=cites[:1]
    )
    yield displaced(target, (there,), name, *cites)
    yield from fight.dialect.grapple.parted(fight, target)
    yield from fight.dialect.movement.fall(fight, target, feet)


def refuse_to_walk_out(fight: Fight, mover: Combatant, act: Any) -> None:
    """Refuse to walk at the bottom of a chasm, which no square of the map is: the game master moves one.

    srd35.obstacle.blocking, pf1.terrain.obstacle, futurepath.assumed.ground, woa.terrain.obstacle.blocking.
    """
    reason = f"{mover.id} is {-mover.conditions[CHASM].level} ft. down a chasm"
    raise Refusal(reason, fight.rule("obstacle.blocking"))
