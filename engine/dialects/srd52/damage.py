"""Damage, hit points, and what happens at none: death saves, stabilizing, dying."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.srd52 import areas, test
from affray.engine.dialects.srd52.classes import fields_of, score_now
from affray.engine.dialects.srd52.conditions import (
    EXHAUSTION,
    JUST_DEAD,
    die,
    forgotten,
    gain,
    just_dead,
    levels_of,
    recover_from,
    tire,
)
from affray.engine.dialects.srd52.features import (
    Blow,
    Dice,
    ask,
    features_of,
    parts_of,
    steps_of,
)
from affray.engine.dialects.srd52.position import distance, is_in_water
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_fight, per_scene
from affray.engine.kernel import checks
from affray.engine.kernel.actions import spend
from affray.engine.kernel.fiat import fiat as kernel_fiat
from affray.engine.kernel.places import squares_of
from affray.engine.kernel.sheets import score_of
from affray.engine.modifiers import affected_parts
from affray.engine.steps import Choice, Refusal, Roll, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.base import Name, Names, Number
from affray.events.facts.combat import (
    AbilityChanged,
    CheckResolved,
    ConditionLost,
    CounterChanged,
    DamagePart,
    DamageResolved,
    HitPointsChanged,
    MaximumChanged,
)
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import SCORES, Abilities, Modifier, Sheet
from affray.projections.state import Combatant

DICE: Final = re.compile(r"(\d*)d(\d+)(min\d+)?")
SUCCESSES: Final = "death save successes"
FAILURES: Final = "death save failures"
DEATH: Final = frozenset({"death"})
"""The tag of death saves."""


def multiplied(notation: str, factor: int) -> str:
    """Return notation with the number of each kind of dice multiplied: twice "2d6+1" is "4d6+1"."""
    if factor == 1:
        return notation
    return DICE.sub(lambda found: f"{factor * int(found[1] or 1)}d{found[2]}{found[3] or ''}", notation)


def at_least(notation: str, least: int) -> str:
    """Return notation whose lower dice count as `least`: "2d6+1" becomes "2d6min3+1"."""
    return DICE.sub(lambda found: f"{found[1]}d{found[2]}min{least}", notation) if least else notation


def one_less(dice: re.Match[str]) -> str:
    """Return dice with one of them gone: "2d6" becomes "1d6", "1d6" nothing."""
    left = int(dice[1] or 1) - 1
    return f"{left}d{dice[2]}{dice[3] or ''}" if left else ""


# --- Damage


def roll_damage(
    fight: Fight, roller: str, dice: Sequence[Dice], critical: bool
) -> Steps[tuple[DamagePart, ...]]:
    """Roll dice of damage, all of them twice on a Critical Hit; Heroic Inspiration may reroll a die."""
    made, factor = [], factor_of_critical(fight, "dice") if critical else 1
    for one in dice:
        notation = at_least(multiplied(one.notation, factor), one.least)
        rolled = yield Roll(roller, "damage", notation)
        if one.twice:
            again = yield Roll(roller, "damage", notation)
            rolled = max(rolled, again, key=lambda each: each.total)
        total, own = rolled.total, fight.state.combatants.get(roller)
        rerolls = fight.option("inspiration_dice") == "any-own-die"
        if own is not None and own.counters.get(test.INSPIRATION) and rerolls and rolled.faces:
            face = yield from test.inspired(fight, own, rolled.faces, "damage")
            if face is not None:
                die = DICE.sub(r"1d\2\3", notation).partition("+")[0]
                again = yield Roll(roller, "damage", die)
                made.append(DamagePart(die, again.key, again.total, one.kind, one.source))
                total -= max(face, one.least)
                notation = DICE.sub(one_less, notation, count=1).strip("+")
        if notation:
            made.append(DamagePart(notation, rolled.key, total, one.kind, one.source))
    return tuple(made)


def factor_of_critical(fight: Fight, what: str) -> int:
    """Return how many times the "dice", or the "modifiers", of damage count on a Critical Hit."""
    return int(fight.figure("damage.critical", what).lstrip("x"))


def deal(
    fight: Fight,
    target: Combatant,
    blow: Blow,
    dice: Sequence[Dice],
    parts: Sequence[Modifier] = (),
    *,
    cites: tuple[str, ...],
    ledger: dict[str, int] | None = None,
) -> Steps[int]:
    """Roll damage and deal it; return the damage taken.

    Parts add to damage of the first type. Each type is then halved or doubled by Resistance and
    Vulnerability, and the whole comes off temporary hit points first.
    """
    rolled = yield from roll_damage(fight, blow.attacker, dice, blow.critical)
    if blow.critical:
        cites = (*cites, fight.rule("damage.critical"))
    return (yield from settle(fight, target, blow, rolled, parts, cites=cites, ledger=ledger))


def settle(
    fight: Fight,
    target: Combatant,
    blow: Blow,
    rolled: Sequence[DamagePart],
    parts: Sequence[Modifier] = (),
    *,
    kind: str = "",
    cites: tuple[str, ...],
    ledger: dict[str, int] | None = None,
) -> Steps[int]:
    """Deal damage whose dice have been rolled, or of a `kind` without dice; return the damage taken.

    How much of each type is taken is written into the `ledger`.
    """
    attacker = fight.state.combatants.get(blow.attacker)
    if attacker is not None:
        parts = affected_parts(attacker, "damage", parts, target.id)
    flat = sum(one.value for one in parts if not one.denied)
    flat *= factor_of_critical(fight, "modifiers") if blow.critical else 1
    sums: dict[str, int] = {}
    for one in rolled:
        sums[one.kind] = sums.get(one.kind, 0) + one.total
    first = rolled[0].kind if rolled else kind
    least = fight.figure("damage.minimum-zero", "min")
    if sums.get(first, 0) + flat < least:
        cites = (*cites, fight.rule("damage.minimum-zero"))
    sums[first] = max(least, sums.get(first, 0) + flat)
    whole, left, reasons, rules = sum(sums.values()), 0, list[str](), list[str]()
    taken: dict[str, int] = {}
    if attacker is not None and is_object(target):
        for held in features_of(fight, attacker):
            if held.feature.on_objects:
                factor = fight.figure(held.feature.topic, held.feature.on_objects)
                sums = {one: amount * factor for one, amount in sums.items()}
                reasons.append(held.name)
                rules.append(fight.rule(held.feature.topic))
    for function, held in ask(fight, target, "before_damage"):
        before, sums = sums, (yield from function(fight, held, blow, sums))
        if sums != before:
            reasons.append(held.name)
            rules.append(fight.rule(held.feature.topic))
    for one_kind, amount in sums.items():
        if blow.halved:
            amount = int(amount * fight.figure("damage.half-on-save", "factor"))
        for factor, reason, rule in factors(fight, target, one_kind):
            if amount and not (0 < factor < 1 and is_ignored(fight, attacker, one_kind)):
                if amount * factor % 1:
                    rules.append(fight.rule("test.round-down"))
                amount = int(amount * factor)
                reasons += [reason] if reason else []
                rules.append(rule)
        left += amount
        if amount:
            taken[one_kind] = amount
    if 0 < left < (threshold := fields_of(fight, target).threshold):
        reasons.append(f"below the threshold of {threshold}")
        rules.append(fight.rule("damage.threshold"))
        left, taken = int(fight.figure("damage.threshold", "below")), {}
    if blow.halved:
        why, rule = blow.halving
        reasons.insert(0, why or "half on a save")
        rules.append(rule or fight.rule("damage.half-on-save"))
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
    if ledger is not None:
        ledger.update(taken)
    blow = replace(blow, kinds=tuple(taken))
    yield from lose(fight, target, left, blow)
    if left:
        yield from steps_of(fight, target, "after_damage", blow, left)
    if OILED in target.conditions and "fire" in taken:
        yield from burn_oil(fight, target)
    return left


@per_scene("target.id", "kind")
def factors(fight: Fight, target: Combatant, kind: str) -> tuple[tuple[float, str, str], ...]:
    """Return what multiplies damage of a type, in order: Immunity alone, or Resistance, then Vulnerability.

    Several sources of one count once (srd52.damage.resistance-no-stack, srd52.damage.order).
    """
    own = fields_of(fight, target)
    given = {
        one: fight.rule(held.feature.topic)
        for function, held in ask(fight, target, "factors")
        for one in function(fight, held, kind)
    }
    if all("silence" in areas.traits_at(fight, one) for one in squares_of(target)):
        topic = "magic.spell-silence"
        given |= dict.fromkeys(
            ["immunity"] if kind in fight.figure(topic, "immune") else [], fight.rule(topic)
        )
    if kind in own.immunities or "immunity" in given:
        factor = fight.figure("damage.immunity", "factor")
        return ((factor, f"immune to {kind}", fight.rule("damage.immunity")),)
    if is_object(target) and kind in fight.figure("damage.object-immunities", "immune"):
        return ((0, f"an object, immune to {kind}", fight.rule("damage.object-immunities")),)
    found: list[tuple[float, str, str]] = []
    sources = {
        "resistance": (
            ("resistance" in given, f"resistant to {kind}", given.get("resistance", "")),
            (kind in own.resistances, f"resistant to {kind}", fight.rule("damage.resistance")),
            ("petrified" in target.conditions, "petrified", fight.rule("conditions.petrified-resistance")),
            (is_quenched(fight, target, kind), "underwater", fight.rule("environment.underwater-fire")),
        ),
        "vulnerability": (
            ("vulnerability" in given, f"vulnerable to {kind}", given.get("vulnerability", "")),
            (kind in own.vulnerabilities, f"vulnerable to {kind}", fight.rule("damage.vulnerability")),
        ),
    }
    most = fight.figure("damage.resistance-no-stack", "max")
    for name, rows in sources.items():
        factor = fight.figure(f"damage.{name}", "factor")
        holding = [(factor, reason, rule) for holds, reason, rule in rows if holds]
        found += [(1, "", fight.rule("damage.order"))] if found and holding else []
        found += holding[:most]
        found += [(1, "", fight.rule("damage.resistance-no-stack"))] if len(holding) > most else []
    return tuple(found)


def is_quenched(fight: Fight, target: Combatant, kind: str) -> bool:
    """Return whether water all around a target resists damage of a type."""
    return kind in fight.figure("environment.underwater-fire", "resistance") and is_in_water(fight, target)


def is_ignored(fight: Fight, attacker: Combatant | None, kind: str) -> bool:
    """Return whether damage of a type by an attacker ignores Resistance."""
    if attacker is None:
        return False
    return any(function(fight, held, kind) for function, held in ask(fight, attacker, "ignores"))


def roll_points(fight: Fight, roller: str, notation: str) -> Steps[int]:
    """Roll dice of healing or temporary hit points."""
    rolled = yield Roll(roller, "healing", notation)
    return int(rolled.total)


# --- Damage that a save halves


def share_on_save(fight: Fight, target: Combatant, name: str, saved: bool, half: bool) -> Blow | None:
    """Return how a target takes damage after a save, as a blow without a source; None if it takes none.

    With Evasion a success means none and a failure half, where a success halves otherwise.
    """
    evading = half and next(
        (held for function, held in ask(fight, target, "evades") if function(fight, held, name)), None
    )
    if evading:
        reason = (evading.name, fight.rule(evading.feature.topic))
        return None if saved else Blow("", "", halved=True, halving=reason)
    if saved and not half:
        return None
    return Blow("", "", halved=saved)


# --- Objects

OBJECT: Final = "object"
"""The kind of a sheet that is a thing, and the condition that keeps it out of the turns."""


def is_object(combatant: Combatant) -> bool:
    """Return whether a combatant is an object, not a creature."""
    return combatant.sheet.kind == OBJECT


def substances(fight: Fight) -> Mapping[str, int]:
    """Return the Armor Class of objects by substance."""
    rows = fight.figure("damage.object-ac").items()
    return {name: number for names, number in rows for name in names.split("/")}


def as_object(fight: Fight, sheet: Sheet) -> Sheet:
    """Return the sheet of an object with the Armor Class of its substance and no ability scores.

    One whose build is named has the hit points of its size, "fragile" or "resilient". Huge objects are
    entered in sections, each up to Large.
    """
    own, rule = fight.dialect.custom_of(sheet), fight.rule("damage.object-hp")
    sizes, known = fight.figure("damage.object-hp"), substances(fight)
    if sheet.size not in sizes:
        rule = fight.rule("damage.object-sections")
        raise Refusal(f"{sheet.name} is {sheet.size}: enter it in sections up to Large", rule)
    if not own.substance and not own.armor_class:
        raise unknown_word("substance", own.substance, known, fight.rule("damage.object-ac"))
    if own.substance and own.substance not in known:
        raise unknown_word("substance", own.substance, known, fight.rule("damage.object-ac"))
    builds = sizes[sheet.size]
    if own.build and own.build not in builds:
        raise unknown_word("build", own.build, builds, rule)
    hp = int(builds[own.build].split()[0]) if own.build else sheet.hp
    armor = own.armor_class or known[own.substance]
    scores = Abilities(str=None, dex=None, con=None, int_=None, wis=None, cha=None)
    custom = {**(sheet.custom or {}), "armor_class": armor}
    return replace(sheet, hp=hp, abilities=scores, custom=custom, speed=0)


class Break(acts.Act, frozen=True, gc=False, tag="srd52.break"):
    """Destroy a fragile object in reach.

    target: the object.
    """

    target: Name = ""


def break_fragile(fight: Fight, act: Break) -> Steps[None]:
    """Destroy a fragile object: an action, without a roll."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("turns.break-fragile-object")
    if not is_object(target) or fields_of(fight, target).build != "fragile":
        raise Refusal(f"{target.id} is no fragile object", rule)
    if distance(actor, target) > actor.reach:
        raise Refusal(f"{target.id} is out of the reach of {actor.id}", rule)
    yield spend(fight, actor, "action", "break", rule)
    yield from die(fight, target, f"{actor.id} breaks it", rule)


