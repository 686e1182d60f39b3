"""The points of this chapter where nothing special happens."""

from affray.engine.fight import Fight
from affray.engine.steps import Steps
from affray.projections.state import Combatant


def not_called_for(fight: Fight, who: Combatant, skill: str, dc: int, source: str) -> Steps[bool]:
    """Call for no check: for dialects whose skills are not known yet."""
    return False
    yield


def always_rolled(fight: Fight, who: Combatant, number: int, what: str) -> Steps[int]:
    """Have every check rolled: for dialects that know nothing else."""
    return 0
    yield
