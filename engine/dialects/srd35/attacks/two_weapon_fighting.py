"""Two weapons at once: what the off hand may do, and what both hands pay for it (srd35.twf.*)."""

from collections.abc import Iterator, Sequence

from affray.engine.dialects.srd35.attacks import multiweapon_mastery
from affray.engine.dialects.srd35.attacks.many_arms import TOPIC as MANY
from affray.engine.dialects.srd35.attacks.many_arms import arms_of, has_multiweapon_fighting, many_armed
from affray.engine.dialects.srd35.classes.combat_feats import lacks_for_feat, masters
from affray.engine.fight.fight import Fight
from affray.engine.rules.attacks import attack_series
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.held_weapons import melee_band
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.position.place import reaches
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: The stat of the effect that keeps the off hand's weapon in mind while a full attack is open.
SECOND = "second-weapon"
TRAINING = "two-weapon fighting"
#: The hands by the names that the figures have for them.
HANDS = {"primary": "main hand", "off_hand": "off hand"}
#: The feats that give the off hand its second and third attack.
FURTHER = ("improved two-weapon fighting", "greater two-weapon fighting")


def second_weapon(fight: Fight, actor: Combatant, act: acts.FullAttack) -> str:
    """Return the name of the weapon that the off hand uses in this full attack, "" if it uses none.

    It is named, or strikes itself; one begun with two weapons goes on so. Refuses a weapon that cannot be
    in the other hand beside the first.
    """
    name = act.second or next(
        (effect.modifier.source for effect in actor.effects if effect.stat == SECOND), ""
    )
    for one in act.strikes:
        if one.off_hand:
            name = name or find_weapon(fight, actor, one.weapon).name
    if not name:
        if len({one.weapon for one in act.strikes}) < 2:
            return ""
        held = {weapon.name: weapon for weapon in actor.sheet.weapons}
        flagged = {one.weapon: held[one.weapon].off_hand for one in act.strikes if one.weapon in held}
        if len(set(flagged.values())) < 2:
            return ""
        name = next(weapon for weapon, off in flagged.items() if off)
    refuse_full_hands(fight, actor, name, act.strikes)
    return name


def refuse_full_hands(fight: Fight, attacker: Combatant, name: str, strikes: Sequence[acts.Strike]) -> None:
    """Refuse a second weapon for which no hand is left, and one that is the first weapon as well."""
    rule = fight.rule("srd35.twf.extra-attack")
    second = find_weapon(fight, attacker, name)
    if second.wield == "natural":
        raise Refusal(f"the {name} is no weapon for the off hand", rule)
    if "double" in second.traits and "in one hand" in second.traits:
        raise Refusal(f"in one hand only one end of the {name} works", fight.rule("srd35.weapons.double"))
    for one in strikes:
        if one.off_hand or one.special:
            continue
        first = find_weapon(fight, attacker, one.weapon)
        alone = first.name == second.name
        if alone and not first.off_hand and not can_be_pair(second, is_throw(fight, attacker, one)):
            raise Refusal(f"the {name} cannot be in both hands", rule)
        if not alone and second.wield != "unarmed" and first.hands + second.hands > arms_of(attacker):
            raise Refusal(f"the {first.name} leaves no hand for the {name}", rule)


def is_throw(fight: Fight, attacker: Combatant, one: acts.Strike) -> bool:
    """Say whether a strike of a full attack throws its weapon, said or not.

    A weapon made for it flies where its target is out of reach (srd35.attack-action.ranged).
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
    (srd35.twf.light-off-hand, .double-weapons, .thrown, srd35.unarmed.damage).
    """
    if weapon.wield == "unarmed":
        return bool(fight.figure("srd35.unarmed.damage", "category") == "light")
    if thrown:
        listed = fight.figure("srd35.twf.thrown")
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


