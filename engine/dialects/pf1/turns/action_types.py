"""Which type of action each declaration takes in pf1 (pf1.action.types, pf1.actions-table.*)."""

from collections.abc import Mapping
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.turns import SEVERAL
from affray.engine.rules.turns.action_types import COMMON, FULL_ROUND, MOVE, STANDARD, ActionType
from affray.events.facts import acts
from affray.projections.state import Combatant

#: Ways of moving that take the full round: the least movement, and into a space tighter than the body.
WHOLE_WAYS: Final = ("minimum", "wriggle")


def of_move(fight: Fight, mover: Combatant, act: acts.Move) -> str:
    """Some ways of moving take the full round, a double move two moves."""
    if act.how == "double":
        return SEVERAL
    return FULL_ROUND if act.how in WHOLE_WAYS else MOVE


TABLE: Final[Mapping[type[acts.Act], ActionType]] = {
    **COMMON,
    acts.Move: of_move,
    acts.Skirmish: FULL_ROUND,
    acts.Split: STANDARD,
}