# --- Oil

OILED: Final = "doused in oil"
"""The condition of a combatant that burns better."""


def burn_oil(fight: Fight, target: Combatant) -> Steps[None]:
    """Deal more fire damage to a combatant doused in oil."""
    rule = fight.rule("gear.oil-creature")
    yield ConditionLost(who=target.id, condition=OILED, why="the oil burns", cites=(rule,))
    more = Dice(str(fight.figure("gear.oil-creature", "extra_fire")), "fire", "oil")
    cites = (rule, fight.rule("damage.fixed-no-modifier"))
    yield from deal(fight, target, Blow("", "burning oil"), [more], cites=cites)


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
    topics = ["damage.hit-points", *(["damage.temp-hp-first"] if absorbed else [])]
    spared = 0 < before <= through and (yield from is_spared(fight, target, blow, through))
    least = fight.figure("damage.hit-points", "min")
    stays_up = spared and fight.option("knock_out_state") == "one-hit-point"
    hp = fight.figure("damage.knock-out", "hp") if stays_up else max(least, before - through)
    if before > 0 and hp == 0:
        for function, held in ask(fight, target, "at_zero"):
            hp = hp or (yield from function(fight, held, blow, through - before))
    topics += ["damage.knock-out"] if spared else []
    topics += (
        ["damage.bloodied", "damage.no-effect-until-zero"]
        if becomes_bloodied(fight, target, before, hp)
        else []
    )
    cites = fight.rules(*topics)
    why = f"{blow.source} of {blow.attacker}" if blow.attacker else blow.source
    yield set_hit_points(target, hp, why, *cites, temporary=target.temporary - absorbed)
    if spared and not stays_up:
        yield from gain(fight, target, "unconscious", "knocked out")
        yield from become_stable(fight, target, "knocked out")
    elif spared:
        yield from gain(fight, target, "unconscious", "knocked out")
        if "unconscious" in target.conditions:
            yield from gain(fight, target, KNOCKED_OUT, blow.attacker)
    elif before == 0 and (through or fight.option("temp_hp_at_zero") == "always-failure"):
        yield from hurt_at_zero(fight, target, through, blow.critical)
    elif before > 0 and hp == 0:
        yield from fall(fight, target, through - before, why)


