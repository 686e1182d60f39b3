"""Free actions: what they are told by, and whether there is time for one more."""

from affray.engine.fight.fight import Fight
from affray.engine.steps import Choice, Steps
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.wording import counted
from affray.projections.state import Combatant


def free_action(fight: Fight, combatant: Combatant, what: str, *cites: str) -> Steps[bool]:
    """Spend a free action, if one more is within reason; return whether it is."""
    if not (yield from fight.dialect.turns.free_action_limit(fight, combatant, what)):
        return False
    yield ActionSpent(who=combatant.id, kind="free", what=what, cites=cites)
    return True


def is_reasonable(fight: Fight, combatant: Combatant, what: str) -> Steps[bool]:
    """Ask the game master whether a further free action of a turn is still reasonable; return the answer.

    The first one of a turn always is (srd35.action.free-limit, woa.action-type.free).
    """
    taken = combatant.spent.get("free", 0)
    if not taken:
        return True
    rule = fight.rule("action.free-limit")
    question = f"{combatant.id} has taken {counted(taken, 'free action')}: is it still free to {what}?"
    if (yield Choice("", "free-limit", question, ("allow", "refuse"), rule)) == "allow":
        return True
    yield RuleApplied(who=combatant.id, what=f"has no time left to {what}", cites=(rule,))
    return False
