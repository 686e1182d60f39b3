"""Drag: attacker and target go backwards, the target into the attacker's former space (pf1.drag)."""

from typing import Final

from affray.engine.dialects.pf1.maneuvers.forced_movement import (
    choose_feet,
    feet_of,
    force,
    forced_feet,
    refuse_to_go,
    refuse_without_move,
)
from affray.engine.dialects.pf1.maneuvers.maneuver_check import MODES, attempt_maneuver, maneuver_blow
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.maneuvers.bull_rush import is_walled_off, straight_on
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.position.place import refuse_apart
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

TOPIC: Final = "pf1.drag"


def drag(fight: Fight, act: acts.Drag) -> Steps[None]:
    """Draw an opponent next to oneself along: a standard action, and a move for the way itself."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(TOPIC)
    blow = maneuver_blow(fight, actor, target, "drag")
    refuse_apart(target, actor, rule)
    refuse_without_move(fight, actor, rule)
    refuse_after_step(fight, actor)
    refuse_prone(fight, actor)
    yield spending(fight, actor, "standard", "drag", *fight.rules(TOPIC, MODES))
    check = yield from attempt_maneuver(fight, Attempt(blow, name=fight.declaration), TOPIC)
    if check is None or not check.won:
        return
    way = straight_on(target.at, target, actor)
    question = f"how many feet does {actor.id} drag {target.id}?"
    feet = yield from choose_feet(fight, actor, feet_of(fight, check, TOPIC), TOPIC, question)
    yield ActionSpent(who=actor.id, kind="move", what="move", cites=(rule,))
    yield from draw_along(fight, actor, target, way, feet)


def draw_along(fight: Fight, attacker: Combatant, target: Combatant, way: Square, feet: int) -> Steps[None]:
    """Go so many feet with the target, as far as the attacker's speed lasts and nothing stops either.

    An attacker that flies over a chasm drags its target over the brink.
    """
    cites = fight.rules(TOPIC)
    had = attacker.spent.get("feet", 0)
    gone = [attacker.at]
    while True:
        there = (attacker.at[0] + way[0], attacker.at[1] + way[1])
        if forced_feet((*gone, there)) > feet:
            return
        left = speed(fight, attacker) - (attacker.spent.get("feet", 0) - had)
        try:
            refuse_to_go(fight, attacker, (there,))
            refuse_path(fight, attacker, (there,), left, cites[0])
        except Refusal as refused:
            what = f"the drag ends: {refused.reason}"
            yield RuleApplied(who=attacker.id, what=what, cites=(*cites, refused.rule))
            return
        if not (yield from fight.dialect.movement.walk(fight, attacker, (there,), "normal", *cites)):
            return
        gone.append(there)
        behind = (target.at[0] + way[0], target.at[1] + way[1])
        if is_walled_off(fight, target, behind) or occupants(fight, target, behind):
            what = f"the drag ends: there is no room for {target.id}"
            yield RuleApplied(who=target.id, what=what, cites=cites)
            return
        if not (yield from force(fight, attacker, target, behind, "drag", *cites)):
            return
