"""Damage of a weapon, and energy along with it."""

from collections.abc import Callable, Sequence

from msgspec import UNSET, Struct
from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.kernel.turns import run_condition_steps
from affray.engine.modifiers import Tally, effect_parts, multiply, ruled_out
from affray.engine.record.blow import Blow, Harm
from affray.engine.record.compose import Feature
from affray.engine.rules.classes.abilities import ability_now, blow_dice, features_at, score_changes
from affray.engine.rules.classes.sheets import ability, has_feat, wielded_in_two_hands
from affray.engine.rules.conditions.conditions import (
    condition_parts,
    explain_spared_nonlethal,
    take_off_immune,
)
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import DamagePart, DamageResolved, HitPointsChanged
from affray.events.facts.flow import Rolled
from affray.events.facts.sheet import Modifier

# --- Energy dealt along with a blow, and its reduction by resistance and damage reduction (pf1.dr.rules)

Against = Callable[[Fight, Harm, str, int], tuple[int, str]]
"""Returns how much of an energy remains because of a creature's nature, and why."""

ENERGY = frozenset({"acid", "cold", "electricity", "fire", "sonic"})


def energies_of(harm: Harm) -> dict[str, int]:
    """Return how much of the damage is energy, by type: damage dealt by an energy is wholly so."""
    kind = harm.damage_type
    if not harm.energy and kind not in ENERGY:
        return harm.energies
    beside = sum(amount for other, amount in harm.energies.items() if other != kind)
    return {**harm.energies, kind: harm.amount - beside}


def resist_energy(fight: Fight, harm: Harm, kind: str, amount: int) -> tuple[int, str]:
    """Return the energy of a kind that resistance leaves, and what absorbed the rest.

    srd35.energy.resistance, pf1.energy.resistance, futurepath.assumed.resistance.
    """
    resisted = min(amount, harm.target.sheet.resistances.get(kind, 0))
    if resisted:
        harm.reduced_by += (fight.rule("energy.resistance"),)
    return amount - resisted, f"resistance to {kind} {resisted}" if resisted else ""


def get_energy_left(
    fight: Fight, harm: Harm, kind: str, amount: int, worsen: Against, resist: Against
) -> tuple[int, str]:
    """Return the energy left after resistance and vulnerability, in the order in force.

    The texts name no order: the option `vulnerability_order` says which comes first (srd35.energy.resistance,
    srd35.energy.vulnerability, pf1.energy.resistance).
    """
    steps = (
        (resist, worsen) if fight.option("vulnerability_order") == "resistance-first" else (worsen, resist)
    )
    reasons = []
    for step in steps:
        amount, why = step(fight, harm, kind, amount)
        reasons.append(why)
    return amount, "; ".join(filter(None, reasons))


def reduce_by_best(fight: Fight, harm: Harm, amount: int) -> tuple[int, str]:
    """Return the damage of a blow that the best applicable damage reduction leaves, and what absorbed the
    rest.

    pf1.dr.rules, futurepath.assumed.reduction.
    """
    best = 0
    kinds = (harm.damage_type, *(harm.weapon.traits if harm.weapon else ()))
    for reduction in harm.target.sheet.reductions if harm.struck else ():
        if any(kind in reduction.bypass for kind in kinds):
            continue
        if not fight.dialect.damage.overcomes(fight, harm, reduction):
            best = max(best, reduction.amount - fight.dialect.damage.pierced(fight, harm, reduction))
    if best:
        harm.reduced_by += (fight.rule("dr.basic"),)
        return max(0, amount - best), f"damage reduction {best}"
    return amount, ""


# --- Damage: dice, Strength, multipliers, reductions, and hit points lost

#: Types of damage that are energy and not of the blow that brings them.
#: Dice of a touch that only carries a condition.
NO_DAMAGE = "0"
#: The threat range of a touch without damage: no natural roll reaches it.
NO_THREAT = 21


class Force(Struct, frozen=True, gc=False):
    """The flat parts of the damage of a hit and their sum.

    `strong` is whether Strength applies to such damage, `shows_strength` whether it contributes a part;
    `cites` are further rules for it, `adds` and `rolls` the bonuses from the attacker's features, flat and as
    dice.
    """

    parts: tuple[Modifier, ...]
    strong: bool
    tally: Tally
    shows_strength: bool
    cites: tuple[str, ...] = ()
    adds: tuple[tuple[Feature, str], ...] = ()
    rolls: tuple[tuple[Feature, str], ...] = ()


