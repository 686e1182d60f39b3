"""What a combatant cannot go on with that can do nothing any more: an act kept ready, a spell kept up."""

from affray.engine.dialects.woa.magic.concentration import end_concentration
from affray.engine.dialects.woa.turns.triggers import end_readiness
from affray.engine.fight.fight import Fight, rule_of
from affray.engine.rules.conditions.condition_rules import powerless
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained


def lose_attention(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """End what hangs on the attention of a combatant, if a condition leaves it nothing to do.

    woa.ready.concentration-broken, woa.spell.concentrate-broken, woa.condition.dazed, .stunned, .cowering,
    .paralyzed.
    """
    combatant = fight.combatant(fact.who)
    if combatant.readied is not None and powerless(fight, combatant):
        yield from end_readiness(fight, combatant, "lapsed", rule_of(fight, fact.condition).topic)
    yield from end_concentration(fight, combatant)
