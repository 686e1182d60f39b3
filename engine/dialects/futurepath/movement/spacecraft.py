"""Ships in space, which move up and down as well, if they can (futurepath.movement.vertical-ships)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.movement.movement import refuse_path
from affray.engine.rules.position.place import height_of
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost

TOPIC: Final = "futurepath.movement.vertical-ships"
SPACE: Final = "space"
FLYING: Final = "flying"


def steer(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move a ship through space, up and down too: as far as it flies, across and in height alike.

    All else about movement in space the text leaves to another one (futurepath.movement.vertical-ships).
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    if not has_trait(mover, "spacecraft") or not mover.sheet.fly:
        raise Refusal(f"{mover.id} is no ship that moves up and down", rule)
    height = height_of(mover) + act.up
    if abs(act.up) > mover.sheet.fly or act.up % SQUARE_FT or height < 0:
        most = mover.sheet.fly
        way = f"in steps of {SQUARE_FT} ft., {most} ft. at most, and not below 0 ft."
        raise Refusal(f"{mover.id} moves up or down {way}: it cannot move {act.up} ft. up", rule)
    if act.path:
        refuse_path(fight, mover, act.path, mover.sheet.fly, rule)
    elif not act.up:
        raise Refusal("the path is empty", rule)
    yield spending(fight, mover, "move", "move in space", rule)
    if act.path and not (yield from fight.dialect.movement.walk(fight, mover, act.path, SPACE, rule)):
        return
    if height:
        yield ConditionGained(
            who=mover.id, condition=FLYING, source="in space", level=height, aloft=True, cites=(rule,)
        )
    elif FLYING in mover.conditions:
        yield ConditionLost(who=mover.id, condition=FLYING, why="at the level of the others", cites=(rule,))
