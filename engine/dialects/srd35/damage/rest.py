"""Time between fights: natural healing, waking up, what fades and what works on."""

from affray.engine.dialects.srd35.conditions import energy_drain
from affray.engine.dialects.srd35.conditions.ability_loss import regain_ability_points
from affray.engine.dialects.srd35.conditions.poison import heal_check, poison_again
from affray.engine.dialects.srd35.damage.fast_healing import close_wounds
from affray.engine.dialects.srd35.damage.injury import heal
from affray.engine.fight.fight import Fight
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.classes.levels import character_level
from affray.engine.rules.damage.hit_points import hit_points_set
from affray.engine.rules.damage.injury import bleed_out, is_awake_below_zero, lose_one, settle_health
from affray.engine.rules.damage.rest import (
    HOURS_A_DAY,
    MINUTES_AN_HOUR,
    PASSING,
    begin_rest,
    expire_by_time,
    nights_and_days,
)
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.sheet import SCORES
from affray.projections.state import Combatant


def rest(fight: Fight, act: acts.Rest) -> Steps[None]:
    """Let time go by for everybody, in order of entry; only when nobody fights any more."""
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
    """Say whether there is anything that care could help."""
    return combatant.hp < combatant.max_hp or any(combatant.losses.get(name) for name in SCORES)


def pass_time(
    fight: Fight, actor: Combatant, act: acts.Rest, minutes: int, *, tended: bool, cared: bool
) -> Steps[None]:
    """Let time go by for one combatant: what is over, what works on, what becomes of wounds, what heals."""
    now = fight.state.round + minutes * fight.figure("srd35.round.six-seconds", "rounds_per_minute")
    gone = (*PASSING, *(("rest",) if minutes >= MINUTES_AN_HOUR else ()))
    yield from expire_by_time(fight, actor, now, gone, fight.rule("srd35.round.duration-expiry"))
    for held in sorted(actor.afflictions, key=lambda one: one.minute):
        if held.minute <= fight.state.minutes and "dead" not in actor.conditions:
            if held.rider.kind == "poison":
                yield from poison_again(fight, actor, held)
            elif held.rider.kind == "energy drain":
                yield from energy_drain.save_against_level(fight, actor, held)
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
    """Let regeneration and fast healing work for as many rounds."""
    if combatant.sheet.regeneration:
        yield from close_wounds(fight, combatant, combatant.sheet.regeneration * rounds, 0, "regeneration")
    if combatant.sheet.fast_healing:
        points = combatant.sheet.fast_healing * rounds
        nonlethal = min(combatant.nonlethal, points)
        yield from close_wounds(fight, combatant, nonlethal, points - nonlethal, "fast-healing")


def hour_unconscious(fight: Fight, victim: Combatant, *, tended: bool) -> Steps[None]:
    """Let the stable wake, disabled, by 1 chance in 10; those whom nobody tends lose a hit point otherwise.

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
    """Let whoever woke alone begin to heal by 1 chance in 10 a day, or lose a hit point (.recover-alone)."""
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
    """Roll a percentage that stands in the catalogue and return whether it came up."""
    percent = fight.figure(topic, path)
    return (
        yield from percent_roll(
            combatant, name, percent, f"{percent}% to {name}", *fight.rules(topic, *topics)
        )
    )


def recover_in_hours(
    fight: Fight, actor: Combatant, act: acts.Rest, *, tended: bool, cared: bool
) -> Steps[None]:
    """Give back what the hours do: nonlethal damage, hit points, ability points, strength after fatigue."""
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
    """Let exhaustion become fatigue after an hour, and fatigue end after eight (srd35.cond.*)."""
    for worse, better in (("exhausted", "fatigued"), ("fatigued", "")):
        rule = fight.rules(f"cond.{worse}")
        if worse in combatant.conditions and hours >= fight.figure(f"cond.{worse}", "rest_hours"):
            yield ConditionLost(who=combatant.id, condition=worse, why=better or "rest", cites=rule)
            if better:
                yield ConditionGained(who=combatant.id, condition=better, source="rest", cites=rule)
                hours -= fight.figure(f"cond.{worse}", "rest_hours")
