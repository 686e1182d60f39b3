"""Walking: along a path, as a move action, a short step, a withdrawal, a run."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.conditions.conditions import find_blinding_condition
from affray.engine.rules.movement.movement import (
    find_unseen_in_step,
    halted,
    is_stopped,
    moved,
    refuse_after_step,
    refuse_crooked,
    refuse_path,
    refuse_prone,
    refuse_rush,
    report_halt,
    run_into,
    speed,
    stop_short,
)
from affray.engine.rules.opportunity.threatened_squares import threatening, threatening_at
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.rules.turns.delay_and_ready import MOVES, anybody_ready, leaves_watched, triggered
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import Moved
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

# --- Special kinds of walking: a double move, a crawl, the minimum movement

MINIMUM: Final = "minimum"
#: More feet than any step costs.
ANY: Final = 1_000_000
IMPASSABLE: Final = ("obstacle.blocking", "distance.no-diagonal-past-corner")


def double_move(fight: Fight, act: acts.Move) -> Steps[None]:
    """Spend both actions on one path of up to twice the speed.

    srd35.speed.double-move, pf1.speed.double-move.
    """
    mover = fight.combatant(act.actor)
    refuse_unless_allowed(fight, mover, "move")
    allowed = fight.dialect.turns.allowance(fight, mover)
    rule = fight.rule("speed.double-move")
    if (
        not allowed.full
        or mover.spent.get("standard")
        or mover.spent.get("move")
        or fight.readied == mover.id
    ):
        raise Refusal(f"{mover.id} has not both its actions for a double move", rule)
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    feet = speed(fight, mover) * fight.figure("speed.double-move", "multiplier")
    refuse_path(fight, mover, act.path, feet, rule)
    move_rule = fight.rule("move-action.move")
    yield ActionSpent(
        who=mover.id, kind="move", what="double move", amount=allowed.total, cites=(rule, move_rule)
    )
    if pace := fight.dialect.movement.speed_told(fight, mover):
        yield pace
    yield from fight.dialect.movement.walk(fight, mover, act.path, "double move", rule)


def crawl(fight: Fight, act: acts.Move) -> Steps[None]:
    """Crawl 5 ft. as a move action, open to all who threaten either end.

    srd35.move-action.crawl, pf1.move.crawl.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule("move-action.crawl")
    refuse_after_step(fight, mover)
    if "prone" not in mover.conditions:
        raise Refusal(f"{mover.id} stands upright and does not crawl", rule)
    feet = fight.figure("move-action.crawl", "ft")
    refuse_path(fight, mover, act.path, feet, rule)
    yield spending(fight, mover, "move", "crawl", rule)
    opportunity = f"crawl:{fight.declaration}"
    start = mover.at
    yield from fight.dialect.opportunity.provoke(
        fight, mover, threatening(fight, mover), "crawls", opportunity, rule
    )
    if (yield from is_stopped(fight, mover, start, "crawl")):
        return
    met = find_unseen_in_step(fight, mover, start, act.path[-1], True, "crawl")
    if met is not None:
        yield from run_into(fight, mover, met, "crawl")
        return
    yield moved(mover, act.path, feet, "crawl", rule)
    yield from fight.dialect.movement.after_movement(fight, mover)
    yield from fight.dialect.opportunity.provoke(
        fight, mover, threatening(fight, mover), "crawls", opportunity, rule
    )


