"""Flight, from a turning or from fear: from whom, and what one may still declare (srd35.turn.flee)."""

from affray.engine.fight.fight import Fight
from affray.events.facts import acts
from affray.projections.state import Combatant, Condition

#: The movements of flight; they have to lead away.
FLEEING = (acts.Move, acts.Withdraw, acts.Run)
#: What nobody's will decides.
UNWILLED = (acts.Enter, acts.Begin, acts.Close, acts.Hazard, acts.Rule, acts.Resume, acts.Speak)


def cause_of(fight: Fight, condition: Condition) -> Combatant | None:
    """Return who brought a condition about, if that is known."""
    combatants = fight.state.combatants
    return combatants.get(condition.until.who) or combatants.get(condition.source)
