"""Whirlwind Attack: one strike at each opponent in reach (srd35.feat.whirlwind-attack)."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import WHIRLWIND
from affray.engine.rules.attacks.natural_weapons import beside_held_weapons, refuse_rake, struck_with
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def once_each(fight: Fight, actor: Combatant, act: acts.FullAttack) -> list[list[Modifier]]:
    """Return the attacks of a Whirlwind Attack: one at each opponent, all at the full bonus.

    The same natural weapon strikes at each of them; beside a weapon in hand it is a secondary one.
    """
    limbs = struck_with(fight, actor, act)
    for weapon in limbs:
        if weapon is not None:
            refuse_rake(fight, actor, weapon)
    alone = all(limbs)
    return [[] if limb is None or alone else beside_held_weapons(fight, actor, limb) for limb in limbs]


def whirlwind_strikes(fight: Fight, actor: Combatant, act: acts.FullAttack) -> acts.FullAttack:
    """Return the one strike at each opponent in reach that Whirlwind Attack makes of a full attack.

    Each is a melee attack, in whose place a special attack may come. Nothing else is struck, nobody twice,
    and nothing gives another attack (srd35.feat.whirlwind-attack, srd35.aoo.substitutes).
    """
    rule = refuse_without(fight, actor, "whirlwind attack")
    if act.rapid_shot or act.flurry or act.second or any(one.off_hand for one in act.strikes):
        raise Refusal("Whirlwind Attack forgoes every extra attack", rule)
    targets = [one.target for one in act.strikes]
    twice = len(set(targets)) < len(targets)
    enemies = {enemy.id: enemy for enemy in fight.enemies(actor) if "dead" not in enemy.conditions}
    if twice or any(one.target not in enemies or one.thrown for one in act.strikes):
        raise Refusal("Whirlwind Attack strikes once at each opponent in reach", rule)
    for one in act.strikes:
        # A special attack says itself how it reaches its target.
        if not one.special and not is_in_reach(fight, actor, enemies[one.target], one.weapon):
            raise Refusal("Whirlwind Attack strikes once at each opponent in reach", rule)
    found = [acts.Strike(id, "") for id, enemy in enemies.items() if is_in_reach(fight, actor, enemy, "")]
    if not act.strikes and not found:
        raise Refusal("no opponent is in reach", rule)
    return replace(act, strikes=act.strikes or tuple(found))


def is_in_reach(fight: Fight, attacker: Combatant, enemy: Combatant, weapon: str) -> bool:
    """Say whether a weapon of that name, "" for the one in hand, strikes an enemy in melee."""
    try:
        blow = fight.dialect.attacks.prepare(
            fight, attacker, enemy, find_weapon(fight, attacker, weapon), WHIRLWIND
        )
    except Refusal:
        return False
    return bool(blow.melee)
