"""Damage reduction and weapon materials, Strength bonuses to damage, fast healing and rest."""

import re
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.srd35.attacks import rules_of_bare_hands
from affray.engine.dialects.srd35.classes.abilities import at_level
from affray.engine.dialects.srd35.conditions import ability_loss
from affray.engine.dialects.srd35.conditions.ability_loss import regain_ability_points
from affray.engine.dialects.srd35.conditions.condition_table import heal_check, poison_again
from affray.engine.dialects.srd35.damage.injury import heal
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.classes.abilities import character_level, class_level
from affray.engine.rules.conditions.conditions import explain_spared_nonlethal, immunity_to
from affray.engine.rules.damage.damage import apply_damage_features, energies_of, get_energy_left
from affray.engine.rules.damage.injury import (
    bleed_out,
    change_health,
    hit_points_set,
    is_awake_below_zero,
    lose_one,
    settle_health,
)
from affray.engine.rules.damage.recovery_and_riders import (
    HOURS_A_DAY,
    MINUTES_AN_HOUR,
    PASSING,
    Share,
    begin_rest,
    expire_by_time,
    is_counted_as_magic,
    nights_and_days,
    part_of,
)
from affray.engine.rules.defense import broken_items
from affray.engine.rules.environment import STIFLED
from affray.engine.steps import Choice, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import SCORES
from affray.projections.state import Combatant

# --- Reductions of damage: damage reduction, energy resistance, regeneration; and vulnerabilities
# srd35.dr.*, srd35.energy.*, srd35.regeneration, srd35.damage.types.

#: A creature immune to the one is vulnerable to the other.
OPPOSITE = {"fire": "cold", "cold": "fire"}
_JOINED = re.compile(r" and | or ")


def reduce_by_nature(fight: Fight, harm: Harm, found: tuple[int, str]) -> tuple[int, str]:
    """Return the damage that the target's nature leaves, and what absorbed the rest."""
    left, why = reduce(fight, harm)
    return left, "; ".join(filter(None, (found[1], why)))


