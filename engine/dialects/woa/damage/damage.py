"""Resolve damage: dice and multipliers of weapons, feats, reductions, and disturbed tasks."""

from msgspec import UNSET

from affray.engine.dialects.woa.attacks.called_shots import injure_part
from affray.engine.dialects.woa.classes.abilities import saving_throw
from affray.engine.dialects.woa.conditions.conditions import last_round
from affray.engine.dialects.woa.damage.injury import open_wound
from affray.engine.dialects.woa.environment import environment
from affray.engine.dialects.woa.magic.concentration import disturb, end_concentration, is_concentrating
from affray.engine.dialects.woa.movement.speed import ways_by_skill
from affray.engine.dialects.woa.movement.walking import OF_CONDITION, let_go
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.dialects.woa.turns import declared_actions
from affray.engine.dialects.woa.turns.declared_actions import end_readiness
from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.fight.memory import Same, per_fight
from affray.engine.modifiers import effect_parts, multiply, ruled_out
from affray.engine.record.acts import details_of
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.abilities import ability_now, blow_dice, blow_parts
from affray.engine.rules.classes.checks import check
from affray.engine.rules.classes.sheets import ability, is_a, wielded_in_two_hands
from affray.engine.rules.conditions.conditions import (
    cannot_act,
    condition_parts,
    immunity_to,
    take_off_immune,
)
from affray.engine.rules.damage.damage import ENERGY, energies_of
from affray.engine.steps import Choice, Roll, Steps
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    DamagePart,
    DamageResolved,
    HitPointsChanged,
    Until,
)
from affray.events.facts.flow import ReadyEnded, RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- Weapons and feats that open bleeding wounds (woa.bleeding.general)

BLEED = "bleed "
FEAT = "bloody assault"


def open_wounds(fight: Fight, blow: Blow, harm: Harm) -> Steps[None]:
    """Open the wounds of a hit: by a weapon's rider "bleed 1d6", or by the feat in melee.

    The sheet gives their severity: "bloody assault (1d4)". A hit without damage opens none.
    """
    if harm.amount <= 0:
        return
    for rider in blow.weapon.riders:
        if rider.effect.startswith(BLEED):
            yield from open_wound(fight, blow.target, rider.effect[len(BLEED) :], rider.name)
    if blow.melee:
        for severity in details_of(FEAT, blow.attacker.sheet.feats):
            yield from open_wound(fight, blow.target, severity, FEAT)


# --- Feats and class abilities that add to damage (woa.damage.feats-and-class)

TOPIC = "woa.damage.feats-and-class"


def parse_named_amount(detail: str) -> tuple[str, int]:
    """Return the name and the number of a detail such as "undead +4"; 0 without a number."""
    name, _, number = detail.rpartition(" +")
    return name, int(number) if number.isdigit() else 0


def weapon_specialization(fight: Fight, blow: Blow, detail: str) -> tuple[Modifier, ...]:
    """Return the bonus of Weapon Specialization in this weapon: "weapon specialization (longsword +2)"."""
    name, value = parse_named_amount(detail)
    if name != blow.weapon.name:
        return ()
    return (Modifier(value, "feat", "Weapon Specialization", fight.rule(TOPIC)),)


def favored_enemy_bonus(fight: Fight, blow: Blow, detail: str) -> tuple[Modifier, ...]:
    """Return a ranger's bonus against a favored enemy: "favored enemy giant +2"."""
    name, value = parse_named_amount(detail)
    if not is_a(blow.target, name):
        return ()
    return (Modifier(value, "class", f"favored enemy: {name}", fight.rule(TOPIC)),)


# --- Effects of damage on tasks that take attention, movement by skill, held breath (woa.damage.*)

ACTIVITIES = "woa.damage.concentration"
#: Movement by skill, as conditions, and its possible mishap when hurt; flight has its own rules.
MISHAPS = {"balancing": "falls", "climbing": "falls", "brachiating": "falls", "swimming": "goes under"}
BREATH = "holding breath"


def disturb_by_damage(fight: Fight, victim: Combatant, amount: int) -> Steps[None]:
    """Make the checks that damage requires for concentration, movement by skill and held breath."""
    skilled = ways_by_skill(fight, victim)
    for name in list(victim.conditions):
        if name in MISHAPS and name in skilled:
            yield from ask_about_movement(fight, victim, name)
        elif name == BREATH:
            yield from ask_about_breath(fight, victim)
        elif name in fight.figure(ACTIVITIES, "activities"):
            yield from disturb_task(fight, victim, amount, name)
    if victim.readied is not None and "readying" not in victim.conditions:
        yield from disturb_readied_act(fight, victim, amount)


