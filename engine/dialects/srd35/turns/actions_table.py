"""The table of actions in combat: which of them provoke of themselves (srd35.actions-table.*)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def rated(fight: Fight, column: str, action: str, provokes: bool = True) -> tuple[str, ...]:
    """Return the rule to cite where the table has an action of that column provoke, or not provoke.

    `column` is "move", "full-round", "free", "none" or "varies"; nothing where the table says otherwise.
    """
    topic = f"actions-table.{column}"
    found = fight.figure(topic, f"action={action}", "provokes") == "yes"
    return (fight.rule(topic),) if found == provokes else ()


def safe(fight: Fight, who: Combatant, column: str, action: str, what: str) -> Steps[None]:
    """Where enemies threaten, say of an action that the table calls safe that it gives them no opening."""
    cites = rated(fight, column, action, False)
    if cites and threatening(fight, who):
        yield RuleApplied(who=who.id, what=f"{what} does not provoke", cites=cites)


def still(fight: Fight, who: Combatant) -> tuple[str, ...]:
    """Return the rules that leave room for a 5-foot step: no distance covered, and what it goes with.

    srd35.action.five-foot-when-no-distance, srd35.full-attack.step.
    """
    between = ("full-attack.step",) if who.spent.get("full-round") else ()
    return fight.rules("action.five-foot-when-no-distance", *between)
