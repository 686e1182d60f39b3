"""Climbing, crawling and swimming: slow ways to move, safe as actions, open where they leave a range."""

from affray.engine.dialects.futurepath.movement.postures import CRAWLING, LOW
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

HALF_SPEED = "futurepath.action.climb-crawl-swim.half-speed"
QUARTER, ACCELERATED = "futurepath.movement.climb-swim-quarter", "futurepath.action.climb.accelerated"
NO_CHECK = "futurepath.action.move.no-check"
CRAWL = "futurepath.movement.crawl"
TABLE = "futurepath.table.actions.move"
WAYS = ("climb", CRAWLING, "swim")


def move_slowly(fight: Fight, act: acts.Move) -> Steps[None]:
    """Climb, crawl or swim as a move action, at half speed.

    By the old reading (climb_swim_speed) climbing and swimming cover a quarter of the speed, accelerated
    climbing half of it, and crawling 5 feet. Where the game master gives a DC, climbing and swimming take a
    check of the skill, without which one gets nowhere; else none. The table calls the action safe, not the
    movement: whoever leaves a threatened range by it provokes like anybody else.

    futurepath.action.move.no-check, futurepath.action.climb-crawl-swim.half-speed,
    futurepath.movement.climb-swim-quarter, futurepath.movement.crawl, futurepath.action.climb.accelerated,
    futurepath.aoo.column-excludes-movement.
    """
    mover = fight.combatant(act.actor)
    refuse_after_step(fight, mover)
    topic, feet = pace(fight, mover, act)
    rule = fight.rule(topic)
    if act.how == CRAWLING and not any(one in mover.conditions for one in LOW):
        raise Refusal(f"{mover.id} is on its feet and does not crawl: it goes down first", rule)
    if act.how != CRAWLING:
        refuse_prone(fight, mover)
    refuse_path(fight, mover, act.path, feet, rule)
    yield spending(fight, mover, "move", act.how, rule, *fight.rules(TABLE, NO_CHECK))
    for enemy in threatening(fight, mover):
        if is_down(fight, enemy):
            continue
        what = f"to {act.how} does not by itself provoke from {enemy.id}"
        yield RuleApplied(who=mover.id, what=what, cites=fight.rules(TABLE))
    if act.dc:
        skill = fight.rule(NO_CHECK)
        parts = skill_parts(fight, mover, act.how, "str", skill)
        if not (yield from check(fight, mover, act.how, parts, act.dc, skill)):
            return
    if act.how == "climb":
        yield ConditionGained(
            who=mover.id,
            condition="climbing",
            source="climb",
            until=Until("turn-start", mover.id, fight.state.round + 1),
            cites=fight.rules("futurepath.modifier.defender-climbing"),
        )
    yield from fight.dialect.movement.walk(fight, mover, act.path, act.how, rule)


def pace(fight: Fight, mover: Combatant, act: acts.Move) -> tuple[str, int]:
    """Return the rule by which a slow way goes, and its feet."""
    half = fight.option("climb_swim_speed") == "half"
    if act.how == CRAWLING and not half:
        return CRAWL, fight.figure(CRAWL, "feet")
    if act.fast and half:
        raise Refusal(f"{mover.id} climbs at half speed and no faster", fight.rule(HALF_SPEED))
    topic, name = QUARTER, "speed_fraction"  # or what is in force instead
    if act.fast:
        topic, name = ACCELERATED, "accelerated_fraction"
    return topic, speed(fight, mover) * int(fight.figure(topic, name) * 100) // 100
