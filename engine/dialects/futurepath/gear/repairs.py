"""Repairing things between fights: an hour of work, then a check (futurepath.object.repair.*)."""

from typing import Final

from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.damage.hit_points import hit_points_set
from affray.engine.rules.position.place import refuse_apart
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.flow import TimePassed
from affray.projections.state import Combatant

TIME: Final = "futurepath.object.repair.time"
CHECK: Final = "futurepath.object.repair.check"
MINUTES_AN_HOUR: Final = 60


def repair(fight: Fight, act: acts.Repair) -> Steps[None]:
    """Work for an hour on a damaged thing, or on an item that somebody has, then make a Repair check.

    Without tools the check is harder; a success restores 2d6 hit points, up to the whole
    (futurepath.object.repair.time, futurepath.object.repair.check).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(TIME)
    damage = damage_of(target, act.item)
    refuse_down(fight, actor, "repair anything")
    if fight.state.begun and are_enemies_up(fight):
        raise Refusal("nobody repairs things while enemies fight", rule)
    if damage <= 0 or "dead" in target.conditions or target.items.get(act.item) == "broken":
        raise Refusal(f"the {act.item or target.id} has no damage that can be repaired", rule)
    if target is not actor:
        refuse_apart(actor, target, rule)
    minutes = int(fight.figure(TIME, "hours")) * MINUTES_AN_HOUR
    yield TimePassed(minutes=minutes, what="repairs", cites=(rule,))
    checked = fight.rule(CHECK)
    parts = skill_parts(fight, actor, "repair", "int", checked)
    if not act.tools:
        parts.append(fight.modifier(TIME, "no_tools", kind="penalty", source="no tools"))
    dc = int(fight.figure(CHECK, "dc"))
    why = f"to repair the {act.item or target.id}"
    if not (yield from check(fight, actor, "repair", parts, dc, checked, why=why)):
        return
    rolled = yield Roll(actor.id, "repaired", str(fight.figure(CHECK, "restores")))
    restored = min(damage, rolled.total)
    if act.item:
        name = f"damage to {act.item}"
        yield ResourceSpent(who=target.id, resource=name, amount=-restored, cites=(checked,))
    else:
        yield hit_points_set(target, target.hp + restored, "repaired", checked)


def damage_of(target: Combatant, item: str) -> int:
    """Return the hit points that a thing, or an item of somebody, has lost; 0 for what is no thing."""
    if item:
        return target.resources.get(f"damage to {item}", 0)
    return target.max_hp - target.hp if target.sheet.thing is not None else 0


def are_enemies_up(fight: Fight) -> bool:
    """Say whether several sides still have somebody standing who is no thing."""
    combatants = fight.state.combatants.values()
    return len({one.side for one in combatants if one.sheet.thing is None and not is_down(fight, one)}) > 1
