"""Damage, hit points, and what happens at none: death saves, stabilizing, dying."""

import re
from collections.abc import Sequence
from typing import Final

from affray.engine.dialects.srd52 import test
from affray.engine.dialects.srd52.classes import fields_of
from affray.engine.dialects.srd52.conditions import die, gain
from affray.engine.dialects.srd52.features import Blow, Dice, ask, has, parts_of, steps_of
from affray.engine.fight.fight import Fight
from affray.engine.kernel import checks
from affray.engine.modifiers import affected_parts
from affray.engine.steps import Roll, Steps, judged, unknown_word
from affray.events.facts import acts
from affray.events.facts.base import Name, Number
from affray.events.facts.combat import (
    CheckResolved,
    ConditionLost,
    CounterChanged,
    DamagePart,
    DamageResolved,
    HitPointsChanged,
)
from affray.events.facts.sheet import SCORES, Modifier
from affray.projections.state import Combatant

DICE: Final = re.compile(r"(\d*)d(?=\d)")
SUCCESSES: Final = "death save successes"
FAILURES: Final = "death save failures"
DEATH: Final = frozenset({"death"})
"""What a death save is made against."""


def doubled(notation: str) -> str:
    """Return notation with twice as many dice of each kind: "2d6+1" becomes "4d6+1"."""
    return DICE.sub(lambda found: f"{2 * int(found[1] or 1)}d", notation)


# --- Damage


def roll_damage(
    fight: Fight, roller: str, dice: Sequence[Dice], critical: bool
) -> Steps[tuple[DamagePart, ...]]:
    """Roll dice of damage, all of them twice on a Critical Hit."""
    made = []
    for one in dice:
        notation = doubled(one.notation) if critical else one.notation
        rolled = yield Roll(roller, "damage", notation)
        made.append(DamagePart(notation, rolled.key, rolled.total, one.kind, one.source))
    return tuple(made)


def deal(
    fight: Fight,
    target: Combatant,
    blow: Blow,
    dice: Sequence[Dice],
    parts: Sequence[Modifier] = (),
    *,
    cites: tuple[str, ...],
) -> Steps[int]:
    """Roll damage and deal it; return the damage taken.

    Parts add to damage of the first type. Each type is then halved or doubled by Resistance and
    Vulnerability, and the whole comes off temporary hit points first.
    """
    rolled = yield from roll_damage(fight, blow.attacker, dice, blow.critical)
    if blow.critical:
        cites = (*cites, fight.rule("damage.critical"))
    return (yield from settle(fight, target, blow, rolled, parts, cites=cites))


def settle(
    fight: Fight,
    target: Combatant,
    blow: Blow,
    rolled: Sequence[DamagePart],
    parts: Sequence[Modifier] = (),
    *,
    kind: str = "",
    cites: tuple[str, ...],
) -> Steps[int]:
    """Deal damage whose dice have been rolled, or of a `kind` without dice; return the damage taken."""
    attacker = fight.state.combatants.get(blow.attacker)
    if attacker is not None:
        parts = affected_parts(attacker, "damage", parts, target.id)
    flat = sum(one.value for one in parts if not one.denied)
    sums: dict[str, int] = {}
    for one in rolled:
        sums[one.kind] = sums.get(one.kind, 0) + one.total
    first = rolled[0].kind if rolled else kind
    sums[first] = max(fight.figure("damage.minimum-zero", "min"), sums.get(first, 0) + flat)
    whole, left, reasons, rules = sum(sums.values()), 0, list[str](), list[str]()
    for function, held in list(ask(fight, target, "before_damage")):
        before, sums = sums, (yield from function(fight, held, blow, sums))
        if sums != before:
            reasons.append(held.name)
            rules.append(fight.rule(held.feature.topic))
    for one_kind, amount in sums.items():
        if blow.halved:
            amount = int(amount * fight.figure("damage.half-on-save", "factor"))
        for factor, reason, rule in factors(fight, target, one_kind):
            if amount:
                amount = int(amount * factor)
                reasons.append(reason)
                rules.append(rule)
        left += amount
    if blow.halved:
        reasons.insert(0, "half on a save")
        rules.append(fight.rule("damage.half-on-save"))
    yield DamageResolved(
        attacker=blow.attacker,
        target=target.id,
        weapon=blow.source,
        dice=tuple(rolled),
        modifiers=tuple(parts),
        multiplier=1,
        total=whole,
        nonlethal=False,
        reduced=whole - left,
        why="; ".join(dict.fromkeys(reasons)),
        least=0,
        cites=tuple(dict.fromkeys((*cites, *rules))),
    )
    yield from lose(fight, target, left, blow)
    if left:
        yield from steps_of(fight, target, "after_damage", blow, left)
    return left


