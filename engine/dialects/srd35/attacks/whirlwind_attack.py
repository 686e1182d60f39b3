"""Whirlwind Attack: one strike at each opponent in reach (srd35.feat.whirlwind-attack)."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import WHIRLWIND
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def once_each(fight: Fight, actor: Combatant, act: acts.FullAttack) -> list[list[Modifier]]:
    """Return the attacks of a Whirlwind Attack: one at each opponent, all at the full bonus."""
    return [[] for _ in act.strikes]


def whirlwind_strikes(fight: Fight, actor: Combatant, act: acts.FullAttack) -> acts.FullAttack:
    """Return the one strike at each opponent in reach that Whirlwind Attack makes of a full attack.

    Nothing else is struck, nobody twice, and no feat gives another attack (srd35.feat.whirlwind-attack).
    """
    rule = refuse_without(fight, actor, "whirlwind attack")
    weapon = act.strikes[0].weapon if act.strikes else ""
    found = []
    for enemy in fight.enemies(actor):
        if "dead" in enemy.conditions:
            continue
        try:
            blow = fight.dialect.attacks.prepare(
                fight, actor, enemy, find_weapon(fight, actor, weapon), WHIRLWIND
            )
        except Refusal:
            continue
        if blow.melee:
            found.append(acts.Strike(enemy.id, weapon))
    named = {one.target for one in act.strikes}
    if act.rapid_shot or act.second or any(one.special or one.off_hand for one in act.strikes):
        raise Refusal("Whirlwind Attack forgoes every extra attack", rule)
    if len(named) < len(act.strikes) or not named <= {one.target for one in found}:
        raise Refusal("Whirlwind Attack strikes once at each opponent in reach", rule)
    if not found:
        raise Refusal("no opponent is in reach", rule)
    return replace(act, strikes=act.strikes or tuple(found))
