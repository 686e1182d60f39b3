"""Damage: dice and multipliers, reductions, injury, dying, healing."""

from collections.abc import Collection
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.pf1 import gear
from affray.engine.dialects.pf1.conditions.afflictions import (
    BLEED,
    POISON,
    poison_again,
    poisons_work,
    regain_ability_points,
    save_each_day,
    stop_bleeding,
)
from affray.engine.dialects.pf1.maneuvers.trip_and_disarm import destroy, of_armor
from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.places import refuse_apart
from affray.engine.kernel.turns import run_condition_steps
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.abilities import ability_now, character_level, lowered, score_now
from affray.engine.rules.classes.checks import (
    check,
    check_by,
    check_parts,
    fails_unrolled,
    masters,
    skill_parts,
)
from affray.engine.rules.classes.sheets import ability, has_feat, has_trait
from affray.engine.rules.conditions.conditions import explain_spared_nonlethal, take_off_immune
from affray.engine.rules.damage.damage import (
    apply_damage_features,
    energies_of,
    get_energy_left,
    reduce_by_best,
    resist_energy,
)
from affray.engine.rules.damage.injury import (
    acts_on,
    change_health,
    hit_points_set,
    is_awake_below_zero,
    lose_one,
    settle_health,
)
from affray.engine.rules.damage.recovery_and_riders import (
    MINUTES_AN_HOUR,
    PASSING,
    begin_rest,
    expire_by_time,
    is_counted_as_magic,
    nights_and_days,
)
from affray.engine.rules.gear.hands import held_weapons, is_lost
from affray.engine.rules.gear.objects import Durability, durability, share_on_thing
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.plain import NEVER
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Choice, Refusal, Steps, altered, judged
from affray.events.facts import acts
from affray.events.facts.combat import (
    AfflictionEnded,
    AfflictionHeld,
    CheckResolved,
    ConditionGained,
    ConditionLost,
    DamageResolved,
    EffectGained,
    HitPointsChanged,
    ItemStruck,
    Until,
)
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import SCORES, Modifier, Reduction, Rider
from affray.projections.state import Combatant

# --- Energy: damage reduction ignores it, vulnerability and resistance apply to each type
# pf1.dr.rules, pf1.energy.resistance.

RESISTANCE: Final = "pf1.energy.resistance"


def deals_energy(fight: Fight, harm: Harm) -> bool:
    """Return whether some or all of the damage is energy."""
    return bool(energies_of(harm))


def half_again(fight: Fight, harm: Harm, kind: str, amount: int) -> tuple[int, str]:
    """Return the damage of an energy to its target, half again to the vulnerable (pf1.energy.resistance)."""
    if not has_trait(harm.target, f"vulnerability to {kind}"):
        return amount, ""
    harm.reduced_by += fight.rules(RESISTANCE)
    return int(amount * fight.figure(RESISTANCE, "vulnerability")), f"vulnerability to {kind}"


