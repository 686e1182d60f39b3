"""Moving in Futurepath: whose range one leaves, the step that ends a turn, retreat, sprint, charge."""

from affray.engine.dialects.futurepath.contested import in_force, old_only
from affray.engine.dialects.futurepath.movement.speed import LIMITS
from affray.engine.dialects.futurepath.movement.ways import refuse_running_through
from affray.engine.dialects.futurepath.turns.action_budget import (
    price_of_free_action,
    spend_free_action,
)
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.rules.movement import walking
from affray.engine.rules.movement.movement import (
    refuse_after_step,
    refuse_crooked,
    refuse_path,
    refuse_prone,
    speed,
)
from affray.engine.rules.opportunity.threatened_squares import endangers, threatening, threatens
from affray.engine.rules.position.line_of_effect import side_by_side
from affray.engine.rules.turns.action_budget import is_open, refuse_unless_allowed
from affray.engine.rules.turns.flow import advance
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant


def each_square_left(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> bool:
    """Say whether each threatened square that is left provokes: by the old rules alone."""
    return old_only(fight)


def leaving(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> list[Combatant]:
    """Return the enemies whose melee threat range the mover leaves with this step.

    Going from one threatened square to another stays within the range
    (futurepath.aoo.leaving-or-passing-threat-range, .trigger-on-exit).
    """
    return [
        enemy
        for enemy in fight.enemies(mover)
        if threatens(fight, enemy, mover, here) and not threatens(fight, enemy, mover, there)
    ]


def five_foot_step(fight: Fight, act: acts.Step) -> Steps[None]:
    """Take a 5-foot step: a free action that counts, not with a move action, and the end of the turn.

    By the old rules alone it is no action, ends nothing and needs a round without other distance
    (futurepath.action.5-foot-step.*).
    """
    mover = fight.combatant(act.actor)
    refuse_unless_allowed(fight, mover, "step")
    old = old_only(fight)
    rule = fight.rule("futurepath.action.5-foot-step.legacy" if old else "futurepath.action.5-foot-step.once")
    refuse_step_after_charge(fight, mover)
    # Both editions say one; the new one has it as a figure.
    if mover.spent.get("step", 0) >= fight.figure("futurepath.action.5-foot-step.once", "max_per_turn"):
        raise Refusal(f"{mover.id} has taken a 5-foot step this turn", rule)
    if not old and mover.spent.get("move"):
        raise Refusal(
            f"{mover.id} has taken a move action this turn",
            fight.rule("futurepath.action.5-foot-step.not-with-move"),
        )
    beside = rules_beside_full_round(fight, mover)
    if mover.spent.get("feet"):
        reason = f"{mover.id} has moved {mover.spent['feet']} ft. this turn"
        raise Refusal(reason, beside[0] if beside else rule)
    refuse_prone(fight, mover)
    if not old:
        price_of_free_action(fight, mover)
    refuse_path(fight, mover, (act.to,), SQUARE_FT, rule)
    if not old:
        yield from spend_free_action(
            fight, mover, "5-foot step", fight.rule("futurepath.action.5-foot-step.counts-with-free")
        )
    yield ActionSpent(who=mover.id, kind="step", what="5-foot step", cites=(rule, *beside))
    table = in_force(fight, "futurepath.table.actions.no-action.legacy", {"row": "5-foot step"})
    for enemy in walking.leaving(fight, mover, mover.at, act.to, "step"):
        if dict(fight.figure(table))["5-foot step"] != "no":
            continue
        yield RuleApplied(
            who=mover.id,
            what=f"a 5-foot step does not provoke from {enemy.id}",
            cites=(*fight.rules("futurepath.aoo.avoid-by-5-foot-step"), table),
        )
    yield from fight.dialect.movement.walk(fight, mover, (act.to,), "step", rule)
    if not old and fight.readied != mover.id and fight.state.active == mover.id:
        yield RuleApplied(
            who=mover.id,
            what="the 5-foot step ends the turn",
            cites=fight.rules("futurepath.action.5-foot-step.ends-turn"),
        )
        yield from fight.dialect.turns.close_turn(fight, mover)
        yield from advance(fight, mover.id)


def refuse_step_after_charge(fight: Fight, mover: Combatant) -> None:
    """Refuse a 5-foot step in the round of a full charge (futurepath.action.charge.no-5-foot-step)."""
    if "charging" in mover.conditions and mover.spent.get("full-round"):
        rule = fight.rule("futurepath.action.charge.no-5-foot-step")
        raise Refusal(f"{mover.id} has charged this round and takes no 5-foot step", rule)


def rules_beside_full_round(fight: Fight, mover: Combatant) -> tuple[str, ...]:
    """Return the rules by which a 5-foot step goes with the full-round action of this turn, if there is one.

    futurepath.action.full-round.5-foot-step, futurepath.action.full-attack.5-foot-step.
    """
    if not mover.spent.get("full-round"):
        return ()
    attacks = ("futurepath.action.full-attack.5-foot-step",) if is_open(mover) else ()
    return fight.rules("futurepath.action.full-round.5-foot-step", *attacks)


def retreat(fight: Fight, act: acts.Withdraw) -> Steps[None]:
    """Retreat as a full-round action, up to twice the speed.

    Tactical retreat: those engaged with in melee get no attack of opportunity, all others do. The old
    withdrawal: the first square left counts as unthreatened. Not by a way of moving that takes a check
    (futurepath.action.tactical-retreat, futurepath.action.withdraw.*, futurepath.aoo.exception-withdraw).
    """
    mover = fight.combatant(act.actor)
    refuse_unless_allowed(fight, mover, "full-round")
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    old = old_only(fight)
    rule = fight.rule("futurepath.action.withdraw.distance")
    pace = speed(fight, mover) if act.how == "normal" else surely(fight, mover, act.how)
    feet = pace * fight.figure("futurepath.action.withdraw.distance", "multiple")
    refuse_path(fight, mover, act.path, feet, rule)
    safe = fight.rules("futurepath.action.withdraw.start-square", "futurepath.aoo.exception-withdraw")
    name = "withdraw" if old else "tactical retreat"
    yield ActionSpent(who=mover.id, kind="full-round", what=name, cites=(safe[0], rule))
    engaged = {enemy.id for enemy in fight.enemies(mover) if side_by_side(fight, enemy, mover)}
    start = mover.at
    for enemy in fight.enemies(mover):
        spared = threatens(fight, enemy, mover, start) if old else enemy.id in engaged
        if spared and endangers(fight, enemy, mover, start):
            what = f"the {name} does not provoke from {enemy.id}"
            yield RuleApplied(who=mover.id, what=what, cites=safe)
    yield from fight.dialect.movement.walk(
        fight,
        mover,
        act.path,
        "withdraw",
        rule,
        spare=lambda number, enemy: number == 0 if old else enemy.id in engaged,
    )


def sprint(fight: Fight, act: acts.Run) -> Steps[None]:
    """Sprint in a straight line at four times the speed: it provokes, and Dexterity is lost meanwhile.

    Not through the square of a friend; by the old rules it is a run, which goes through it
    (futurepath.action.sprint, futurepath.action.run.*, futurepath.movement.run-summary).
    """
    mover = fight.combatant(act.actor)
    refuse_unless_allowed(fight, mover, "full-round")
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    rule = fight.rule("futurepath.action.run.distance")
    refuse_path(fight, mover, act.path, speed(fight, mover) * times_speed(fight), rule)
    refuse_crooked(mover, act.path, rule)
    refuse_running_through(fight, mover, act.path)
    what = "run" if old_only(fight) else "sprint"
    cites = fight.rules("futurepath.movement.run-summary", LIMITS)
    yield ActionSpent(who=mover.id, kind="full-round", what=what, cites=(rule, *cites))
    table = fight.rule("futurepath.table.actions.full-round")
    yield from fight.dialect.opportunity.provoke(
        fight, mover, threatening(fight, mover), f"{what}s", f"{what}:{fight.declaration}", table
    )
    if is_down(fight, mover):
        return
    yield fight.dialect.movement.running(fight, mover)
    yield from fight.dialect.movement.walk(fight, mover, act.path, "run", rule)


def surely(fight: Fight, mover: Combatant, how: str) -> int:
    """Return the speed of who climbs or swims without a check, having a speed for it. Refuses all others.

    futurepath.action.withdraw.no-skill-check-movement.
    """
    feet = mover.sheet.climb if how == "climb" else mover.sheet.swim
    if not feet:
        rule = fight.rule("futurepath.action.withdraw.no-skill-check-movement")
        raise Refusal(f"{mover.id} cannot {how} without a check, and so not while withdrawing", rule)
    return feet


def times_speed(fight: Fight) -> int:
    """Return how many times its speed a combatant runs, on which several rules agree.

    futurepath.action.run.distance, futurepath.movement.run-summary, futurepath.movement.in-combat-limits.
    """
    found: list[int] = [
        fight.figure("futurepath.action.run.distance", "multiple"),
        fight.book.figure("futurepath.movement.run-summary", "multiple"),
        fight.figure(LIMITS, "run"),
    ]
    return max(found)
