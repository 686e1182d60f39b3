"""Time between fights: what is over, what becomes of the fallen, what heals (woa.healing.*).

One declaration of the game master says how much time goes by; it is refused while enemies fight.
"""

from affray.engine.dialects.woa.citing import reciting
from affray.engine.dialects.woa.harm import bleeding, fear, weariness
from affray.engine.dialects.woa.harm.healing import natural
from affray.engine.dialects.woa.harm.treatment import untended
from affray.engine.dialects.woa.place.sight import USED_TO
from affray.engine.dialects.woa.turns.lasting import a_minute, clock
from affray.engine.fight import Fight
from affray.engine.rules import flow
from affray.engine.rules.conditions import is_down
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectEnded
from affray.events.facts.flow import EncounterClosed, RuleApplied, TimePassed
from affray.projections.state import Combatant

MINUTES_AN_HOUR = 60
HOURS_A_DAY = 24
LONGEST_HOURS = 10_000
PASSING = ("turn-start", "turn-end", "round-end")
#: Senses that somebody may learn to do without, by the topic that leaves it to the game master.
ADAPTED = {"blinded": "condition.blinded.adaptation", "deafened": "condition.deafened.adaptation"}


def close(fight: Fight, act: acts.Close) -> Steps[None]:
    """End the encounter, however resolved: fear fades, the mildest wounds stop, the dice are revealed.

    woa.flow.repeat-until-resolved
    """
    if not act.actor and fight.state.begun and not fight.state.closed:
        yield from aftermath(fight)
    yield from reciting(flow.close(fight, act), EncounterClosed, fight.rule("flow.repeat-until-resolved"))


def aftermath(fight: Fight) -> Steps[None]:
    """Let what ends with a combat end (woa.condition.fear.recovery, woa.bleeding.out-of-combat)."""
    for who in list(fight.state.combatants.values()):
        if "dead" not in who.conditions:
            if who.conditions:
                yield from fear.encounter_ends(fight, who)
            if who.afflictions:
                yield from bleeding.combat_ends(fight, who)


def rest(fight: Fight, act: acts.Rest) -> Steps[None]:
    """Let time go by for everybody, in order of entry; only when nobody fights any more."""
    rule = fight.rule("healing.night-rest")
    minutes = act.hours * MINUTES_AN_HOUR + act.minutes
    if act.actor:
        raise Refusal("only the game master lets time pass", rule)
    if not 0 < minutes <= LONGEST_HOURS * MINUTES_AN_HOUR or act.hours < 0 or act.minutes < 0:
        raise Refusal(f"a rest lasts from a minute to {LONGEST_HOURS} hours", rule)
    if fight.state.closed:
        raise Refusal("the encounter is over", fight.rule("encounter.closed"))
    if fight.state.begun and not flow.over(fight):
        raise Refusal("nobody rests while enemies fight", fight.rule("healing.interruption"))
    if act.healer or act.care:
        raise Refusal("treatment is declared by itself", fight.rule("healing.assisted"))
    yield from aftermath(fight)
    yield TimePassed(minutes=minutes, what="rest", cites=fight.rules("round.duration"))
    for who in list(fight.state.combatants.values()):
        if "dead" not in who.conditions:
            yield from pass_time(fight, who, act, minutes)


def pass_time(fight: Fight, who: Combatant, act: acts.Rest, minutes: int) -> Steps[None]:
    """Let time go by for one combatant: what is over, wounds, fate, weariness, hit points, lost senses."""
    yield from outlast(fight, who)
    if who.afflictions:
        yield from bleeding.rests(fight, who, minutes * a_minute(fight))
    yield from untended(fight, who)
    if "dead" in who.conditions:
        return
    if who.conditions:
        yield from weariness.rests(fight, who, act.hours)
    nights, days = spans(fight, act)
    if not nights + days:
        return
    if act.interrupted:
        cites = fight.rules("healing.interruption")
        yield RuleApplied(who=who.id, what=f"heals nothing: {act.interrupted}", cites=cites)
    elif "unconscious" not in who.conditions or "treated" in who.conditions:
        yield from natural(fight, who, nights, days)
    if act.hours >= HOURS_A_DAY and not is_down(fight, who):
        for sense, topic in ADAPTED.items():
            if sense in who.conditions:
                yield from adapt(fight, who, sense, topic)


def outlast(fight: Fight, who: Combatant) -> Steps[None]:
    """End what lasts some rounds and has lasted them."""
    rule = fight.rule("round.effect-duration")
    now = clock(fight)
    for name, held in list(who.conditions.items()):
        if held.until.when in PASSING and held.until.round <= now:
            yield ConditionLost(who=who.id, condition=name, why="its time is over", cites=(rule,))
    for effect in who.effects:
        if effect.until.when in PASSING and effect.until.round <= now:
            yield EffectEnded(who=who.id, id=effect.id, why="its time is over", cites=(rule,))


def spans(fight: Fight, act: acts.Rest) -> tuple[int, int]:
    """Return the nights of rest and the whole days in bed that the hours hold."""
    days, rest_of = divmod(act.hours, HOURS_A_DAY)
    nights = 1 if rest_of >= fight.figure("healing.night-rest", "rest_hours") else 0
    return (nights, days) if act.bed else (nights + days, 0)


def adapt(fight: Fight, who: Combatant, sense: str, topic: str) -> Steps[None]:
    """Let the game master say whether somebody has learned to do without a sense, and which drawback ends."""
    rule = fight.rule(topic)
    question = f"{who.id} has been {sense} for long: has it grown used to that?"
    if (yield Choice("", f"adapt-{sense}", question, ("not yet", "grown used to it"), rule)) == "not yet":
        return
    used = f"{USED_TO} {sense}"
    yield ConditionGained(who=who.id, condition=used, source=sense, cites=(rule,))
