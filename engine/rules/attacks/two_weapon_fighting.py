"""Two weapons at once: which hands hold them, what is light in the off hand, and which feat eases it."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_fight
from affray.engine.rules.attacks.attack_series import iterative_parts
from affray.engine.rules.attacks.many_arms import arms_of, has_multiweapon_fighting, many_armed
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.rules.gear.held_weapons import SPIKES, melee_band
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.position.place import reaches
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: The stat of the effect that keeps the off hand's weapon in mind while a full attack is open.
SECOND = "second-weapon"
TRAINING = "two-weapon fighting"
#: The hands by the names that the figures have for them.
HANDS = {"primary": "main hand", "off_hand": "off hand"}
#: What a strike says of itself: whether it is one of the off hand, and the name of its weapon.
OF_OFF_HAND: Final[Callable[[acts.Strike], bool]] = attrgetter("off_hand")
WITH_WEAPON: Final[Callable[[acts.Strike], str]] = attrgetter("weapon")
#: The feats that give the off hand its second and third attack.
FURTHER = ("improved two-weapon fighting", "greater two-weapon fighting")


@per_fight("weapon", "off")
def wielded_with_another(fight: Fight, weapon: Weapon, off: bool) -> Weapon:
    """Return a weapon as it is wielded with another in the other hand; the same object each time.

    A double weapon is then a one-handed and a light one (srd35.twf.double-weapons,
    pf1.two-weapon.double).
    """
    if "double" in weapon.traits:
        found = replace(weapon, wield="light" if off else "one-handed", hands=1, off_hand=off)
        if off and weapon.second:
            times = weapon.second_multiplier or weapon.multiplier
            found = replace(found, damage=weapon.second, multiplier=times)
        return found
    return replace(weapon, off_hand=off)


def second_weapon(fight: Fight, actor: Combatant, act: acts.FullAttack) -> str:
    """Return the name of the weapon that the off hand uses in this full attack, "" if it uses none.

    It is named, or strikes itself; one begun with two weapons goes on so. Refuses a weapon that cannot be
    in the other hand beside the first.
    """
    name = act.second
    for effect in actor.effects:
        if effect.stat == SECOND:
            name = name or effect.modifier.source
    for one in filter(OF_OFF_HAND, act.strikes):
        name = name or find_weapon(fight, actor, one.weapon).name
    if not name:
        if len(set(map(WITH_WEAPON, act.strikes))) < 2:
            return ""
        held = {weapon.name: weapon for weapon in actor.sheet.weapons}
        flagged = {one.weapon: held[one.weapon].off_hand for one in act.strikes if one.weapon in held}
        if len(set(flagged.values())) < 2:
            return ""
        name = next(weapon for weapon, off in flagged.items() if off)
    refuse_full_hands(fight, actor, name, act.strikes)
    return name


def refuse_full_hands(fight: Fight, attacker: Combatant, name: str, strikes: Sequence[acts.Strike]) -> None:
    """Refuse a second weapon for which no hand is left, and one that is the first weapon as well.

    srd35.twf.extra-attack, srd35.weapons.double, pf1.two-weapon, pf1.two-weapon.double.
    """
    rule = fight.rule("twf.extra-attack")
    second = find_weapon(fight, attacker, name)
    if second.wield == "natural":
        raise Refusal(f"the {name} is no weapon for the off hand", rule)
    if "double" in second.traits and "in one hand" in second.traits:
        raise Refusal(f"in one hand only one end of the {name} works", fight.rule("weapons.double"))
    for one in strikes:
        if one.off_hand or one.special:
            continue
        first = find_weapon(fight, attacker, one.weapon)
        alone = first.name == second.name
        if alone and not first.off_hand and not can_be_pair(second, is_throw(fight, attacker, one)):
            raise Refusal(f"the {name} cannot be in both hands", rule)
        worn = SPIKES in (first.table, second.table)
        full = not worn and second.wield != "unarmed" and first.hands + second.hands > arms_of(attacker)
        if not alone and full:
            raise Refusal(f"the {first.name} leaves no hand for the {name}", rule)


def is_throw(fight: Fight, attacker: Combatant, one: acts.Strike) -> bool:
    """Say whether a strike of a full attack throws its weapon, said or not.

    A weapon made for it flies where its target is out of reach (srd35.attack-action.ranged,
    pf1.attack-action.range).
    """
    if one.thrown or one.special:
        return one.thrown
    weapon, target = find_weapon(fight, attacker, one.weapon), fight.state.combatants.get(one.target)
    if not weapon.thrown or target is None:
        return False
    return not reaches(attacker, target, *melee_band(attacker, weapon))


def can_be_pair(weapon: Weapon, thrown: bool) -> bool:
    """Say whether both hands can strike with a weapon of this name."""
    return "double" in weapon.traits or weapon.wield in ("unarmed", "projectile") or thrown


def is_light(fight: Fight, weapon: Weapon, thrown: bool) -> bool:
    """Say whether an off-hand weapon counts as light.

    Fists do, and the other end of a double weapon; of thrown ones those that the rule lists
    (srd35.twf.light-off-hand, srd35.twf.double-weapons, srd35.twf.thrown, srd35.unarmed.damage,
    pf1.two-weapon, pf1.two-weapon.double, pf1.unarmed.provokes).
    """
    if weapon.wield == "unarmed":
        return bool(fight.figure("unarmed.damage", "category") == "light")
    if thrown:
        listed = fight.figure("twf.thrown")
        if weapon.name in listed["light"]:
            return True
        if weapon.name in listed["one_handed"]:
            return False
    return weapon.wield == "light" or "double" in weapon.traits


def has_two_weapon_feat(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a feat eases the penalties: Two-Weapon Fighting, or with more arms Multiweapon Fighting."""
    return (
        has_multiweapon_fighting(fight, combatant)
        if many_armed(combatant)
        else masters(fight, combatant, TRAINING)
    )


def series_of_second_arm(fight: Fight, combatant: Combatant) -> list[list[Modifier]]:
    """Return the attacks of the other arm of a superior fighter: all that the first one has."""
    return [list(row) for row in iterative_parts(fight, combatant.sheet.base_attack)]


def drawn_together(fight: Fight, combatant: Combatant, items: Sequence[str]) -> tuple[str, ...]:
    """Return the rules by which two weapons are drawn as one.

    Two-Weapon Fighting draws two light or one-handed ones. Refuses others (srd35.feat.two-weapon-fighting,
    srd35.actions-table.notes, pf1.feat.two-weapon, pf1.actions-table.notes).
    """
    rule = fight.rule("feat.two-weapon-fighting")
    drawn = [weapon for weapon in combatant.sheet.weapons if weapon.name in items]
    if not has_two_weapon_feat(fight, combatant) or len(drawn) < 2 or any(one.hands > 1 for one in drawn):
        raise Refusal(f"{combatant.id} cannot draw the {' and the '.join(items)} as one", rule)
    return (rule, fight.rule("actions-table.notes"))


def one_by_one(fight: Fight, combatant: Combatant, items: Sequence[str]) -> tuple[str, ...]:
    """Refuse to draw two weapons as one: for dialects in which nobody can."""
    raise Refusal("weapons are drawn one by one", fight.rule("move-action.draw"))


def second_weapon_noted(fight: Fight, combatant: Combatant, second: str) -> EffectGained:
    """Return the fact that the rest of an open full attack is fought with two weapons."""
    rule = fight.rule("twf.extra-attack")
    return EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:{SECOND}",
        stat=SECOND,
        modifier=Modifier(0, "untyped", second, rule),
        until=Until("turn-end", combatant.id, fight.state.round),
        cites=(rule,),
    )
