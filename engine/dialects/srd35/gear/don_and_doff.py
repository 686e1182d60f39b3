"""Putting armor on and taking it off, sleeping in it, standing behind a tower shield.

srd35.armor.donning-table, srd35.armor.hasty, srd35.armor.sleep, srd35.armor.tower-shield.
"""

import re
from typing import Any, Final

from affray.engine.dialects.srd35.gear.worn_items import TOWER
from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.gear.held_weapons import OFF
from affray.engine.rules.gear.worn_items import borne_of_row, worn_now
from affray.engine.rules.position.line_of_effect import side_by_side
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.sides import refuse_no_friend
from affray.engine.steps import Refusal, Roll, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ItemChanged, ResourceSpent, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Worn
from affray.projections.state import Combatant

TABLE: Final = "srd35.armor.donning-table"
ROUNDS: Final = {"rounds": 1, "minute": 10, "minutes": 10}
#: Rows of the table by a word that their entries have.
ROWS: Final = {
    "half-plate": 3,
    "full plate": 3,
    "breastplate": 2,
    "scale": 2,
    "chainmail": 2,
    "banded": 2,
    "splint": 2,
}


def don(fight: Fight, act: acts.Don) -> Steps[None]:
    """Put on armor, a full round at a time until it is done; a shield is one move action.

    In haste it takes less and sits worse; a helper halves the time, and plate armor needs one unless it is
    put on in haste (srd35.armor.donning-table, srd35.armor.hasty).
    """
    actor = fight.combatant(act.actor)
    item = owned_armor(fight, actor, act.item)
    if actor.items.get(item.name) not in OFF:
        raise Refusal(f"{actor.id} wears the {item.name} already", fight.rule(TABLE))
    row = donning_row(fight, item)
    time = row["hasty"] if act.hasty else row["don"]
    if time is None:
        raise Refusal(f"a {item.name} cannot be put on in haste", fight.rule(TABLE))
    helped = has_helper(fight, actor, act.helper)
    if "help needed" in time and not helped:
        raise Refusal(f"the {item.name} cannot be put on alone but in haste", fight.rule(TABLE))
    state = "hasty" if act.hasty else "held" if item.kind == "shield" else "worn"
    cites = fight.rules(TABLE, *(("srd35.armor.hasty",) if act.hasty or helped else ()))
    yield from spend_time_on_armor(fight, actor, item, time, state, helped, cites)


def doff(fight: Fight, act: acts.Doff) -> Steps[None]:
    """Take off armor, a full round at a time; a shield is one move action (srd35.armor.donning-table)."""
    actor = fight.combatant(act.actor)
    item = owned_armor(fight, actor, act.item)
    if actor.items.get(item.name) in OFF:
        raise Refusal(f"{actor.id} does not wear the {item.name}", fight.rule(TABLE))
    helped = has_helper(fight, actor, act.helper)
    cites = fight.rules(TABLE, *(("srd35.armor.hasty",) if helped else ()))
    yield from spend_time_on_armor(
        fight, actor, item, donning_row(fight, item)["remove"], "doffed", helped, cites
    )


def owned_armor(fight: Fight, holder: Combatant, name: str) -> Worn:
    """Return the armor or shield of that name. Refuses what a combatant does not own."""
    for one in holder.sheet.worn:
        if one.name == name:
            return one
    known = (one.name for one in holder.sheet.worn)
    raise unknown_word("armor", name, known, fight.rule(TABLE), holder.id)


def has_helper(fight: Fight, holder: Combatant, name: str) -> bool:
    """Say whether a helper is named. Refuses one who cannot: too far away, down or an enemy."""
    if not name:
        return False
    other, rule = fight.combatant(name), fight.rule("srd35.armor.hasty")
    refuse_no_friend(holder, other, rule)
    refuse_down(fight, other, "help")
    if not side_by_side(fight, holder, other):
        raise Refusal(f"{name} is not at {holder.id}'s side", rule)
    return True


def donning_row(fight: Fight, item: Worn) -> dict[str, Any]:
    """Return the row of the table for armor or a shield; by weight where the name is in none."""
    rows: list[dict[str, Any]] = fight.figure(TABLE)
    if item.kind == "shield":
        return rows[0]
    name = item.table or item.name
    by_weight = {"none": 1, "light": 1, "medium": 2, "heavy": 3}[item.weight]
    return rows[next((place for word, place in ROWS.items() if word in name), 1 if item.table else by_weight)]


def spend_time_on_armor(
    fight: Fight, holder: Combatant, item: Worn, time: str, state: str, helped: bool, cites: tuple[str, ...]
) -> Steps[None]:
    """Spend a full round on armor, or the move action that a shield takes; at the end it is on or off.

    What was done counts from round to round; a time that dice decide is rolled when the work begins.
    """
    verb = "doff" if state == "doffed" else "don"
    if "action" in time:
        yield spending(fight, holder, "move", f"{verb} {item.name}", *cites)
        yield ItemChanged(who=holder.id, item=item.name, state=state, cites=cites)
        return
    yield spending(fight, holder, "full-round", f"{verb} {item.name}", *cites)
    left = f"rounds left to {verb} the {item.name}"
    if holder.resources.get(left, 0) <= 0:
        dice, unit = re.match(r"(\S+) (\w+)", time).groups()  # type: ignore[union-attr]
        if "d" in dice:
            rolled = yield Roll(holder.id, verb, dice)
            number = rolled.total
        else:
            number = int(dice)
        rounds = number * ROUNDS[unit]
        if helped:
            rounds = int(rounds * fight.figure("srd35.armor.hasty", "helped_time"))
        yield ResourceSpent(who=holder.id, resource=left, amount=rounds, cites=cites)
    yield ResourceSpent(who=holder.id, resource=left, amount=-1, cites=cites)
    if holder.resources[left] <= 0:
        yield ItemChanged(who=holder.id, item=item.name, state=state, cites=cites)


def sleep(fight: Fight, act: acts.Sleep) -> Steps[None]:
    """Let a combatant have slept, by the game master's word: in medium or heavy armor it is fatigued."""
    target = fight.combatant(act.target)
    rule = fight.rule("srd35.armor.sleep")
    heavy = [one.name for one in worn_now(target) if one.weight in ("medium", "heavy")]
    unnamed = not target.sheet.worn and target.sheet.armor_weight in ("medium", "heavy")
    if heavy or unnamed:
        source = f"sleep in the {heavy[0] if heavy else 'armor'}"
        yield ConditionGained(who=target.id, condition="fatigued", source=source, cites=(rule,))
    else:
        yield RuleApplied(who=target.id, what="sleeps well in what it wears", cites=(rule,))


def shelter_behind_shield(fight: Fight, act: acts.Shelter) -> Steps[None]:
    """Give up one's attacks for total cover behind a tower shield, until the next turn.

    Spells may still be aimed at the shield's bearer (srd35.armor.tower-shield).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("srd35.armor.tower-shield")
    if not borne_of_row(actor, *TOWER):
        raise Refusal(f"{actor.id} has no tower shield", rule)
    yield spending(fight, actor, "standard", "shelter", rule)
    until = Until("turn-start", actor.id, fight.state.round + 1)
    source = "total cover behind a tower shield"
    yield ConditionGained(who=actor.id, condition="sheltered", source=source, until=until, cites=(rule,))
