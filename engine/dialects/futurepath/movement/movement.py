"""Moving in Futurepath: whose range one leaves, the step that ends a turn, retreat, sprint, charge."""

from affray.engine.dialects.futurepath.contested import old_only
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
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
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
    if mover.spent.get("step"):
        raise Refusal(f"{mover.id} has taken a 5-foot step this turn", rule)
    if not old and mover.spent.get("move"):
        raise Refusal(
            f"{mover.id} has taken a move action this turn",
            fight.rule("futurepath.action.5-foot-step.not-with-move"),
        )
    if mover.spent.get("feet"):
        raise Refusal(f"{mover.id} has moved {mover.spent['feet']} ft. this turn", rule)
    refuse_prone(fight, mover)
    if not old:
        price_of_free_action(fight, mover)
    refuse_path(fight, mover, (act.to,), SQUARE_FT, rule)
    if not old:
        yield from spend_free_action(
            fight, mover, "5-foot step", fight.rule("futurepath.action.5-foot-step.counts-with-free")
        )
    yield ActionSpent(who=mover.id, kind="step", what="5-foot step", cites=(rule,))
    for enemy in walking.leaving(fight, mover, mover.at, act.to, "step"):
        if is_down(fight, enemy):
            continue
        yield RuleApplied(
            who=mover.id,
            what=f"a 5-foot step does not provoke from {enemy.id}",
            cites=fight.rules(
                "futurepath.aoo.exception-5-foot-step" if old else "futurepath.aoo.avoid-by-5-foot-step"
            ),
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


def retreat(fight: Fight, act: acts.Withdraw) -> Steps[None]:
    """Retreat as a full-round action, up to twice the speed.

    Tactical retreat: those engaged with in melee get no attack of opportunity, all others do. The old
    withdrawal: the first square left counts as unthreatened
    (futurepath.action.tactical-retreat, futurepath.action.withdraw.*).
    """
    mover = fight.combatant(act.actor)
    refuse_unless_allowed(fight, mover, "full-round")
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    old = old_only(fight)
    rule = fight.rule("futurepath.action.withdraw.distance")
    refuse_path(
        fight,
        mover,
        act.path,
        speed(fight, mover) * fight.figure("futurepath.action.withdraw.distance", "multiple"),
        rule,
    )
    topic = "futurepath.action.withdraw.start-square" if old else "futurepath.action.tactical-retreat"
    name = "withdraw" if old else "tactical retreat"
    yield ActionSpent(who=mover.id, kind="full-round", what=name, cites=(fight.rule(topic), rule))
    engaged = {enemy.id for enemy in fight.enemies(mover) if next_to(enemy, mover)}
    start = mover.at
    for enemy in fight.enemies(mover):
        spared = threatens(fight, enemy, mover, start) if old else enemy.id in engaged
        if spared and endangers(fight, enemy, mover, start):
            yield RuleApplied(
                who=mover.id, what=f"the {name} does not provoke from {enemy.id}", cites=(fight.rule(topic),)
            )
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

    Not through the square of a friend (futurepath.action.sprint, futurepath.action.run.*,
    futurepath.movement.through-ally-no-sprint).
    """
    mover = fight.combatant(act.actor)
    refuse_unless_allowed(fight, mover, "full-round")
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    rule = fight.rule("futurepath.action.run.distance")
    refuse_path(
        fight,
        mover,
        act.path,
        speed(fight, mover) * fight.figure("futurepath.action.run.distance", "multiple"),
        rule,
    )
    refuse_crooked(mover, act.path, rule)
    for square in act.path:
        for friend in occupants(fight, mover, square):
            if friend.side == mover.side:
                topic = "futurepath.movement.through-ally-no-sprint"
                raise Refusal(f"one cannot sprint through {friend.id}'s square", fight.rule(topic))
    table = "futurepath.table.actions.full-round"
    yield ActionSpent(
        who=mover.id, kind="full-round", what="sprint", cites=(rule, fight.rule("futurepath.action.sprint"))
    )
    yield from fight.dialect.opportunity.provoke(
        fight, mover, threatening(fight, mover), "sprints", f"sprint:{fight.declaration}", fight.rule(table)
    )
    if is_down(fight, mover):
        return
    yield fight.dialect.movement.running(fight, mover)
    yield from fight.dialect.movement.walk(fight, mover, act.path, "run", rule)
