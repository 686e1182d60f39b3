"""The table of actions in combat: which of them provoke, and where that is told."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.opportunity.threatened_squares import endangers
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def rule_of_table(fight: Fight, column: str, action: str, provokes: bool = True) -> tuple[str, ...]:
    """Return the rule to cite where the table has an action of that column provoke, or not provoke.

    `column` is "move", "full-round", "free", "none" or "varies"; nothing where the table says otherwise.

    srd35.actions-table.free, srd35.actions-table.full-round, srd35.actions-table.none,
    srd35.actions-table.varies, pf1.actions-table.free, pf1.actions-table.swift-immediate-none,
    pf1.actions-table.varies.
    """
    topic = f"actions-table.{column}"
    found = fight.figure(topic, f"action={action}", "provokes") == "yes"
    return (fight.rule(topic),) if found == provokes else ()


def tell_safe(fight: Fight, combatant: Combatant, column: str, action: str, what: str) -> Steps[None]:
    """Where enemies threaten, say of an action that the table calls safe that it gives them no opening."""
    cites = rule_of_table(fight, column, action, False)
    if cites and any(endangers(fight, enemy, combatant) for enemy in fight.enemies(combatant)):
        yield RuleApplied(who=combatant.id, what=f"{what} does not provoke", cites=cites)
