"""Which type of action each declaration takes in pf1 (pf1.action.types, pf1.actions-table.*)."""

from collections.abc import Mapping
from typing import Final

from affray.engine.rules.turns.action_types import COMMON, FULL_ROUND, STANDARD, ActionType
from affray.events.facts import acts

TABLE: Final[Mapping[type[acts.Act], ActionType]] = {
    **COMMON,
    acts.Skirmish: FULL_ROUND,
    acts.Split: STANDARD,
}
