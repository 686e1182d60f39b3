"""Treatment: what becomes of the unconscious is settled when somebody helps them (woa.knocked-out.*)."""

from affray.engine.dialects.woa.classes.saves import saving_throw
from affray.engine.dialects.woa.conditions.durations import a_minute, rounds_gone_by
from affray.engine.dialects.woa.conditions.fatigue import wake_enervated
from affray.engine.dialects.woa.conditions.gained_conditions import PASSED_OUT
from affray.engine.dialects.woa.damage.fallen import SPENT, SUBDUED, TREATED, die, hit_points_as_modifier
from affray.engine.fight.fight import Fight
from affray.engine.rules.position.place import refuse_apart
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

MINUTES = {"round": 0, "minute": 1, "minutes": 1, "hour": 60, "hours": 60, "day": 1440, "days": 1440}


def rounds_out(fight: Fight, combatant: Combatant) -> int:
    """Return the rounds since consciousness was lost."""
    return rounds_gone_by(fight) - combatant.conditions["unconscious"].level


def rule_of_timing(fight: Fight, rounds: int) -> Modifier:
    """Return what the time until treatment means (woa.knocked-out.mod-timing)."""
    topic = "woa.knocked-out.mod-timing"
    rows = fight.figure(topic, "rows")
    row = next(one for one in rows if is_within_span(fight, rounds, one["treated_within"]))
    source = f"treated within {row['treated_within']}"
    return Modifier(row["modifier"], "timing", source, fight.rule(topic))


def is_within_span(fight: Fight, rounds: int, words: str) -> bool:
    """Say whether so many rounds lie within a span such as "10 minutes", or beyond "more than 1 day"."""
    number, unit = words.split()[-2:]
    most = int(number) * (MINUTES[unit] * a_minute(fight) if MINUTES[unit] else 1)
    return rounds <= most if words[0].isdigit() else rounds > most


def treat(
    fight: Fight,
    combatant: Combatant,
    treatment: Modifier | None,
    time: Modifier,
    *cites: str,
    heals: bool = False,
) -> Steps[bool]:
    """Settle the fate of somebody unconscious by the condition save (woa.knocked-out.*).

    `treatment` is what the treatment gives, None without any; `heals` says that hit points follow. Returns
    whether the patient lives.
    """
    subdued = SUBDUED in combatant.conditions
    extra = (
        *hit_points_as_modifier(fight, combatant, subdued),
        *((treatment,) if treatment is not None else ()),
        time,
    )
    ids = fight.rules("woa.knocked-out.save", "woa.knocked-out.mod-hp")
    dc = fight.figure("woa.knocked-out.save", "dc")
    saved = yield from saving_throw(
        fight, combatant, "fort", dc, "death", *ids, *cites, extra=extra, naturals=False
    )
    if not saved.success:
        more = fight.rules("woa.nonlethal.can-kill") if subdued else ()
        yield from die(fight, combatant, "died of its wounds", fight.rule("woa.knocked-out.failure"), *more)
        return False
    rule = fight.rule("woa.knocked-out.success")
    yield RuleApplied(who=combatant.id, what="lives", cites=(rule,))
    yield ConditionGained(who=combatant.id, condition=TREATED, source="treatment", cites=(rule,))
    if not heals:
        reading = fight.option("heal_only_success")
        if reading == "awake":
            yield from wake(fight, combatant, f"treated (heal_only_success: {reading})", rule)
    return True


def wake(fight: Fight, combatant: Combatant, why: str, *cites: str) -> Steps[None]:
    """Let somebody wake: staggered as long as no hit points are left."""
    for name in ("unconscious", TREATED, SUBDUED):
        if name in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=name, why=why, cites=cites)
    if combatant.hp <= 0 and "staggered" not in combatant.conditions:
        cites = fight.rules("woa.zero-hp.success")
        yield ConditionGained(who=combatant.id, condition="staggered", source=SPENT, cites=cites)


def refuse_patient(combatant: Combatant, target: Combatant, rule: str) -> None:
    """Refuse to treat somebody who is not unconscious, whose fate is known, or out of reach."""
    if "unconscious" not in target.conditions:
        raise Refusal(f"{target.id} is not unconscious", rule)
    if TREATED in target.conditions:
        raise Refusal(f"{target.id} has been treated already and is known to live", rule)
    refuse_apart(combatant, target, rule)


def settle_untended(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Settle the fate of whoever nobody has treated, when the time for it has come.

    An hour after a nonlethal knock-out, else after a day (woa.nonlethal.unaided-recovery,
    woa.knocked-out.untreated; option `nonlethal_recovery`).
    """
    if "unconscious" not in combatant.conditions or TREATED in combatant.conditions:
        return
    out = rounds_out(fight, combatant)
    hour = MINUTES["hour"] * a_minute(fight)
    if SUBDUED in combatant.conditions:
        topic = "woa.nonlethal.unaided-recovery"
        if out < fight.figure(topic, "after_hours") * hour:
            return
        reading = fight.option("nonlethal_recovery")
        source = f"unaided (nonlethal_recovery: {reading})"
        time = fight.modifier(topic, "timing_modifier", kind="timing", source=source)
        if reading == "timing-list":
            time = rule_of_timing(fight, fight.figure(topic, "after_hours") * hour)
        yield from treat(fight, combatant, None, time, fight.rule(topic))
        return
    topic = "woa.knocked-out.untreated"
    if out < fight.figure(topic, "after_hours") * hour:
        return
    none = fight.modifier(
        "woa.knocked-out.mod-treatment", "untreated_after_24h", kind="treatment", source="untreated"
    )
    # The day is over: the time is the longest of the list.
    yield from treat(fight, combatant, none, rule_of_timing(fight, out + 1), fight.rule(topic))


def rouse(fight: Fight, act: acts.Rouse) -> Steps[None]:
    """Shake somebody awake: who was knocked out by nonlethal damage, or who passed out from fatigue.

    woa.nonlethal.rousing, woa.condition.enervated.roused
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("woa.nonlethal.rousing")
    refuse_unless_allowed(fight, actor, "standard")
    if PASSED_OUT in target.conditions:
        rule = fight.rule("woa.condition.enervated.roused")
        refuse_apart(actor, target, rule)
        yield spending(fight, actor, "standard", "rouse", rule)
        yield from wake_enervated(fight, target)
        return
    refuse_patient(actor, target, rule)
    if SUBDUED not in target.conditions:
        raise Refusal(f"{target.id} was not knocked out by nonlethal damage", rule)
    yield spending(fight, actor, "standard", "rouse", rule)
    shaken = fight.modifier("woa.nonlethal.rousing", "treatment_modifier", kind="treatment", source="roused")
    if (
        yield from treat(
            fight, target, shaken, rule_of_timing(fight, rounds_out(fight, target)), rule, heals=True
        )
    ):
        yield from wake(fight, target, f"roused by {actor.id}", rule)
