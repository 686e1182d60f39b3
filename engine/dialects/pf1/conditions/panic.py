"""Panic in pf1: who has no way to flee cowers (pf1.cond.panicked)."""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.conditions.condition_rules import come_over
from affray.engine.rules.conditions.flight_from_fear import way_out
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained, Until
from affray.projections.state import Combatant


def cower_when_cornered(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let the panicked whom no way leads away from what they fear cower until their next turn."""
    found = None if is_down(fight, combatant) else way_out(fight, combatant)
    if found is None or found[1]:
        return
    until = Until("turn-start", combatant.id, fight.state.round + 1)
    cites = fight.rules("pf1.cond.panicked", "pf1.cond.cowering")
    cowed = ConditionGained(
        who=combatant.id, condition="cowering", source="cornered", until=until, cites=cites
    )
    yield from come_over(fight, cowed)