def reduce_apart(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return the damage left, with energy ignored by damage reduction, and what absorbed the rest.

    Resistance is taken off the energy of its type, for each attack; to the vulnerable it is half again as
    much, before or after that (pf1.dr.rules, pf1.energy.resistance).
    """
    changed = apply_damage_features(fight, harm)
    if spared := explain_spared_nonlethal(fight, harm):
        return 0, spared
    immune = take_off_immune(fight, harm, energies_of(harm), apart=True)
    energies = energies_of(harm)
    physical = harm.amount - sum(energies.values())
    left, why = reduce_by_best(fight, harm, physical) if physical > 0 else (0, "")
    reasons = [changed, immune, why]
    for kind, amount in energies.items():
        kept, why = get_energy_left(fight, harm, kind, amount, half_again, resist_energy)
        left += kept
        reasons.append(why)
    return left, "; ".join(filter(None, reasons))


# --- Damage reduction that the enhancement of a weapon overcomes (pf1.dr.enhancement, pf1.dr.rules)

ENHANCEMENT_TOPIC: Final = "pf1.dr.enhancement"
#: The figures of the rule, and the materials and alignments that each bypasses.
KINDS: Final = {
    "cold iron/silver": frozenset({"cold iron", "silver"}),
    "adamantine": frozenset({"adamantine"}),
    "alignment": frozenset({"good", "evil", "lawful", "chaotic"}),
}


def overcome_by_enhancement(fight: Fight, harm: Harm, reduction: Reduction) -> bool:
    """Return whether a weapon's enhancement replaces the material or alignment that bypasses a reduction.

    pf1.dr.enhancement.
    """
    if harm.weapon is None:
        return False
    bonus = max((one.value for one in harm.weapon.attack if one.kind == "enhancement"), default=0)
    found = any(
        bonus >= fight.figure(ENHANCEMENT_TOPIC, figure) and not kinds.isdisjoint(reduction.bypass)
        for figure, kinds in KINDS.items()
    )
    if found:
        harm.reduced_by += fight.rules(ENHANCEMENT_TOPIC)
    return found


def overcome_as_magic(fight: Fight, harm: Harm, reduction: Reduction) -> bool:
    """Return whether magic bypasses a reduction and the weapon counts as magic (pf1.dr.rules)."""
    if harm.weapon is None or "magic" not in reduction.bypass:
        return False
    found = is_counted_as_magic(fight, harm.attacker, harm.weapon)
    if found:
        harm.reduced_by += fight.rules("pf1.dr.rules")
    return found


# --- Damage to an exposed item after a natural 1 on a saving throw (pf1.save.natural-1-items)
# The rule says "may" and leaves the order of items to a text that is not available: the game master decides
# which exposed item is damaged, if any. It takes the damage of the failed save, as an object does.

EXPOSED_ITEMS_TOPIC: Final = "pf1.save.natural-1-items"
NOTHING: Final = "nothing"
OF_THE_BODY: Final = ("natural", "unarmed")


def harm_items_after_one(fight: Fight, steps: Steps[None], watched: Steps[None]) -> Steps[None]:
    """Run a declaration; after the damage to a combatant that rolled a 1 on a save, ask which item it
    damages.
    """
    exposed: dict[str, bool] = {}
    low = fight.figure("pf1.save.natural-1", "face")
    sent = None
    while True:
        try:
            step = watched.send(sent)
        except StopIteration:
            return
        sent = yield step
        if type(step) is CheckResolved and step.check.startswith("save.") and step.natural == low:
            exposed[step.who] = True
        elif exposed:
            who, total = damage_told(step)
            if total > 0 and exposed.pop(who, False):
                yield from harm_exposed_item(fight, step, total)


def damage_told(step: object) -> tuple[str, int]:
    """Return the combatant and the amount of a fact's damage; "" and 0 if it has none."""
    if type(step) is DamageResolved:
        return step.target, step.total
    return (step.who, -step.change) if type(step) is HitPointsChanged else ("", 0)


def exposed_items(fight: Fight, bearer: Combatant) -> dict[str, Durability]:
    """Return the held and worn items of a combatant that the tables list, with their sturdiness."""
    names = [one.name for one in held_weapons(bearer) if one.wield not in OF_THE_BODY]
    names += [part.source or part.kind for part in bearer.sheet.armor if part.kind in ("armor", "shield")]
    found = {}
    for name in dict.fromkeys(names):
        thing = durability(fight, bearer, name) or of_armor(fight, bearer, name)
        off = is_lost(bearer, name) or bearer.items.get(name) == "doffed"
        if thing is not None and not off:
            found[name] = thing
    return found


def harm_exposed_item(fight: Fight, harm: DamageResolved | HitPointsChanged, total: int) -> Steps[None]:
    """Ask which exposed item takes the damage too, and apply it (pf1.save.natural-1-items).

    Energy deals half to it, hardness reduces it (pf1.object.energy, pf1.object.tables-ref); with half its hit
    points gone it is broken, without any destroyed.
    """
    hurt = harm.target if isinstance(harm, DamageResolved) else harm.who
    bearer, rule = fight.combatant(hurt), fight.rule(EXPOSED_ITEMS_TOPIC)
    things = exposed_items(fight, bearer)
    if not things:
        return
    question = f"{bearer.id} has rolled a 1: which of its exposed items is damaged too?"
    item = yield Choice("", "exposed", question, (NOTHING, *things), rule)
    if item == NOTHING:
        return
    yield from batter_item(fight, bearer, item, things[item], harm, total)


def batter_item(
    fight: Fight,
    bearer: Combatant,
    item: str,
    thing: Durability,
    harm: DamageResolved | HitPointsChanged,
    total: int,
) -> Steps[None]:
    """Deal damage to an item, as to an object, and break or destroy it."""
    dice = harm.dice if isinstance(harm, DamageResolved) else ()
    kind = dice[0].kind if dice else fight.doing.damage_type if isinstance(fight.doing, acts.Hazard) else ""
    share = share_on_thing(fight, kind, total)
    topics = ["object.energy"] if share != total else []
    before = thing.hp - bearer.resources.get(f"damage to {item}", 0)
    dealt = min(before, max(0, share - thing.hardness))
    yield ItemStruck(
        attacker=harm.attacker if isinstance(harm, DamageResolved) else "",
        bearer=bearer.id,
        item=item,
        weapon=harm.weapon if isinstance(harm, DamageResolved) else harm.why,
        dice=dice,
        modifiers=(),
        total=total,
        hardness=thing.hardness,
        dealt=dealt,
        left=before - dealt,
        cites=tuple(
            dict.fromkeys((*fight.rules(EXPOSED_ITEMS_TOPIC, *topics, "object.hardness"), *thing.cites))
        ),
    )
    if dealt == before:
        yield from destroy(fight, bearer, item)
    elif dealt and gear.breaks(fight, before - dealt, thing.hp):
        yield from gear.break_item(fight, bearer, item)


# --- The Heal skill: first aid, and treating deadly wounds (pf1.skill.heal)

#: The affliction that records treated wounds, until they can be treated again.
TREATED = "treated wounds"
MINUTES_A_DAY = 24 * 60


def first_aid(fight: Fight, act: acts.Stabilize) -> Steps[None]:
    """Give first aid to the dying or bleeding: a Heal check against DC 15; it provokes.

    The dying stabilize, the bleeding stops (pf1.injury.first-aid, pf1.skill.heal, pf1.cond.bleed).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("pf1.injury.first-aid")
    bleeds = BLEED in target.conditions
    if "dead" in target.conditions or not (bleeds or "dying" in target.conditions):
        raise Refusal(f"{target.id} is not dying and does not bleed", rule)
    refuse_apart(actor, target, rule)
    cites = (rule, *(fight.rules("pf1.skill.heal", "pf1.cond.bleed") if bleeds else ()))
    yield spending(fight, actor, "standard", "first aid", rule)
    yield from fight.dialect.opportunity.provoke(
        fight, actor, threatening(fight, actor), "gives first aid", f"aid:{fight.declaration}", rule
    )
    if is_down(fight, actor):
        return
    parts = skill_parts(fight, actor, "heal", "wis", rule)
    topic = "pf1.cond.bleed" if bleeds else "pf1.injury.first-aid"
    if not (yield from check(fight, actor, "heal", parts, fight.figure(topic, "heal_dc"), *cites)):
        return
    source = f"first aid from {actor.id}"
    if BLEED in target.conditions:
        yield stop_bleeding(fight, target, source)
    if "dying" in target.conditions:
        yield from change_health(fight, target, "stable", source, "pf1.injury.first-aid")


def treat_deadly_wounds(fight: Fight, healer: Combatant, patient: Combatant) -> Steps[None]:
    """Treat wounds for an hour: a Heal check against DC 20 restores 1 hit point a level, once a day.

    The healer's Wisdom counts too if the check beats the DC by 5 (pf1.skill.heal).
    """
    topic = "pf1.skill.heal"
    rule = fight.rule(topic)
    parts = skill_parts(fight, healer, "heal", "wis", rule)
    dc = fight.figure(topic, "wounds")
    by = yield from check_by(fight, healer, "heal", parts, dc, rule, why=f"the wounds of {patient.id}")
    yield AfflictionHeld(
        who=patient.id,
        id=fight.key(patient.id, "treated"),
        rider=Rider(TREATED),
        by=healer.id,
        dc=dc,
        minute=fight.state.minutes + MINUTES_A_DAY,
        cites=(rule,),
    )
    if by < 0:
        return
    points = max(1, character_level(patient))
    if by >= fight.figure(topic, "wisdom_by"):
        points = max(points, points + ability_now(fight, healer, "wis"))
    yield hit_points_set(patient, min(patient.max_hp, patient.hp + points), "treated wounds", rule)
    yield from settle_health(fight, patient, "treated wounds")


def can_be_treated(patient: Combatant) -> bool:
    """Return whether a combatant has wounds that were not treated within a day."""
    hurt = patient.hp < patient.max_hp and "dead" not in patient.conditions
    return hurt and all(one.rider.name != TREATED for one in patient.afflictions)


# --- Recovered hit points: by cures, by fast healing and by regeneration
# pf1.injury.first-aid, pf1.nonlethal.heal, pf1.fast-healing, pf1.regeneration.

#: The stat of an effect that temporarily stops regeneration.
STOPPED = "regeneration stopped"


def give_back(fight: Fight, target: Combatant, points: int, source: str, *cites: str) -> Steps[None]:
    """Restore hit points, never above the full ones; the dying stabilize.

    As many points of nonlethal damage are removed, and bleeding stops (pf1.injury.first-aid,
    pf1.nonlethal.heal, pf1.cond.bleed). Temporary hit points are not restored.
    """
    hp = max(target.hp, min(target.max_hp, target.hp + points))
    nonlethal = max(0, target.nonlethal - points)
    if nonlethal < target.nonlethal:
        cites += fight.rules("pf1.nonlethal.heal")
    if hp < target.hp + points and target.temporary:
        cites += fight.rules("pf1.temp-hp")
    yield hit_points_set(target, hp, source, *cites, nonlethal=nonlethal)
    if BLEED in target.conditions:
        yield stop_bleeding(fight, target, source)
    if "dying" in target.conditions and target.hp < 0:
        yield from change_health(fight, target, "stable", source, "pf1.injury.first-aid")
    yield from settle_health(fight, target, source)


def cure(fight: Fight, target: Combatant, points: int, source: str) -> Steps[None]:
    """Cure a combatant by magic, and end what lasts until such a cure (pf1.injury.first-aid)."""
    yield from give_back(fight, target, points, source, *fight.rules("pf1.injury.first-aid"))
    yield from run_condition_steps(fight, target, "healed")


def is_stopped(combatant: Combatant) -> bool:
    """Return whether something stops the regeneration of a combatant now."""
    return any(one.stat == STOPPED for one in combatant.effects)


def regenerates(combatant: Combatant) -> bool:
    """Return whether a combatant has working regeneration, so that it cannot die (pf1.regeneration)."""
    return bool(combatant.sheet.regeneration) and not is_stopped(combatant)


def turn_onset(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Begin a turn: poison continues, then regeneration and fast healing restore hit points.

    pf1.poison, pf1.regeneration, pf1.fast-healing.
    """
    yield from poisons_work(fight, combatant)
    yield from heal_in_rounds(fight, combatant, 1)


def heal_in_rounds(fight: Fight, combatant: Combatant, rounds: int) -> Steps[None]:
    """Apply regeneration and fast healing for the given rounds."""
    sheet = combatant.sheet
    for points, topic, name in (
        (sheet.regeneration, "pf1.regeneration", "regeneration"),
        (sheet.fast_healing, "pf1.fast-healing", "fast healing"),
    ):
        if not points or "dead" in combatant.conditions:
            continue
        if combatant.hp >= combatant.max_hp and not combatant.nonlethal and BLEED not in combatant.conditions:
            continue
        if name == "regeneration" and is_stopped(combatant):
            cites = fight.rules(topic)
            yield RuleApplied(who=combatant.id, what="regeneration does not work this round", cites=cites)
            continue
        yield from give_back(fight, combatant, points * rounds, name, fight.rule(topic))


def stop_regeneration(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Stop regeneration for the following round after damage of a type that it cannot heal.

    It lasts to the end of the target's next turn (pf1.regeneration).
    """
    if is_stopped(target):
        return
    kinds = {harm.damage_type, *harm.energies, *(harm.weapon.traits if harm.weapon is not None else ())}
    feared = next((kind for kind in target.sheet.lethal if kind in kinds), "")
    if not feared:
        return
    rule = fight.rule("pf1.regeneration")
    running = int(fight.state.active == target.id)
    yield EffectGained(
        who=target.id,
        id=f"{fight.declaration}:{STOPPED}",
        stat=STOPPED,
        modifier=Modifier(0, "regeneration", feared, rule),
        until=Until("turn-end", target.id, fight.state.round + running),
        cites=(rule,),
    )


# --- Pathfinder's differences in injury: death, massive damage, stabilizing, nonlethal damage

#: The state in which Diehard lets a combatant act below 0 hit points (pf1.feat.diehard).
ON_ITS_FEET: Final = "staggered"


def death_at(fight: Fight, combatant: Combatant) -> int:
    """Return the hit points at which a combatant is dead: minus the Constitution score (pf1.hp.dead).

    The other reading of `death_line` is -10. Without a Constitution score it is 0.
    """
    if fight.option("death_line") == "minus-ten":
        return int(fight.figure("pf1.hp.dead", "minus_ten"))
    return -(score_now(fight, combatant, "con") or 0)


def cite_death_line(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Report which reading of the death line decided, if they differ (pf1.hp.dead, death_line)."""
    if regenerates(target):
        if target.hp <= -(score_now(fight, target, "con") or 0):
            cites = fight.rules("pf1.regeneration")
            yield RuleApplied(who=target.id, what="cannot die as long as regeneration works", cites=cites)
        return
    lines = (-(score_now(fight, target, "con") or 0), int(fight.figure("pf1.hp.dead", "minus_ten")))
    if min(lines) < target.hp <= max(lines):
        reading = fight.option("death_line")
        cites = fight.rules("pf1.hp.dead", "pf1.injury.dead")
        yield RuleApplied(who=target.id, what=f"death_line: {reading}", cites=cites)


def massive_damage(fight: Fight, victim: Combatant) -> int:
    """Return the damage of one attack that takes a save: half the total, at least 50."""
    topic = "injury.massive-damage"  # pf1.injury.massive-damage
    share = -(-victim.max_hp // int(fight.figure(topic, "share")))
    return max(int(fight.figure(topic, "least")), share)


def nonlethal_limit(fight: Fight, victim: Combatant) -> int | None:
    """Return the tally at which nonlethal damage turns lethal: maximum hit points (pf1.nonlethal).

    None with regeneration: it only accumulates.
    """
    return None if victim.sheet.regeneration else victim.max_hp


def resists_death(
    fight: Fight, victim: Combatant, name: str, topic: str, why: str, *cites: str
) -> Steps[bool]:
    """Make the Constitution check of a combatant below 0 hit points and return whether it succeeds.

    DC 10 with the negative hit points as a penalty; a natural 20 succeeds (pf1.injury.stabilize,
    pf1.injury.recover-tended, pf1.injury.recover-alone).
    """
    rule = fight.rule(topic)
    own = (
        Modifier(ability(victim.sheet, "con"), "ability", "Constitution", rule),
        *lowered(fight, victim, "con"),
        Modifier(min(0, victim.hp), "penalty", "negative hit points", rule),
    )
    tally = fight.dialect.attacks.stack(fight, check_parts(fight, victim, name, own, "ability-check"))
    dc = int(fight.figure(topic, "dc"))

    def judge(key: str, natural: int) -> CheckResolved:
        total = natural + tally.total
        return CheckResolved(
            who=victim.id,
            check=name,
            key=key,
            natural=natural,
            total=total,
            dc=dc,
            success=natural == 20 or total >= dc,
            parts=tally.parts,
            why="a natural 20" if natural == 20 else why,
            cites=(rule, *cites),
        )

    fact: CheckResolved = yield from judged(victim.id, name, judge)
    return fact.success


def only_twenty(fight: Fight, purpose: str, cites: Collection[str]) -> tuple[int, int]:
    """Return the faces that always fail and succeed in a check against death: a natural 20 succeeds.

    pf1.injury.stabilize, pf1.injury.recover-tended, pf1.injury.recover-alone.
    """
    return 0, 20


def bleed_out(fight: Fight, victim: Combatant) -> Steps[None]:
    """At the start of a dying combatant's turn: a Constitution check or 1 hit point lost.

    Bleeding fails the check without a roll, and adds its own damage (pf1.injury.stabilize).
    """
    topic = "pf1.injury.stabilize"
    if BLEED in victim.conditions:
        cites = fight.rules(topic, "pf1.cond.bleed")
        dc = int(fight.figure(topic, "dc"))
        yield fails_unrolled(victim, "stabilize", dc, "bleeding fails it", *cites)
        stabilized = False
    else:
        cites = fight.rules("pf1.cond.dying")
        stabilized = yield from resists_death(fight, victim, "stabilize", topic, "to stabilize", *cites)
    if stabilized:
        yield from change_health(fight, victim, "stable", "stabilized", topic)
    else:
        yield from lose_one(fight, victim, "dying", "injury.dying", "loss_per_round")  # pf1.injury.dying


def disabled_from(fight: Fight) -> int:
    """Return the highest hit points at which a combatant is disabled (pf1.hp.disabled: 0)."""
    return int(fight.figure("pf1.hp.disabled", "hit_points"))


def dying_from(fight: Fight) -> int:
    """Return the highest hit points at which a combatant is dying (pf1.hp.dying: -1)."""
    return int(fight.figure("pf1.hp.dying", "hit_points"))


def loss_topics(harm: Harm, hp: int, absorbed: int) -> tuple[str, ...]:
    """Return the topics of the rules by which damage leaves a combatant with `hp` hit points.

    pf1.damage.reduces-hp, pf1.nonlethal, pf1.temp-hp.
    """
    lent = ("pf1.temp-hp",) if absorbed else ()
    return ("pf1.nonlethal" if harm.nonlethal else "pf1.damage.reduces-hp", *lent)


#: The thresholds of hit points that cause a state.
THRESHOLDS = {"disabled": "pf1.hp.disabled", "dying": "pf1.hp.dying"}


def cite_threshold(
    fight: Fight, target: Combatant, before: int, harm: Harm, injuring: Steps[None]
) -> Steps[None]:
    """Cite the threshold that causes a state by damage (pf1.hp.disabled, pf1.hp.dying)."""

    def cited(fact: object) -> object:
        if not isinstance(fact, ConditionGained) or fact.condition not in THRESHOLDS:
            return fact
        return replace(fact, cites=(*fact.cites, fight.rule(THRESHOLDS[fact.condition])))

    return altered(injuring, cited)


def refuses_to_die(fight: Fight, target: Combatant) -> bool:
    """Return whether the regeneration of a combatant keeps it from death (pf1.regeneration)."""
    return regenerates(target)


def never_dead(fight: Fight, combatant: Combatant) -> int:
    """Return hit points that are never reached: a combatant cannot die while it regenerates."""
    return -NEVER


def undying(fight: Fight, combatant: Combatant) -> str:
    """Return the topic of the rule by which a combatant cannot die now; "" if it can (pf1.regeneration)."""
    return "pf1.regeneration" if regenerates(combatant) else ""


def strain_below_zero(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Make a standard action cost a hit point for a combatant that only acts by Diehard
    (pf1.feat.diehard).
    """
    if acts_on(combatant, ON_ITS_FEET) and combatant.spent.get("standard"):
        yield from lose_one(fight, combatant, "strain", "pf1.feat.diehard", "strain")


# --- Penetrating Strike: blows that ignore part of a damage reduction (pf1.feat.penetrating)

PENETRATING_STRIKE_TOPIC: Final = "pf1.feat.penetrating"


def points_ignored(fight: Fight, harm: Harm, reduction: Reduction) -> int:
    """Return how many points of a damage reduction a blow ignores with a weapon of Weapon Focus.

    The lesser of the two feats does not affect a reduction that nothing bypasses ("5/-").
    """
    attacker, weapon = harm.attacker, harm.weapon
    if attacker is None or weapon is None or not has_feat(attacker, f"weapon focus ({weapon.name})"):
        return 0
    lesser, greater = (
        int(fight.figure(PENETRATING_STRIKE_TOPIC, "dr")),
        int(fight.figure(PENETRATING_STRIKE_TOPIC, "greater")),
    )
    points = 0
    if masters(fight, attacker, "greater penetrating strike"):
        points = greater if reduction.bypass else lesser
    elif masters(fight, attacker, "penetrating strike") and reduction.bypass:
        points = lesser
    if points:
        harm.reduced_by += fight.rules(PENETRATING_STRIKE_TOPIC)
    return points


# --- Time between fights: waking up, healing, continuing effects
# pf1.heal.natural, pf1.injury.recover-tended, pf1.injury.recover-alone, pf1.nonlethal.heal.

#: The level of a combatant that is awake below 0 hit points: still losing, or healing naturally.
AWAKE, HEALING = 1, 2


def rest(fight: Fight, act: acts.Rest) -> Steps[None]:
    """Let time pass for all combatants, in order of entry; only when the fighting is over.

    A healer that cares treats one patient's wounds an hour (pf1.heal.natural, pf1.skill.heal).
    """
    minutes, healer = yield from begin_rest(fight, act, fight.rule("pf1.heal.natural"))
    for actor in list(fight.state.combatants.values()):
        for held in actor.afflictions:
            if held.rider.name == TREATED and held.minute <= fight.state.minutes:
                yield AfflictionEnded(
                    who=actor.id, id=held.id, why="a day has passed", cites=fight.rules("pf1.skill.heal")
                )
    treatments = act.hours if act.care else 0
    for actor in list(fight.state.combatants.values()):
        if "dead" in actor.conditions:
            continue
        tended = healer not in (None, actor)
        yield from pass_time(fight, actor, act, minutes, tended=tended)
        if healer is not None and tended and treatments and can_be_treated(actor):
            treatments -= 1
            yield from treat_deadly_wounds(fight, healer, actor)


def pass_time(fight: Fight, actor: Combatant, act: acts.Rest, minutes: int, *, tended: bool) -> Steps[None]:
    """Let time pass for one combatant: what ends, what happens to wounds, waking, healing."""
    rounds = minutes * fight.figure("pf1.round.six-seconds", "rounds_per_minute")
    gone = (*PASSING, *(("rest",) if minutes >= MINUTES_AN_HOUR else ()))
    yield from expire_by_time(
        fight, actor, fight.state.round + rounds, gone, fight.rule("pf1.round.duration-expiry")
    )
    yield from heal_in_rounds(fight, actor, rounds)
    for level in actor.afflictions:
        if level.rider.kind == "energy drain" and level.minute <= fight.state.minutes:
            yield from save_each_day(fight, actor, level)
    while rounds and "dead" not in actor.conditions and works_on(actor):
        for held in actor.afflictions:
            if held.rider.kind == POISON and "dead" not in actor.conditions:
                yield from poison_again(fight, actor, held)
        if "dying" in actor.conditions:
            yield from fight.dialect.damage.bleed_out(fight, actor)
        yield from run_condition_steps(fight, actor, "each_turn")
        rounds -= 1
    for _ in range(act.hours):
        if "stable" in actor.conditions and "dead" not in actor.conditions:
            yield from hour_unconscious(fight, actor, tended=tended)
    if "dead" not in actor.conditions:
        yield from recover_in_hours(fight, actor, act, tended=tended)


def works_on(actor: Combatant) -> bool:
    """Return whether anything in a combatant continues round by round."""
    poisoned = any(one.rider.kind == POISON for one in actor.afflictions)
    return poisoned or "dying" in actor.conditions or BLEED in actor.conditions


def hour_unconscious(fight: Fight, victim: Combatant, *, tended: bool) -> Steps[None]:
    """Let the stable wake, disabled, by an hourly Constitution check; untended a failure costs a hit point.

    pf1.injury.recover-tended, pf1.injury.recover-alone, pf1.cond.stable.
    """
    topic = "pf1.injury.recover-tended" if tended else "pf1.injury.recover-alone"
    cites = fight.rules("pf1.cond.stable")
    if (yield from resists_death(fight, victim, "wake", topic, "to wake", *cites)):
        yield ConditionLost(who=victim.id, condition="stable", why="disabled", cites=fight.rules(topic))
        yield ConditionGained(
            who=victim.id, condition="disabled", source="wakes", level=AWAKE, cites=fight.rules(topic)
        )
    elif not tended:
        yield from lose_untended(fight, victim)


def lose_untended(fight: Fight, victim: Combatant) -> Steps[None]:
    """Take off the hit point that a failed check costs an untended combatant (pf1.injury.recover-alone)."""
    topic = "pf1.injury.recover-alone"
    why = "nobody tends the wounds"
    yield hit_points_set(victim, victim.hp + fight.figure(topic, "failure"), why, fight.rule(topic))
    yield from settle_health(fight, victim, why)


def heals_alone(fight: Fight, combatant: Combatant) -> Steps[bool]:
    """Return whether a combatant below 0 hit points heals naturally; if it is awake, its daily check may
    decide.

    A success starts natural healing, a failure costs a hit point (pf1.injury.recover-alone).
    """
    if not is_awake_below_zero(combatant):
        return False
    if combatant.conditions["disabled"].level >= HEALING:
        return True
    topic = "pf1.injury.recover-alone"
    if (yield from resists_death(fight, combatant, "begin to heal", topic, "to begin to heal")):
        yield ConditionGained(
            who=combatant.id,
            condition="disabled",
            source="begins to heal",
            level=HEALING,
            cites=fight.rules(topic),
        )
    else:
        yield from lose_untended(fight, combatant)
    return False


def recover_in_hours(fight: Fight, actor: Combatant, act: acts.Rest, *, tended: bool) -> Steps[None]:
    """Restore what the hours restore: nonlethal damage, hit points, strength after fatigue."""
    level = max(1, character_level(actor))
    if actor.nonlethal and act.hours:
        points = min(actor.nonlethal, act.hours * level * nonlethal_an_hour(fight))
        left, rule = actor.nonlethal - points, fight.rule("pf1.nonlethal.heal")
        yield hit_points_set(actor, actor.hp, "time", rule, nonlethal=left, change=points)
        yield from settle_health(fight, actor, "time")
    nights, days = nights_and_days(act, fight.figure("pf1.heal.natural", "rest_hours"))
    each = [fight.figure("pf1.heal.natural", "per_level")] * nights
    each += [fight.figure("pf1.heal.natural", "bed_per_level")] * days
    for gained in each:
        if actor.hp < 0 and not (tended or (yield from heals_alone(fight, actor))):
            continue
        points = min(gained * level, actor.max_hp - actor.hp)
        if points > 0:
            yield hit_points_set(actor, actor.hp + points, "rest", fight.rule("pf1.heal.natural"))
            yield from settle_health(fight, actor, "rest")
    if "dead" in actor.conditions:  # by the failed check
        return
    nightly = fight.figure("pf1.heal.natural", "ability") * nights
    daily = fight.figure("pf1.heal.natural", "bed_ability") * days
    for name in SCORES:
        cites = fight.rules("pf1.heal.natural")
        yield from regain_ability_points(fight, actor, name, nightly + daily, "rest", *cites)
    yield from recover_from_exhaustion(fight, actor, act.hours)


def nonlethal_an_hour(fight: Fight) -> int:
    """Return the nonlethal damage that is removed in an hour for each level (pf1.nonlethal.heal)."""
    return int(str(fight.figure("pf1.nonlethal.heal", "per_hour")).partition("/")[0])


def recover_from_exhaustion(fight: Fight, combatant: Combatant, hours: int) -> Steps[None]:
    """Turn exhaustion into fatigue after an hour, and end fatigue after eight more.

    pf1.cond.exhausted, pf1.cond.fatigued.
    """
    for worse, better in (("exhausted", "fatigued"), ("fatigued", "")):
        topic = f"pf1.cond.{worse}"
        cites, needed = fight.rules(topic), fight.figure(topic, "rest_hours")
        if worse in combatant.conditions and hours >= needed:
            yield ConditionLost(who=combatant.id, condition=worse, why=better or "rest", cites=cites)
            if better:
                yield ConditionGained(who=combatant.id, condition=better, source="rest", cites=cites)
                hours -= needed