def set_hit_points(
    target: Combatant, hp: int, why: str, *cites: str, temporary: int | None = None
) -> HitPointsChanged:
    """Return the fact of a combatant's hit points, and temporary ones, from now on."""
    return HitPointsChanged(
        who=target.id,
        hp=hp,
        nonlethal=0,
        temporary=target.temporary if temporary is None else temporary,
        change=hp - target.hp,
        why=why,
        cites=cites,
    )


def is_spared(fight: Fight, target: Combatant, blow: Blow, amount: int) -> Steps[bool]:
    """Return whether a blow that takes the last hit point knocks out instead; its attacker is asked.

    It is not asked if its declaration has said so already. Every melee attack may, of a weapon or of a spell,
    unless another reading limits it.
    """
    limits, attacker = fight.option("knock_out_limits"), fight.state.combatants.get(blow.attacker)
    if blow.spares is False or not blow.melee or attacker is None or is_object(target):
        return False
    if limits == "not-on-critical" and blow.critical:
        return False
    if limits == "not-if-massive-damage" and amount - target.hp >= target.max_hp:
        return False
    if blow.spares:
        return True
    question = f"{blow.source} of {attacker.id} takes the last hit point of {target.id}: is it knocked out?"
    answer = yield Choice(
        attacker.id, "knock-out", question, ("kill", "knock out"), fight.rule("damage.knock-out")
    )
    return bool(answer == "knock out")