def disturb_task(fight: Fight, victim: Combatant, amount: int, task: str) -> Steps[None]:
    """Interrupt a task, such as picking a lock, unless concentration is kept."""
    if not (yield from keeps_focus(fight, victim, amount, task)):
        cites = fight.rules(ACTIVITIES)
        yield ConditionLost(who=victim.id, condition=task, why="concentration broken", cites=cites)


def disturb_readied_act(fight: Fight, victim: Combatant, amount: int) -> Steps[None]:
    """Interrupt an action kept ready since an earlier round, unless concentration is kept."""
    if not (yield from keeps_focus(fight, victim, amount, "readying for an extended period")):
        yield ReadyEnded(who=victim.id, how="lapsed", cites=fight.rules(ACTIVITIES))


def keeps_focus(fight: Fight, victim: Combatant, amount: int, task: str) -> Steps[bool]:
    """Check concentration for a task that is not a spell: the DC has no spell level.

    woa.damage.concentration; the text leaves the DC to the description of each task.
    """
    topic = "woa.spell.damage-concentration"
    base = int(str(fight.figure(topic, "dc")).split(" + ")[0])
    cites = fight.rules("woa.spell.concentration-check", ACTIVITIES)
    parts = concentration_on_task(fight, victim)
    why = f"hurt for {amount} while {task}"
    return (yield from check(fight, victim, "concentration", parts, base + amount, *cites, why=why))


