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
from affray.engine.rules.classes.ability_scores import score_now
from affray.engine.rules.movement.movement import refuse_after_step, refuse_path, refuse_prone, speed
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import check_turn, spending
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


def carrying_capacity(fight: Fight, mover: Combatant) -> tuple[int, int, int]:
    """Return the most pounds of a light and a medium load and the most that can be carried at all.

    By Strength as it stands now; 10 points beyond the table multiply by 4, and size
    multiplies too (srd35.load.carrying-table, srd35.load.size-multiplier, srd35.ability-loss.applied).
    """
    strength = max(0, score_now(fight, mover, "str") or 0)
    tens = max(0, -(-(strength - HIGHEST_ROW) // STEP))
    row = strength - tens * STEP
    if row < 1:
        return 0, 0, 0
    times = fight.figure("srd35.load.carrying-table", "each 10 more") ** tens
    shape = "quadruped" if mover.sheet.legs >= QUADRUPED_LEGS else "biped"
    times *= fight.figure("srd35.load.size-multiplier", shape, mover.sheet.size.capitalize())
    light, medium, most = (int(one * times) for one in fight.figure("srd35.load.carrying-table", str(row)))
    return light, medium, most


def pounds_carried(mover: Combatant) -> int:
    """Return the pounds that a combatant bears now."""
    return mover.sheet.carried + mover.resources.get(BURDEN, 0)


def load_of(fight: Fight, mover: Combatant) -> str:
    """Return the condition that a combatant's load makes, "" for a light one or none."""
    pounds = pounds_carried(mover)
    if not pounds:
        return ""
    light, medium, most = carrying_capacity(fight, mover)
    if pounds <= light:
        return ""
    return MEDIUM_LOAD if pounds <= medium else HEAVY_LOAD if pounds <= most else OVERLOADED


def set_load_condition(fight: Fight, mover: Combatant) -> Steps[None]:
    """Put a combatant in the condition that its load makes (srd35.load.carrying-table)."""
    found = load_of(fight, mover)
    cites = fight.rules("srd35.load.carrying-table", "srd35.load.size-multiplier")
    if mover.sheet.size == "medium" and mover.sheet.legs < QUADRUPED_LEGS:
        cites = cites[:1]
    for name in LOADS:
        if name in mover.conditions and name != found:
            yield ConditionLost(who=mover.id, condition=name, why="another load", cites=cites)
    if found and found not in mover.conditions:
        source = f"{pounds_carried(mover)} lb., a light load is {carrying_capacity(fight, mover)[0]} lb."
        yield ConditionGained(who=mover.id, condition=found, source=source, cites=cites)


def load_row(fight: Fight, mover: Combatant) -> dict[str, Any] | None:
    """Return the row of the table that says what a combatant's load does, None without a load."""
    name = load_condition(mover)
    if not name and not pounds_carried(mover):
        return None
    load = {MEDIUM_LOAD: "medium", HEAVY_LOAD: "heavy", OVERLOADED: "heavy"}.get(name, "light")
    found: dict[str, Any] = fight.figure("srd35.load.effects-table", f"load={load}")
    return found


def lift(fight: Fight, act: acts.Lift) -> Steps[None]:
    """Take up or put down a weight, lift it or drag it (srd35.load.lift).

    A maximum load can be held overhead, twice that lifted off the ground, which takes the whole round and
    the Dexterity bonus with at most 5 ft. of way, and five times that dragged.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule("srd35.load.lift")
    if act.pounds < 0:
        raise Refusal("a weight cannot be negative", rule)
    if act.how == "put":
        yield from put_down(fight, mover, act.pounds)
        return
    most = carrying_capacity(fight, mover)[2]
    part = {"take": "overhead", "overhead": "overhead", "ground": "ground", "drag": "drag"}[act.how]
    limit = most * int(fight.figure("srd35.load.lift", part))
    pounds = act.pounds + (pounds_carried(mover) if act.how == "take" else 0)
    if pounds > limit:
        what = {"take": "carry", "overhead": "lift overhead", "ground": "lift off the ground", "drag": "drag"}
        raise Refusal(f"{pounds} lb. are beyond the {limit} lb. that {mover.id} can {what[act.how]}", rule)
    if act.how == "ground":
        yield from stagger_under_load(fight, mover, act)
    elif act.how == "drag":
        refuse_after_step(fight, mover)
        refuse_prone(fight, mover)
        refuse_path(fight, mover, act.path, speed(fight, mover), rule)
        yield spending(fight, mover, "move", f"drag {act.pounds} lb.", rule)
        if not (yield from lower_guard_for_lifting(fight, mover)):
            return
        yield from fight.dialect.movement.walk(fight, mover, act.path, "drag", rule)
    else:
        yield spending(fight, mover, "move", f"lift {act.pounds} lb.", rule)
        if not (yield from lower_guard_for_lifting(fight, mover)):
            return
        if act.how == "take":
            yield ResourceSpent(who=mover.id, resource=BURDEN, amount=act.pounds, cites=(rule,))
            yield from set_load_condition(fight, mover)
        else:
            yield RuleApplied(who=mover.id, what=f"holds {act.pounds} lb. overhead", cites=(rule,))


def lower_guard_for_lifting(fight: Fight, mover: Combatant) -> Steps[bool]:
    """Lower one's guard to handle something heavy; return whether one is still up to it.

    srd35.move-action.item.
    """
    rule = fight.rule("srd35.move-action.item")
    opportunity = f"lift:{fight.declaration}"
    yield from fight.dialect.opportunity.provoke(
        fight, mover, threatening(fight, mover), "handles a heavy object", opportunity, rule
    )
    return not is_down(fight, mover)


def put_down(fight: Fight, mover: Combatant, pounds: int) -> Steps[None]:
    """Let go of a weight that one carries: a free action."""
    check_turn(fight, mover)
    rule = fight.rule("srd35.free.list")
    if pounds > pounds_carried(mover):
        raise Refusal(f"{mover.id} carries {pounds_carried(mover)} lb., not {pounds}", rule)
    yield ActionSpent(who=mover.id, kind="free", what=f"put down {pounds} lb.", cites=(rule,))
    yield ResourceSpent(who=mover.id, resource=BURDEN, amount=-pounds, cites=(rule,))
    yield from set_load_condition(fight, mover)


def stagger_under_load(fight: Fight, mover: Combatant, act: acts.Lift) -> Steps[None]:
    """Stagger about under twice the maximum load."""
    rule = fight.rule("srd35.load.lift")
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    if act.path:
        refuse_path(fight, mover, act.path, fight.figure("srd35.load.lift", "ground_ft"), rule)
    yield spending(fight, mover, "full-round", f"lift {act.pounds} lb.", rule)
    if not (yield from lower_guard_for_lifting(fight, mover)):
        return
    until = Until("turn-start", mover.id, fight.state.round + 1)
    yield ConditionGained(who=mover.id, condition=STAGGERING, source="lifting", until=until, cites=(rule,))
    if act.path:
        yield from fight.dialect.movement.walk(fight, mover, act.path, "stagger", rule)
