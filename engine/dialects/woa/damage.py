"""Damage: dice, Strength, multipliers, blocks and reductions, and hit points lost (woa.damage.*)."""

from affray.engine.dialects.woa import wet
from affray.engine.fight import Fight
from affray.engine.modifiers import multiply
from affray.engine.rules.abilities import ability, wielded_in_two_hands
from affray.engine.rules.blow import Blow, Harm
from affray.engine.rules.conditions import condition_parts, effect_parts, ruled_out
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import ConditionGained, DamagePart, DamageResolved, HitPointsChanged, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def damage(fight: Fight, blow: Blow, critical: bool) -> Steps[None]:
    """Roll and apply the damage of a hit, rolled as often as the multipliers say together.

    woa.damage.roll, .multiply-by-rerolling, .multiplier-stacking, .minimum-1
    """
    weapon, attacker = blow.weapon, blow.attacker
    cites = [fight.rule("damage.roll")]
    if weapon.wield in ("natural", "unarmed"):
        cites.append(fight.rule("damage.unarmed-and-natural"))
    factors = [factor for factor, _ in blow.damage_multipliers]
    cites += [*(rule for _, rule in blow.damage_multipliers), *blow.damage_cites]
    if critical:
        factors.append(weapon.multiplier)
        cites.append(fight.rule("crit.multiplier"))
    times = multiply(factors)
    if times > 1:
        cites.append(fight.rule("damage.multiply-by-rerolling"))
    if len(factors) > 1:
        cites.append(fight.rule("damage.multiplier-stacking"))
    modifiers = damage_bonus(fight, blow)
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
    slow, wet_rule = wet.slowed(fight, blow) if attacker.conditions else (1, "")
    if slow != 1:
        total = share(fight, total, slow)
    cites += [wet_rule] if wet_rule else []
    for extra in weapon.extra:
        rolled = yield Roll(attacker.id, f"extra-{extra.kind}", extra.dice)
        dice.append(DamagePart(extra.dice, rolled.key, rolled.total, extra.kind, extra.source or extra.kind))
        total += rolled.total
    why = ["half in the water"] if slow != 1 else []
    least = fight.figure("damage.minimum-1", "minimum_on_hit")
    if total < least:
        total = least
        why.append(f"a hit deals at least {least}")
        cites.append(fight.rule("damage.minimum-1"))
    if blow.share > 1:
        total //= blow.share
        why.append(f"one part in {blow.share}")
    harm = Harm(
        blow.target, total, weapon.damage_type, weapon.name, attacker, weapon, blow.nonlethal, critical
    )
    taken, reduced = reduce(fight, harm)
    if reduced:
        why.append(reduced)
        cites.append(fight.rule("damage.damage-reduction"))
    if blow.reduction:
        stopped = min(taken, blow.reduction)
        taken -= stopped
        why.append(f"blocked {stopped}")
        cites += fight.rules("reaction.block.value", *(("reaction.block.dr-stacking",) if reduced else ()))
    yield DamageResolved(
        attacker=attacker.id,
        target=blow.target.id,
        weapon=weapon.name,
        dice=tuple(dice),
        modifiers=tally.parts,
        multiplier=times,
        total=total,
        nonlethal=blow.nonlethal,
        reduced=total - taken,
        why="; ".join(why),
        cites=tuple(dict.fromkeys(cites)),
    )
    harm.amount = taken
    yield from suffer(fight, harm)