def weapon_damage(fight: Fight, blow: Blow, critical: bool) -> Steps[None]:
    """Roll and apply the damage of a hit.

    The weapon's dice and flat modifiers are rolled as often as the multipliers say together
    (doubled twice is tripled); extra dice are rolled once (srd35.damage.multiply,
    srd35.math.multiplier-stacking, srd35.crit.multiplier, srd35.crit.extra-dice).

    futurepath.damage.minimum-1, futurepath.damage.multiplying.bonus-dice-excluded,
    pf1.damage.extra-dice-not-multiplied, pf1.damage.minimum.
    """
    weapon, attacker = blow.weapon, blow.attacker
    dialect, gathered = fight.dialect, blow.damage
    if weapon.damage == NO_DAMAGE:
        if weapon.riders or attacker.effects:
            yield from dialect.damage.along_with_damage(fight, blow, None, critical)
        return
    kind = weapon.damage_type
    if " or " in kind:
        kind = yield from dialect.damage.damage_kind(fight, blow)
    force = force_of(fight, blow, weapon.wield == "natural" and is_secondary(blow))
    rules = force.cites
    quite_itself = not (attacker.conditions or attacker.effects or attacker.losses)
    if not quite_itself:
        rules = dialect.damage.force_rules(fight, blow, ability_now(fight, attacker, "str"))
    if rules:
        gathered.cites += tuple(rule for rule in rules if rule not in gathered.cites)
    cites: list[str] = []
    times = 1
    if critical or gathered.multipliers:
        times, multiplying = multiplied(fight, blow, critical)
        cites += multiplying
    own: Sequence[Modifier] = gathered.extra
    for say, detail in force.adds:
        own = (*own, *say(fight, blow, detail))
    if not quite_itself:
        own = (*own, *passing_damage_parts(fight, blow, force.strong))
    behind = force
    if own or attacker.effects:
        parts = ruled_out(attacker, "damage", (*force.parts, *own), blow.target.id)
        behind = force_of_parts(fight, parts, force.strong)
    tally = behind.tally
    if behind.shows_strength:
        cites.insert(0, fight.rule("damage.strength"))
    dice = []
    total = 0
    for _ in range(times):
        rolled = yield Roll(attacker.id, "damage", weapon.damage)
        dice.append(DamagePart(weapon.damage, rolled.key, rolled.total, kind, weapon.name, times))
        total += rolled.total + tally.total
    energies: dict[str, int] = {}
    extras = (*weapon.extra, *blow_dice(fight, blow)) if force.rolls else weapon.extra
    for extra in extras:
        rolled = yield Roll(attacker.id, f"extra-{extra.kind}", extra.dice)
        dice.append(DamagePart(extra.dice, rolled.key, rolled.total, extra.kind, extra.source or extra.kind))
        total += rolled.total
        if extra.kind in ENERGY:
            energies[extra.kind] = energies.get(extra.kind, 0) + rolled.total
        if times > 1:
            cites.append(fight.rule("crit.extra-dice"))
    nonlethal = blow.intent.nonlethal
    why = ""
    least = fight.figure("damage.minimum", "min")
    if total < least:
        total, why = least, f"a hit deals at least {least}"
        cites.append(fight.rule("damage.minimum"))
        nonlethal = nonlethal or minimum_is_nonlethal(fight)
    if tally.failed:
        total, why = 0, "the penalties make it fail"
        cites.append(fight.rule("disadvantage.auto-fail"))
    harm = Harm(
        blow.target,
        total,
        kind,
        weapon.name,
        attacker,
        weapon,
        nonlethal,
        critical,
        weapon.family == "spell",
        not blow.melee,
        energies=energies,
        past_hardness=gathered.past_hardness,
    )
    taken, reduced = dialect.damage.reduce(fight, harm)
    yield DamageResolved(
        attacker=attacker.id,
        target=blow.target.id,
        weapon=weapon.name,
        dice=tuple(dice),
        modifiers=tally.parts,
        multiplier=times,
        total=total,
        nonlethal=harm.nonlethal,
        reduced=total - taken,
        least=UNSET if least == 1 else least,
        why="; ".join(filter(None, (why, reduced))) if reduced else why,
        cites=tuple(dict.fromkeys((*cites, *gathered.cites, *harm.reduced_by))),
    )
    harm.amount = taken
    yield from fight.dialect.damage.suffer(fight, harm)
    if weapon.riders or attacker.effects or gathered.sneak_attack_dice:
        yield from dialect.damage.along_with_damage(fight, blow, harm, critical)


