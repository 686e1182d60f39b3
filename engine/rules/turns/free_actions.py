"""Free actions: what they are told by, and whether there is time for one more."""

from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant


def free_action(fight: Fight, combatant: Combatant, what: str, *cites: str) -> Steps[bool]:
    """Spend a free action, if one more is within reason; return whether it is."""
    if not (yield from fight.dialect.turns.free_action_limit(fight, combatant, what)):
        return False
    yield ActionSpent(who=combatant.id, kind="free", what=what, cites=cites)
    return True
