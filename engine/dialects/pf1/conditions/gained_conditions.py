"""How a condition comes over a combatant, and what it makes of those held already.

pf1.cond.combine, pf1.cond.fear-ladder, pf1.cond.fatigued, pf1.cond.stunned, pf1.cond.panicked.
"""

from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.rules.damage.injury import APART, apart_from_hit_points, go_limp
from affray.engine.rules.gear.let_go import drop_all
from affray.engine.rules.turns.expiry import lasts_longer
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import RuleApplied

#: Fear's steps; what comes on top of one is so many steps more.
FEAR: Final = ("shaken", "frightened", "panicked")
DEMORALIZE: Final = "demoralize"
"""The source of the fear that an Intimidate check brings: alone among them it only lasts longer."""


def add_fear(fight: Fight, fact: ConditionGained) -> Steps[ConditionGained | None]:
    """Return the fear that comes of fear on top of what there is; None if that leaves nothing to gain.

    Shaken twice is frightened, and more on top of frightened panicked; to demoralize whom fear holds already
    only lengthens it (pf1.cond.fear-ladder).
    """
    combatant = fight.combatant(fact.who)
    has = next((name for name in reversed(FEAR) if name in combatant.conditions), "")
    if not has:
        return fact
    rule = fight.rule("pf1.cond.fear-ladder")
    held = combatant.conditions[has]
    longer = fact.until if lasts_longer(fight, fact.until, held.until) else held.until
    steps = FEAR.index(has) + FEAR.index(fact.condition) + 1
    worse = has if fact.source == DEMORALIZE else FEAR[min(steps, len(FEAR) - 1)]
    if worse != has:
        yield ConditionLost(who=combatant.id, condition=has, why=worse, cites=(rule,))
        cites = tuple(dict.fromkeys((rule, *fact.cites)))
        return replace(fact, condition=worse, until=longer, cites=cites)
    if longer == held.until:
        yield RuleApplied(who=combatant.id, what=f"is {has} already, and for as long", cites=(rule,))
    else:
        yield replace(fact, condition=has, until=longer, cites=(rule,))
    return None


def gain(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give a condition; one held already lasts as long as the longer, and the worse of two stays.

    Fear adds up, fatigue upon fatigue is exhaustion; what empties the hands drops all that they hold.
    """
    combatant = fight.combatant(fact.who)
    if fact.condition in FEAR:
        more = yield from add_fear(fight, fact)
        if more is None:
            return
        fact = more
    combine = fight.rules("pf1.cond.combine")
    if fact.condition == "fatigued" and "fatigued" in combatant.conditions:
        fact = replace(fact, condition="exhausted", cites=(*fact.cites, *fight.rules("pf1.cond.fatigued")))
    if fact.condition == "exhausted" and "fatigued" in combatant.conditions:
        yield ConditionLost(who=combatant.id, condition="fatigued", why="exhausted", cites=combine)
    worse = "exhausted" if fact.condition == "fatigued" else fact.condition
    held = combatant.conditions.get(worse)
    if held is not None and worse in APART and not held.level:
        held = None  # that of the hit points goes with them
    if held is not None and (worse != fact.condition or not lasts_longer(fight, fact.until, held.until)):
        yield RuleApplied(who=combatant.id, what=f"is {worse} already, and for as long", cites=combine)
        return
    if held is not None:
        fact = replace(fact, level=held.level, cites=(*fact.cites, *combine))
    yield apart_from_hit_points(fact)
    if held is None:
        yield from go_limp(fight, combatant, fact.condition)
    rule = rule_of(fight, fact.condition)
    if rule.empties:
        yield from drop_all(fight, combatant, fight.rules(rule.topic))
