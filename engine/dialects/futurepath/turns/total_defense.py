"""Whoever defends totally does nothing else but move (futurepath.action.total-defense)."""

from typing import Any, Final

from affray.engine.dialects.futurepath.turns.action_types import TABLE
from affray.engine.fight.fight import Fight
from affray.engine.rules.turns.action_types import FULL_ROUND, STANDARD
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.projections.state import Combatant

#: What is an attack, or done in place of one.
ATTACKS: Final = (
    *(acts.Attack, acts.FullAttack, acts.Aid, acts.Burst, acts.Charge, acts.Disarm, acts.Grapple),
    *(acts.BullRush, acts.CoupDeGrace, acts.Feint, acts.KnockoutBlow, acts.Overrun, acts.Sunder, acts.Trip),
)
#: What is an activity, whatever action it takes.
ACTIVITIES: Final = (acts.Cast, acts.Ready, acts.UseAbility, acts.UseFeat, acts.UseSkill)


def refuse_while_defending(fight: Fight, combatant: Combatant, act: Any) -> None:
    """Refuse to attack and to perform any other activity in a round of total defense.

    One's move action is left, and what takes no action or a free one (futurepath.action.total-defense,
    futurepath.action.total-defense.timing).
    """
    if isinstance(act, ATTACKS):
        what = "does not attack"
    elif isinstance(act, ACTIVITIES) or type_of_action(fight, combatant, act) in (STANDARD, FULL_ROUND):
        what = "takes no action but a move"
    else:
        return
    rule = fight.rule("futurepath.action.total-defense")
    raise Refusal(f"{combatant.id} defends totally and {what}", rule)


def type_of_action(fight: Fight, combatant: Combatant, act: Any) -> str:
    """Return the type of action that a declaration takes, "" for what is no action at all."""
    return fight.dialect.turns.action_type(fight, combatant, act) if type(act) in TABLE else ""
