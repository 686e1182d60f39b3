"""What becomes of a flier that is too slow, or can fly no longer (srd35.move.stall)."""

from affray.engine.dialects.srd35.movement.fall import come_down
from affray.engine.dialects.srd35.movement.fly import (
    STALL,
    TABLE,
    maneuverability_row,
)
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.movement.fly import STALLED, change_height, end_flight, height_flown
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant


def stall_if_slow(fight: Fight, mover: Combatant) -> Steps[None]:
    """Let a flier stall that ends its turn without having gone forward fast enough (srd35.move.stall)."""
    row = maneuverability_row(fight, mover)
    if row["min_forward"] == "none" or mover.spent.get("hover") or STALLED in mover.conditions:
        return
    share = fight.figure(TABLE, f"class={row['class']}", "forward")
    least = int(mover.sheet.fly * share)
    flown = mover.spent.get("forward", 0)
    if flown >= least:
        return
    source = f"{flown} ft. forward of {least}"
    cites = fight.rules(TABLE, STALL)
    yield ConditionGained(who=mover.id, condition=STALLED, source=source, cites=cites)
    yield from fall_in_stall(fight, mover, "first_ft")


def catch_itself(fight: Fight, mover: Combatant) -> Steps[None]:
    """Let a falling flier try to catch itself at the start of its turn, or drop on (srd35.move.stall)."""
    rule = fight.rule(STALL)
    if (yield from saving_throw(fight, mover, "ref", fight.figure(STALL, "dc"), "a stall", rule)):
        yield ConditionLost(who=mover.id, condition=STALLED, why="recovers", cites=(rule,))
        # The turn goes into recovering: it is no stall anew.
        yield ActionSpent(who=mover.id, kind="hover", what="recover from the stall", cites=(rule,))
        return
    yield from fall_in_stall(fight, mover, "later_ft")


def fall_in_stall(fight: Fight, mover: Combatant, path: str) -> Steps[None]:
    """Fall as far as a stall takes one in a round, perhaps to the ground."""
    rule = fight.rule(STALL)
    height = height_flown(mover)
    feet = min(height, fight.figure(STALL, path))
    if feet == height:
        yield from end_flight(fight, mover, "hits the ground", rule)
        yield from come_down(fight, mover, height)
        return
    yield from change_height(fight, mover, "falling", height - feet, rule)


def fall_limp(fight: Fight, mover: Combatant) -> Steps[None]:
    """Let a flier fall that is out of the fight, or a winged one that cannot move a limb any more.

    Perfect maneuverability takes no wings (srd35.cond.paralyzed).
    """
    down = is_down(fight, mover)
    if not down and mover.sheet.maneuver == "perfect":
        return
    height = height_flown(mover)
    why, topic = ("falls", TABLE) if down else ("cannot beat its wings", "srd35.cond.paralyzed")
    yield from end_flight(fight, mover, why, fight.rule(topic))
    if height:
        yield from come_down(fight, mover, height)
