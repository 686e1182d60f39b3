"""Afflictions: poison, bleeding, lost ability points, negative levels."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, condition_changes, rule_of
from affray.engine.kernel.durations import lasts_longer
from affray.engine.kernel.sheets import LEVELS, POINTS, score_of
from affray.engine.record.blow import Blow, Harm
from affray.engine.record.chapters import Step
from affray.engine.rules.classes.abilities import add_points_lost, at_zero, get_points_left
from affray.engine.rules.classes.checks import saving_throw
from affray.engine.rules.classes.feats import TOPIC, points_of_rage
from affray.engine.rules.classes.sheets import ability_modifier
from affray.engine.rules.conditions.conditions import (
    apply_fear_condition,
    apply_poison_dose,
    dose_for_weapon,
    is_immune_to_loss,
    is_immune_to_rider,
    poisons_of,
    spend_poison,
)
from affray.engine.rules.damage.injury import (
    APART,
    change_health,
    go_limp,
    hit_points_set,
    is_cause_not_hit_points,
    settle_health,
)
from affray.engine.rules.damage.recovery_and_riders import critical_riders
from affray.engine.rules.gear.hands import drop_all
from affray.engine.rules.turns.actions import spending
from affray.engine.rules.turns.initiative import for_rounds
from affray.engine.steps import Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    AbilityChanged,
    AfflictionEnded,
    AfflictionHeld,
    ConditionGained,
    ConditionLost,
    MaximumChanged,
    Until,
)
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import SCORES, Rider
from affray.projections.state import Affliction, Combatant

# --- Ability damage and drain: effects on rolls and scores, and the loss of a whole score
# pf1.ability-damage, pf1.ability-damage.con, pf1.damage.ability-damage.

DRAINED = "energy drained"
ABILITY_LOSS_TOPIC = "pf1.ability-damage"


def penalty_of(fight: Fight, points: int) -> int:
    """Return the penalty of ability damage on rolls: -1 for every 2 points."""
    return int(fight.figure(ABILITY_LOSS_TOPIC, "penalty")) * (
        points // int(fight.figure(ABILITY_LOSS_TOPIC, "per_points"))
    )


def score_steps(fight: Fight, combatant: Combatant, name: str, use: str) -> tuple[Step, ...]:
    """Return the changes of an ability's modifier from drain, damage, a rage and helplessness.

    pf1.ability-damage, pf1.rage, pf1.cond.helpless, pf1.cond.paralyzed.
    """
    found = list(loss_steps(fight, combatant, name))
    score = found[-1].score if found else score_of(combatant.sheet, name)
    if score is None:
        return ()
    now = found[-1].after if found else ability_modifier(score)
    for source, points, rule in score_shifts(fight, combatant, name, score):
        after = now + ability_modifier(score + points) - ability_modifier(score)
        score += points
        found.append(Step(now, after, score, source, rule))
        now = after
    return tuple(found)


def score_shifts(fight: Fight, combatant: Combatant, name: str, score: int) -> Iterator[tuple[str, int, str]]:
    """Yield further changes of a score, with points and rule: a rage, and conditions that make it count as 0.

    pf1.rage, pf1.cond.helpless, pf1.cond.paralyzed.
    """
    if points := points_of_rage(fight, combatant, name):
        score += points
        yield "rage", points, fight.rule(TOPIC)
    for condition, change, _ in condition_changes(fight, combatant, f"zero.{name}"):
        points = int(fight.figure(change.topic, *change.path)) - score
        if points:  # a condition that leaves it at 0 again takes nothing
            score += points
            yield f"{condition}: {SCORES[name]} {points:+d}", points, fight.rule(change.topic)


def loss_steps(fight: Fight, combatant: Combatant, name: str) -> tuple[Step, ...]:
    """Return the changes of an ability's modifier from drain and damage.

    Drain lowers the score, damage leaves it and is a penalty on everything based on it (pf1.ability-damage).
    """
    score = score_of(combatant.sheet, name)
    if score is None:
        return ()
    found, now, rule = [], ability_modifier(score), fight.rule(ABILITY_LOSS_TOPIC)
    if drained := combatant.losses.get(f"{name} drain", 0):
        score = max(0, score - drained)
        after = ability_modifier(score)
        found.append(Step(now, after, score, f"ability drain: {SCORES[name]} {-drained:+d}", rule))
        now = after
    if damage := combatant.losses.get(name, 0):
        after = now + penalty_of(fight, damage)
        found.append(Step(now, after, score, f"ability damage: {SCORES[name]} {-damage:+d}", rule))
    return tuple(found)


def lose_ability_points(
    fight: Fight, victim: Combatant, name: str, points: int, source: str, *, drain: bool = False
) -> Steps[None]:
    """Take points off an ability, and apply the consequences if none is left.

    Without any points a creature is unconscious, without Constitution dead (pf1.ability-damage,
    pf1.cond.dead).
    """
    if score_of(victim.sheet, name) is None or points <= 0 or "dead" in victim.conditions:
        return
    if (yield from is_immune_to_loss(fight, victim, name, drain, source)):
        return
    left = get_points_left(victim, name)
    yield from record_change(fight, victim, name, min(points, left), source, drain=drain)
    if points < left or "dead" in victim.conditions:
        return
    undying = fight.dialect.damage.undying(fight, victim) if name == "con" else ""
    if undying:
        yield RuleApplied(
            who=victim.id, what="cannot die of it now", cites=fight.rules("pf1.cond.dead", undying)
        )
    if name == "con" and not undying:
        yield from change_health(fight, victim, "dead", f"Constitution 0 ({source})", "pf1.cond.dead")
    elif "unconscious" not in victim.conditions:
        cites = fight.rules(ABILITY_LOSS_TOPIC, "pf1.cond.unconscious")
        # A level distinguishes it from one that hit points cause and end.
        gained = ConditionGained(
            who=victim.id, condition="unconscious", source=at_zero(name), level=1, cites=cites
        )
        yield from apply_fear_condition(fight, gained)
        yield from go_limp(fight, victim, "unconscious")


def regain_ability_points(
    fight: Fight, victim: Combatant, name: str, points: int, source: str, *cites: str
) -> Steps[None]:
    """Restore points of ability damage, and consciousness if that was lost; drain stays."""
    points = min(points, victim.losses.get(name, 0))
    if not points:
        return
    yield from record_change(fight, victim, name, -points, source, cites=cites)
    held = victim.conditions.get("unconscious")
    if held is not None and held.source == at_zero(name):
        yield ConditionLost(who=victim.id, condition="unconscious", why=source, cites=cites)
        yield from settle_health(fight, victim, source)


def record_change(
    fight: Fight,
    combatant: Combatant,
    name: str,
    points: int,
    source: str,
    *,
    drain: bool = False,
    cites: tuple[str, ...] = (),
) -> Steps[None]:
    """Record lost (or, negative, regained) points, and the hit points that go with Constitution."""
    damage, drained = add_points_lost(combatant, name, points, drain=drain)
    lasting = "pf1.damage.ability-damage"
    before = hit_point_adjustment(fight, combatant)
    yield AbilityChanged(
        who=combatant.id,
        ability=name,
        damage=damage,
        drain=drained,
        score=max(0, (score_of(combatant.sheet, name) or 0) - drained),
        why=source,
        cites=cites or fight.rules(ABILITY_LOSS_TOPIC, lasting),
    )
    yield from readjust_hit_points(fight, combatant, before, source, fight.rule("pf1.ability-damage.con"))


def hit_point_adjustment(fight: Fight, combatant: Combatant) -> int:
    """Return by how much lost Constitution and negative levels change full hit points.

    Hit Dice times the penalty (pf1.ability-damage.con), 5 for each negative level (pf1.negative-levels).
    """
    steps = loss_steps(fight, combatant, "con") if combatant.losses else ()
    found = (steps[-1].after - steps[0].before) * combatant.sheet.hit_dice if steps else 0
    held = combatant.conditions.get(DRAINED)
    return found + (int(fight.figure("pf1.negative-levels", "hp")) * held.level if held else 0)


def readjust_hit_points(
    fight: Fight, combatant: Combatant, before: int, source: str, rule: str
) -> Steps[None]:
    """Adjust full and current hit points after a change of the adjustment from `before`, with the
    consequences.
    """
    changed = hit_point_adjustment(fight, combatant) - before
    if not changed:
        return
    full = max(1, combatant.sheet.hp + before + changed)
    if full != combatant.max_hp:
        yield MaximumChanged(who=combatant.id, max_hp=full, why=source, cites=(rule,))
    yield hit_points_set(combatant, min(full, combatant.hp + changed), source, rule)
    yield from settle_health(fight, combatant, source)


# --- Bleeding: its damage at the start of each turn, and what stops it (pf1.cond.bleed)

BLEED = "bleed"
BLEED_TOPIC = "pf1.cond.bleed"
#: The forms of the damage of bleeding per round.
DICE: Final = re.compile(r"(?P<count>[1-9]\d?)d(?P<sides>[1-9]\d{0,2})(?P<more>[+-]\d{1,3})?")


def damage_of(source: str, level: int) -> str:
    """Return the damage of bleeding per round: at the end of its source ("bleed 1d6"), otherwise its level.

    A whole number, or dice; 1 if neither gives any.
    """
    said = source.rpartition(" ")[2]
    if DICE.fullmatch(said) or (said.isdecimal() and int(said)):
        return said
    return str(max(1, level))


def severity(damage: str) -> float:
    """Return the average damage per round of a wound."""
    dice = DICE.fullmatch(damage)
    if dice is None:
        return int(damage)
    return int(dice["count"]) * (int(dice["sides"]) + 1) / 2 + int(dice["more"] or 0)


def gain_bleed(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Make a combatant bleed; of two wounds only the worse counts (pf1.cond.bleed)."""
    combatant = fight.combatant(fact.who)
    held = combatant.conditions.get(BLEED)
    rule = fight.rule(BLEED_TOPIC)
    if held is not None:
        has = damage_of(held.source, held.level)
        if severity(has) >= severity(damage_of(fact.source, fact.level)):
            yield RuleApplied(who=combatant.id, what=f"bleeds for {has} already", cites=(rule,))
            return
    cites = tuple(dict.fromkeys((*fact.cites, rule)))
    yield ConditionGained(
        who=fact.who,
        condition=BLEED,
        source=fact.source,
        until=fact.until,
        level=fact.level,
        cites=cites,
    )