def reduce(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return the damage that is left, and what absorbed the rest.

    The best damage reduction that applies reduces a blow; not a fall or a fire. Immunity, vulnerability and
    resistance of its own type apply to energy dealt along with a blow. All damage to a regenerating creature
    is nonlethal except of the kinds which it cannot regenerate (srd35.dr.basic, srd35.energy.*,
    srd35.regeneration).
    """
    sheet = harm.target.sheet
    why = [apply_damage_features(fight, harm)]
    if spared := explain_spared_nonlethal(fight, harm):
        return 0, spared
    energies = energies_of(harm)
    physical = harm.amount - sum(energies.values())
    if physical > 0 and sheet.traits and (immunity := immunity_to(fight, harm.target, harm.damage_type)):
        harm.reduced_by += (immunity.rule,)
        why.append(f"immunity to {harm.damage_type}")
        physical = 0
    kinds = kinds_of(harm)
    own = own_reduction(fight, harm) if sheet.classes else 0
    if (sheet.reductions or own) and physical > 0 and harm.struck:
        physical, reason = reduced_by_best(fight, harm, physical, kinds, own)
        harm.soaked = physical == 0
        why.append(reason)
    left = {}
    for kind, amount in energies.items():
        left[kind], reason = against_energy(fight, harm, kind, amount)
        why.append(reason)
    if sheet.regeneration:
        lethal = physical if any(kind in sheet.lethal for kind in kinds) else 0
        lethal += sum(amount for kind, amount in left.items() if kind in sheet.lethal)
        harm.lethal = 0 if harm.nonlethal else lethal
        if harm.lethal < physical + sum(left.values()):
            harm.nonlethal = True
            harm.reduced_by += (fight.rule("srd35.regeneration"),)
            why.append("nonlethal to a regenerating creature")
    return physical + sum(left.values()), "; ".join(filter(None, why))


def kinds_of(harm: Harm) -> tuple[str, ...]:
    """Return the kinds of a blow: all its types of damage, and the properties of its weapon."""
    return (*_JOINED.split(harm.damage_type), *(harm.weapon.traits if harm.weapon else ()))


def reduced_by_best(
    fight: Fight, harm: Harm, amount: int, kinds: tuple[str, ...], own: int
) -> tuple[int, str]:
    """Return the damage of a blow after damage reduction: the best one that it does not bypass counts.

    `own` is one that nothing bypasses and that the sheet does not list (srd35.dr.basic, srd35.dr.no-stack).
    """
    reductions = harm.target.sheet.reductions
    apply = [one.amount for one in reductions if not any(kind in one.bypass for kind in kinds)]
    if _JOINED.search(harm.damage_type) and any(one.bypass for one in reductions):
        harm.reduced_by += (fight.rule("srd35.damage.types"),)
    if own > max(apply, default=0):
        harm.reduced_by += fight.rules("srd35.class.barbarian-dr", "srd35.dr.basic")
        return max(0, amount - own), f"damage reduction {own}/-"
    if not apply or not max(apply):
        return amount, ""
    harm.reduced_by += (fight.rule("srd35.dr.basic"),)
    if len(apply) > 1:
        harm.reduced_by += (fight.rule("srd35.dr.no-stack"),)
    best = max(apply)
    return max(0, amount - best), f"damage reduction {best}"


def against_energy(fight: Fight, harm: Harm, kind: str, amount: int) -> tuple[int, str]:
    """Return the energy damage of a type that is left after immunity, resistance and vulnerability."""
    if immunity := immunity_to(fight, harm.target, kind):
        harm.reduced_by += (immunity.rule,)
        return 0, f"immunity to {kind}"
    return get_energy_left(fight, harm, kind, amount, half_again, resist)


def half_again(fight: Fight, harm: Harm, kind: str, amount: int) -> tuple[int, str]:
    """Return the damage of an energy to its target, half again to the vulnerable.

    srd35.energy.vulnerability.
    """
    traits, other = harm.target.sheet.traits, OPPOSITE.get(kind)
    if f"vulnerability to {kind}" not in traits and (not other or f"immunity to {other}" not in traits):
        return amount, ""
    harm.reduced_by += (fight.rule("srd35.energy.vulnerability"),)
    more = int(amount * fight.figure("srd35.energy.vulnerability", "multiplier"))
    return more, f"vulnerability to {kind}"


def resist(fight: Fight, harm: Harm, kind: str, amount: int) -> tuple[int, str]:
    """Return the energy that resistance leaves, and what absorbed the rest (srd35.energy.resistance)."""
    resistance = harm.target.sheet.resistances.get(kind, 0)
    if resistance and fight.option("energy_resistance_scope") == "each-round":
        resistance = max(0, resistance - harm.target.resources.get(name_for_round(fight, kind), 0))
        harm.resisted[kind] = min(amount, resistance)
    resisted = min(amount, resistance)
    if resisted:
        harm.reduced_by += (fight.rule("srd35.energy.resistance"),)
    return amount - resisted, f"resistance to {kind} {resisted}" if resisted else ""


def name_for_round(fight: Fight, kind: str) -> str:
    """Return the name under which this round's resistance to an energy is counted."""
    return f"resistance to {kind}, round {fight.state.round}"


def note_resistance_used(fight: Fight, harm: Harm) -> Steps[None]:
    """Record the energy that resistance has absorbed, if it counts once a round (energy_resistance_scope)."""
    for kind, amount in harm.resisted.items():
        if amount:
            name = name_for_round(fight, kind)
            cites = (fight.rule("srd35.energy.resistance"),)
            yield ResourceSpent(who=harm.target.id, resource=name, amount=amount, cites=cites)


def chosen_kind(fight: Fight, blow: Blow) -> Steps[str]:
    """Return the type of damage that the wielder chooses if a weapon has one or the other.

    Asked only if a property of the target may depend on it (srd35.damage.types).
    """
    kinds = tuple(blow.weapon.damage_type.split(" or "))
    if not (blow.target.sheet.reductions or blow.target.sheet.regeneration):
        return blow.weapon.damage_type
    answer = yield Choice(
        blow.attacker.id,
        "damage-type",
        f"does the {blow.weapon.name} deal {' or '.join(kinds)} damage?",
        kinds,
        fight.rule("srd35.damage.types"),
    )
    return answer if answer in kinds else kinds[0]


#: What a hit does to an object, by ruling: the multiplier of its damage, and whether it ignores hardness.
EFFECTS_ON_OBJECT: Final = {
    "usual": (1, False),
    "useless": (0, False),
    "double": (2, False),
    "past hardness": (1, True),
    "double past hardness": (2, True),
}


def is_useless_on_object(fight: Fight, blow: Blow) -> Steps[bool]:
    """Ask how effective a hit on an object is, if option `object_effectiveness` says so; return whether it
    does nothing (srd35.object.immunities).
    """
    if fight.option("object_effectiveness") != "asked":
        return False
    rule, weapon = fight.rule("srd35.object.immunities"), blow.weapon
    question = f"a {weapon.damage_type} {weapon.name} against the {blow.target.id}: how effective is it?"
    answer = yield Choice("", "object", question, tuple(EFFECTS_ON_OBJECT), rule)
    times, through = EFFECTS_ON_OBJECT[answer]
    if not times:
        what = f"the {weapon.name} can do nothing to the {blow.target.id}"
        yield RuleApplied(who=blow.attacker.id, what=what, cites=(rule,))
        return True
    if times > 1:
        blow.damage.multipliers += ((times, rule),)
    blow.damage.past_hardness = through
    return False


def own_reduction(fight: Fight, harm: Harm) -> int:
    """Return a barbarian's own damage reduction, against every attack; 0 for none.

    srd35.class.barbarian-dr.
    """
    level = class_level(harm.target, "barbarian")
    if not level:
        return 0
    return int(at_level(fight.figure("srd35.class.barbarian-dr"), level) or 0)


# --- Automatic events as a turn begins: continuing poison, healing wounds
# srd35.fast-healing, srd35.regeneration, srd35.poison.


def turn_onset(fight: Fight, victim: Combatant) -> Steps[None]:
    """Begin a turn with its due events: poison's second effect, regeneration, fast healing."""
    for held in victim.afflictions:
        if held.rider.kind == "poison" and held.round <= fight.state.round:
            yield from poison_again(fight, victim, held)
    if "dead" in victim.conditions:
        return
    if victim.sheet.regeneration:
        yield from close_wounds(fight, victim, victim.sheet.regeneration, 0, "regeneration")
    if victim.sheet.fast_healing:
        points = min(victim.nonlethal, victim.sheet.fast_healing)
        yield from close_wounds(fight, victim, points, victim.sheet.fast_healing - points, "fast-healing")


def lost_for_want(victim: Combatant, lost: int) -> int:
    """Return how many of the lost hit points suffocation took, which fast healing does not give back.

    Other healing restores those of wounds first (srd35.fast-healing).
    """
    return min(lost, victim.resources.get(STIFLED, 0))


def close_wounds(fight: Fight, victim: Combatant, nonlethal: int, lethal: int, topic: str) -> Steps[None]:
    """Restore nonlethal damage and hit points, never more than were lost; it ends dying."""
    nonlethal = min(nonlethal, victim.nonlethal)
    lost = victim.max_hp - victim.hp
    lethal = max(0, min(lethal, lost - lost_for_want(victim, lost) if topic == "fast-healing" else lost))
    if not nonlethal and not lethal:
        return
    name = topic.replace("-", " ")
    left, change = victim.nonlethal - nonlethal, lethal + nonlethal
    yield hit_points_set(victim, victim.hp + lethal, name, fight.rule(topic), nonlethal=left, change=change)
    if lethal and "dying" in victim.conditions:
        yield from change_health(fight, victim, "stable", name, topic)
    yield from settle_health(fight, victim, name)


# --- Time between fights: natural healing, waking up, and effects that fade or continue


def rest(fight: Fight, act: acts.Rest) -> Steps[None]:
    """Let time pass for all combatants, in order of entry; only when the fighting is over."""
    minutes, healer = yield from begin_rest(fight, act, fight.rule("srd35.heal.natural"))
    patients = fight.figure("srd35.skill.heal", "patients")
    for actor in list(fight.state.combatants.values()):
        if "dead" in actor.conditions:
            continue
        cared = False
        if act.care and healer is not None and actor is not healer and patients and is_hurt(actor):
            patients -= 1
            dc = fight.figure("srd35.heal.natural", "care_dc")
            cared = (yield from heal_check(fight, healer, dc, fight.rule("srd35.skill.heal"))) >= dc
        yield from pass_time(fight, actor, act, minutes, tended=healer not in (None, actor), cared=cared)


def is_hurt(combatant: Combatant) -> bool:
    """Return whether there is anything that care could help."""
    return combatant.hp < combatant.max_hp or any(combatant.losses.get(name) for name in SCORES)


def pass_time(
    fight: Fight, actor: Combatant, act: acts.Rest, minutes: int, *, tended: bool, cared: bool
) -> Steps[None]:
    """Let time pass for one combatant: what ends, what continues, what happens to wounds, what heals."""
    now = fight.state.round + minutes * fight.figure("srd35.round.six-seconds", "rounds_per_minute")
    gone = (*PASSING, *(("rest",) if minutes >= MINUTES_AN_HOUR else ()))
    yield from expire_by_time(fight, actor, now, gone, fight.rule("srd35.round.duration-expiry"))
    for held in sorted(actor.afflictions, key=lambda one: one.minute):
        if held.minute <= fight.state.minutes and "dead" not in actor.conditions:
            if held.rider.kind == "poison":
                yield from poison_again(fight, actor, held)
            elif held.rider.kind == "energy drain":
                yield from ability_loss.save_against_level(fight, actor, held)
    rounds = minutes * fight.figure("srd35.round.six-seconds", "rounds_per_minute")
    yield from heal_fast_in_rounds(fight, actor, rounds)
    while rounds and "dying" in actor.conditions:
        yield from bleed_out(fight, actor)
        rounds -= 1
    for _ in range(act.hours):
        if "stable" in actor.conditions and "dead" not in actor.conditions:
            yield from hour_unconscious(fight, actor, tended=tended)
    if not tended:
        for _ in range(act.hours // HOURS_A_DAY):
            if is_awake_below_zero(actor):
                yield from day_alone(fight, actor)
    if "dead" not in actor.conditions:
        yield from recover_in_hours(fight, actor, act, tended=tended, cared=cared)


def heal_fast_in_rounds(fight: Fight, combatant: Combatant, rounds: int) -> Steps[None]:
    """Apply regeneration and fast healing for the given rounds."""
    if combatant.sheet.regeneration:
        yield from close_wounds(fight, combatant, combatant.sheet.regeneration * rounds, 0, "regeneration")
    if combatant.sheet.fast_healing:
        points = combatant.sheet.fast_healing * rounds
        nonlethal = min(combatant.nonlethal, points)
        yield from close_wounds(fight, combatant, nonlethal, points - nonlethal, "fast-healing")


def hour_unconscious(fight: Fight, victim: Combatant, *, tended: bool) -> Steps[None]:
    """Let the stable wake, disabled, by 1 chance in 10; the untended lose a hit point otherwise.

    srd35.injury.recover-tended, .recover-alone, srd35.cond.stable.
    """
    topic = "srd35.injury.recover-tended" if tended else "srd35.injury.recover-alone"
    if (
        yield from percentage_comes_up(fight, victim, "wake", topic, "wake_pct_per_hour", "srd35.cond.stable")
    ):
        yield ConditionLost(who=victim.id, condition="stable", why="disabled", cites=fight.rules(topic))
        yield ConditionGained(
            who=victim.id, condition="disabled", source="wakes", level=1, cites=fight.rules(topic)
        )
    elif not tended:
        yield from lose_one(fight, victim, "nobody tends the wounds", topic, "loss_per_miss")


def day_alone(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let a combatant that woke alone begin to heal by 1 chance in 10 a day, or lose a hit point
    (.recover-alone).
    """
    topic = "srd35.injury.recover-alone"
    if combatant.conditions["disabled"].level > 1:
        return
    if (yield from percentage_comes_up(fight, combatant, "begin to heal", topic, "daily_pct")):
        yield ConditionGained(
            who=combatant.id, condition="disabled", source="begins to heal", level=2, cites=fight.rules(topic)
        )
    else:
        yield from lose_one(fight, combatant, "nobody tends the wounds", topic, "loss_per_miss")


def percentage_comes_up(
    fight: Fight, combatant: Combatant, name: str, topic: str, path: str, *topics: str
) -> Steps[bool]:
    """Roll a percentage from the catalogue and return whether it occurred."""
    percent = fight.figure(topic, path)
    return (
        yield from percent_roll(
            combatant, name, percent, f"{percent}% to {name}", *fight.rules(topic, *topics)
        )
    )


def recover_in_hours(
    fight: Fight, actor: Combatant, act: acts.Rest, *, tended: bool, cared: bool
) -> Steps[None]:
    """Restore what the hours restore: nonlethal damage, hit points, ability points, strength after
    fatigue.
    """
    level = max(1, character_level(actor))
    if actor.nonlethal and act.hours:
        points = min(
            actor.nonlethal, act.hours * level * leading_number(fight, "srd35.nonlethal.healing", "per_hour")
        )
        left, rule = actor.nonlethal - points, fight.rule("srd35.nonlethal.healing")
        yield hit_points_set(actor, actor.hp, "time", rule, nonlethal=left, change=points)
        yield from settle_health(fight, actor, "time")
    nights, days = nights_and_days(act, fight.figure("srd35.heal.natural", "night_hours"))
    held = actor.conditions.get("disabled")
    heals = actor.hp >= 0 or tended or (held is not None and held.level > 1)
    if heals and "dying" not in actor.conditions and actor.hp < actor.max_hp and (nights or days):
        each = nights * leading_number(fight, "srd35.heal.natural", "night") + days * leading_number(
            fight, "srd35.heal.natural", "bed_rest"
        )
        each *= fight.figure("srd35.heal.natural", "care_multiplier") if cared else 1
        source = "rest and care" if cared else "rest"
        cites = fight.rules("srd35.heal.natural", *(("skill.heal",) if cared else ()))
        yield from heal(fight, actor, each * level, source, *cites, magical=False)
    if nights or days:
        each = nights * fight.figure("srd35.heal.ability", "per_night") + days * fight.figure(
            "srd35.heal.ability", "full_day"
        )
        each *= fight.figure("srd35.heal.natural", "care_multiplier") if cared else 1
        for name in SCORES:
            yield from regain_ability_points(
                fight, actor, name, each, "rest", fight.rule("srd35.heal.ability")
            )
    yield from recover_from_exhaustion(fight, actor, act.hours)


def leading_number(fight: Fight, topic: str, path: str) -> int:
    """Return the number of a figure such as "2/level"."""
    return int(str(fight.figure(topic, path)).partition("/")[0])


def recover_from_exhaustion(fight: Fight, combatant: Combatant, hours: int) -> Steps[None]:
    """Turn exhaustion into fatigue after an hour, and end fatigue after eight (srd35.cond.*)."""
    for worse, better in (("exhausted", "fatigued"), ("fatigued", "")):
        rule = fight.rules(f"cond.{worse}")
        if worse in combatant.conditions and hours >= fight.figure(f"cond.{worse}", "rest_hours"):
            yield ConditionLost(who=combatant.id, condition=worse, why=better or "rest", cites=rule)
            if better:
                yield ConditionGained(who=combatant.id, condition=better, source="rest", cites=rule)
                hours -= fight.figure(f"cond.{worse}", "rest_hours")


# --- The Strength bonus of a blow's damage (srd35.damage.*, srd35.weapons.handed-use)

#: The rules by which a blow has a different share of the Strength bonus than the whole.
SHARED = ("damage.off-hand", "damage.two-handed", "weapons.handed-use", "natural-weapons.single")


def strength_of_second_hand(fight: Fight, blow: Blow, strength: int, share: Share) -> Share:
    """Return the Strength bonus with a one-handed weapon in both hands: half again, not with a rapier.

    srd35.weapons.handed-use
    """
    weapon, topic = blow.weapon, "weapons.handed-use"
    if "no 1.5 Str in two hands" in weapon.traits:
        return strength, f"Strength (a second hand adds nothing to a {weapon.name})", topic
    return part_of(fight, strength, topic), "Strength (two hands, one and a half)", topic


def force_rules(fight: Fight, blow: Blow, strength: int) -> tuple[str, ...]:
    """Return the rules on bare hands, and the one that drops the fraction of a shared odd Strength bonus.

    srd35.unarmed.damage, srd35.math.round-down.
    """
    hands = rules_of_bare_hands(fight, blow) if blow.weapon.wield == "unarmed" else ()
    if strength <= 0 or not strength % 2:
        return hands
    share = fight.dialect.damage.strength_damage(fight, blow, strength)
    shared = share is not None and share[2] in SHARED
    return (*hands, *fight.rules("srd35.math.round-down")) if shared else hands


# --- The material of a weapon against its target's armor (srd35.dr.magic-weapons, srd35.weapons.whip)

#: If no property of target, attacker or weapon can reduce damage: the common blow.
PLAIN_BLOW: Final = (
    "weapon is not None and not (weapon.traits or nonlethal or energy or energies)"
    " and not (target.sheet.reductions or target.sheet.regeneration or target.sheet.traits)"
    " and 'barbarian' not in target.sheet.classes and (attacker is None or not attacker.conditions)"
)
#: The trait of a weapon that deals no damage through armor.
WHIP: Final = "no damage vs armor +1 or natural armor +3"


def unreduced(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return all of the damage, which nothing reduces."""
    return harm.amount, ""


def stopped_by_armor(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return no damage: armor or natural armor stops a whip (srd35.weapons.whip)."""
    harm.reduced_by += fight.rules("srd35.weapons.whip")
    return 0, f"the {harm.source} does nothing against {protection_from_whip(fight, harm.target)}"


def is_armored(fight: Fight, harm: Harm) -> bool:
    """Return whether armor or natural armor protects the target from a whip (srd35.weapons.whip)."""
    return protection_from_whip(fight, harm.target) != ""


def weapon_damage_as_magic(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return the damage of a weapon, which counts as magic from now on if it is.

    A magic weapon is one with an enhancement bonus; masterwork is not enough. Missiles take it from their
    launcher; monsters with damage reduction that magic overcomes have it in their natural weapons
    (srd35.dr.magic-weapons).
    """
    weapon = harm.weapon
    if weapon is None or "magic" in weapon.traits:
        return harm.amount, ""
    asked = any("magic" in one.bypass for one in harm.target.sheet.reductions)
    if asked and is_counted_as_magic(fight, harm.attacker, weapon):
        harm.weapon = replace(weapon, traits=(*weapon.traits, "magic"))
        harm.reduced_by += fight.rules("srd35.dr.magic-weapons")
    return harm.amount, ""


def protection_from_whip(fight: Fight, victim: Combatant) -> str:
    """Return the part of a creature's protection that stops a whip, "" for none."""
    gone = broken_items(victim)
    for kind, figure in (("armor", "armor_bonus"), ("natural", "natural_armor")):
        worn = (one.value for one in victim.sheet.armor if one.kind == kind and one.source not in gone)
        if max(worn, default=0) >= fight.figure("srd35.weapons.whip", figure):
            return "armor" if kind == "armor" else "natural armor"
    return ""
