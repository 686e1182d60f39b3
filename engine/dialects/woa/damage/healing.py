"""Implement healing: treatment of the unconscious, magic, rest, and the time between fights.

woa.healing.*
"""

from collections.abc import Collection

from affray.engine.dialects.woa.classes.abilities import saving_throw
from affray.engine.dialects.woa.conditions import conditions, impediments
from affray.engine.dialects.woa.conditions.conditions import (
    PASSED_OUT,
    a_minute,
    get_rounds_passed,
    wake_enervated,
)
from affray.engine.dialects.woa.damage import injury
from affray.engine.dialects.woa.damage.fallen import (
    SPENT,
    SUBDUED,
    TREATED,
    die,
    hit_points_as_modifier,
    holds_on,
)
from affray.engine.dialects.woa.damage.injury import drop_to_zero, start_hurt
from affray.engine.dialects.woa.senses.concealment import USED_TO
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.places import refuse_apart
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.abilities import ability_now
from affray.engine.rules.damage.injury import BY_WORD, hit_points_set
from affray.engine.rules.damage.recovery_and_riders import (
    HOURS_A_DAY,
    PASSING,
    expire_by_time,
    minutes_of,
    nights_and_days,
)
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Roll, Steps, reciting
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import EncounterClosed, RuleApplied, TimePassed
from affray.events.facts.sheet import Modifier, Spell
from affray.projections.state import Combatant

# --- Treatment: settling the fate of the unconscious (woa.knocked-out.*)

MINUTES = {"round": 0, "minute": 1, "minutes": 1, "hour": 60, "hours": 60, "day": 1440, "days": 1440}


def rounds_out(fight: Fight, combatant: Combatant) -> int:
    """Return the number of rounds since a combatant lost consciousness."""
    return get_rounds_passed(fight) - combatant.conditions["unconscious"].level


def rule_of_timing(fight: Fight, rounds: int) -> Modifier:
    """Return the modifier for the time until treatment (woa.knocked-out.mod-timing)."""
    topic = "woa.knocked-out.mod-timing"
    rows = fight.figure(topic, "rows")
    row = next(one for one in rows if is_within_span(fight, rounds, one["treated_within"]))
    source = f"treated within {row['treated_within']}"
    return Modifier(row["modifier"], "timing", source, fight.rule(topic))


def is_within_span(fight: Fight, rounds: int, words: str) -> bool:
    """Return whether `rounds` rounds are within a span such as "10 minutes", or beyond "more than 1 day"."""
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
    """Settle the fate of an unconscious combatant by the condition save (woa.knocked-out.*).

    `treatment` is the modifier of the treatment, None without any; `heals` is set if hit points follow.
    Return whether the patient lives.
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


def no_sure_faces(fight: Fight, purpose: str, cites: Collection[str]) -> tuple[int, int]:
    """Return that no face always fails or succeeds (woa.knocked-out.no-auto-fail)."""
    return 0, 0


def wake(fight: Fight, combatant: Combatant, why: str, *cites: str) -> Steps[None]:
    """Wake a combatant; it is staggered as long as it has no hit points."""
    for name in ("unconscious", TREATED, SUBDUED):
        if name in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=name, why=why, cites=cites)
    if combatant.hp <= 0 and "staggered" not in combatant.conditions:
        cites = fight.rules("woa.zero-hp.success")
        yield ConditionGained(who=combatant.id, condition="staggered", source=SPENT, cites=cites)


def refuse_patient(combatant: Combatant, target: Combatant, rule: str) -> None:
    """Refuse to treat a target that is not unconscious, already treated, or out of reach."""
    if "unconscious" not in target.conditions:
        raise Refusal(f"{target.id} is not unconscious", rule)
    if TREATED in target.conditions:
        raise Refusal(f"{target.id} has been treated already and is known to live", rule)
    refuse_apart(combatant, target, rule)


def settle_untreated(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Settle the fate of an untreated combatant when its time has come.

    This is an hour after a nonlethal knock-out, otherwise a day (woa.nonlethal.unaided-recovery,
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
    # After the day, the longest time of the list applies.
    yield from treat(fight, combatant, none, rule_of_timing(fight, out + 1), fight.rule(topic))


def rouse(fight: Fight, act: acts.Rouse) -> Steps[None]:
    """Shake a combatant awake that was knocked out by nonlethal damage or passed out from fatigue.

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


