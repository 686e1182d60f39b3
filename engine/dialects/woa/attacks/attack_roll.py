"""Resolve attack rolls: possible targets, modifiers, threats and confirmation (woa.attack.*)."""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from affray.engine.dialects.woa.attacks.attack_modifiers import refuse_untargetable
from affray.engine.dialects.woa.attacks.declared_blow import refuse_barred
from affray.engine.dialects.woa.conditions.conditions import severest_of_category
from affray.engine.dialects.woa.environment import environment
from affray.engine.dialects.woa.movement import speed
from affray.engine.dialects.woa.position import size
from affray.engine.dialects.woa.position.size import band, close_in_under_reach, refuse_lying_shot
from affray.engine.dialects.woa.senses.concealment import (
    BLIND,
    roll_at_empty_square,
    squares_in_reach,
    unseen,
)
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.kernel.places import distance, reaches
from affray.engine.modifiers import Tally
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import build_blow, roll_confirmation
from affray.engine.rules.attacks.stacking import STACKING, stack_typed
from affray.engine.rules.classes.sheets import ability, has_feat
from affray.engine.rules.conditions.conditions import immunity_to
from affray.engine.rules.gear.hands import UNLOADED, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.senses.senses import unseen_in_square
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

STACKS = STACKING | {"aid"}
#: Kinds of bonuses that spells, class features, magic and alchemical items give.
MAGICAL = frozenset({"morale", "luck", "sacred", "profane", "insight", "competence", "alchemical"})


def stack(fight: Fight, parts: Sequence[Modifier]) -> Tally:
    """Add up by type; dodge bonuses and aid stack.

    woa.modifier.same-type-no-stack, woa.reaction.aid-attack.stacking, .aid-defense.stacking
    """
    parts, several = severest_of_category(fight, parts)
    tally = stack_typed(parts, stacks=STACKS, rule=fight.rule("woa.modifier.same-type-no-stack"))
    return replace(tally, cites=(*tally.cites, fight.rule("woa.condition.stacking"))) if several else tally