KNOCKED_OUT: Final = "knocked out"
"""The state of a combatant that a melee attack has left at 1 hit point."""


@per_fight()
def share_bloodied(fight: Fight) -> int:
    """Return what the hit point maximum is divided by to find when a combatant is Bloodied."""
    return int(fight.figure("damage.bloodied", "threshold").rpartition("/")[2])


def is_bloodied(fight: Fight, combatant: Combatant, hp: int | None = None) -> bool:
    """Return whether a combatant has at most half of its hit points, but some."""
    left = combatant.hp if hp is None else hp
    return 0 < left <= combatant.max_hp // share_bloodied(fight)


def becomes_bloodied(fight: Fight, target: Combatant, before: int, hp: int) -> bool:
    """Return whether a change of hit points makes a combatant Bloodied."""
    return is_bloodied(fight, target, hp) and not is_bloodied(fight, target, before)


def fall(fight: Fight, target: Combatant, surplus: int, why: str) -> Steps[None]:
    """Settle what a drop to 0 hit points does: a monster dies, a character falls unconscious.

    A character dies too if the surplus damage reaches its hit point maximum. An object is destroyed.
    """
    if is_object(target):
        yield from die(fight, target, why, fight.rule("damage.object-hp"))
    elif any(function(fight, held) for function, held in ask(fight, target, "stays")):
        yield from gain(fight, target, "unconscious", "0 hit points")
    elif not has_death_saves(fight, target):
        topics = ("damage.zero", "damage.monster-death", "monster.death")
        yield from die(fight, target, why, *fight.rules(*topics))
    elif surplus >= target.max_hp:
        yield from die(fight, target, why, *fight.rules("damage.zero", "damage.massive"))
    else:
        yield from gain(fight, target, "unconscious", "0 hit points")