def heal(fight: Fight, victim: Combatant, points: int, source: str, *cites: str) -> Steps[None]:
    """Restore hit points up to the full total; above 0 the unconscious wake.

    Injuries stay: they are tracked apart from hit points (woa.healing.cap,
    woa.knocked-out.regain-consciousness, woa.injury.specific-vs-abstract).
    """
    gained = min(points, victim.max_hp - victim.hp)
    cites = (*cites, *fight.rules("woa.healing.sources", "woa.hp.current"))
    if gained < points:
        cites = (*cites, *fight.rules("woa.healing.cap", "woa.hp.total"))
    if victim.injuries:
        cites = (*cites, fight.rule("woa.injury.specific-vs-abstract"))
    if gained <= 0:
        yield RuleApplied(who=victim.id, what=f"{source}: nothing to heal", cites=cites)
        return
    before = victim.hp
    yield hit_points_set(victim, victim.hp + gained, source, *cites)
    yield from recover(fight, victim, before)


def settle(fight: Fight, target: Combatant, before: int) -> Steps[None]:
    """Resolve hit points set by the game master: a save at 0 or less, waking above it.

    This is not a hit: there is no random injury and no staggering blow (woa.zero-hp.save,
    woa.knocked-out.regain-consciousness).
    """
    if "dead" in target.conditions:
        return
    if target.hp > 0:
        yield from recover(fight, target, before)
    elif before > 0:
        yield from drop_to_zero(fight, target, Harm(target, 0, "", BY_WORD))
    else:
        yield from start_hurt(fight, target)


def refuse_no_state(fight: Fight, target: Combatant, hp: int, state: str, *, ends: bool) -> None:
    """Refuse nothing: hit points alone never require a state in these rules.

    woa.knocked-out.undetermined
    """


def recover(fight: Fight, victim: Combatant, before: int) -> Steps[None]:
    """Wake and steady a combatant that has hit points again and had none `before`."""
    if victim.hp <= 0 or before > 0:
        return
    rule = fight.rule("woa.knocked-out.regain-consciousness")
    if "unconscious" in victim.conditions:
        yield from wake(fight, victim, "above 0 hit points", rule)
    if holds_on(victim):
        cites = fight.rules("woa.zero-hp.repeat")
        yield ConditionLost(who=victim.id, condition="staggered", why="above 0 hit points", cites=cites)


def heal_by_spell(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
) -> Steps[None]:
    """Restore the hit points that a spell heals, whether or not its target saved."""
    healed = yield Roll(caster.id, "healing", spell.healing)
    yield from cure(fight, target, healed.total, spell.level, spell.name)


def cure(fight: Fight, victim: Combatant, points: int, level: int, source: str) -> Steps[None]:
    """Heal by magic of a level: the fate of the unconscious first, then hit points, then wounds.

    woa.healing.magical, woa.knocked-out.mod-treatment, woa.bleeding.magical-healing
    """
    if "unconscious" in victim.conditions and TREATED not in victim.conditions:
        topic = "woa.knocked-out.mod-treatment"
        per = int(str(fight.figure(topic, "magic")).split()[0])
        treatment = Modifier(per * level, "treatment", source, fight.rule(topic))
        time = rule_of_timing(fight, rounds_out(fight, victim))
        if not (yield from treat(fight, victim, treatment, time, heals=True)):
            return
    yield from heal(fight, victim, points, source, fight.rule("woa.healing.magical"))
    yield from injury.heal_wounds(fight, victim, level, source)


def natural_healing(fight: Fight, combatant: Combatant, nights: int, days: int) -> Steps[None]:
    """Heal for nights of rest and whole days in bed, one after the other (woa.healing.night-rest).

    A night heals the lesser of one hit die for each point of Constitution bonus and one for each two levels,
    at least one; with 0 hit points or less the bonus itself (.night-rest-zero); a day in bed heals twice
    (.bed-rest).
    """
    for count, times, more in ((nights, 1, ()), (days, 0, fight.rules("woa.healing.bed-rest"))):
        for _ in range(count):
            again = times or fight.figure("woa.healing.bed-rest", "multiplier")
            for _ in range(again):
                if combatant.hp < combatant.max_hp and "dead" not in combatant.conditions:
                    yield from one_night(fight, combatant, *more)


