"""What a creature can carry, what armor and load do to it, and lifting (srd35.load.*).

srd35.armor.check-penalty: what armor takes off physical skills stands here beside what a load does.
"""

from typing import Any

from affray.engine.dialects.srd35.gear.worn_items import (
    HEAVY_LOAD,
    LOADS,
    MEDIUM_LOAD,
    OVERLOADED,
    load_condition,
)
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import check_turn, refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

STAGGERING = "staggering under a weight"
#: The resource that counts what was taken up since the fight began, in pounds.
BURDEN = "burden"
QUADRUPED_LEGS = 4
HIGHEST_ROW = 29
STEP = 10


def carrying_capacity(fight: Fight, who: Combatant) -> tuple[int, int, int]:
    """Return the most pounds of a light and a medium load and the most that can be carried at all.

    By Strength; 10 points beyond the table multiply by 4, and size multiplies too
    (srd35.load.carrying-table, srd35.load.size-multiplier).
    """
    strength = who.sheet.abilities.str or 0
    tens = max(0, -(-(strength - HIGHEST_ROW) // STEP))
    row = strength - tens * STEP
    if row < 1:
        return 0, 0, 0
    times = fight.figure("srd35.load.carrying-table", "each 10 more") ** tens
    shape = "quadruped" if who.sheet.legs >= QUADRUPED_LEGS else "biped"
    times *= fight.figure("srd35.load.size-multiplier", shape, who.sheet.size.capitalize())
    light, medium, most = (int(one * times) for one in fight.figure("srd35.load.carrying-table", str(row)))
    return light, medium, most


def pounds_carried(who: Combatant) -> int:
    """Return the pounds that a combatant bears now."""
    return who.sheet.carried + who.resources.get(BURDEN, 0)


def load_of(fight: Fight, who: Combatant) -> str:
    """Return the condition that a combatant's load makes, "" for a light one or none."""
    pounds = pounds_carried(who)
    if not pounds:
        return ""
    light, medium, most = carrying_capacity(fight, who)
    if pounds <= light:
        return ""
    return MEDIUM_LOAD if pounds <= medium else HEAVY_LOAD if pounds <= most else OVERLOADED


def set_load_condition(fight: Fight, who: Combatant) -> Steps[None]:
    """Put a combatant in the condition that its load makes (srd35.load.carrying-table)."""
    found = load_of(fight, who)
    cites = fight.rules("srd35.load.carrying-table", "srd35.load.size-multiplier")
    if who.sheet.size == "medium" and who.sheet.legs < QUADRUPED_LEGS:
        cites = cites[:1]
    for name in LOADS:
        if name in who.conditions and name != found:
            yield ConditionLost(who=who.id, condition=name, why="another load", cites=cites)
    if found and found not in who.conditions:
        source = f"{pounds_carried(who)} lb., a light load is {carrying_capacity(fight, who)[0]} lb."
        yield ConditionGained(who=who.id, condition=found, source=source, cites=cites)


def load_row(fight: Fight, who: Combatant) -> dict[str, Any] | None:
    """Return the row of the table that says what a combatant's load does, None without a load."""
    name = load_condition(who)
    if not name and not pounds_carried(who):
        return None
    load = {MEDIUM_LOAD: "medium", HEAVY_LOAD: "heavy", OVERLOADED: "heavy"}.get(name, "light")
    found: dict[str, Any] = fight.figure("srd35.load.effects-table", f"load={load}")
    return found


def lift(fight: Fight, act: acts.Lift) -> Steps[None]:
    """Take up or put down a weight, lift it or drag it (srd35.load.lift).

    A maximum load can be held overhead, twice that lifted off the ground, which takes the whole round and
    the Dexterity bonus with at most 5 ft. of way, and five times that dragged.
    """
    who = fight.combatant(act.actor)
    rule = fight.rule("srd35.load.lift")
    if act.pounds < 0:
        raise Refusal("a weight cannot be negative", rule)
    if act.how == "put":
        yield from put_down(fight, who, act.pounds)
        return
    most = carrying_capacity(fight, who)[2]
    part = {"take": "overhead", "overhead": "overhead", "ground": "ground", "drag": "drag"}[act.how]
    limit = most * int(fight.figure("srd35.load.lift", part))
    pounds = act.pounds + (pounds_carried(who) if act.how == "take" else 0)
    if pounds > limit:
        raise Refusal(f"{pounds} lb. are beyond the {limit} lb. that {who.id} can {act.how}", rule)
    if act.how == "ground":
        yield from stagger_under_load(fight, who, act)
    elif act.how == "drag":
        refuse_unless_allowed(fight, who, "move")
        refuse_after_step(fight, who)
        refuse_prone(fight, who)
        refuse_path(fight, who, act.path, speed(fight, who), rule)
        yield spending(fight, who, "move", f"drag {act.pounds} lb.", rule)
        if not (yield from lower_guard_for_lifting(fight, who)):
            return
        yield from fight.dialect.movement.walk(fight, who, act.path, "drag", rule)
    else:
        refuse_unless_allowed(fight, who, "move")
        yield spending(fight, who, "move", f"lift {act.pounds} lb.", rule)
        if not (yield from lower_guard_for_lifting(fight, who)):
            return
        if act.how == "take":
            yield ResourceSpent(who=who.id, resource=BURDEN, amount=act.pounds, cites=(rule,))
            yield from set_load_condition(fight, who)
        else:
            yield RuleApplied(who=who.id, what=f"holds {act.pounds} lb. overhead", cites=(rule,))


def lower_guard_for_lifting(fight: Fight, who: Combatant) -> Steps[bool]:
    """Lower one's guard to handle something heavy; return whether one is still up to it.

    srd35.move-action.item.
    """
    rule = fight.rule("srd35.move-action.item")
    opportunity = f"lift:{fight.declaration}"
    yield from fight.dialect.opportunity.provoke(
        fight, who, threatening(fight, who), "handles a heavy object", opportunity, rule
    )
    return not is_down(fight, who)


def put_down(fight: Fight, who: Combatant, pounds: int) -> Steps[None]:
    """Let go of a weight that one carries: a free action."""
    check_turn(fight, who)
    rule = fight.rule("srd35.free.list")
    if pounds > pounds_carried(who):
        raise Refusal(f"{who.id} carries {pounds_carried(who)} lb. only", rule)
    yield ActionSpent(who=who.id, kind="free", what=f"put down {pounds} lb.", cites=(rule,))
    yield ResourceSpent(who=who.id, resource=BURDEN, amount=-pounds, cites=(rule,))
    yield from set_load_condition(fight, who)


def stagger_under_load(fight: Fight, who: Combatant, act: acts.Lift) -> Steps[None]:
    """Stagger about under twice the maximum load."""
    rule = fight.rule("srd35.load.lift")
    refuse_unless_allowed(fight, who, "full-round")
    refuse_after_step(fight, who)
    refuse_prone(fight, who)
    if act.path:
        refuse_path(fight, who, act.path, fight.figure("srd35.load.lift", "ground_ft"), rule)
    yield ActionSpent(who=who.id, kind="full-round", what=f"lift {act.pounds} lb.", cites=(rule,))
    if not (yield from lower_guard_for_lifting(fight, who)):
        return
    until = Until("turn-start", who.id, fight.state.round + 1)
    yield ConditionGained(who=who.id, condition=STAGGERING, source="lifting", until=until, cites=(rule,))
    if act.path:
        yield from fight.dialect.movement.walk(fight, who, act.path, "stagger", rule)