def has_death_saves(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant is a character at 0 hit points, or treated like one."""
    if is_object(combatant):
        return False
    return fields_of(fight, combatant).character or fight.option("monster_at_zero") == "all-death-saves"


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
    if not is_dying(fight, combatant) or not has_death_saves(fight, combatant):
        return
    number, cites = fight.figure("damage.death-save-roll", "dc"), fight.rules("damage.death-save-roll")
    extra = yield from test.rolled_parts(fight, combatant, "save")
    own = [
        *test.exhaustion(fight, combatant, "save"),
        *parts_of(fight, combatant, "on_save", "", DEATH),
        *extra,
    ]
    plain = fight.option("death_save_modifiers") == "none"
    parts = affected_parts(combatant, "death save", [] if plain else own)
    dice, listed, total, rules = test.dice_of(fight, parts)
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

    fact = yield from test.decide(fight, combatant, "death-save", result, dice)
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
    """Give hit points back, up to the maximum, which wakes a creature at 0. The dead regain none."""
    before = target.hp
    hp = min(target.max_hp, before + amount)
    if "dead" in target.conditions or hp == before:
        return
    if rule := why_unhealed(fight, target):
        yield RuleApplied(who=target.id, what="regains no hit points", cites=(rule,))
        return
    yield set_hit_points(target, hp, why, *fight.rules("damage.healing", *topics))
    yield from wake(fight, target)


def wake(fight: Fight, target: Combatant, why: str = "regains hit points") -> Steps[None]:
    """Wake a combatant that has regained hit points, or was knocked out; it stays prone."""
    cites = fight.rules(
        "damage.fall-unconscious", *(["damage.knock-out-end"] if KNOCKED_OUT in target.conditions else [])
    )
    for name in ("unconscious", "stable", KNOCKED_OUT):
        if name in target.conditions:
            yield ConditionLost(who=target.id, condition=name, why=why, cites=cites)
    yield from reset(fight, target)


def why_unhealed(fight: Fight, target: Combatant, temporary: bool = False) -> str:
    """Return the rule by which a combatant regains no hit points, or no temporary ones; "" if it does."""
    for held in features_of(fight, target):
        if held.feature.no_healing and (not temporary or held.name in TOPICS_UNHEALED):
            return fight.rule(TOPICS_UNHEALED.get(held.name, held.feature.topic))
    return ""


TOPICS_UNHEALED: Final = {"swarm": "monster.trait-swarm-no-healing"}
"""Features with a separate rule on healing, which concerns temporary hit points as well."""


# --- Temporary hit points, the hit point maximum


def grant_temporary(fight: Fight, target: Combatant, amount: int, why: str, *cites: str) -> Steps[None]:
    """Give a combatant temporary hit points; one that has some keeps them or takes the new ones.

    They are no healing and do not wake it (srd52.damage.temp-hp-not-healing, srd52.damage.temp-hp-at-zero).
    """
    rule, had = fight.rule("damage.temp-hp-no-stack"), target.temporary
    if "dead" in target.conditions or amount <= 0:
        return
    if barred := why_unhealed(fight, target, temporary=True):
        yield RuleApplied(who=target.id, what="gains no temporary hit points", cites=(barred,))
        return
    if had:
        options = ("take", "keep") if amount > had else ("keep", "take")
        question = f"{target.id} has {had} temporary hit points: does it keep them or take {amount}?"
        if (yield Choice(target.id, "temporary", question, options, rule)) == "keep":
            return
    topics = ["damage.temp-hp-duration", *(["damage.temp-hp-at-zero"] if target.hp == 0 else [])]
    rules = (*cites, *fight.rules("damage.temp-hp-not-healing", *topics), *([rule] if had else []))
    yield set_hit_points(target, target.hp, why, *rules, temporary=amount)


def reduce_maximum(fight: Fight, target: Combatant, amount: int, why: str, *cites: str) -> Steps[None]:
    """Lower the hit point maximum, and hit points above it; a maximum of 0 kills."""
    left, deadly = max(0, target.max_hp - amount), fight.figure("damage.hp-maximum-zero", "max_hp")
    yield MaximumChanged(who=target.id, max_hp=left, why=why, cites=cites)
    if left and target.hp > left:
        yield set_hit_points(target, left, why, *cites, *fight.rules("damage.hit-points"))
    if left == deadly and "dead" not in target.conditions:
        yield from die(fight, target, why, *cites, fight.rule("damage.hp-maximum-zero"))


def lower_score(
    fight: Fight, target: Combatant, name: str, amount: int, why: str, fatal: bool, *cites: str
) -> Steps[None]:
    """Lower an ability score; one that reaches 0 kills if the effect says so, otherwise 1 is the least."""
    score, rule = score_now(target, name), fight.rule("test.ability-score-zero")
    if score is None or "dead" in target.conditions:
        return
    least = fight.figure("test.ability-scores", "min")
    left = max(0, score - amount)
    if left < least and not fatal:
        left, cites = least, (*cites, rule)
    if left == score:
        yield RuleApplied(who=target.id, what=f"keeps {SCORES[name]} {score}", cites=cites)
        return
    lost = target.losses.get(name, 0) + score - left
    yield AbilityChanged(who=target.id, ability=name, damage=lost, drain=0, score=left, why=why, cites=cites)
    if left < least:
        yield from die(fight, target, why, *cites, rule)


def refuse_losses(fight: Fight, act: acts.Enter) -> None:
    """Refuse an entry with lowered scores of abilities that there are not, or below the least."""
    least, rule = fight.figure("test.ability-scores", "min"), fight.rule("test.ability-score-zero")
    for name, amount in act.losses:
        score = score_of(act.sheet, name) if act.sheet is not None and name in SCORES else None
        if score is None or not 0 < amount <= score - least:
            raise Refusal(f"{act.id} cannot have lost {amount} of {name!r}", rule)


LOWERS: Final = re.compile(rf"({'|'.join(SCORES)}) (\d+d\d+(?:[+-]\d+)?|\d+)")
"""An ability, and what lowers its score."""


def roll_lowering(
    fight: Fight, target: Combatant, lowers: tuple[str, str], why: str, fatal: bool, *cites: str
) -> Steps[None]:
    """Roll by how much a score is lowered, and lower it."""
    name, notation = lowers
    rolled = yield Roll(target.id, "lowered-score", notation)
    rules = (*cites, *fight.rules("test.ability-modifier"))
    yield from lower_score(fight, target, name, rolled.total, why, fatal, *rules)


def restore_score(fight: Fight, target: Combatant, name: str, why: str, *cites: str) -> Steps[None]:
    """Return a lowered ability score to normal."""
    full = score_of(target.sheet, name) or 0
    yield AbilityChanged(who=target.id, ability=name, damage=0, drain=0, score=full, why=why, cites=cites)


def return_to_life(fight: Fight, target: Combatant, hp: int, why: str, *cites: str) -> Steps[None]:
    """Bring a dead combatant back with hit points; conditions remain, Exhaustion is a level lower."""
    rules = (*cites, fight.rule("damage.dead-return"))
    yield ConditionLost(who=target.id, condition="dead", why=why, cites=rules)
    yield from forgotten(target, JUST_DEAD, why, *rules)
    if levels_of(target):
        yield from recover_from(fight, target, -fight.figure("damage.dead-return", "exhaustion"), why, *rules)
    yield set_hit_points(target, min(hp, target.max_hp), why, *rules, temporary=0)
    yield from reset(fight, target)


class Boon(acts.Act, frozen=True, gc=False, tag="srd52.boon"):
    """Give a combatant hit points, temporary hit points or Heroic Inspiration, as game master.

    target: the combatant.
    healing: dice of hit points.
    temporary: dice of temporary hit points.
    inspiration: it gains Heroic Inspiration.
    revives: it returns to life, if it is dead.
    source: the reason.
    """

    declared_by = "game master"

    target: Name = ""
    healing: Name = ""
    temporary: Name = ""
    inspiration: bool = False
    revives: bool = False
    source: Name = "a boon"


def boon(fight: Fight, act: Boon) -> Steps[None]:
    """Heal a combatant, give it temporary hit points or Heroic Inspiration."""
    target = fight.combatant(act.target)
    if not (act.healing or act.temporary or act.inspiration):
        raise Refusal(
            "a boon needs healing, temporary hit points or inspiration", fight.rule("damage.healing")
        )
    if act.inspiration:
        if not fields_of(fight, target).character:
            raise Refusal(f"{target.id} is no player character", fight.rule("test.heroic-inspiration"))
        yield from test.inspire(fight, target)
    if act.revives:
        if "dead" not in target.conditions:
            raise Refusal(f"{target.id} is not dead", fight.rule("damage.dead-return"))
        rolled = yield Roll("", "healing", act.healing)
        yield from return_to_life(fight, target, rolled.total, act.source)
    elif act.healing:
        rolled = yield Roll("", "healing", act.healing)
        yield from heal(fight, target, rolled.total, act.source)
    if act.temporary:
        rolled = yield Roll("", "temporary", act.temporary)
        yield from grant_temporary(fight, target, rolled.total, act.source)


# --- The game master's word, and hazards


def fiat(fight: Fight, act: acts.Fiat) -> Steps[None]:
    """Set hit points, conditions or a place by the game master's word; Exhaustion is a level more."""
    target = fight.combatant(act.target)
    plain = replace(act, gains=tuple(name for name in act.gains if name != EXHAUSTION))
    tired = act.gains.count(EXHAUSTION)
    if not tired or plain != acts.Fiat(target=act.target, text=act.text):
        yield from kernel_fiat(fight, plain)
    for _ in range(tired):
        yield from tire(fight, target, act.text or "the game master's word")
    if "dead" in act.gains:
        yield from just_dead(fight, target)
    if "dead" in act.loses:
        yield from forgotten(target, JUST_DEAD, "it lives", fight.rule("fiat"))


class Hazard(acts.Act, frozen=True, gc=False, tag="srd52.hazard"):
    """Confront combatants with a danger of the surroundings, as game master.

    target: the combatant.
    targets: others that it strikes at the same time: its damage is rolled once for all.
    save: the ability of the saving throw ("dex"); empty for none.
    dc: the DC of the saving throw.
    willing: the targets do not resist.
    damage: its dice.
    damage_type: the type of its damage.
    half: a successful save halves the damage instead of preventing it.
    maximum: its damage also lowers the hit point maximum.
    lowers: an ability, and dice or the number by which its score is lowered on a failed save ("str 1d4").
    fatal: a score of 0 kills.
    condition: the condition caused by a failed save, or without a save.
    source: its name.
    """

    declared_by = "game master"

    target: Name = ""
    targets: Names = ()
    save: Name = ""
    dc: Number = 0
    willing: bool = False
    damage: Name = ""
    damage_type: Name = ""
    half: bool = False
    maximum: bool = False
    lowers: Name = ""
    fatal: bool = False
    condition: Name = ""
    source: Name = "a hazard"


def hazard(fight: Fight, act: Hazard) -> Steps[None]:
    """Deal damage of the surroundings, cause a condition or lower a score, with or without a saving throw."""
    targets = [fight.combatant(one) for one in dict.fromkeys((act.target, *act.targets))]
    if act.save and act.save not in SCORES:
        raise unknown_word("ability", act.save, SCORES, fight.rule("test.save-ability"))
    if act.condition and act.condition not in fight.dialect.kernel.conditions:
        known = fight.dialect.kernel.conditions
        raise unknown_word("condition", act.condition, known, fight.rule("conditions.list"))
    if act.damage_type and act.damage_type not in fight.figure("damage.types"):
        kinds = fight.figure("damage.types")
        raise unknown_word("damage type", act.damage_type, kinds, fight.rule("damage.types"))
    lowers = LOWERS.fullmatch(act.lowers)
    if act.lowers and lowers is None:
        reason = f"{act.lowers!r} is no ability and number, such as 'str 1d4'"
        raise Refusal(reason, fight.rule("test.ability-score-zero"))
    saved = set()
    for target in targets:
        cites = fight.rules("test.save-forced", "attacks.target-term")
        if act.save and (
            yield from test.save(
                fight,
                target,
                act.save,
                act.dc,
                against=frozenset({act.condition}),
                why=act.source,
                willing=act.willing,
                cites=cites,
            )
        ):
            saved.add(target.id)
    shares = {one.id: share_on_save(fight, one, act.save, one.id in saved, act.half) for one in targets}
    struck = [one for one in targets if shares[one.id] is not None] if act.damage else []
    if struck:
        by_save = ["damage.critical-only-attacks"] if act.save else []
        cites = fight.rules("damage.roll", "damage.types", *by_save)
        if len(targets) > 1:
            cites = (*cites, *fight.rules("damage.multi-target-roll"))
        dice = [Dice(act.damage, act.damage_type, act.source)]
        shared, rolled = fight.figure("damage.multi-target-roll", "rolls"), tuple[DamagePart, ...]()
        for number, target in enumerate(struck):
            rolled = rolled if number >= shared else (yield from roll_damage(fight, "", dice, False))
            share = shares[target.id] or Blow("", "")
            blow = replace(share, source=act.source)
            taken = yield from settle(fight, target, blow, rolled, cites=cites)
            if act.maximum and taken:
                yield from reduce_maximum(fight, target, taken, act.source, *cites)
    for target in targets:
        if act.condition and target.id not in saved:
            yield from gain(fight, target, act.condition, act.source)
        if lowers and target.id not in saved:
            yield from roll_lowering(fight, target, (lowers[1], lowers[2]), act.source, act.fatal)