def one_night(fight: Fight, combatant: Combatant, *cites: str) -> Steps[None]:
    """Heal for one night."""
    bonus = ability_now(fight, combatant, "con")
    if combatant.hp <= 0:
        topic = "woa.healing.night-rest-zero"
        points = max(fight.figure(topic, "least"), bonus)
        yield from heal(fight, combatant, points, "a night's rest", fight.rule(topic), *cites)
        return
    topic = "woa.healing.night-rest"
    least, per = fight.figure(topic, "least_dice"), fight.figure(topic, "levels_per_die")
    level = combatant.sheet.hit_dice
    half = -(-level // per) if fight.option("halves_round") == "up" else level // per
    count = min(max(least, bonus), max(least, half))
    die = hit_die(fight, combatant)
    if die is None:
        what = f"a night's rest heals {counted(count, 'hit die', 'hit dice')}, not printed"
        yield RuleApplied(who=combatant.id, what=what, cites=(fight.rule(topic), *cites))
        return
    rolled = yield Roll(combatant.id, "night", f"{count}d{die}")
    rules = fight.rules(topic, "woa.hp.derivation")
    yield from heal(fight, combatant, rolled.total, "a night's rest", *rules, *cites)


def hit_die(fight: Fight, combatant: Combatant) -> int | None:
    """Return the sides of a creature's hit die: of its highest class, or a monster's.

    None if the table of classes is left to the game master (woa.hp.derivation).
    """
    topic = "woa.hp.derivation"
    classes = sorted(combatant.sheet.classes, key=lambda name: -combatant.sheet.classes[name])
    rows = {row["name"] for row in fight.figure(topic)}
    name = next((one for one in classes if one in rows), "monster")
    found = cell(fight, topic, f"name={name}", "die")
    return None if found is None else int(found.value)


# --- Time between fights: what ends, the fate of the fallen, and healing (woa.healing.*)
# The game master declares how much time passes; it is refused while enemies fight.

#: Senses that a combatant may learn to do without, by the topic that leaves it to the game master.
ADAPTED = {"blinded": "woa.condition.blinded.adaptation", "deafened": "woa.condition.deafened.adaptation"}


def cite_end_of_encounter(fight: Fight, act: acts.Close, closing: Steps[None]) -> Steps[None]:
    """End the encounter, however resolved (woa.flow.repeat-until-resolved)."""
    return reciting(closing, EncounterClosed, fight.rule("woa.flow.repeat-until-resolved"))


def end_combat(fight: Fight, act: acts.Act) -> Steps[None]:
    """End what ends with combat: fear fades, the mildest wounds stop.

    woa.condition.fear.recovery, woa.bleeding.out-of-combat
    """
    for actor in list(fight.state.combatants.values()):
        if "dead" not in actor.conditions:
            if actor.conditions:
                yield from impediments.recover_from_fear(fight, actor)
            if actor.afflictions:
                yield from injury.stop_mildest_wounds(fight, actor)


def rest(fight: Fight, act: acts.Rest) -> Steps[None]:
    """Let time pass for all combatants, in order of entry; refused during a fight."""
    rule = fight.rule("woa.healing.night-rest")
    minutes = minutes_of(fight, act, rule, fight.rule("woa.healing.interruption"))
    if act.healer or act.care:
        reason = "a rest names no healer and no care: declare treatment separately (stabilize, treat)"
        raise Refusal(reason, fight.rule("woa.healing.assisted"))
    yield from end_combat(fight, act)
    yield TimePassed(minutes=minutes, what="rest", cites=fight.rules("woa.round.duration"))
    for actor in list(fight.state.combatants.values()):
        if "dead" not in actor.conditions:
            yield from pass_time(fight, actor, act, minutes)


def pass_time(fight: Fight, actor: Combatant, act: acts.Rest, minutes: int) -> Steps[None]:
    """Let time pass for one combatant: durations, wounds, fate, weariness, hit points, lost senses."""
    yield from expire_by_time(
        fight, actor, get_rounds_passed(fight), PASSING, fight.rule("woa.round.effect-duration")
    )
    if actor.afflictions:
        yield from injury.rest_with_wounds(fight, actor, minutes * a_minute(fight))
    yield from settle_untreated(fight, actor)
    if "dead" in actor.conditions:
        return
    if actor.conditions:
        yield from conditions.rest_from_weariness(fight, actor, act.hours)
    nights, days = nights_and_days(act, fight.figure("woa.healing.night-rest", "rest_hours"))
    if not nights + days:
        return
    if act.interrupted:
        cites = fight.rules("woa.healing.interruption")
        yield RuleApplied(who=actor.id, what=f"heals nothing: {act.interrupted}", cites=cites)
    elif "unconscious" not in actor.conditions or "treated" in actor.conditions:
        yield from natural_healing(fight, actor, nights, days)
    if act.hours >= HOURS_A_DAY and not is_down(fight, actor):
        for sense, topic in ADAPTED.items():
            if sense in actor.conditions:
                yield from adapt_to_lost_sense(fight, actor, sense, topic)


def adapt_to_lost_sense(fight: Fight, combatant: Combatant, sense: str, topic: str) -> Steps[None]:
    """Let the game master decide whether a combatant has learned to do without a sense."""
    rule = fight.rule(topic)
    question = f"{combatant.id} has been {sense} for long: has it grown used to that?"
    if (yield Choice("", f"adapt-{sense}", question, ("not yet", "grown used to it"), rule)) == "not yet":
        return
    used = f"{USED_TO} {sense}"
    yield ConditionGained(who=combatant.id, condition=used, source=sense, cites=(rule,))
