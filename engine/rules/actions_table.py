"""The table of actions in combat: which of them provoke of themselves (srd35.actions-table.*)."""

from affray.engine.fight import Fight
from affray.engine.rules.provoke import threatening
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def provokes(fight: Fight, column: str, action: str) -> bool:
    """Say whether the table has an action of that column ("move", "free", ...) provoke of itself."""
    return bool(fight.figure(f"actions-table.{column}", f"action={action}", "provokes") == "yes")


def rated(fight: Fight, column: str, action: str) -> tuple[str, ...]:
    """Return the rule to cite where an action provokes by the table, nothing where it does not."""
    return (fight.rule(f"actions-table.{column}"),) if provokes(fight, column, action) else ()


def unguarded(fight: Fight, who: Combatant, column: str, action: str, what: str) -> Steps[None]:
    """Where enemies threaten, say of an action that the table calls safe that it gives them no opening."""
    if not provokes(fight, column, action) and threatening(fight, who):
        cites = (fight.rule(f"actions-table.{column}"),)
        yield RuleApplied(who=who.id, what=f"{what} does not provoke", cites=cites)


def safe(fight: Fight, who: Combatant, column: str, action: str, what: str) -> Steps[None]:
    """Tell nothing: for dialects whose tables say it elsewhere."""
    return
    yield


def unrated(fight: Fight, column: str, action: str) -> tuple[str, ...]:
    """Cite no table of actions: for dialects that have another one."""
    return ()
