"""Time between fights: who wakes, what heals, what works on.

pf1.heal.natural, pf1.injury.recover-tended, pf1.injury.recover-alone, pf1.nonlethal.heal.
"""

from affray.engine.dialects.pf1.conditions.ability_loss import regain_ability_points
from affray.engine.dialects.pf1.conditions.bleed import BLEED
from affray.engine.dialects.pf1.conditions.negative_levels import save_each_day
from affray.engine.dialects.pf1.conditions.poison import POISON, poison_again
from affray.engine.dialects.pf1.damage.heal_skill import TREATED, can_be_treated, treat_deadly_wounds
from affray.engine.dialects.pf1.damage.healing import heal_in_rounds
from affray.engine.dialects.pf1.damage.injury import resists_death
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.levels import character_level
from affray.engine.rules.conditions.condition_rules import brings_about
from affray.engine.rules.damage.hit_points import hit_points_set
from affray.engine.rules.damage.injury import is_awake_below_zero, settle_health
from affray.engine.rules.damage.rest import (
    MINUTES_AN_HOUR,
    PASSING,
    begin_rest,
    expire_by_time,
    nights_and_days,
)
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import AfflictionEnded, ConditionGained, ConditionLost
from affray.events.facts.sheet import SCORES
from affray.projections.state import Combatant

#: The level of one that is awake below 0 hit points: still losing, or healing by itself.
AWAKE, HEALING = 1, 2


def rest(fight: Fight, act: acts.Rest) -> Steps[None]:
    """Let time go by for everybody, in order of entry; only when nobody fights any more.

    A healer who cares treats one patient's wounds an hour (pf1.heal.natural, pf1.skill.heal).
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
    """Let time go by for one combatant: what is over, what becomes of wounds, who wakes, what heals."""
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
        yield from brings_about(fight, actor, "each_turn")
        rounds -= 1
    for _ in range(act.hours):
        if "stable" in actor.conditions and "dead" not in actor.conditions:
            yield from hour_unconscious(fight, actor, tended=tended)
    if "dead" not in actor.conditions:
        yield from recover_in_hours(fight, actor, act, tended=tended)


def works_on(actor: Combatant) -> bool:
    """Say whether anything works on in a combatant round by round."""
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
    """Take the hit point off that a failed check costs whom nobody tends (pf1.injury.recover-alone)."""
    topic = "pf1.injury.recover-alone"
    why = "nobody tends the wounds"
    yield hit_points_set(victim, victim.hp + fight.figure(topic, "failure"), why, fight.rule(topic))
    yield from settle_health(fight, victim, why)


def heals_alone(fight: Fight, combatant: Combatant) -> Steps[bool]:
    """Say whether one below 0 hit points heals by itself already; if it is awake, its daily check may decide.

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
    """Give back what the hours do: nonlethal damage, hit points, strength after fatigue."""
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
    if "dead" in actor.conditions:  # of a failed check, just now
        return
    nightly = fight.figure("pf1.heal.natural", "ability") * nights
    daily = fight.figure("pf1.heal.natural", "bed_ability") * days
    for name in SCORES:
        cites = fight.rules("pf1.heal.natural")
        yield from regain_ability_points(fight, actor, name, nightly + daily, "rest", *cites)
    yield from recover_from_exhaustion(fight, actor, act.hours)


def nonlethal_an_hour(fight: Fight) -> int:
    """Return the nonlethal damage that goes in an hour for each level (pf1.nonlethal.heal)."""
    return int(str(fight.figure("pf1.nonlethal.heal", "per_hour")).partition("/")[0])


def recover_from_exhaustion(fight: Fight, combatant: Combatant, hours: int) -> Steps[None]:
    """Let exhaustion become fatigue after an hour, and fatigue end after eight more.

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
