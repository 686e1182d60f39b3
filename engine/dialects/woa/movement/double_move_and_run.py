"""A double move, a run and how long one can keep it up (woa.move.double-move, woa.run.*)."""

from affray.engine.dialects.woa.movement import speed as woa_speed
from affray.engine.dialects.woa.movement import terrain
from affray.engine.dialects.woa.movement.movement import (
    NOT_RISING,
    Rising,
    refuse_after_step,
    refuse_lying,
    rises_to_go,
    running,
    speed_with_burdens,
)
from affray.engine.dialects.woa.turns import declared_actions
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_scores import score_now
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.movement.movement import refuse_crooked, refuse_path
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant

#: Running without a pause, with the number of rounds as its level; and having run to one's limit.
EXERTED, WINDED = "exerted", "winded"


def double_move(fight: Fight, act: acts.Move, rising: Rising = NOT_RISING) -> Steps[None]:
    """Spend both actions of the round on one way of up to twice the speed (woa.move.double-move).

    Of the plan it carries out both moves.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule("woa.move.double-move")
    refuse_unless_allowed(fight, mover, "move")
    refuse_after_step(fight, mover)
    if not rising.feet:
        refuse_lying(fight, mover)
    declared = [at for at, one in declared_actions.unused_plans(mover) if one[:2] == ("move", "move")]
    if mover.spent.get("standard") or mover.spent.get("move") or (mover.plan and len(declared) < 2):
        raise Refusal(f"{mover.id} does not have two move actions left for a double move", rule)
    times = fight.figure("woa.move.double-move", "multiplier")
    refuse_path(fight, mover, act.path, speed_with_burdens(fight, mover) * times - rising.feet, rule)
    if mover.plan:
        yield ActionSpent(
            who=mover.id,
            kind="planned",
            what="move",
            amount=1 << declared[1],
            cites=(fight.rule("woa.declare.start-of-round"),),
        )
    yield spending(fight, mover, "move", "double move", rule, fight.rule("woa.speed.distance-multipliers"))
    yield spending(fight, mover, "move", "double move", rule)
    if told := woa_speed.speed_told(fight, mover):
        yield told
    if (yield from rises_to_go(fight, mover, rising)):
        yield from fight.dialect.movement.walk(fight, mover, act.path, "double", rule)


def run(fight: Fight, act: acts.Run) -> Steps[None]:
    """Run up to four times the speed in a straight line, as long as the breath lasts (woa.run.*).

    -2 AC, no reactions, no short step. After as many rounds as the Constitution score each further one takes
    an Endurance check of a rising DC; whoever has come to the limit rests before running again.
    """
    mover = fight.combatant(act.actor)
    refuse_unless_allowed(fight, mover, "full-round")
    refuse_after_step(fight, mover)
    refuse_lying(fight, mover)
    rule = fight.rule("woa.run.action")
    for name in ("fatigued", "exhausted", "entangled"):
        if name in mover.conditions:
            raise Refusal(f"{mover.id} is {name} and cannot run", fight.rule(f"condition.{name}"))
    terrain.refuse_rough(fight, mover, act.path, "run", "woa.terrain.difficult.no-run-charge")
    most = speed_with_burdens(fight, mover) * fight.figure("woa.run.action", "multiplier")
    refuse_path(fight, mover, act.path, most, rule, how="run")
    refuse_crooked(mover, act.path, rule)
    yield ActionSpent(
        who=mover.id,
        kind="full-round",
        what="run",
        cites=(rule, fight.rule("woa.speed.distance-multipliers")),
    )
    yield ActionSpent(
        who=mover.id, kind="rush", what="run", cites=(fight.rule("woa.action-type.full-round-no-step"),)
    )
    if told := woa_speed.speed_told(fight, mover):
        yield told
    if not (yield from keeps_running(fight, mover)):
        return
    yield running(fight, mover)
    yield from fight.dialect.movement.walk(fight, mover, act.path, "run", rule)


def keeps_running(fight: Fight, mover: Combatant) -> Steps[bool]:
    """Count the round, with a check beyond the free ones; return whether the run goes on.

    woa.run.duration, woa.run.endurance-check, woa.run.rest
    """
    before = mover.conditions[EXERTED].level if EXERTED in mover.conditions else 0
    score = score_now(fight, mover, "con")
    rules = fight.rules("woa.run.duration")
    if score is not None and before >= score:
        topic = "woa.run.endurance-check"
        dc = fight.figure(topic, "base_dc")
        dc += (before - score) * fight.figure(topic, "dc_increase_per_round")
        rules = (*rules, fight.rule(topic))
        parts = skill_parts(fight, mover, "endurance", "con", fight.rule(topic))
        if not (yield from check(fight, mover, "endurance", parts, dc, *rules, why="to go on running")):
            yield ConditionLost(who=mover.id, condition=EXERTED, why="must stop", cites=rules)
            yield spent_out(fight, mover)
            return False
    yield ConditionGained(
        who=mover.id,
        condition=EXERTED,
        source="running",
        until=Until("round-end", "", fight.state.round + 1),
        level=before + 1,
        cites=rules,
    )
    if score is not None and before + 1 >= score:
        yield spent_out(fight, mover)
    return True


def spent_out(fight: Fight, mover: Combatant) -> ConditionGained:
    """Return that somebody has run to its limit and needs a rest (woa.run.rest)."""
    until = Until("round-end", "", fight.state.round + fight.figure("woa.run.rest", "rest_rounds"))
    rule = fight.rule("woa.run.rest")
    return ConditionGained(
        who=mover.id, condition=WINDED, source="run to the limit", until=until, cites=(rule,)
    )


def refuse_winded(fight: Fight, mover: Combatant, act: acts.Act) -> None:
    """Refuse to those who rest from running anything faster than one move a round (woa.run.rest)."""
    if EXERTED in mover.conditions and isinstance(act, acts.Run):
        return
    double = isinstance(act, acts.Move) and (act.how == "double" or mover.spent.get("move", 0) > 0)
    if double or not isinstance(act, acts.Move):
        reason = f"{mover.id} rests from running and makes no more than one move a round"
        raise Refusal(reason, fight.rule("woa.run.rest"))
