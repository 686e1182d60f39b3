"""Flyby Attack: acting at any point of a flight (srd35.feat.flyby-attack)."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.movement.fly import (
    TABLE,
    carry_out_flight,
    plan_flight,
    refuse_to_fly,
)
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.rules.movement.walk_on import is_stopped
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.rules.turns.interruption import attack_is_lost
from affray.engine.rules.turns.named_in_acts import refuse_unknown_names
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts


def flyby(fight: Fight, act: acts.Flyby) -> Steps[None]:
    """Act at any point of a flight (srd35.feat.flyby-attack)."""
    actor = fight.combatant(act.actor)
    rule = refuse_without(fight, actor, "flyby attack")
    refuse_to_fly(fight, actor)
    refuse_unless_allowed(fight, actor, "standard")
    if actor.spent.get("move") or not fight.dialect.turns.allowance(fight, actor).full:
        raise Refusal(f"{actor.id} has not both a move and a standard action", rule)
    if not 0 <= act.after <= len(act.path):
        raise Refusal(f"`after` must be a number of squares from 0 to {len(act.path)}, not {act.after}", rule)
    if act.then.actor not in ("", actor.id):
        raise Refusal(f"the act on the way is {actor.id}'s own, not {act.then.actor}'s", rule)
    refuse_unknown_names(fight, actor, act.then)
    plan_flight(fight, actor, act.path, act.up)
    before, later = act.path[: act.after], act.path[act.after :]
    stop = (actor.at, *before)[-1]
    yield spending(fight, actor, "move", "fly", fight.rule(TABLE), rule)
    if before and not (yield from carry_out_flight(fight, actor, before, act.up)):
        return
    try:
        steps = fight.dialect.acts[type(act.then)](fight, replace(act.then, actor=actor.id))
        first = next(steps)
    except Refusal as lost:
        yield attack_is_lost(actor, lost, "the act")
    else:
        yield first
        yield from steps
    if later and not (yield from is_stopped(fight, actor, stop, "flight")):
        yield from carry_out_flight(fight, actor, later, 0 if before else act.up)
