"""Going on foot in ways of their own: a double move, a crawl, the least movement there is."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.rules.movement.displaced import moved
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.movement.noticed import met_unseen
from affray.engine.rules.movement.unseen import run_into
from affray.engine.rules.movement.walk_on import is_stopped
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent

MINIMUM: Final = "minimum"
#: More feet than any step costs.
ANY: Final = 1_000_000
IMPASSABLE: Final = ("obstacle.blocking", "distance.no-diagonal-past-corner")


def double_move(fight: Fight, act: acts.Move) -> Steps[None]:
    """Spend both actions on one way of up to twice the speed.

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
    met = met_unseen(fight, mover, start, act.path[-1], True, "crawl")
    if met is not None:
        yield from run_into(fight, mover, met, "crawl")
        return
    yield moved(mover, act.path, feet, "crawl", rule)
    yield from fight.dialect.movement.after_movement(fight, mover)
    yield from fight.dialect.opportunity.provoke(
        fight, mover, threatening(fight, mover), "crawls", opportunity, rule
    )


def least_movement(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move 5 feet in any direction as a full-round action, whatever it would cost otherwise.

    Not into impassable terrain, nor where movement is forbidden; it provokes as usual, for it is no 5-foot
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
