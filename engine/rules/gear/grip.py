"""The grip on a weapon: in one hand, or in both (srd35.weapons.handed-use)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import wielded_in_two_hands
from affray.engine.rules.gear.hands import hands_left
from affray.engine.rules.gear.let_go import is_couched, raise_lance
from affray.engine.rules.turns.action_budget import check_turn
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.base import Wield
from affray.events.facts.combat import GripChanged
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: The topic of the rule that a one-handed weapon may be held in both hands.
TOPIC: Final = "weapons.handed-use"
WORDS: Final = {"both": "in both hands", "one": "in one hand"}


def grip(fight: Fight, act: acts.Grip) -> Steps[None]:
    """Take a weapon that is in hand into both hands or into one: a free action.

    From then on every blow of it is struck so, out of turn too. A light weapon gains nothing by a second
    hand (srd35.weapons.handed-use, srd35.damage.two-handed, pf1.damage.two-handed-bonus,
    woa.damage.two-handed-strength, futurepath.damage.strength-two-handed).
    """
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    weapon = weapon_to_grip(fight, actor, act)
    if act.hands == "both" and hands_left(actor, weapon.name) < 2:
        raise Refusal(f"{actor.id} has no second hand free for the {weapon.name}", fight.rule(TOPIC))
    if act.hands == "one" and weapon.wield == "two-handed":
        raise Refusal(f"the {weapon.name} takes both hands", fight.rule(TOPIC))
    yield from change_grip(fight, actor, weapon, act, weapon.wield)


def can_be_gripped(weapon: Weapon) -> bool:
    """Say whether a weapon may be struck with in one hand or in both."""
    return weapon.wield not in ("natural", "unarmed", "projectile")


def weapon_to_grip(fight: Fight, holder: Combatant, act: acts.Grip) -> Weapon:
    """Return the weapon meant. Refuses what is not held, is held so, or is not struck with in either way."""
    weapon = next((one for one in holder.sheet.weapons if one.name == act.item), None)
    if weapon is None:
        known = (one.name for one in holder.sheet.weapons if one.name in holder.held and can_be_gripped(one))
        raise unknown_word("weapon", act.item, known, fight.rule("weapon.in-hand"), holder.id)
    if not can_be_gripped(weapon):
        raise Refusal(f"the {act.item} is no weapon to be gripped in one hand or both", fight.rule(TOPIC))
    if act.item not in holder.held:
        raise Refusal(f"{holder.id} does not hold the {act.item}", fight.rule("weapon.in-hand"))
    if wielded_in_two_hands(weapon) == (act.hands == "both"):
        raise Refusal(f"{holder.id} holds the {act.item} {WORDS[act.hands]} already", fight.rule(TOPIC))
    return weapon


def change_grip(fight: Fight, holder: Combatant, weapon: Weapon, act: acts.Grip, wield: Wield) -> Steps[bool]:
    """Spend the free action of another grip; return whether the weapon is held so from now on."""
    rule = fight.rule(TOPIC)
    what = f"take the {weapon.name} {WORDS[act.hands]}"
    if not (yield from fight.dialect.turns.free_action(fight, holder, what, rule)):
        return False
    if is_couched(holder, weapon.name):
        yield from raise_lance(fight, holder, weapon.name, "in both hands")
    else:
        hands = 2 if act.hands == "both" else 1
        yield GripChanged(who=holder.id, item=weapon.name, hands=hands, wield=wield, cites=(rule,))
    return True
