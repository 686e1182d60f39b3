"""Free actions and how many of them are too many (srd35.action.free-limit)."""

from affray.engine.fight.fight import Fight
from affray.engine.steps import Choice, Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def reasonable(fight: Fight, who: Combatant, what: str) -> Steps[bool]:
    """Ask the game master whether a further free action of a turn is still reasonable; return the answer.

    The first one of a turn always is.
    """
    taken = who.spent.get("free", 0)
    if not taken:
        return True
    rule = fight.rule("action.free-limit")
    question = (
        f"{who.id} has taken {taken} free {'action' if taken == 1 else 'actions'}: is it time to {what}?"
    )
    if (yield Choice("", "free-limit", question, ("allow", "refuse"), rule)) == "allow":
        return True
    yield RuleApplied(who=who.id, what=f"no time is left to {what}", cites=(rule,))
    return False