@per_fight(Same("blow.attacker.sheet"), "blow.weapon", "blow.melee")
def attack_bonus(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the sheet's bonuses to an attack with this weapon; size does not count in melee.

    woa.attack-bonus.*
    """
    attacker, weapon = blow.attacker, blow.weapon
    sheet = attacker.sheet
    rule = fight.rule("woa.attack-bonus.melee" if blow.melee else "woa.attack-bonus.ranged")
    parts = [Modifier(sheet.base_attack, "base", "base attack bonus", rule)]
    if blow.melee:
        parts.append(
            Modifier(
                ability(sheet, "str"), "ability", "Strength", fight.rule("woa.attack-bonus.strength-melee")
            )
        )
    else:
        topic = "woa.attack-bonus.dexterity-ranged"
        parts.append(Modifier(ability(sheet, "dex"), "ability", "Dexterity", fight.rule(topic)))
    for bonus in weapon.attack:
        topic = "woa.attack-bonus.other-modifiers"
        if bonus.kind == "enhancement":
            topic = "woa.attack-bonus.superior-weapon"
        elif bonus.kind in MAGICAL:
            topic = "woa.attack-bonus.magic-effects"
        parts.append(Modifier(bonus.value, bonus.kind, bonus.source or weapon.name, fight.rule(topic)))
    if has_feat(attacker, f"weapon focus ({weapon.name})"):
        parts.append(
            fight.modifier(
                "woa.attack-bonus.feat-weapon-focus",
                "weapon_focus_attack",
                kind="feat",
                source="Weapon Focus",
            )
        )
    return tuple(parts)


def prepare_blow(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    weapon: Weapon,
    kind: str,
    *,
    thrown: bool = False,
    nonlethal: bool | None = None,
) -> Blow:
    """Return the attack that a declaration means. Refuse impossible targets.

    Dealing the other kind of damage than the weapon's usual one costs -4; lethal weapons that do not strike
    in melee cannot (woa.nonlethal.lethal-weapon, .nonlethal-weapon).
    """
    least, most = band(fight, attacker, weapon)
    judged = kind == "opportunity"  # an attack of opportunity was already found to reach
    reached = strikes_in_melee(weapon) and (judged or reaches(attacker, target, least, most))
    gap = speed.feet_above(attacker, target)
    melee = reached and gap <= most and not thrown
    feet = max(distance(attacker, target), gap)
    if not melee and not (weapon.range and (weapon.wield == "projectile" or weapon.thrown)):
        topic = "woa.attack.reach-weapons" if weapon.reach else "woa.attack.melee-reach"
        raise Refusal(f"{target.id} is {feet} ft. away, out of the {weapon.name}'s reach", fight.rule(topic))
    own = is_nonlethal(attacker, weapon)
    if nonlethal and not own and not strikes_in_melee(weapon):
        reason = f"the {weapon.name} is no melee weapon and deals no nonlethal damage"
        raise Refusal(reason, fight.rule("woa.nonlethal.lethal-weapon"))
    blow = build_blow(
        fight,
        attacker,
        target,
        weapon,
        kind,
        melee=melee,
        feet=feet,
        nonlethal=own if nonlethal is None else nonlethal,
    )
    refuse_untargetable(fight, blow)
    refuse_barred(fight, blow, thrown)
    environment.refuse_missile_through_water(fight, blow)
    refuse_lying_shot(fight, blow)
    close_in_under_reach(fight, blow)
    rule = fight.rule("woa.items.draw-ammunition")
    if attacker.items.get(weapon.name) == UNLOADED:
        raise Refusal(f"the {weapon.name} is not loaded", fight.rule("woa.items.manipulate-move"))
    if weapon.ammunition is not None and attacker.resources.get(weapon.name, 0) >= weapon.ammunition:
        raise Refusal(f"{attacker.id} has no ammunition left for the {weapon.name}", rule)
    if not melee and attacker.reactions.get("dodge"):
        forfeit = fight.rule("woa.attack.ranged-forfeits-dodge")
        raise Refusal(f"{attacker.id} has dodged this round and makes no ranged attacks in it", forfeit)
    if nonlethal is not None and nonlethal != own:
        topic, source = (
            ("woa.nonlethal.lethal-weapon", "for nonlethal damage")
            if nonlethal
            else ("woa.nonlethal.nonlethal-weapon", "for lethal damage")
        )
        blow.attack_extra.append(fight.modifier(topic, "attack", kind="penalty", source=source))
    return blow


def is_nonlethal(attacker: Combatant, weapon: Weapon) -> bool:
    """Return whether a weapon normally deals nonlethal damage; all unarmed strikes do."""
    return weapon.wield == "unarmed" or "nonlethal" in weapon.traits


def rules_deciding_roll(fight: Fight, topic: str) -> tuple[str, ...]:
    """Return the further rules of an attack roll: on the roll itself and on the meaning of Armor Class.

    woa.attack.resolution, woa.ac.meaning, woa.attack.roll
    """
    return fight.rules("woa.attack.resolution", *(["woa.ac.meaning"] if topic == "attack.roll" else []))


def threatens_critical(fight: Fight, blow: Blow, natural: int, total: int, needed: int) -> bool:
    """Return whether a hit threatens a critical: natural 20, the weapon's range, or AC + 20.

    Creatures immune to critical hits are exempt (woa.attack.natural-20, woa.attack.threat-by-margin-20).
    """
    if natural < min(
        blow.weapon.threat, fight.figure("woa.attack.natural-20", "face")
    ) and not is_threat_by_margin(fight, total, needed):
        return False
    return immunity_to(fight, blow.target, "critical hits") is None


def is_threat_by_margin(fight: Fight, total: int, needed: int) -> bool:
    """Return whether a total exceeds the AC by 20."""
    return bool(total >= needed + fight.figure("woa.attack.threat-by-margin-20", "margin"))


def confirm(fight: Fight, blow: Blow) -> Steps[bool]:
    """Roll to confirm a critical; half of the smaller of worn and natural armor now counts too.

    Targets three sizes larger cannot be confirmed against in melee (woa.crit.confirm,
    woa.ac.natural-armor-confirmation, woa.size.combat.target-three-larger).
    """
    if barred := size.unconfirmed(fight, blow):
        yield barred
        return False
    defense = blow.outcome.defense_parts
    special = confirmation_armor(fight, blow)
    needed = blow.outcome.needed
    cites = [fight.rule("woa.crit.confirm")]
    if blow.outcome.natural < fight.figure("woa.attack.natural-20", "face"):
        wide = blow.outcome.natural >= blow.weapon.threat
        cites.append(fight.rule("woa.crit.threat-range" if wide else "woa.attack.threat-by-margin-20"))
    else:
        cites.append(fight.rule("woa.attack.natural-20"))
    if special is not None:
        defense, needed = (*defense, special), needed + special.value
    return (yield from roll_confirmation(fight, blow, needed, defense, tuple(cites)))


def confirmation_armor(fight: Fight, blow: Blow) -> Modifier | None:
    """Return half of the smaller of worn and natural armor, which counts against confirmation only."""
    if blow.intent.touch:
        return None
    armor = blow.target.sheet.armor
    worn = sum(part.value for part in armor if part.kind == "armor")
    natural = sum(part.value for part in armor if part.kind == "natural")
    topic = "woa.ac.natural-armor-confirmation"
    value = max(0, min(worn, natural)) // fight.figure(topic, "divisor")
    return Modifier(value, "special", "armor over armor", fight.rule(topic)) if value else None


# --- An attack that names a square instead of a target (woa.concealment.total.blind-attack)


def attack_square(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack an unseen target that may be in the square `at`; a wrong guess costs the attack."""
    assert act.at is not None
    actor, rule = fight.combatant(act.actor), fight.rule(BLIND)
    weapon = find_weapon(fight, actor, act.weapon)
    if act.at not in squares_in_reach(fight, actor, weapon):
        topic = "woa.attack.reach-weapons" if weapon.reach else "woa.attack.melee-reach"
        raise Refusal(f"{act.at[0]},{act.at[1]} is out of the {weapon.name}'s reach", fight.rule(topic))
    there = unseen_in_square(fight, actor, act.at, partial(unseen, fight, actor), rule)
    if there is not None:
        blow = fight.dialect.attacks.prepare(fight, actor, there, weapon, "attack", nonlethal=act.nonlethal)
        blow.cites.append(rule)
        blow.intent = replace(blow.intent, kind="blind")
        yield spending(fight, actor, "standard", "attack", *fight.rules("woa.attack.single"))
        yield from fight.dialect.attacks.deliver(fight, blow)
        return
    yield spending(fight, actor, "standard", "attack", rule)
    yield from roll_at_empty_square(fight, actor, act.at)