def two_weapon_penalties(fight: Fight, combatant: Combatant, light: bool, hand: str) -> list[Modifier]:
    """Return what an attack with the "primary" hand or "off_hand" pays when both hands strike.

    The light off-hand weapon and the feat ease it; some creatures pay nothing (srd35.twf.extra-attack,
    .light-off-hand, .feat, srd35.assumed.weapon-mastery).
    """
    if multiweapon_mastery.pays_nothing(combatant):
        return []
    source = f"two weapons, {HANDS[hand]}"
    parts = [fight.modifier("srd35.twf.extra-attack", hand, kind="penalty", source=source)]
    if light:
        parts.append(
            fight.modifier(
                "srd35.twf.light-off-hand", "reduction", kind="untyped", source="light off-hand weapon"
            )
        )
    if has_two_weapon_feat(fight, combatant):
        path = f"reduction_{hand}"
        feat = "Multiweapon Fighting" if many_armed(combatant) else "Two-Weapon Fighting"
        parts.append(fight.modifier("srd35.twf.feat", path, kind="untyped", source=feat))
    return parts


def off_hand_series(fight: Fight, combatant: Combatant, hands: int = 1) -> list[list[Modifier]]:
    """Return the attacks of the off hand: one, and one more for each of two feats, 5 lower each time.

    Every one of `hands` off hands has one. The second arm of a superior fighter has all that the first has.
    """
    if hands == 1 and multiweapon_mastery.is_superior(combatant):
        return [list(row) for row in attack_series.iterative_parts(fight, combatant.sheet.base_attack)]
    each = fight.figure("srd35.twf.extra-attack", "extra_attacks")
    rows: list[list[Modifier]] = [[] for _ in range(each * hands)]
    if hands > 1:
        return rows
    for feat in FURTHER:
        if not masters(fight, combatant, feat):
            break
        topic = f"feat.{feat.replace(' ', '-')}"
        rows.append([fight.modifier(topic, "attack", kind="iterative", source=feat.title())])
    return rows


def drawn_together(fight: Fight, combatant: Combatant, items: Sequence[str]) -> tuple[str, ...]:
    """Return the rules by which several weapons are drawn as one; nothing for a single one.

    Two-Weapon Fighting draws two light or one-handed ones. Refuses others
    (srd35.feat.two-weapon-fighting, srd35.actions-table.notes).
    """
    if len(items) < 2:
        return ()
    rule = fight.rule("srd35.feat.two-weapon-fighting")
    drawn = [weapon for weapon in combatant.sheet.weapons if weapon.name in items]
    if not has_two_weapon_feat(fight, combatant) or len(drawn) < 2 or any(one.hands > 1 for one in drawn):
        raise Refusal(f"{combatant.id} cannot draw the {' and the '.join(items)} as one", rule)
    return (rule, fight.rule("srd35.actions-table.notes"))


def table_rules_told(
    fight: Fight, combatant: Combatant, second: str, light: bool, thrown: bool
) -> Iterator[RuleApplied]:
    """Tell what the table says of fighting with these two weapons (srd35.twf.table)."""
    ways = fight.figure("srd35.twf.table")
    names = [row["circumstances"] for row in ways]
    row = names[2 * has_two_weapon_feat(fight, combatant) + light]
    weapon = find_weapon(fight, combatant, second)
    topics = ["srd35.twf.table"]
    if multiweapon_mastery.pays_nothing(combatant):
        yield RuleApplied(
            who=combatant.id,
            what="fights with several weapons without a penalty",
            cites=fight.rules("srd35.twf.extra-attack", multiweapon_mastery.TOPIC),
        )
        return
    if "double" in weapon.traits:
        topics += ["srd35.twf.double-weapons", "srd35.weapons.double"]
    if thrown:
        topics.append("srd35.twf.thrown")
    if has_two_weapon_feat(fight, combatant):
        topics.append(MANY if many_armed(combatant) else "srd35.feat.two-weapon-fighting")
    missing = (
        lacks_for_feat(fight, combatant, "srd35.feat.two-weapon-fighting")
        if has_feat(combatant, TRAINING)
        else ""
    )
    without = f", without the feat, which takes {missing}" if missing else ""
    yield RuleApplied(
        who=combatant.id, what=f"fights with two weapons: {row}{without}", cites=fight.rules(*topics)
    )


def second_weapon_noted(fight: Fight, combatant: Combatant, second: str) -> EffectGained:
    """Return the fact that the rest of an open full attack is fought with two weapons."""
    rule = fight.rule("srd35.twf.extra-attack")
    return EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:{SECOND}",
        stat=SECOND,
        modifier=Modifier(0, "untyped", second, rule),
        until=Until("turn-end", combatant.id, fight.state.round),
        cites=(rule,),
    )