def move_minimum(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move 5 feet in any direction as a full-round action, at any usual cost of the square.

    Not into impassable terrain, nor where movement is forbidden; it provokes as usual, since it is no 5-foot
    step (srd35.special-move.minimum, srd35.special-move.minimum-limits, srd35.special-move.minimum-provokes,
    pf1.minimum-move).
    """
    mover = fight.combatant(act.actor)
    topic = "special-move.minimum"
    rule = fight.rule(topic)
    refuse_unless_allowed(fight, mover, str(fight.figure(topic, "action")))
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    if len(act.path) * SQUARE_FT != fight.figure(topic, "distance_ft"):
        raise Refusal("the least movement is 5 ft.", rule)
    try:
        refuse_path(fight, mover, act.path, ANY, rule, how=MINIMUM)
    except Refusal as refusal:
        forbidden = mover.conditions and not all(
            fight.dialect.conditions.table[name].moves
            for name in mover.conditions
            if name in fight.dialect.conditions.table
        )
        if forbidden or refusal.rule in fight.rules(*IMPASSABLE):
            limits = fight.rule("special-move.minimum-limits")
            raise Refusal(f"{refusal.reason}, not even for the least movement", limits) from None
        raise
    yield ActionSpent(who=mover.id, kind="full-round", what="least movement", cites=(rule,))
    yield from fight.dialect.movement.walk(fight, mover, act.path, MINIMUM, rule)


def leaving(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> list[Combatant]:
    """Return the enemies whose threatened square the mover leaves with this step.

    Leaving provokes, entering does not (srd35.aoo.triggers).
    """
    return threatening_at(fight, mover, here)


def walk(
    fight: Fight,
    mover: Combatant,
    path: Sequence[Square],
    how: str,
    *cites: str,
    spare: Callable[[int, Combatant], bool] = lambda step, enemy: False,
    legal: Square | None = None,
    onward: bool = False,
) -> Steps[bool]:
    """Go along a path already found legal, provoking step by step; return whether the end was reached.

    A mover that starts in a place where it may not stay, reached on the same path, goes back to `legal` if it
    is stopped before it reaches a better place. It stops in front of a combatant that it cannot perceive and
    cannot pass; the end of the path must be free, unless the path goes `onward`.

    `spare(step, enemy)` marks the steps (from 0) that do not provoke from an enemy. All squares left in one
    round are one opportunity for each enemy (srd35.aoo.per-opportunity). A mover that drops stays where it
    was hit, in the square it was about to leave (pf1.aoo.moving-provokes, pf1.grid,
    futurepath.assumed.diagonals).
    """
    dialect = fight.dialect
    begun = start = mover.at
    done: list[Square] = []
    opportunity = dialect.opportunity.opportunity_name(fight, mover)

    def so_far() -> Moved:
        cost = dialect.movement.measure(fight, mover, (start, *done), how)
        counted = fight.rules("distance.diagonals") if cost.diagonals else ()
        return Moved(
            who=mover.id,
            start=start,
            path=tuple(done),
            feet=cost.feet,
            diagonals=cost.diagonals,
            how=how,
            cites=tuple(dict.fromkeys((*cites, *counted, *cost.cites))),
            **dialect.movement.shape(fight, mover, (start, *done), how),
        )

    here = start
    legal = start if legal is None else legal
    awaited = fight.memory.company[anybody_ready] and any(
        one.readied is not None and one.readied.trigger.what == "moves"
        for one in fight.state.combatants.values()
    )
    for step, there in enumerate(path):
        met = find_unseen_in_step(fight, mover, here, there, step == len(path) - 1 and not onward, how)
        if met is not None:
            if done:
                yield so_far()
            yield from stop_short(fight, mover, met, how, legal, here != begun)
            return False
        if awaited and leaves_watched(fight, mover, there):
            yield from triggered(fight, mover, MOVES, there)
            if halted(fight, mover, here, how):
                yield from report_halt(fight, mover, how)
                yield from dialect.movement.step_aside(fight, mover, legal)
                return False
        if how != "step":
            enemies = [
                enemy
                for enemy in dialect.movement.leaving(fight, mover, here, there, how)
                if opportunity not in enemy.opportunities and not spare(step, enemy)
            ]
            if enemies:
                if done:
                    yield so_far()
                    start, done = here, []
                yield from fight.dialect.opportunity.provoke(
                    fight,
                    mover,
                    enemies,
                    "leaves a threatened square",
                    opportunity,
                    fight.rule("aoo.triggers"),
                    more=partial(
                        dialect.opportunity.opening_rules, fight, mover, here=here, there=there, how=how
                    ),
                )
                if mover.rider:
                    yield from dialect.mounted.left_squares(fight, mover, enemies)
                if halted(fight, mover, here, how):
                    yield from report_halt(fight, mover, how)
                    yield from dialect.movement.step_aside(fight, mover, legal)
                    return False
        nearing = dialect.movement.approach(fight, mover, here, there)
        if dialect.movement.step_needs_check(fight, mover, here, there, how):
            if done:
                yield so_far()
                start, done = here, []
            if not (yield from dialect.movement.check_before_step(fight, mover, here, there, how)):
                yield from dialect.movement.step_aside(fight, mover, legal)
                return False
        before, here = here, there
        if dialect.movement.may_stop(fight, mover, here):
            legal = here
        done.append(there)
        marked = dialect.movement.step_is_told(fight, mover, before, there, how)
        stops = awaited or nearing is not None or step == len(path) - 1
        if stops or marked:
            yield so_far()
            start, done = here, []
            if marked:
                yield from dialect.movement.after_step(fight, mover, before, there, how)
            if nearing is not None:
                yield from nearing
            if stops:
                yield from dialect.movement.after_movement(fight, mover)
            if halted(fight, mover, here, how):
                if how == "charge" or step < len(path) - 1:
                    yield from report_halt(fight, mover, how)
                yield from dialect.movement.step_aside(fight, mover, legal)
                return False
    return True


def move(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move up to one's speed as a move action (srd35.move-action.move).

    futurepath.action.move.definition, pf1.move.move.
    """
    mover = fight.combatant(act.actor)
    refuse_unless_allowed(fight, mover, "move")
    refuse_after_step(fight, mover)
    rule = fight.rule("move-action.move")
    refuse_prone(fight, mover)
    refuse_path(fight, mover, act.path, speed(fight, mover), rule, how=act.how)
    yield spending(fight, mover, "move", "move", rule)
    yield from fight.dialect.movement.walk(fight, mover, act.path, act.how, rule)


def five_foot_step(fight: Fight, act: acts.Step) -> Steps[None]:
    """Take a 5-foot step: no action, provokes nothing, in a round without other movement.

    Not into difficult terrain, nor by the slow or the prone (srd35.five-foot-step, pf1.five-foot-step,
    srd35.aoo.avoid).
    """
    mover = fight.combatant(act.actor)
    refuse_unless_allowed(fight, mover, "step")
    rule = fight.rule("five-foot-step")
    if mover.spent.get("feet"):
        raise Refusal(f"{mover.id} has moved {mover.spent['feet']} ft. this round", rule)
    refuse_prone(fight, mover)
    if speed(fight, mover) < fight.figure("five-foot-step", "min_speed_ft"):
        raise Refusal(f"{mover.id} is too slow for a 5-foot step", rule)
    fight.dialect.movement.refuse_rough(fight, mover, (act.to,), "step", rule)
    if find_blinding_condition(fight, mover):
        raise Refusal(f"{mover.id} cannot take a 5-foot step in the dark", rule)
    refuse_path(fight, mover, (act.to,), SQUARE_FT, rule)
    dialect = fight.dialect
    yield ActionSpent(
        who=mover.id,
        kind="step",
        what="5-foot step",
        cites=(rule, *dialect.turns.short_step_rules(fight, mover)),
    )
    for enemy in fight.dialect.movement.leaving(fight, mover, mover.at, act.to, "step"):
        if is_down(fight, enemy):
            continue
        yield RuleApplied(
            who=mover.id,
            what=f"a 5-foot step does not provoke from {enemy.id}",
            cites=(
                *fight.rules("aoo.avoid"),
                *dialect.opportunity.opening_rules(fight, mover, enemy, mover.at, act.to, "step"),
                *dialect.turns.table_rules(fight, "none", "5-foot step", False),
            ),
        )
    yield from fight.dialect.movement.walk(fight, mover, (act.to,), "step", rule)


def withdraw(fight: Fight, act: acts.Withdraw) -> Steps[None]:
    """Withdraw: up to double speed, the first square left counts as not threatened (srd35.withdraw).

    Enemies that the mover does not see threaten that square anyway. With a single action it withdraws at
    single speed.

    pf1.aoo.moving-avoidance, pf1.withdraw, srd35.withdraw.restricted.
    """
    mover = fight.combatant(act.actor)
    allowed = fight.dialect.turns.allowance(fight, mover)
    kind, topic = ("full-round", "withdraw") if allowed.full else ("standard", "withdraw.restricted")
    refuse_unless_allowed(fight, mover, kind)
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    if "blinded" in mover.conditions or find_blinding_condition(fight, mover):
        raise Refusal(f"{mover.id} cannot withdraw from enemies it does not see", fight.rule("withdraw"))
    rule = fight.rule(topic)
    multiple = fight.figure(topic, "max_speed_multiple")
    refuse_path(fight, mover, act.path, speed(fight, mover) * multiple, rule)
    yield ActionSpent(who=mover.id, kind=kind, what="withdraw", cites=(rule,))
    safe = fight.figure("withdraw", "safe_squares")
    table = fight.dialect.turns.table_rules(fight, "full-round", "Withdraw", False)
    unseen = [
        enemy for enemy in fight.enemies(mover) if not fight.dialect.senses.sees_foe(fight, mover, enemy)
    ]
    for enemy in fight.dialect.movement.leaving(fight, mover, mover.at, act.path[0], "withdraw"):
        if enemy in unseen or is_down(fight, enemy):
            continue
        yield RuleApplied(
            who=mover.id,
            what=f"withdrawing, the first square does not provoke from {enemy.id}",
            cites=(*fight.rules("withdraw", "aoo.avoid"), *table),
        )

    def spare(step: int, enemy: Combatant) -> bool:
        return step < safe and enemy not in unseen

    yield from fight.dialect.movement.walk(fight, mover, act.path, "withdraw", rule, spare=spare)


def run(fight: Fight, act: acts.Run) -> Steps[None]:
    """Run in a straight line: four times the speed, three in heavy armor (srd35.run.action)."""
    mover = fight.combatant(act.actor)
    refuse_unless_allowed(fight, mover, "full-round")
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    refuse_rush(fight, mover)
    rule = fight.rule("run.action")
    multiple = fight.dialect.movement.run_multiple(fight, mover)
    refuse_path(fight, mover, act.path, speed(fight, mover) * multiple, rule)
    refuse_crooked(mover, act.path, rule)
    fight.dialect.movement.refuse_rough(fight, mover, act.path, "run", rule)
    yield ActionSpent(who=mover.id, kind="full-round", what="run", cites=(rule,))
    if not has_feat(mover, "run"):
        yield fight.dialect.movement.running(fight, mover)
    yield from fight.dialect.movement.walk(fight, mover, act.path, "run", rule)


def after_movement(fight: Fight, mover: Combatant) -> Steps[None]:
    """Trigger the readied acts that wait for movement."""
    return triggered(fight, mover, "moves")
