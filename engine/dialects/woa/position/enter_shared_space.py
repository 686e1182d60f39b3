"""Moving into a space that others hold (woa.crowd.max-same-size, woa.squeezing.no-sharing)."""

from affray.engine.dialects.woa.movement import movement
from affray.engine.dialects.woa.position.room_to_share import refuse_full, refuse_way
from affray.engine.fight.fight import Fight
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Steps
from affray.events.facts import acts


def crowd_in(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move into a space that others hold, as a move action (`how` "crowd").

    Three of one size find room in it; beside whoever squeezes only those three sizes smaller. An opponent
    may strike at who enters its space (woa.crowd.max-same-size, woa.squeezing.no-sharing,
    woa.crowd.enter-opponent-space-aoo).
    """
    actor = fight.combatant(act.actor)
    movement.refuse_after_step(fight, actor)
    movement.refuse_lying(fight, actor)
    rule = fight.rule("woa.move.action")
    refuse_way(fight, actor, act.path, movement.speed_with_burdens(fight, actor), rule)
    there = occupants(fight, actor, act.path[-1])
    cites = refuse_full(fight, actor, there)
    yield spending(fight, actor, "move", "move", rule)
    yield from fight.dialect.movement.walk(fight, actor, act.path, "crowd", rule, *cites)
