"""Damage: dice, Strength, multipliers, blocks and reductions, and hit points lost (woa.damage.*)."""

from affray.engine.dialects.woa.attacks.called_shot_injuries import injure_part
from affray.engine.dialects.woa.damage.bleeding_attacks import open_wounds
from affray.engine.dialects.woa.damage.distraction import disturb_by_damage
from affray.engine.dialects.woa.environment import underwater_combat
from affray.engine.dialects.woa.magic.concentration import disturb, is_concentrating
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.dialects.woa.turns import ready_concentration
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.modifiers import multiply
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.ability_modifiers import ability, wielded_in_two_hands
from affray.engine.rules.classes.features import blow_dice, blow_parts
from affray.engine.rules.conditions.condition_rules import condition_parts, effect_parts, ruled_out
from affray.engine.rules.conditions.immunities import immunity_to, take_off_immune
from affray.engine.rules.damage.energies import ENERGY, energies_of
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import DamagePart, DamageResolved, HitPointsChanged
from affray.events.facts.modifier import Modifier

#: How a part says that a half of an odd Strength was rounded down, as the worked example does.
HALVED_DOWN = "(halves_round: down)"


def weapon_damage(fight: Fight, blow: Blow, critical: bool) -> Steps[None]:
    """Roll and apply the damage of a hit, rolled as often as the multipliers say together.

    woa.damage.roll, .multiply-by-rerolling, .multiplier-stacking, .minimum-1
    """
    weapon, attacker = blow.weapon, blow.attacker
    cites = [fight.rule("woa.damage.roll")]
    if weapon.family != "spell":
        bare = weapon.wield in ("natural", "unarmed")
        cites.append(fight.rule("woa.damage.unarmed-and-natural" if bare else "woa.damage.dice-by-weapon"))
        if weapon.wield == "unarmed" and weapon not in attacker.sheet.weapons:
            cites.append(fight.rule("woa.unarmed.damage"))
    factors = [factor for factor, _ in blow.damage.multipliers]
    cites += [*(rule for _, rule in blow.damage.multipliers), *blow.damage.cites]
    if critical:
        factors.append(weapon.multiplier)
        cites.append(fight.rule("woa.crit.multiplier"))
    times = multiply(factors)
    if times > 1:
        cites.append(fight.rule("woa.damage.multiply-by-rerolling"))
    if len(factors) > 1:
        cites.append(fight.rule("woa.damage.multiplier-stacking"))
    modifiers = (*damage_bonus(fight, blow), *blow.damage.extra, *blow_parts(fight, blow, "damage"))
    if any(HALVED_DOWN in part.source for part in modifiers):
        cites.append(fight.rule("woa.damage.example-krusk"))
    if attacker.conditions:
        modifiers = (*modifiers, *condition_parts(fight, attacker, "damage"))
    if attacker.effects:
        modifiers = (*modifiers, *effect_parts(attacker, "damage", blow.target.id))
    tally = fight.stack(ruled_out(attacker, "damage", modifiers, blow.target.id))
    dice = []
    total = 0
    for _ in range(times):
        rolled = yield Roll(attacker.id, "damage", weapon.damage)
        part = DamagePart(weapon.damage, rolled.key, rolled.total, weapon.damage_type, weapon.name, times)
        dice.append(part)
        total += rolled.total + tally.total
    slow, wet_rule = underwater_combat.damage_share_in_water(fight, blow) if attacker.conditions else (1, "")
    if slow != 1:
        total = rounded_share(fight, total, slow)
    cites += [wet_rule] if wet_rule else []
    energies: dict[str, int] = {}
    for extra in (*weapon.extra, *blow_dice(fight, blow)):
        rolled = yield Roll(attacker.id, f"extra-{extra.kind}", extra.dice)
        dice.append(DamagePart(extra.dice, rolled.key, rolled.total, extra.kind, extra.source or extra.kind))
        if extra.kind in ENERGY:
            energies[extra.kind] = energies.get(extra.kind, 0) + rolled.total
        total += rolled.total
    why = ["half in the water"] if slow != 1 else []
    least = fight.figure("woa.damage.minimum-1", "minimum_on_hit")
    if total < least:
        total = least
        why.append(f"a hit deals at least {least}")
        cites.append(fight.rule("woa.damage.minimum-1"))
    if blow.damage.divisor > 1:
        total //= blow.damage.divisor
        energies = {kind: amount // blow.damage.divisor for kind, amount in energies.items()}
        why.append(f"one part in {blow.damage.divisor}")
    harm = Harm(
        blow.target, total, weapon.damage_type, weapon.name, attacker, weapon, blow.intent.nonlethal, critical
    )
    harm.energy, harm.energies = weapon.family == "spell", energies
    taken, reduced = reduce(fight, harm)
    if reduced:
        why.append(reduced)
    cites += harm.reduced_by
    physical = "damage reduction" in reduced
    if physical:
        cites.append(fight.rule("woa.damage.damage-reduction"))
    if blow.damage.blocked:
        stopped = min(taken, blow.damage.blocked)
        taken -= stopped
        why.append(f"blocked {stopped}")
        cites += fight.rules(
            "woa.reaction.block.value", *(("woa.reaction.block.dr-stacking",) if physical else ())
        )
    yield DamageResolved(
        attacker=attacker.id,
        target=blow.target.id,
        weapon=weapon.name,
        dice=tuple(dice),
        modifiers=tally.parts,
        multiplier=times,
        total=total,
        nonlethal=blow.intent.nonlethal,
        reduced=total - taken,
        why="; ".join(why),
        cites=tuple(dict.fromkeys(cites)),
    )
    harm.amount = taken
    before = blow.target.hp
    yield from suffer(fight, harm)
    if blow.intent.body_part:
        yield from injure_part(fight, blow, harm, before)
    if weapon.riders or attacker.sheet.feats:
        yield from open_wounds(fight, blow, harm)


@per_fight(Same("blow.attacker.sheet"), "blow.weapon", "blow.melee")
def damage_bonus(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the flat parts of a weapon's damage."""
    attacker, weapon = blow.attacker, blow.weapon
    parts = []
    strength = strength_part(fight, blow, ability(attacker.sheet, "str"))
    if strength is not None and strength.value:
        parts.append(strength)
    for bonus in weapon.bonus_damage:
        if bonus.kind == "enhancement":
            parts.append(superior_weapon_bonus(fight, bonus.value, bonus.source or weapon.name))
            continue
        rule = fight.rule("woa.damage.feats-and-class")
        parts.append(Modifier(bonus.value, bonus.kind, bonus.source or weapon.name, rule))
    return tuple(parts)


def superior_weapon_bonus(fight: Fight, value: int, source: str) -> Modifier:
    """Return what a superior weapon adds to damage: from +1 to +5 (woa.damage.superior-weapon)."""
    topic = "woa.damage.superior-weapon"
    least, most = fight.figure(topic, "enhancement_min"), fight.figure(topic, "enhancement_max")
    rule = fight.rule(topic)
    denied = "" if value >= least else f"no superior weapon has less than +{least} ({rule})"
    if value > most:
        source += f" (no more than +{most})"
    return Modifier(min(value, most), "enhancement", source, rule, denied)


def strength_part(fight: Fight, blow: Blow, strength: int) -> Modifier | None:
    """Return what Strength adds to damage, None when it has no part.

    Melee, thrown weapons and bows; half of a bonus in the off hand, one and a half with two hands
    but not on a light weapon, rounded down or as the option `halves_round` says; a penalty whole.
    """
    weapon = blow.weapon
    if weapon.family == "spell" or (not blow.melee and not weapon.thrown and weapon.family != "bow"):
        return None
    topic, source, value = "woa.damage.strength-modifier", "Strength", strength
    if strength > 0 and weapon.off_hand:
        topic, source = "woa.damage.off-hand-half-strength", "Strength (off hand, half)"
        value = rounded_share(fight, strength, fight.figure(topic, "off_hand_multiplier"))
        source += rounding_reading(fight, strength)
    elif strength > 0 and blow.melee and wielded_in_two_hands(weapon):
        if weapon.wield == "light":
            topic = "woa.damage.two-handed-light-exception"
            value = rounded_share(fight, strength, fight.figure(topic, "multiplier"))
        else:
            topic, source = "woa.damage.two-handed-strength", "Strength (two hands, one and a half)"
            value = rounded_share(fight, strength, fight.figure(topic, "two_handed_multiplier"))
            source += rounding_reading(fight, strength)
    elif not blow.melee and not weapon.thrown and weapon.rating is not None:
        value = min(strength, weapon.rating)
        source = f"Strength (the bow bears {weapon.rating})"
    return Modifier(value, "ability", source, fight.rule(topic))


def rounding_reading(fight: Fight, strength: int) -> str:
    """Return the name of the reading that rounded the half of an odd number, "" for an even one."""
    return f" (halves_round: {fight.option('halves_round')})" if strength % 2 else ""


def rounded_share(fight: Fight, value: int, factor: float) -> int:
    """Return a share of a positive number, rounded as the option `halves_round` says."""
    hundredths = value * int(factor * 100)
    return -(-hundredths // 100) if fight.option("halves_round") == "up" else hundredths // 100


def reduce(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return what reductions and resistances leave, and what took the rest (woa.damage.damage-reduction)."""
    sheet = harm.target.sheet
    if harm.nonlethal and (immunity := immunity_to(fight, harm.target, "nonlethal")):
        harm.reduced_by += (immunity.rule,)
        return 0, "immunity to nonlethal damage"
    immune = take_off_immune(fight, harm, energies_of(harm))
    if not harm.amount:
        return 0, immune
    if harm.energy:
        own, worn = sheet.resistances.get(harm.damage_type, 0), resistance_of_armor(fight, harm)
        resisted = min(harm.amount, max(own, worn))
        if resisted and worn > own:
            harm.cites = (*harm.cites, fight.rule(INSULATES))
        why = f"resistance to {harm.damage_type} {resisted}" if resisted else ""
        return harm.amount - resisted, "; ".join(filter(None, (immune, why)))
    kinds = (harm.damage_type, *(harm.weapon.traits if harm.weapon else ()))
    best = max((one.amount for one in sheet.reductions if not set(kinds) & set(one.bypass)), default=0)
    why = f"damage reduction {best}" if best else ""
    return max(0, harm.amount - best), "; ".join(filter(None, (immune, why)))


INSULATES = "woa.ac.armor-energy-resistance"


def resistance_of_armor(fight: Fight, harm: Harm) -> int:
    """Return the resistance to an energy that armor gives by what it is made of, 0 for none.

    woa.ac.armor-energy-resistance
    """
    worn = [part.source for part in harm.target.sheet.armor if part.kind == "armor"]
    for row in fight.figure(INSULATES) if worn else ():
        if row["against"] == harm.damage_type and any(row["armor"] in name for name in worn):
            found = cell(fight, INSULATES, f"armor={row['armor']}", "amount")
            return found.value if found is not None else 0
    return 0


def suffer(fight: Fight, harm: Harm) -> Steps[None]:
    """Take damage off hit points, temporary ones first, and settle what follows.

    Nonlethal damage comes off like any other (woa.nonlethal.subtracts). Damage to somebody who is to cast
    this round is remembered for the concentration check (woa.spell.damage-concentration).
    """
    target = harm.target
    before, amount = target.hp, harm.amount
    if amount <= 0 or "dead" in target.conditions:
        return
    lost = min(amount, target.temporary)
    topic = "woa.nonlethal.subtracts" if harm.nonlethal else "woa.damage.lethal"
    attentive = is_concentrating(target)
    left = target.hp - (amount - lost)
    cites = fight.rules(topic, "woa.hp.current")
    if harm.amount * 2 < min(before, left) and not attentive:
        cites = (*cites, fight.rule("woa.damage.no-penalty-above-zero"))
    yield HitPointsChanged(
        who=target.id,
        hp=left,
        nonlethal=target.nonlethal,
        temporary=target.temporary - lost,
        change=-amount,
        why=harm.source,
        cites=tuple(dict.fromkeys((*harm.cites, *cites))),
    )
    if attentive:
        yield from disturb(fight, harm)
    if target.conditions or target.readied is not None:
        yield from disturb_by_damage(fight, target, amount)
    yield from fight.dialect.damage.injure(fight, target, before, harm)
    if ready_concentration.WATCHING in target.conditions and harm.weapon is None:
        yield from ready_concentration.check_readied(fight, target, amount)
