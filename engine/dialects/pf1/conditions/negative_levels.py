"""Negative levels: what they cost, when they kill, and how they go (pf1.negative-levels)."""

from affray.engine.dialects.pf1.conditions.ability_loss import (
    DRAINED,
    hit_point_adjustment,
    readjust_hit_points,
)
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.damage.injury import change_health
from affray.engine.steps import Steps
from affray.events.facts.combat import AfflictionEnded, AfflictionHeld, ConditionGained, ConditionLost
from affray.events.facts.sheet_parts import Rider
from affray.projections.state import Affliction, Combatant

TOPIC = "pf1.negative-levels"
LEVEL = "negative level"
MINUTES_A_DAY = 24 * 60


def negative_levels(
    fight: Fight, combatant: Combatant, levels: int, source: str, dc: int = 0, by: str = ""
) -> Steps[None]:
    """Give negative levels: penalties and 5 hit points each; as many as Hit Dice kill.

    With a `dc` each can be shaken off by a new save every day (pf1.negative-levels,
    pf1.cond.energy-drained).
    """
    held = combatant.conditions.get(DRAINED)
    now = levels + (held.level if held is not None else 0)
    before = hit_point_adjustment(fight, combatant)
    cites = fight.rules("pf1.cond.energy-drained", TOPIC)
    yield ConditionGained(who=combatant.id, condition=DRAINED, source=source, level=now, cites=cites)
    for _ in range(levels if dc else 0):
        yield AfflictionHeld(
            who=combatant.id,
            id=fight.key(combatant.id, "negative-level"),
            rider=Rider(LEVEL, "energy drain", "contact", "fort"),
            by=by or source,
            dc=dc,
            minute=fight.state.minutes + MINUTES_A_DAY,
            cites=fight.rules(TOPIC),
        )
    if now >= max(1, combatant.sheet.hit_dice) and not fight.dialect.damage.undying(fight, combatant):
        yield from change_health(fight, combatant, "dead", source, "pf1.cond.energy-drained")
    else:
        yield from readjust_hit_points(fight, combatant, before, source, fight.rule(TOPIC))


def drain_one_or_more(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give the negative levels that a condition of that name stands for: its level, at least one."""
    return negative_levels(fight, fight.combatant(fact.who), max(1, fact.level), fact.source)


def save_each_day(fight: Fight, combatant: Combatant, level: Affliction) -> Steps[None]:
    """Save against a negative level for every day that has passed, until it is gone (pf1.negative-levels)."""
    rule = fight.rule(TOPIC)
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
    """Take one negative level away, and give back the hit points that it has cost."""
    held = combatant.conditions.get(DRAINED)
    if held is None:
        return
    rule, before = fight.rule(TOPIC), hit_point_adjustment(fight, combatant)
    if held.level > 1:
        yield ConditionGained(
            who=combatant.id, condition=DRAINED, source=held.source, level=held.level - 1, cites=(rule,)
        )
    else:
        yield ConditionLost(
            who=combatant.id, condition=DRAINED, why="no negative level is left", cites=(rule,)
        )
    yield from readjust_hit_points(fight, combatant, before, "a negative level is gone", rule)
