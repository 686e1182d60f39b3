"""Fear that adds up, panic and flight, and death at a blow (srd35.cond.fear-ladder, srd35.cond.panicked)."""

from affray.engine.dialects.srd35.conditions.combined_conditions import gain_combined
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.rules.conditions.compulsion import FLEE, compel
from affray.engine.rules.conditions.condition_rules import come_over
from affray.engine.rules.conditions.fear import squares_away_from
from affray.engine.rules.conditions.flight import cause_of
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    Until,
)
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

FEAR = ("shaken", "frightened", "panicked")


def frighten(fight: Fight, combatant: Combatant, fact: ConditionGained) -> Steps[None]:
    """Add fear to fear: two of a lesser kind make one of a greater."""
    has = next((name for name in reversed(FEAR) if name in combatant.conditions), "")
    worse = fight.figure("srd35.cond.fear-ladder").get(f"{has}+{fact.condition}", "") if has else ""
    rule = fight.rule("srd35.cond.fear-ladder")
    if has and not worse:
        yield RuleApplied(who=combatant.id, what=f"is {has} already", cites=(rule,))
        return
    if worse:
        yield ConditionLost(who=combatant.id, condition=has, why=worse, cites=(rule,))
        cites = tuple(dict.fromkeys((rule, *fact.cites)))
        fact = ConditionGained(
            who=combatant.id,
            condition=worse,
            source=fact.source,
            until=fact.until,
            level=fact.level,
            cites=cites,
        )
    yield from gain_combined(fight, fact)


def panic(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Choose at random which way the panicked flee; the cornered cower instead (srd35.cond.panicked)."""
    topic = "srd35.cond.panicked"
    ways = ways_out(fight, combatant)
    if not ways:
        until = Until("turn-start", combatant.id, fight.state.round + 1)
        cites = (fight.rule(topic),)
        cowed = ConditionGained(
            who=combatant.id, condition="cowering", source="cornered", until=until, cites=cites
        )
        yield from come_over(fight, cowed)
        return
    rolled = yield Roll(combatant.id, "flight", f"1d{len(ways)}")
    x, y = ways[rolled.total - 1]
    yield compel(fight, combatant, f"{FLEE} by {x},{y}", topic)


def ways_out(fight: Fight, combatant: Combatant) -> list[Square]:
    """Return the squares next to a creature that lead away from what it fears, clockwise from above."""
    cause = cause_of(fight, combatant.conditions["panicked"])
    return squares_away_from(fight, combatant, [cause] if cause is not None else fight.enemies(combatant))
