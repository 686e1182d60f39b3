"""The points of this chapter where nothing special happens."""

from affray.engine.fight import Fight
from affray.engine.steps import Steps
from affray.projections.state import Combatant


def unrated(fight: Fight, column: str, action: str, provokes: bool = True) -> tuple[str, ...]:
    """Cite no table of actions: for dialects that have another one."""
    return ()


def untold(fight: Fight, who: Combatant, column: str, action: str, what: str) -> Steps[None]:
    """Say nothing of actions that provoke nobody."""
    return
    yield


def no_rules(fight: Fight, who: Combatant) -> tuple[str, ...]:
    """Cite no further rules for a short step."""
    return ()


def unlimited(fight: Fight, who: Combatant, what: str) -> Steps[bool]:
    """Let everybody take as many free actions as the dialect's own budget allows."""
    return True
    yield
