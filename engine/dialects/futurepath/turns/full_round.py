"""What a full-round action leaves of a turn in Futurepath: no movement, and no attack after a charge."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.turns.action_budget import breaks_off
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.projections.state import Combatant


def refuse_to_move_on(fight: Fight, act: acts.Move) -> None:
    """Refuse to move after what takes a full round: a 5-foot step is all there is, if that.

    Instead of the rest of a full attack one may still move (futurepath.movement.full-round-only-5-ft).
    """
    mover = fight.combatant(act.actor)
    if mover.spent.get("full-round") and fight.state.active == mover.id and not breaks_off(mover):
        rule = fight.rule("futurepath.movement.full-round-only-5-ft")
        raise Refusal(f"{mover.id} has spent the turn on a full-round action and moves no farther", rule)


def refuse_after_charge(fight: Fight, combatant: Combatant, act: acts.Attack | acts.FullAttack) -> None:
    """Refuse another attack after that of a charge (futurepath.action.charge.one-attack)."""
    if combatant.spent.get("full-round") and fight.state.active == combatant.id:
        rule = fight.rule("futurepath.action.charge.one-attack")
        raise Refusal(f"{combatant.id} has charged and makes no further attack", rule)