def damage_bonus(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the flat parts of a weapon's damage; worked out once a fight."""
    attacker, weapon = blow.attacker, blow.weapon
    key = ("damage", attacker.id, id(attacker.sheet), weapon.name, blow.melee)
    found: tuple[Modifier, ...] | None = fight.cache.get(key)
    if found is not None:
        return found
    parts = []
    strength = strength_part(fight, blow, ability(attacker.sheet, "str"))
    if strength is not None and strength.value:
        parts.append(strength)
    for bonus in weapon.bonus_damage:
        topic = "damage.superior-weapon" if bonus.kind == "enhancement" else "damage.feats-and-class"
        parts.append(Modifier(bonus.value, bonus.kind, bonus.source or weapon.name, fight.rule(topic)))
    found = fight.cache[key] = tuple(parts)
    return found


def strength_part(fight: Fight, blow: Blow, strength: int) -> Modifier | None:
    """Return what Strength adds to damage, None when it has no part.

    Melee, thrown weapons and bows; half of a bonus in the off hand, one and a half with two hands
    but not on a light weapon, rounded down or as the option `halves_round` says; a penalty whole.
    """
    weapon = blow.weapon
    if not blow.melee and not weapon.thrown and weapon.family != "bow":
        return None
    topic, source, value = "damage.strength-modifier", "Strength", strength
    if strength > 0 and weapon.off_hand:
        topic, source = "damage.off-hand-half-strength", "Strength (off hand, half)"
        value = share(fight, strength, fight.figure(topic, "off_hand_multiplier"))
        source += rounded(fight, strength)
    elif strength > 0 and blow.melee and wielded_in_two_hands(weapon):
        if weapon.wield == "light":
            topic = "damage.two-handed-light-exception"
        else:
            topic, source = "damage.two-handed-strength", "Strength (two hands, one and a half)"
            value = share(fight, strength, fight.figure(topic, "two_handed_multiplier"))
            source += rounded(fight, strength)
    elif not blow.melee and not weapon.thrown and weapon.rating is not None:
        value = min(strength, weapon.rating)
        source = f"Strength (the bow bears {weapon.rating})"
    return Modifier(value, "ability", source, fight.rule(topic))


def rounded(fight: Fight, strength: int) -> str:
    """Return the name of the reading that rounded the half of an odd number, "" for an even one."""
    return f" (halves_round: {fight.option('halves_round')})" if strength % 2 else ""


def share(fight: Fight, value: int, factor: float) -> int:
    """Return a share of a positive number, rounded as the option `halves_round` says."""
    hundredths = value * int(factor * 100)
    return -(-hundredths // 100) if fight.option("halves_round") == "up" else hundredths // 100


def reduce(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return what reductions and resistances leave, and what took the rest (woa.damage.damage-reduction)."""
    sheet = harm.target.sheet
    if harm.energy:
        resisted = min(harm.amount, sheet.resistances.get(harm.damage_type, 0))
        return harm.amount - resisted, f"resistance to {harm.damage_type} {resisted}" if resisted else ""
    kinds = (harm.damage_type, *(harm.weapon.traits if harm.weapon else ()))
    best = max((one.amount for one in sheet.reductions if not set(kinds) & set(one.bypass)), default=0)
    return (max(0, harm.amount - best), f"damage reduction {best}") if best else (harm.amount, "")


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
    topic = "nonlethal.subtracts" if harm.nonlethal else "damage.lethal"
    yield HitPointsChanged(
        who=target.id,
        hp=target.hp - (amount - lost),
        nonlethal=target.nonlethal,
        temporary=target.temporary - lost,
        change=-amount,
        why=harm.source,
        cites=harm.cites or (fight.rule(topic),),
    )
    if is_casting(target):
        earlier = target.conditions.get("disturbed")
        yield ConditionGained(
            who=target.id,
            condition="disturbed",
            source=harm.source,
            until=Until("round-end", "", fight.state.round),
            level=amount + (earlier.level if earlier else 0),
            cites=(fight.rule("spell.damage-concentration"),),
        )
    yield from fight.dialect.points.injure(fight, target, before, harm)


def is_casting(who: Combatant) -> bool:
    """Say whether a combatant has declared a spell of a standard or full-round action this round."""
    return any(what == "cast" and kind in ("standard", "full-round") for kind, what, _ in who.plan)
