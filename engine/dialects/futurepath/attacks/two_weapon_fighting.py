"""Two weapons in Futurepath: which hand strikes with what, and what that costs."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.attacks.two_weapon_fighting import SECOND, wielded_with_another
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

LIGHT: Final = "futurepath.attack.two-weapon.light-off-hand"
FEAT: Final = "futurepath.attack.two-weapon.feat"


def second_weapon(fight: Fight, actor: Combatant, act: acts.FullAttack) -> Weapon | None:
    """Return the weapon of the off hand that strikes beside another, or is to; None where one strikes alone.

    A double weapon is in both (futurepath.attack.double-weapon). Refuses one for later that is not in the off
    hand (futurepath.attack.two-weapon.penalties).
    """
    name = act.second or noted_weapon(actor)
    hands = [of_off_hand(fight, actor, one) for one in act.strikes]
    if not name:
        both = None in hands
        return next((one for one in hands if one is not None), None) if both else None
    found = find_weapon(fight, actor, name)
    weapon = other_end(fight, actor, found) if serves_both(found) else off_hand(actor, found.name)
    if weapon is None:
        rule = fight.rule("futurepath.attack.two-weapon.penalties")
        raise Refusal(f"the {name} is not in {actor.id}'s off hand", rule)
    return weapon


def noted_weapon(actor: Combatant) -> str:
    """Return the off hand's weapon of a full attack that was begun with two, "" if there is none."""
    return next((one.modifier.source for one in actor.effects if one.stat == SECOND), "")


def off_hand(combatant: Combatant, name: str) -> Weapon | None:
    """Return the weapon of that name if it is held in the off hand."""
    return next((one for one in combatant.sheet.weapons if one.name == name and one.off_hand), None)


def serves_both(weapon: Weapon) -> bool:
    """Say whether a weapon can strike in either hand at once: a double weapon, and hands and feet."""
    return "double" in weapon.traits or weapon.wield == "unarmed"


def other_end(fight: Fight, combatant: Combatant, weapon: Weapon) -> Weapon:
    """Return a double weapon, or bare hands, as the off hand strikes with it: a light one.

    futurepath.attack.double-weapon, futurepath.attack.unarmed.counts-light.
    """
    return wielded_with_another(fight, weapon, True)


def of_off_hand(fight: Fight, combatant: Combatant, strike: acts.Strike) -> Weapon | None:
    """Return the weapon of the off hand that a strike is made with; None for one of the main hand.

    Refuses to strike with the off hand what is in the other.
    """
    if not strike.off_hand:
        return off_hand(combatant, strike.weapon)
    weapon = find_weapon(fight, combatant, strike.weapon)
    if weapon.off_hand:
        return weapon
    if not serves_both(weapon):
        rule = fight.rule("futurepath.attack.two-weapon.penalties")
        raise Refusal(f"the {weapon.name} is not in {combatant.id}'s off hand", rule)
    return other_end(fight, combatant, weapon)


def wielded(fight: Fight, combatant: Combatant, strike: acts.Strike, second: Weapon | None) -> Weapon:
    """Return the weapon of a strike as it is wielded: each end of a double weapon as a weapon of its own."""
    weapon = find_weapon(fight, combatant, strike.weapon)
    if strike.off_hand:
        return of_off_hand(fight, combatant, strike) or weapon
    if second is not None and "double" in weapon.traits and not weapon.off_hand:
        return wielded_with_another(fight, weapon, False)
    return weapon


def is_light(second: Weapon) -> bool:
    """Say whether the off hand's weapon is light: bare hands and the other end of a double weapon are.

    futurepath.attack.two-weapon.light-off-hand, futurepath.attack.double-weapon.
    """
    return second.wield in ("light", "unarmed") or "double" in second.traits


def rules_of_two_weapons(fight: Fight, combatant: Combatant, second: Weapon) -> tuple[str, ...]:
    """Return the rules that ease the penalties of fighting with two weapons.

    futurepath.attack.two-weapon.penalties, futurepath.attack.two-weapon.light-off-hand,
    futurepath.attack.two-weapon.feat, futurepath.attack.double-weapon,
    futurepath.attack.unarmed.counts-light.
    """
    topics = ["futurepath.attack.two-weapon.penalties"]
    if "double" in second.traits:
        topics.append("futurepath.attack.double-weapon")
    elif second.wield == "unarmed":
        topics.append("futurepath.attack.unarmed.counts-light")
    if is_light(second):
        topics.append(LIGHT)
    if has_feat(combatant, "two-weapon fighting"):
        topics.append(FEAT)
    return fight.rules(*topics)


def two_weapon_penalties(
    fight: Fight, combatant: Combatant, second: Weapon | None
) -> tuple[Modifier, Modifier]:
    """Return the penalties of the main hand and the off hand when two weapons are used.

    The table sums up what the text says: base penalties, less what a light weapon and the feat take off.

    futurepath.table.two-weapon-fighting-penalties, futurepath.attack.two-weapon.penalties,
    futurepath.attack.two-weapon.light-off-hand, futurepath.attack.two-weapon.feat.
    """
    light = second is not None and is_light(second)
    feat = has_feat(combatant, "two-weapon fighting")
    row = {
        (False, False): "normal penalties",
        (True, False): "off-hand weapon is light",
        (False, True): "Two-Weapon Fighting feat",
        (True, True): "off-hand weapon is light and Two-Weapon Fighting feat",
    }[light, feat]
    topic = "futurepath.table.two-weapon-fighting-penalties"
    found = []
    for hand, name in (("primary", "main hand"), ("off_hand", "off hand")):
        summed = fight.figure("futurepath.attack.two-weapon.penalties", hand)
        for eased, by in ((light, LIGHT), (feat, FEAT)):
            summed += fight.figure(by, f"reduction_{hand}") if eased else 0
        printed = fight.figure(topic, f"circumstances={row}", hand)
        # As printed they agree; where a house rule has eased one of them, that holds.
        value = max(printed, summed)
        found.append(Modifier(value, "penalty", f"two weapons, {name}", fight.rule(topic)))
    return found[0], found[1]