def amount_dealt(
    fight: Fight,
    harm: Harm,
    dice: tuple[DamagePart, ...],
    *cites: str,
    modifiers: tuple[Modifier, ...] = (),
    why: str = "",
) -> DamageResolved:
    """Return the damage from a source other than a weapon's blow; `harm` keeps the amount after reductions.

    `why` is what has lowered or raised it before. Dice less a figure are at least 0.
    """
    whole = harm.amount = max(0, harm.amount)
    harm.amount, reduced = fight.dialect.damage.reduce(fight, harm)
    return DamageResolved(
        attacker=harm.attacker.id if harm.attacker is not None else "",
        target=harm.target.id,
        weapon=harm.source,
        dice=dice,
        modifiers=modifiers,
        multiplier=1,
        total=whole,
        nonlethal=harm.nonlethal,
        reduced=whole - harm.amount,
        why="; ".join(filter(None, (why, reduced))),
        cites=(*cites, *harm.reduced_by),
    )


def rolled_part(harm: Harm, notation: str, rolled: Rolled) -> tuple[DamagePart, ...]:
    """Return the dice of damage that was rolled."""
    return (DamagePart(notation, rolled.key, rolled.total, harm.damage_type, harm.source),)


def multiplied(fight: Fight, blow: Blow, critical: bool) -> tuple[int, list[str]]:
    """Return how often damage is rolled, and the rules for it: doubled twice is tripled.

    futurepath.critical.multiplier, futurepath.damage.multiplying, pf1.crit.confirm,
    pf1.damage.multiple-multipliers, pf1.damage.multiply-by-rolling.
    """
    factors = [factor for factor, _ in blow.damage.multipliers]
    cites = [rule for _, rule in blow.damage.multipliers]
    if critical:
        factors.append(blow.weapon.multiplier)
        cites.append(fight.rule("crit.multiplier"))
    times = multiply(factors)
    if len(factors) > 1:
        cites.append(fight.rule("math.multiplier-stacking"))
    if times > 1:
        cites.append(fight.rule("damage.multiply"))
    return times, cites


def passing_damage_parts(fight: Fight, blow: Blow, strong: bool) -> list[Modifier]:
    """Return the damage modifiers from the attacker's state, `strong` if Strength applies to the damage."""
    attacker = blow.attacker
    parts = list(condition_parts(fight, attacker, "damage"))
    if strong:
        parts += condition_parts(fight, attacker, "damage.strength")
    parts += effect_parts(attacker, "damage", blow.target.id)
    parts += strength_shifts(fight, blow)
    return parts


def minimum_is_nonlethal(fight: Fight) -> bool:
    """Return whether a hit reduced below its least damage is nonlethal, if the dialect has such a rule."""
    return fight.dialect.damage.minimum_is_nonlethal and fight.option("minimum_damage") == "nonlethal"


@per_fight(
    Same("blow.attacker.sheet"),
    "blow.weapon",
    "secondary",
    "blow.intent.kind == 'flurry'",
    "blow.melee",
    # Which feats lowered scores disable depends on conditions and effects too.
    "(*blow.attacker.losses.items(), *blow.attacker.conditions.values(), *blow.attacker.effects)"
    " if blow.attacker.losses else ()",
)
def force_of(fight: Fight, blow: Blow, secondary: bool) -> Force:
    """Return the damage modifiers of every hit of such a blow, `secondary` if of a natural weapon used with
    held ones.

    Strength in melee and with thrown weapons: half of a bonus in the off hand, one and a half with two hands
    (not on a light weapon), a penalty always whole. Bows take a penalty and, built for it, a bonus; crossbows
    and firearms neither (srd35.damage.strength, .off-hand, .two-handed, .bows).

    futurepath.assumed.weapon-specialization.
    """
    attacker, weapon = blow.attacker, blow.weapon
    parts = []
    strength = ability(attacker.sheet, "str")
    share = fight.dialect.damage.strength_damage(fight, blow, strength)
    if share is not None:
        value, source, topic = share
        if value:
            parts.append(Modifier(value, "ability", source, fight.rule(topic)))
    rule = fight.rule("damage.bonus")
    for bonus in weapon.bonus_damage:
        parts.append(Modifier(bonus.value, bonus.kind, bonus.source or weapon.name, rule))
    if has_feat(attacker, f"weapon specialization ({weapon.name})"):
        parts.append(
            fight.modifier(
                "feat.weapon-specialization", "damage", kind="feat", source="Weapon Specialization"
            )
        )
    strong = fight.dialect.damage.strength_damage(fight, blow, 0) is not None
    rules = fight.dialect.damage.force_rules(fight, blow, strength)
    adds, rolls = features_at(fight, attacker, "damage"), features_at(fight, attacker, "dice")
    return replace(force_of_parts(fight, parts, strong), cites=rules, adds=adds, rolls=rolls)


def is_secondary(blow: Blow) -> bool:
    """Return whether a natural weapon is used with held ones, at reduced Strength."""
    return any(part.kind == "secondary" for part in blow.attack_extra)