def factors(fight: Fight, target: Combatant, kind: str) -> list[tuple[float, str, str]]:
    """Return what multiplies damage of a type, in order: Immunity alone, or Resistance, then Vulnerability.

    Several sources of one count once (srd52.damage.resistance-no-stack, srd52.damage.order).
    """
    own = fields_of(fight, target)
    given = {
        one: fight.rule(held.feature.topic)
        for function, held in ask(fight, target, "factors")
        for one in function(fight, held, kind)
    }
    if kind in own.immunities or "immunity" in given:
        return [(0, f"immune to {kind}", fight.rule("damage.immunity"))]
    found: list[tuple[float, str, str]] = []
    if kind in own.resistances or "resistance" in given:
        factor = fight.figure("damage.resistance", "factor")
        found.append(
            (factor, f"resistant to {kind}", given.get("resistance", fight.rule("damage.resistance")))
        )
    elif "petrified" in target.conditions:
        factor = fight.figure("damage.resistance", "factor")
        found.append((factor, "petrified", fight.rule("conditions.petrified-resistance")))
    if kind in own.vulnerabilities or "vulnerability" in given:
        factor = fight.figure("damage.vulnerability", "factor")
        found.append((factor, f"vulnerable to {kind}", fight.rule("damage.vulnerability")))
    return found


def roll_points(fight: Fight, roller: str, notation: str) -> Steps[int]:
    """Roll dice of healing or temporary hit points."""
    rolled = yield Roll(roller, "healing", notation)
    return rolled.total


# --- Hit points


