"""What a creature's kind keeps off, and how a condition comes over somebody.

srd35.creature-immunities, srd35.cond.combine.
"""

from affray.engine.fight import Fight
from affray.engine.rules.conditions import rule_of
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained, ConditionLost, ItemChanged, Until
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

OF_THE_BODY = "Fortitude effects not affecting objects"


def spared(fight: Fight, who: Combatant, *kinds: str) -> str:
    """Return which of these kinds of harm a creature is immune to by its kind or a trait, "" for none."""
    own = fight.figure("creature-immunities").get(who.sheet.kind, ())
    return next((kind for kind in kinds if kind in own or f"immunity to {kind}" in who.sheet.traits), "")


def untouched(fight: Fight, who: Combatant, name: str, kind: str) -> RuleApplied:
    """Return the fact that something does nothing to a creature of that kind."""
    what = f"{name} does nothing: {who.sheet.kind}, immunity to {kind}"
    return RuleApplied(who=who.id, what=what, cites=(fight.rule("creature-immunities"),))


def plainly(
    fight: Fight, who: Combatant, condition: str, source: str, until: Until, cites: tuple[str, ...]
) -> Steps[None]:
    """Give a condition, whatever else holds: for dialects that say nothing more about it."""
    yield ConditionGained(who=who.id, condition=condition, source=source, until=until, cites=cites)


def inflict(
    fight: Fight, who: Combatant, condition: str, source: str, until: Until, cites: tuple[str, ...]
) -> Steps[None]:
    """Give a condition to whoever is not immune; what combines with one held already follows the worse.

    The same condition again lasts as long as the longer; fatigue upon fatigue is exhaustion; what empties
    the hands drops all that they hold (srd35.cond.combine, .fatigued, .stunned).
    """
    rule = rule_of(fight, condition)
    if kind := spared(fight, who, *rule.spared):
        yield untouched(fight, who, condition, kind)
        return
    if condition == "fatigued" and ("fatigued" in who.conditions or "exhausted" in who.conditions):
        cites += fight.rules("cond.fatigued")
        if "fatigued" in who.conditions:
            yield ConditionLost(who=who.id, condition="fatigued", why="exhausted", cites=cites)
        condition = "exhausted"
    elif condition == "exhausted" and "fatigued" in who.conditions:
        yield ConditionLost(
            who=who.id, condition="fatigued", why="exhausted", cites=fight.rules("cond.combine")
        )
    held = who.conditions.get(condition)
    if held is not None:
        cites += fight.rules("cond.combine")
        if lasts(held.until) >= lasts(until):
            yield RuleApplied(who=who.id, what=f"{condition} already, and for longer", cites=cites)
            return
    yield ConditionGained(who=who.id, condition=condition, source=source, until=until, cites=cites)
    if rule.empties:
        for item in who.held:
            yield ItemChanged(who=who.id, item=item, state="dropped", cites=fight.rules(rule.topic))


def lasts(until: Until) -> int:
    """Return the round to which something lasts; what has no end lasts longest."""
    return until.round if until.when else 1_000_000