def concentration_on_task(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return the parts of a concentration check for a task (option `concentration_bonus`)."""
    rule = fight.rule("woa.spell.concentration-check")
    if combatant.sheet.concentration is not None:
        return [Modifier(combatant.sheet.concentration, "skill", "concentration", rule)]
    if fight.option("concentration_bonus") == "sheet-only":
        return []
    best = max(ability_now(fight, combatant, name) for name in ("int", "wis", "cha"))
    return [
        Modifier(combatant.sheet.hit_dice, "level", "level", rule),
        Modifier(best, "ability", "ability", rule),
    ]


def ask_about_movement(fight: Fight, victim: Combatant, how: str) -> Steps[None]:
    """Let the game master decide the effect of damage on a combatant that moves by skill.

    In a fight's water a swimmer makes a check instead (see `check_attacked_swimmer`)
    (woa.damage.movement-skill).
    """
    if how == "swimming" and "in water" in victim.conditions:
        return
    rule = fight.rule("woa.damage.movement-skill")
    what = MISHAPS[how]
    question = f"{victim.id} is hurt while {how}: what happens?"
    answer = yield Choice("", "mishap", question, (what, "keeps going"), rule)
    if answer != what:
        yield RuleApplied(who=victim.id, what=f"keeps going ({how})", cites=(rule,))
        return
    if how in OF_CONDITION:
        yield from let_go(fight, victim, how, rule)
        return
    yield ConditionLost(who=victim.id, condition=how, why=what, cites=(rule,))
    state = "prone" if what == "falls" else "submerged"
    if state not in victim.conditions:
        yield ConditionGained(who=victim.id, condition=state, source=f"hurt while {how}", cites=(rule,))


def ask_about_breath(fight: Fight, victim: Combatant) -> Steps[None]:
    """Let the game master decide whether held breath is lost (woa.damage.other-effects)."""
    rule = fight.rule("woa.damage.other-effects")
    question = f"{victim.id} is hurt while holding the breath: is it lost?"
    if (yield Choice("", "breath", question, ("holds on", "loses it"), rule)) == "loses it":
        yield ConditionLost(who=victim.id, condition=BREATH, why="hurt", cites=(rule,))
    else:
        yield RuleApplied(who=victim.id, what="goes on holding the breath", cites=(rule,))


# --- Damage: dice, Strength, multipliers, blocks and reductions, and hit points lost (woa.damage.*)

#: How a part records that half of an odd Strength was rounded down, as in the worked example.
HALVED_DOWN = "(halves_round: down)"


def weapon_damage(fight: Fight, blow: Blow, critical: bool) -> Steps[None]:
    """Roll and apply the damage of a hit, rolled as many times as the combined multipliers say.

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
    slow, wet_rule = environment.damage_share_in_water(fight, blow) if attacker.conditions else (1, "")
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
        least=UNSET if least == 1 else least,
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
    """Return the damage bonus of a superior weapon: from +1 to +5 (woa.damage.superior-weapon)."""
    topic = "woa.damage.superior-weapon"
    least, most = fight.figure(topic, "enhancement_min"), fight.figure(topic, "enhancement_max")
    rule = fight.rule(topic)
    denied = "" if value >= least else f"no superior weapon has less than +{least} ({rule})"
    if value > most:
        source += f" (no more than +{most})"
    return Modifier(min(value, most), "enhancement", source, rule, denied)


def strength_part(fight: Fight, blow: Blow, strength: int) -> Modifier | None:
    """Return the Strength modifier to damage, None if it does not apply.

    It applies to melee, thrown weapons and bows: half of a bonus in the off hand, one and a half times with
    two hands except for a light weapon, rounded down or as the option `halves_round` says; a penalty in full.
    """
    weapon = blow.weapon
    if weapon.family == "spell" or (not blow.melee and not weapon.thrown and weapon.family != "bow"):
        return None
    topic, source, value = "woa.damage.strength-modifier", "Strength", strength
    if strength > 0 and weapon.off_hand:
        topic, source = "woa.damage.off-hand-half-strength", "Strength (off hand, half)"
        value = rounded_share(fight, strength, fight.figure(topic, "off_hand_multiplier"))
        source += name_rounding_option(fight, strength)
    elif strength > 0 and blow.melee and wielded_in_two_hands(weapon):
        if weapon.wield == "light":
            topic = "woa.damage.two-handed-light-exception"
            value = rounded_share(fight, strength, fight.figure(topic, "multiplier"))
        else:
            topic, source = "woa.damage.two-handed-strength", "Strength (two hands, one and a half)"
            value = rounded_share(fight, strength, fight.figure(topic, "two_handed_multiplier"))
            source += name_rounding_option(fight, strength)
    elif not blow.melee and not weapon.thrown and weapon.rating is not None:
        value = min(strength, weapon.rating)
        source = f"Strength (the bow bears {weapon.rating})"
    return Modifier(value, "ability", source, fight.rule(topic))


def name_rounding_option(fight: Fight, strength: int) -> str:
    """Return the option that rounded the half of an odd number, "" for an even one."""
    return f" (halves_round: {fight.option('halves_round')})" if strength % 2 else ""


def rounded_share(fight: Fight, value: int, factor: float) -> int:
    """Return a share of a positive number, rounded as the option `halves_round` says."""
    hundredths = value * int(factor * 100)
    return -(-hundredths // 100) if fight.option("halves_round") == "up" else hundredths // 100


def reduce(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return the damage after reductions and resistances, and what reduced it.

    woa.damage.damage-reduction
    """
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
    """Return the energy resistance of armor due to its material, 0 for none.

    woa.ac.armor-energy-resistance
    """
    worn = [part.source for part in harm.target.sheet.armor if part.kind == "armor"]
    for row in fight.figure(INSULATES) if worn else ():
        if row["against"] == harm.damage_type and any(row["armor"] in name for name in worn):
            found = cell(fight, INSULATES, f"armor={row['armor']}", "amount")
            return found.value if found is not None else 0
    return 0


def suffer(fight: Fight, harm: Harm) -> Steps[None]:
    """Subtract damage from hit points, temporary ones first, and resolve the consequences.

    Nonlethal damage counts like any other (woa.nonlethal.subtracts). Damage to a combatant that casts this
    round is recorded for the concentration check (woa.spell.damage-concentration).
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
    if declared_actions.WATCHING in target.conditions and harm.weapon is None:
        yield from declared_actions.check_readied(fight, target, amount)


# --- What an incapacitated combatant cannot maintain: a readied act, a spell it concentrates on


def end_attention_of_incapacitated(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """End everything that needs a combatant's attention, if a condition leaves it unable to act.

    woa.ready.concentration-broken, woa.spell.concentrate-broken, woa.condition.dazed, .stunned, .cowering,
    .paralyzed
    """
    combatant = fight.combatant(fact.who)
    if combatant.readied is not None and cannot_act(fight, combatant):
        yield from end_readiness(fight, combatant, "lapsed", rule_of(fight, fact.condition).topic)
    yield from end_concentration(fight, combatant)


# --- Attacks that stun: how a round of actions is lost (woa.round.effect-duration-stun-example)

STUNNED = "stunned"


def stun(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a hit with a stunning weapon, make the target save or lose its rounds of actions.

    It loses the current round if it has not acted in it, otherwise the next; while stunned it makes no combat
    reactions, and it drops what it holds. The weapon gives the cause and the DC (its riders of the kind
    "stunning").
    """
    target = blow.target
    for rider in blow.weapon.riders:
        if rider.kind != "stunning" or is_down(fight, target):
            continue
        topic = "woa.round.effect-duration-stun-example"
        rule = fight.rule(topic)
        if rider.save:
            saved = yield from saving_throw(fight, target, rider.save, rider.dc, rider.name)
            if saved.success:
                continue
        if STUNNED not in target.conditions:
            rounds = max(1, rider.rounds)
            fact = ConditionGained(
                who=target.id,
                condition=STUNNED,
                source=rider.name,
                until=Until("round-end", "", last_round(fight, target, rounds)),
                cites=(rule,),
            )
            yield from fight.dialect.conditions.gain(fight, fact)