def is_dying(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant is at 0 hit points, neither dead nor Stable."""
    ends = ("dead", "stable")
    return combatant.hp == 0 and not any(one in combatant.conditions for one in ends)


def lose(fight: Fight, target: Combatant, amount: int, blow: Blow) -> Steps[None]:
    """Take damage off temporary hit points, then off hit points, with the consequences."""
    absorbed = min(amount, target.temporary)
    through, before = amount - absorbed, target.hp
    if not amount or "dead" in target.conditions:
        return
    cites = fight.rules("damage.hit-points", *(["damage.temp-hp-first"] if absorbed else []))
    spared = blow.spares and 0 < before <= through
    hp = fight.figure("damage.knock-out", "hp") if spared else max(0, before - through)
    if before > 0 and hp == 0:
        for function, held in list(ask(fight, target, "at_zero")):
            hp = hp or (yield from function(fight, held, blow, through - before))
    why = f"{blow.source} of {blow.attacker}" if blow.attacker else blow.source
    yield HitPointsChanged(
        who=target.id,
        hp=hp,
        nonlethal=0,
        temporary=target.temporary - absorbed,
        change=hp - before,
        why=why,
        cites=cites,
    )
    if spared:
        yield from gain(fight, target, "unconscious", "knocked out")
    elif before == 0 and through:
        yield from hurt_at_zero(fight, target, through, blow.critical)
    elif before > 0 and hp == 0:
        yield from fall(fight, target, through - before, why)


def fall(fight: Fight, target: Combatant, surplus: int, why: str) -> Steps[None]:
    """Settle what a drop to 0 hit points does: a monster dies, a character falls unconscious.

    A character dies too if the surplus damage reaches its hit point maximum.
    """
    if not fields_of(fight, target).character:
        yield from die(fight, target, why, *fight.rules("damage.zero", "damage.monster-death"))
    elif surplus >= target.max_hp:
        yield from die(fight, target, why, *fight.rules("damage.zero", "damage.massive"))
    else:
        yield from gain(fight, target, "unconscious", "0 hit points")


def hurt_at_zero(fight: Fight, target: Combatant, amount: int, critical: bool) -> Steps[None]:
    """Settle damage at 0 hit points: death by massive damage, otherwise one or two failed death saves."""
    if amount >= target.max_hp:
        yield from die(fight, target, "massive damage", fight.rule("damage.at-zero-massive"))
        return
    if "stable" in target.conditions:
        cites = fight.rules("damage.stable-damaged")
        yield ConditionLost(who=target.id, condition="stable", why="takes damage", cites=cites)
    topic = "damage.at-zero-critical" if critical else "damage.at-zero-damage"
    yield from count_failures(fight, target, fight.figure(topic, "failures"), fight.rule(topic))


def injured(fight: Fight, victim: Combatant, before: int) -> Steps[None]:
    """Settle what the game master's change of hit points does."""
    if victim.hp <= 0 < before and "dead" not in victim.conditions:
        yield from fall(fight, victim, 0, "0 hit points")
    elif before <= 0 < victim.hp:
        yield from wake(fight, victim)


# --- Death saves


def death_save(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Roll the death save of a character that begins its turn at 0 hit points and is not Stable."""
    if not is_dying(fight, combatant) or not fields_of(fight, combatant).character:
        return
    number, cites = fight.figure("damage.death-save-roll", "dc"), fight.rules("damage.death-save-roll")
    extra = yield from test.rolled_parts(fight, combatant, "save")
    own = [*test.exhaustion(fight, combatant), *parts_of(fight, combatant, "on_save", "", DEATH), *extra]
    parts = affected_parts(combatant, "death save", own)
    dice, listed, rules = test.dice_of(fight, parts)
    total = sum(one.value for one in listed if not one.denied)
    worst, best = fight.figure("damage.death-save-natural-1"), fight.figure("damage.death-save-natural-20")

    def result(key: str, natural: int) -> CheckResolved:
        made = natural == best["die"] or (natural != worst["die"] and natural + total >= number)
        return CheckResolved(
            who=combatant.id,
            check="death save",
            key=key,
            natural=natural,
            total=natural + total,
            dc=number,
            success=made,
            parts=listed,
            cites=(*cites, *rules, fight.rule("damage.death-save-when")),
        )

    fact = yield from judged(combatant.id, "death-save", result, dice)
    if fact.natural == best["die"]:
        yield from heal(
            fight, combatant, best["regain_hp"], "a 20 on a death save", "damage.death-save-natural-20"
        )
    elif fact.success:
        yield from count_success(fight, combatant)
    else:
        natural_1 = fact.natural == worst["die"]
        topic = "damage.death-save-natural-1" if natural_1 else "damage.death-save-roll"
        yield from count_failures(fight, combatant, worst["failures"] if natural_1 else 1, fight.rule(topic))


def count_success(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Count a successful death save; the third makes the character Stable."""
    cites, many = fight.rules("damage.death-save-three"), combatant.counters.get(SUCCESSES, 0) + 1
    yield CounterChanged(who=combatant.id, counter=SUCCESSES, value=many, cites=cites)
    if many >= fight.figure("damage.death-save-three", "successes"):
        yield from become_stable(fight, combatant, "three death saves")


def become_stable(fight: Fight, combatant: Combatant, why: str) -> Steps[None]:
    """Make a dying character Stable; its death saves no longer count."""
    yield from checks.gain(fight, combatant, "stable", why)
    yield from reset(fight, combatant)


def count_failures(fight: Fight, combatant: Combatant, more: int, rule: str) -> Steps[None]:
    """Count failed death saves; the third kills."""
    most = fight.figure("damage.death-save-three", "failures")
    many = min(most, combatant.counters.get(FAILURES, 0) + more)
    cites = (fight.rule("damage.death-save-three"), rule)
    yield CounterChanged(who=combatant.id, counter=FAILURES, value=many, cites=cites)
    if many >= most:
        yield from die(fight, combatant, "three failed death saves", fight.rule("damage.death-save-three"))


def reset(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Forget death saves: a character is Stable, or has hit points again."""
    for name in (SUCCESSES, FAILURES):
        if combatant.counters.get(name):
            cites = fight.rules("damage.death-save-reset")
            yield CounterChanged(who=combatant.id, counter=name, value=0, cites=cites)


# --- Healing


def heal(fight: Fight, target: Combatant, amount: int, why: str, *topics: str) -> Steps[None]:
    """Give hit points back, up to the maximum; whoever regains any at 0 wakes. The dead regain none."""
    before = target.hp
    hp = min(target.max_hp, before + amount)
    if "dead" in target.conditions or hp == before or has(fight, target, "no_healing"):
        return
    yield HitPointsChanged(
        who=target.id,
        hp=hp,
        nonlethal=0,
        temporary=target.temporary,
        change=hp - before,
        why=why,
        cites=fight.rules("damage.healing", *topics),
    )
    yield from wake(fight, target)


def give_temporary(fight: Fight, target: Combatant, amount: int, why: str, *topics: str) -> Steps[None]:
    """Give temporary hit points; they do not add up, and the higher number counts."""
    if amount > target.temporary and "dead" not in target.conditions:
        yield HitPointsChanged(
            who=target.id,
            hp=target.hp,
            nonlethal=0,
            temporary=amount,
            change=0,
            why=why,
            cites=fight.rules("damage.temp-hp-no-stack", *topics),
        )


def wake(fight: Fight, target: Combatant) -> Steps[None]:
    """Wake a combatant that has regained hit points; it stays prone."""
    cites = fight.rules("damage.fall-unconscious")
    for name in ("unconscious", "stable"):
        if name in target.conditions:
            yield ConditionLost(who=target.id, condition=name, why="regains hit points", cites=cites)
    yield from reset(fight, target)


# --- Hazards of the game master


class Hazard(acts.Act, frozen=True, gc=False, tag="srd52.hazard"):
    """Confront a combatant with a danger of the surroundings, as game master.

    save: the ability of the saving throw ("dex"); empty for none.
    dc: the DC of the saving throw.
    damage: its dice.
    damage_type: the type of its damage.
    half: a successful save halves the damage instead of preventing it.
    condition: the condition that a failed save, or none, brings about.
    source: its name.
    """

    declared_by = "game master"

    target: Name = ""
    save: Name = ""
    dc: Number = 0
    damage: Name = ""
    damage_type: Name = ""
    half: bool = False
    condition: Name = ""
    source: Name = "a hazard"


def hazard(fight: Fight, act: Hazard) -> Steps[None]:
    """Deal damage of the surroundings, with or without a saving throw, or bring about a condition."""
    target, saved = fight.combatant(act.target), False
    if act.save and act.save not in SCORES:
        raise unknown_word("ability", act.save, SCORES, fight.rule("test.save-ability"))
    if act.condition and act.condition not in fight.dialect.kernel.conditions:
        known = fight.dialect.kernel.conditions
        raise unknown_word("condition", act.condition, known, fight.rule("conditions.list"))
    if act.save:
        cites = fight.rules("test.save-forced")
        saved = yield from test.save(fight, target, act.save, act.dc, why=act.source, cites=cites)
    if act.damage and (not saved or act.half):
        blow, dice = Blow("", act.source, halved=saved), Dice(act.damage, act.damage_type, act.source)
        yield from deal(fight, target, blow, [dice], cites=fight.rules("damage.roll", "damage.types"))
    if act.condition and not saved:
        yield from gain(fight, target, act.condition, act.source)
