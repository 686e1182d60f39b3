"""An attack action in the midst of a move (futurepath.bull-rush.when, futurepath.overrun.when)."""

from typing import Any, Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.movement.movement import refuse_prone
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Refusal
from affray.projections.state import Combatant

#: What is done in the midst of a move, and the rule.
WHEN: Final = {"bull rush": "futurepath.bull-rush.when", "overrun": "futurepath.overrun.when"}
#: What leaves no 5-foot step in its round, as it stands among what a turn has spent, and the rule.
NO_STEP: Final = {
    "bull rush": "futurepath.bull-rush.no-5-foot-step",
    "overrun": "futurepath.overrun.no-5-foot-step",
}


def refuse_attack_in_move(fight: Fight, mover: Combatant, what: str) -> None:
    """Refuse a bull rush or overrun without both a move and an attack action left, or on no feet."""
    refuse_unless_allowed(fight, mover, "standard")
    allowed = fight.dialect.turns.allowance(fight, mover)
    used = mover.spent.get("standard", 0) + mover.spent.get("move", 0)
    if used + 2 > allowed.total or fight.readied == mover.id:
        raise Refusal(f"{mover.id} needs a move and an attack action to {what}", fight.rule(WHEN[what]))
    refuse_prone(fight, mover)


def refuse_stepped(fight: Fight, mover: Combatant, what: str) -> None:
    """Refuse a bull rush or overrun after a 5-foot step of the round."""
    if mover.spent.get("step"):
        reason = f"{mover.id} has taken a 5-foot step this round and cannot {what}"
        raise Refusal(reason, fight.rule(NO_STEP[what]))


def refuse_step_afterwards(fight: Fight, mover: Combatant, act: Any) -> None:
    """Refuse a 5-foot step in the round of a bull rush or an overrun.

    futurepath.bull-rush.no-5-foot-step, futurepath.overrun.no-5-foot-step.
    """
    what, topic = next((name, topic) for name, topic in NO_STEP.items() if mover.spent.get(name))
    raise Refusal(f"the {what} leaves {mover.id} no 5-foot step", fight.rule(topic))