def bleed(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Lose the hit points that bleeding costs, as a turn begins (pf1.cond.bleed)."""
    if "dead" in combatant.conditions:
        return
    held = combatant.conditions[BLEED]
    damage = damage_of(held.source, held.level)
    if damage.isdecimal():
        points = int(damage)
    else:
        rolled = yield Roll(combatant.id, BLEED, damage)
        points = max(0, rolled.total)
    harm = Harm(combatant, points, BLEED, "bleeding", cites=fight.rules(BLEED_TOPIC))
    yield from fight.dialect.damage.suffer(fight, harm)


def stop_bleeding(fight: Fight, combatant: Combatant, why: str) -> ConditionLost:
    """Return the fact that a combatant's bleeding is over."""
    return ConditionLost(who=combatant.id, condition=BLEED, why=why, cites=fight.rules(BLEED_TOPIC))


# --- The immunities of each kind of creature in pf1, and its darkvision (pf1.creature.*)

#: The rule on the natural traits of each kind of creature.
RULES: Final[Mapping[str, str]] = {
    "undead": "pf1.creature.undead",
    "construct": "pf1.creature.construct",
    "ooze": "pf1.creature.ooze",
    "plant": "pf1.creature.plant",
    "vermin": "pf1.creature.vermin",
    "elemental": "pf1.creature.elemental",
    "swarm": "pf1.creature.swarm",
}
#: The figure of the immunities of each kind.
IMMUNE: Final = {nature: (rule, "immune") for nature, rule in RULES.items()}
#: The rule by which a kind of creature has darkvision.
SEEING_IN_THE_DARK: Final[Mapping[str, str]] = {
    **{nature: RULES[nature] for nature in ("undead", "construct", "vermin", "elemental")},
    "outsider": "pf1.creature.outsider",
}


# --- Gaining a condition, and its effect on existing ones
# pf1.cond.combine, pf1.cond.fear-ladder, pf1.cond.fatigued, pf1.cond.stunned, pf1.cond.panicked.

#: The steps of fear; further fear on top of one adds as many steps.
FEAR: Final = ("shaken", "frightened", "panicked")
DEMORALIZE: Final = "demoralize"
"""The source of fear from an Intimidate check: the only one that merely lasts longer."""


def add_fear(fight: Fight, fact: ConditionGained) -> Steps[ConditionGained | None]:
    """Return the result of new fear on top of the existing; None if there is nothing to gain.

    Shaken twice is frightened, and more on top of frightened panicked; demoralizing an afraid target only
    lengthens its fear (pf1.cond.fear-ladder).
    """
    combatant = fight.combatant(fact.who)
    has = next((name for name in reversed(FEAR) if name in combatant.conditions), "")
    if not has:
        return fact
    rule = fight.rule("pf1.cond.fear-ladder")
    held = combatant.conditions[has]
    longer = fact.until if lasts_longer(fight, fact.until, held.until) else held.until
    steps = FEAR.index(has) + FEAR.index(fact.condition) + 1
    worse = has if fact.source == DEMORALIZE else FEAR[min(steps, len(FEAR) - 1)]
    if worse != has:
        yield ConditionLost(who=combatant.id, condition=has, why=worse, cites=(rule,))
        cites = tuple(dict.fromkeys((rule, *fact.cites)))
        return replace(fact, condition=worse, until=longer, cites=cites)
    if longer == held.until:
        yield RuleApplied(who=combatant.id, what=f"is {has} already, and for as long", cites=(rule,))
    else:
        yield replace(fact, condition=has, until=longer, cites=(rule,))
    return None


def gain(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give a condition; an existing one lasts as long as the longer, and the worse of two stays.

    Fear adds up, fatigue upon fatigue is exhaustion; conditions that empty the hands make their bearer drop
    held items.
    """
    combatant = fight.combatant(fact.who)
    if fact.condition in FEAR:
        more = yield from add_fear(fight, fact)
        if more is None:
            return
        fact = more
    combine = fight.rules("pf1.cond.combine")
    if fact.condition == "fatigued" and "fatigued" in combatant.conditions:
        fact = replace(fact, condition="exhausted", cites=(*fact.cites, *fight.rules("pf1.cond.fatigued")))
    if fact.condition == "exhausted" and "fatigued" in combatant.conditions:
        yield ConditionLost(who=combatant.id, condition="fatigued", why="exhausted", cites=combine)
    worse = "exhausted" if fact.condition == "fatigued" else fact.condition
    held = combatant.conditions.get(worse)
    if held is not None and worse in APART and not held.level:
        held = None  # that of the hit points ends with them
    if held is not None and (worse != fact.condition or not lasts_longer(fight, fact.until, held.until)):
        yield RuleApplied(who=combatant.id, what=f"is {worse} already, and for as long", cites=combine)
        return
    if held is not None:
        fact = replace(fact, level=held.level, cites=(*fact.cites, *combine))
    yield is_cause_not_hit_points(fact)
    if held is None:
        yield from go_limp(fight, combatant, fact.condition)
    rule = rule_of(fight, fact.condition)
    if rule.empties:
        yield from drop_all(fight, combatant, fight.rules(rule.topic))


# --- Conditions of pf1 that a combatant does not take along into another fight

#: Conditions of one place, one moment, one ride, or of a grapple.
LOCAL: Final = frozenset(
    {
        "balancing",
        "behind the mount",
        "borne aloft",
        "charging",
        "choking",
        "climbing",
        "drowning",
        "extremely violent motion",
        "falling",
        "falling far",
        "flat-footed",
        "flying",
        "grappled",
        "holding",
        "holding its breath",
        "improved cover",
        "in acid",
        "in boiling water",
        "in darkness",
        "in dim light",
        "in lava",
        "in silence",
        "in smoke",
        "in a chasm",
        "in water",
        "in wind with hail",
        "in wind with rain",
        "off balance",
        "on a moving mount",
        "on a running mount",
        "partial cover",
        "pinned",
        "pinning",
        "running",
        "slumped",
        "squeezing",
        "stopped",
        "swallowed",
        "tethered",
        "total-defense",
        "vigorous motion",
        "violent motion",
        "wriggling",
    }
)


# --- Negative levels: their penalties, when they kill, and how they end (pf1.negative-levels)

NEGATIVE_LEVELS_TOPIC = "pf1.negative-levels"
LEVEL = "negative level"
MINUTES_A_DAY = 24 * 60


def negative_levels(
    fight: Fight, combatant: Combatant, levels: int, source: str, dc: int = 0, by: str = ""
) -> Steps[None]:
    """Give negative levels: penalties and 5 hit points each; as many as Hit Dice kill.

    With a `dc` each can be removed by a new save every day (pf1.negative-levels, pf1.cond.energy-drained).
    """
    held = combatant.conditions.get(DRAINED)
    now = levels + (held.level if held is not None else 0)
    before = hit_point_adjustment(fight, combatant)
    cites = fight.rules("pf1.cond.energy-drained", NEGATIVE_LEVELS_TOPIC)
    yield ConditionGained(who=combatant.id, condition=DRAINED, source=source, level=now, cites=cites)
    for _ in range(levels if dc else 0):
        yield AfflictionHeld(
            who=combatant.id,
            id=fight.key(combatant.id, "negative-level"),
            rider=Rider(LEVEL, "energy drain", "contact", "fort"),
            by=by or source,
            dc=dc,
            minute=fight.state.minutes + MINUTES_A_DAY,
            cites=fight.rules(NEGATIVE_LEVELS_TOPIC),
        )
    if now >= max(1, combatant.sheet.hit_dice) and not fight.dialect.damage.undying(fight, combatant):
        yield from change_health(fight, combatant, "dead", source, "pf1.cond.energy-drained")
    else:
        yield from readjust_hit_points(fight, combatant, before, source, fight.rule(NEGATIVE_LEVELS_TOPIC))


def drain_one_or_more(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give the negative levels of a condition of that name: its level, at least one."""
    return negative_levels(fight, fight.combatant(fact.who), max(1, fact.level), fact.source)


def save_each_day(fight: Fight, combatant: Combatant, level: Affliction) -> Steps[None]:
    """Save against a negative level for every day that has passed, until it is gone (pf1.negative-levels)."""
    rule = fight.rule(NEGATIVE_LEVELS_TOPIC)
    due = level.minute
    while due <= fight.state.minutes:
        due += MINUTES_A_DAY
        if (yield from saving_throw(fight, combatant, "fort", level.dc, "a negative level", rule)):
            yield AfflictionEnded(who=combatant.id, id=level.id, why="shaken off", cites=(rule,))
            yield from lose_level(fight, combatant)
            return
    yield AfflictionHeld(
        who=combatant.id,
        id=level.id,
        rider=level.rider,
        by=level.by,
        dc=level.dc,
        minute=due,
        cites=(rule,),
    )


def lose_level(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Remove one negative level, and restore the hit points that it has cost."""
    held = combatant.conditions.get(DRAINED)
    if held is None:
        return
    rule, before = fight.rule(NEGATIVE_LEVELS_TOPIC), hit_point_adjustment(fight, combatant)
    if held.level > 1:
        yield ConditionGained(
            who=combatant.id, condition=DRAINED, source=held.source, level=held.level - 1, cites=(rule,)
        )
    else:
        yield ConditionLost(
            who=combatant.id, condition=DRAINED, why="no negative level is left", cites=(rule,)
        )
    yield from readjust_hit_points(fight, combatant, before, "a negative level is gone", rule)


# --- Poison, and other effects of a blow, a spell or a danger besides damage (pf1.poison)
# `rounds` in a poison's entry is the number of rounds of its effect, with one saving throw in each; a success
# cures it. `envenom` applies a dose of the sheet's `poisons` to a weapon.

POISON = "poison"


def envenom(fight: Fight, act: acts.Envenom) -> Steps[None]:
    """Apply a dose to a weapon in hand, a standard action; 1 time in 20 it poisons its user (pf1.poison)."""
    actor = fight.combatant(act.actor)
    dose, weapon = dose_for_weapon(fight, actor, act)
    yield spending(fight, actor, "standard", "poison a weapon", fight.rule("pf1.poison"))
    yield from apply_poison_dose(fight, actor, dose, weapon)


def exposed_by_fumble(fight: Fight, blow: Blow) -> Steps[None]:
    """Expose an attacker that rolls a natural 1 with a poisoned weapon to its poison (pf1.poison)."""
    for poison in poisons_of(blow):
        what = f"gets at the {poison.name} on its own {blow.weapon.name}"
        yield RuleApplied(who=blow.attacker.id, what=what, cites=fight.rules("pf1.poison"))
        yield from expose(fight, blow.attacker, poison)


def apply_weapon_riders(fight: Fight, blow: Blow, harm: Harm | None, critical: bool) -> Steps[None]:
    """Apply the riders of the weapon of a hit, and its poison, which the hit spends.

    Riders that need a wound fail without one (pf1.dr.rules, pf1.poison).
    """
    wounds = harm is None or harm.amount > 0
    doses = yield from spend_poison(fight, blow)
    for rider in (*blow.weapon.riders, *doses):
        if "dead" in blow.target.conditions:
            return
        if rider.delivery == "injury" and rider.kind != "energy drain" and not wounds:
            what = f"the {rider.name} does not get into {blow.target.id}: no wound"
            yield RuleApplied(who=blow.target.id, what=what, cites=fight.rules("pf1.dr.rules"))
            continue
        if critical:
            (rider,) = yield from critical_riders(fight, blow.target, [rider])
        yield from expose(fight, blow.target, rider, blow.attacker)


def expose(fight: Fight, victim: Combatant, rider: Rider, by: Combatant | None = None) -> Steps[None]:
    """Let a creature save against a rider, or suffer it; poison continues from there (pf1.poison)."""
    if "dead" in victim.conditions or (yield from is_immune_to_rider(fight, victim, rider)):
        return
    cites = fight.rules("pf1.poison") if rider.kind == POISON else ()
    if rider.save and (yield from saving_throw(fight, victim, rider.save, rider.dc, rider.name, *cites)):
        return
    yield from take_effect(fight, victim, rider, by.id if by is not None else "")
    if rider.kind == POISON and "dead" not in victim.conditions:
        yield from work_on(fight, victim, rider, by.id if by is not None else "")


def work_on(fight: Fight, victim: Combatant, rider: Rider, by: str) -> Steps[None]:
    """Make a poison that took effect continue, for its rounds less this one.

    A further dose of one that is active already raises its DC by 2, and it lasts half as long again.
    """
    held = next((one for one in victim.afflictions if one.rider.name == rider.name), None)
    dc, rounds = rider.dc, rider.rounds - 1
    if held is not None:
        dc = held.dc + int(fight.figure("pf1.poison", "dose_dc"))
        longer = fight.figure("pf1.poison", "dose_duration") - 1
        rounds = held.rider.rounds + int(rider.rounds * longer)
    if rounds <= 0:
        return
    later = fight.state.round + 1
    yield AfflictionHeld(
        who=victim.id,
        id=held.id if held is not None else fight.key(victim.id, POISON),
        rider=replace(rider, rounds=rounds),
        by=by,
        dc=dc,
        round=later,
        cites=fight.rules("pf1.poison"),
    )


def poisons_work(fight: Fight, victim: Combatant) -> Steps[None]:
    """Apply every poison in a creature as its turn begins: another save each, until one succeeds."""
    for held in victim.afflictions:
        if held.rider.kind == POISON and held.round <= fight.state.round and "dead" not in victim.conditions:
            yield from poison_again(fight, victim, held)


def poison_again(fight: Fight, victim: Combatant, held: Affliction) -> Steps[None]:
    """Save again against a poison: cured, or its effect again, until its rounds are over (pf1.poison)."""
    rider, cites = held.rider, fight.rules("pf1.poison")
    saved = yield from saving_throw(fight, victim, rider.save or "fort", held.dc, rider.name, *cites)
    left = rider.rounds - 1
    if saved or left <= 0:
        why = "cured by a save" if saved else "it has run its course"
        yield AfflictionEnded(who=victim.id, id=held.id, why=why, cites=cites)
    else:
        yield AfflictionHeld(
            who=victim.id,
            id=held.id,
            rider=replace(rider, rounds=left),
            by=held.by,
            dc=held.dc,
            round=fight.state.round + 1,
            cites=cites,
        )
    if not saved:
        yield from take_effect(fight, victim, rider, held.by)


def take_effect(fight: Fight, victim: Combatant, rider: Rider, by: str) -> Steps[None]:
    """Apply an effect to a creature: lost ability points, negative levels, or a condition."""
    text = rider.effect
    if not text:
        return
    if points := POINTS.fullmatch(text):
        dice = points["dice"]
        amount = int(dice) if dice.isdecimal() else 0
        if not amount:
            rolled = yield Roll(by or victim.id, rider.kind.replace(" ", "-"), dice)
            amount = rolled.total
        drain = bool(points["drain"])
        yield from lose_ability_points(fight, victim, points["ability"], amount, rider.name, drain=drain)
    elif levels := LEVELS.fullmatch(text):
        yield from negative_levels(fight, victim, int(levels["levels"]), rider.name, rider.dc, by)
    else:
        lasts = rider.rounds and rider.kind != POISON
        maker = fight.state.combatants.get(by, victim)
        until = for_rounds(fight, maker, rider.rounds) if lasts else Until()
        cites = fight.rules("pf1.round.duration-expiry") if lasts else ()
        fact = ConditionGained(who=victim.id, condition=text, source=rider.name, until=until, cites=cites)
        yield from fight.dialect.conditions.gain(fight, fact)
