"""What a rage makes of Strength and Constitution while it lasts (srd35.class.rage, pf1.rage)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.projections.state import Combatant

TOPIC: Final = "class.rage"
RAGING: Final = "raging"
#: The abilities that a rage raises, in the order of its figures.
RAISED: Final = ("str", "con")


def rage_figure(fight: Fight, combatant: Combatant, place: int, plain: str) -> int:
    """Return what rage adds: figure `plain`, or the one at `place` of greater and mighty rage."""
    level = combatant.sheet.classes.get("barbarian", 0)
    for grade in ("mighty", "greater"):
        if level >= fight.figure(TOPIC, f"{grade}_level"):
            return int(fight.figure(TOPIC, grade, place))
    return int(fight.figure(TOPIC, plain))


def points_of_rage(fight: Fight, combatant: Combatant, name: str) -> int:
    """Return the points by which an ability is higher in a rage, 0 out of one."""
    if name not in RAISED or RAGING not in combatant.conditions:
        return 0
    return rage_figure(fight, combatant, RAISED.index(name), name)
