"""Steal: what an opponent carries and does not hold, taken with a free hand or a whip (pf1.steal)."""

from typing import Final

from affray.engine.dialects.pf1.maneuvers.maneuver_check import MODES, attempt_maneuver, maneuver_blow
from affray.engine.dialects.pf1.maneuvers.maneuver_feats import GREATER, has_greater
from affray.engine.fight.fight import Fight
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.gear.hands import hands_left
from affray.engine.rules.gear.let_go import LOST, lose
from affray.engine.rules.gear.others_things import taken_from
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

TOPIC: Final = "pf1.steal"
WHIP: Final = "whip"


def steal(fight: Fight, act: acts.Steal) -> Steps[None]:
    """Take an item from an opponent as a standard action."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(TOPIC)
    whip = find_weapon(fight, actor, act.weapon, is_whip) if act.weapon else None
    if whip is not None and not is_whip(whip):
        raise Refusal(f"the {whip.name} cannot steal: a whip or a free hand can", rule)
    if hands_left(actor, "") < 1:
        raise Refusal(f"{actor.id} has no hand free", rule)
    blow = maneuver_blow(fight, actor, target, "steal", whip)
    refuse_out_of_question(fight, target, act.item)
    if whip is not None:
        blow.attack_extra.append(fight.modifier(TOPIC, "whip", kind="penalty", source=whip.name))
    blow.defense_extra += fastening(fight, target, act)
    yield spending(fight, actor, "standard", "steal", *fight.rules(TOPIC, MODES))
    check = yield from attempt_maneuver(fight, Attempt(blow, act.item, name=fight.declaration), TOPIC)
    if check is None or not check.won:
        return
    yield from lose(fight, target, act.item, "gone", (rule,))
    yield from taken_from(fight, actor, target, act.item, (rule,))
    if has_greater(fight, actor, "steal"):
        what = f"does not notice that the {act.item} is gone"
        yield RuleApplied(who=target.id, what=what, cites=fight.rules(GREATER))


def is_whip(weapon: Weapon) -> bool:
    """Say whether a weapon is a whip, by its name or its row of the table."""
    return WHIP in (weapon.table or weapon.name).casefold().split()


def refuse_out_of_question(fight: Fight, target: Combatant, item: str) -> None:
    """Refuse what the target holds, wears closely or has not any more, and to leave it open."""
    rule = fight.rule(TOPIC)
    if not item:
        raise Refusal("no item to steal is named", rule)
    if item in target.held:
        raise Refusal(f"{target.id} holds the {item}: that takes a disarm", rule)
    parts = (part.source for part in target.sheet.armor if part.kind in ("armor", "shield"))
    natural = (one.name for one in target.sheet.weapons if one.wield in ("natural", "unarmed"))
    if item in (*parts, *natural, *(one.name for one in target.sheet.worn)):
        raise Refusal(f"the {item} is worn too closely", rule)
    if target.items.get(item) in LOST:
        raise Refusal(f"{target.id} has no {item} any more", rule)


def fastening(fight: Fight, target: Combatant, act: acts.Steal) -> list[Modifier]:
    """Return what it adds to the CMD that an item is fastened, as is every weapon in its sheath."""
    sheathed = any(one.name == act.item for one in target.sheet.weapons)
    if not (act.fastened or sheathed):
        return []
    return [fight.modifier(TOPIC, "fastened", kind="untyped", source=f"the {act.item} is fastened")]
