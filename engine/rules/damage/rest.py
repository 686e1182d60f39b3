"""Time between fights: natural healing, waking up, what fades and what works on.

srd35.heal.*, srd35.injury.recover-*, srd35.nonlethal.healing. One declaration of the game master says how
much time goes by; it is refused while enemies fight.
"""

from collections.abc import Sequence

from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.condition_rules import is_decided, refuse_down
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost, EffectEnded
from affray.events.facts.flow import TimePassed
from affray.projections.state import Combatant

MINUTES_AN_HOUR = 60
HOURS_A_DAY = 24
LONGEST_HOURS = 10_000
#: Until when what lasts some rounds lasts.
PASSING = ("turn-start", "turn-end", "round-end")


def minutes_of(fight: Fight, act: acts.Rest, rule: str, in_peace: str) -> int:
    """Return how many minutes a rest lasts. Refuses one of no length, and one amid the fight (`in_peace`)."""
    minutes = act.hours * MINUTES_AN_HOUR + act.minutes
    if not 0 < minutes <= LONGEST_HOURS * MINUTES_AN_HOUR or act.hours < 0 or act.minutes < 0:
        raise Refusal(f"a rest lasts from a minute to {LONGEST_HOURS} hours", rule)
    if fight.state.closed:
        raise Refusal("the encounter is over", fight.rule("encounter.closed"))
    if fight.state.begun and not is_decided(fight):
        raise Refusal("there is no rest while enemies fight", in_peace)
    return minutes


def begin_rest(fight: Fight, act: acts.Rest, rule: str) -> Steps[tuple[int, Combatant | None]]:
    """Let the minutes of a rest go by; return them, and who tends the others, None if nobody does."""
    minutes = minutes_of(fight, act, rule, rule)
    healer = fight.combatant(act.healer) if act.healer else None
    if healer is not None:
        refuse_down(fight, healer, "tend the others")
    yield TimePassed(minutes=minutes, what="rest", cites=(rule,))
    return minutes, healer


def expire_by_time(
    fight: Fight, combatant: Combatant, now: int, gone: Sequence[str], rule: str
) -> Steps[None]:
    """End what lasts until a time of the `gone` kinds that is over in the round `now`."""
    for name, held in list(combatant.conditions.items()):
        if held.until.when in gone and held.until.round <= now:
            yield ConditionLost(who=combatant.id, condition=name, why="its time is over", cites=(rule,))
    for effect in combatant.effects:
        if effect.until.when in gone and effect.until.round <= now:
            yield EffectEnded(who=combatant.id, id=effect.id, why="its time is over", cites=(rule,))
            yield from fight.dialect.damage.effect_over(fight, combatant, effect)


def nights_and_days(act: acts.Rest, night: int) -> tuple[int, int]:
    """Return how many nights of so many hours, and how many whole days in bed, a rest comes to."""
    days, rest_of = divmod(act.hours, HOURS_A_DAY)
    nights = 1 if rest_of >= night else 0
    return (nights, days) if act.bed else (nights + days, 0)
