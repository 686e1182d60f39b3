"""Time between fights: what is over, what becomes of the fallen, what heals (woa.healing.*).

One declaration of the game master says how much time goes by; it is refused while enemies fight.
"""

from affray.engine.dialects.woa.conditions import fatigue, flight_from_fear
from affray.engine.dialects.woa.conditions.durations import a_minute, rounds_gone_by
from affray.engine.dialects.woa.damage import bleeding, blood_loss
from affray.engine.dialects.woa.damage.healing import natural_healing
from affray.engine.dialects.woa.damage.treatment import settle_untended
from affray.engine.dialects.woa.senses.blinded_deafened import USED_TO
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.damage.rest import HOURS_A_DAY, PASSING, expire_by_time, minutes_of, nights_and_days
from affray.engine.steps import Choice, Refusal, Steps, reciting
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import EncounterClosed, RuleApplied, TimePassed
from affray.projections.state import Combatant

#: Senses that somebody may learn to do without, by the topic that leaves it to the game master.
ADAPTED = {"blinded": "woa.condition.blinded.adaptation", "deafened": "woa.condition.deafened.adaptation"}


def cite_end(fight: Fight, act: acts.Close, closing: Steps[None]) -> Steps[None]:
    """End the encounter, however resolved (woa.flow.repeat-until-resolved)."""
    return reciting(closing, EncounterClosed, fight.rule("woa.flow.repeat-until-resolved"))


def end_combat(fight: Fight, act: acts.Act) -> Steps[None]:
    """Let what ends with a combat end: fear fades, the mildest wounds stop.

    woa.condition.fear.recovery, woa.bleeding.out-of-combat
    """
    for actor in list(fight.state.combatants.values()):
        if "dead" not in actor.conditions:
            if actor.conditions:
                yield from flight_from_fear.recover_from_fear(fight, actor)
            if actor.afflictions:
                yield from bleeding.stop_mildest_wounds(fight, actor)


def rest(fight: Fight, act: acts.Rest) -> Steps[None]:
    """Let time go by for everybody, in order of entry; only when nobody fights any more."""
    rule = fight.rule("woa.healing.night-rest")
    minutes = minutes_of(fight, act, rule, fight.rule("woa.healing.interruption"))
    if act.healer or act.care:
        reason = "a rest names no healer and no care: treatment is declared by itself (stabilize, treat)"
        raise Refusal(reason, fight.rule("woa.healing.assisted"))
    yield from end_combat(fight, act)
    yield TimePassed(minutes=minutes, what="rest", cites=fight.rules("woa.round.duration"))
    for actor in list(fight.state.combatants.values()):
        if "dead" not in actor.conditions:
            yield from pass_time(fight, actor, act, minutes)


def pass_time(fight: Fight, actor: Combatant, act: acts.Rest, minutes: int) -> Steps[None]:
    """Let time go by for one combatant: what is over, wounds, fate, weariness, hit points, lost senses."""
    yield from expire_by_time(
        fight, actor, rounds_gone_by(fight), PASSING, fight.rule("woa.round.effect-duration")
    )
    if actor.afflictions:
        yield from blood_loss.rest_with_wounds(fight, actor, minutes * a_minute(fight))
    yield from settle_untended(fight, actor)
    if "dead" in actor.conditions:
        return
    if actor.conditions:
        yield from fatigue.rest_from_weariness(fight, actor, act.hours)
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
    """Let the game master say whether somebody has learned to do without a sense, and which drawback ends."""
    rule = fight.rule(topic)
    question = f"{combatant.id} has been {sense} for long: has it grown used to that?"
    if (yield Choice("", f"adapt-{sense}", question, ("not yet", "grown used to it"), rule)) == "not yet":
        return
    used = f"{USED_TO} {sense}"
    yield ConditionGained(who=combatant.id, condition=used, source=sense, cites=(rule,))