def force_of_parts(fight: Fight, parts: Sequence[Modifier], strong: bool) -> Force:
    """Return the `Force` of flat parts, `strong` if Strength applies to it."""
    tally = fight.stack(parts)
    shows = strong and any(part.kind == "ability" for part in tally.parts)
    return Force(tuple(parts), strong, tally, shows)


def damage_bonus(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the flat parts of a weapon's damage."""
    return force_of(fight, blow, is_secondary(blow)).parts


def strength_shifts(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the changes of a blow's damage from a Strength that differs from the printed one."""
    parts = []
    share = fight.dialect.damage.strength_damage
    for step in score_changes(fight, blow.attacker, "str"):
        before, after = share(fight, blow, step.before), share(fight, blow, step.after)
        change = (after[0] if after else 0) - (before[0] if before else 0)
        if change:
            parts.append(Modifier(change, "ability", step.source, step.rule))
    return parts


def strength_share(fight: Fight, blow: Blow, strength: int) -> tuple[int, str, str] | None:
    """Return (value, name, topic) of the Strength bonus to damage, or None if Strength does not apply.

    pf1.damage.off-hand-bonus, pf1.damage.strength-bow, pf1.damage.two-handed-bonus, srd35.damage.bows,
    srd35.damage.off-hand, srd35.damage.two-handed.
    """
    weapon = blow.weapon
    if weapon.family == "spell":
        return None
    if not blow.melee and not weapon.thrown and weapon.family != "sling":
        if weapon.family != "bow":
            return None
        if strength < 0:
            return strength, "Strength", "damage.bows"
        if weapon.rating is None:
            return None
        return min(strength, weapon.rating), "Strength (composite bow)", "damage.bows"
    if strength > 0 and weapon.off_hand:
        return strength // 2, "Strength (off hand, half)", "damage.off-hand"
    if strength > 0 and blow.melee and wielded_in_two_hands(weapon) and weapon.wield != "light":
        return strength * 3 // 2, "Strength (two hands, one and a half)", "damage.two-handed"
    return strength, "Strength", "damage.strength"


def apply_damage_features(fight: Fight, harm: Harm) -> str:
    """Let a feature of the target change damage, its energies included, and return why; "" if none does.

    Reductions and resistances apply to the rest.
    """
    for say, detail in features_at(fight, harm.target, "shrug"):
        left, why = say(fight, harm, detail)
        if why:
            whole = max(1, harm.amount)
            harm.energies = {kind: amount * left // whole for kind, amount in harm.energies.items()}
            harm.amount = left
            return str(why)
    return ""


def reduce(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return the damage left after damage reduction or energy resistance, and what absorbed the rest.

    Only the best applicable reduction counts (srd35.dr.*, srd35.energy.*).

    futurepath.assumed.reduction, pf1.dr.rules, pf1.energy.resistance.
    """
    changed = apply_damage_features(fight, harm)
    if spared := explain_spared_nonlethal(fight, harm):
        return 0, spared
    immune = take_off_immune(fight, harm, energies_of(harm))
    if harm.energy:
        left, why = resist_energy(fight, harm, harm.damage_type, harm.amount)
    else:
        left, why = reduce_by_best(fight, harm, harm.amount)
    return left, "; ".join(filter(None, (changed, immune, why)))


def suffer(fight: Fight, harm: Harm) -> Steps[None]:
    """Take damage off hit points (temporary ones first) and apply the dialect's consequences."""
    target = harm.target
    before = target.hp
    yield from fight.dialect.damage.roll_with(fight, harm)
    amount = harm.amount
    if amount <= 0:
        return
    lethal = harm.lethal if harm.nonlethal else amount
    lost = min(lethal, target.temporary)
    rest = amount - lost
    tallied = 0
    if harm.nonlethal:
        limit = fight.dialect.damage.nonlethal_limit(fight, target)
        tallied = rest - (lethal - lost)
        tallied = tallied if limit is None else min(tallied, max(0, limit - target.nonlethal))
    left = target.hp - (rest - tallied)
    topics = fight.dialect.damage.loss_topics(harm, left, lost)
    yield HitPointsChanged(
        who=target.id,
        hp=left,
        nonlethal=target.nonlethal + tallied,
        temporary=target.temporary - lost,
        change=-amount,
        why=harm.source,
        cites=harm.cites or fight.rules(*topics),
    )
    yield from fight.dialect.damage.injure(fight, target, before, harm)
    if target.conditions:
        yield from run_condition_steps(fight, target, "hurt")


def loss_topics(harm: Harm, hp: int, absorbed: int) -> tuple[str, ...]:
    """Return the topics of the rules by which damage leaves a combatant with `hp` hit points.

    futurepath.damage.on-hit, pf1.damage.reduces-hp.
    """
    return ("nonlethal.track",) if harm.nonlethal else ("hp.thresholds",)
