"""What hardens a barbarian: damage reduction (srd35.class.barbarian-dr)."""

from affray.engine.dialects.srd35.classes.monk_levels import at_level
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm


def own_reduction(fight: Fight, harm: Harm) -> int:
    """Return the damage reduction that a barbarian has of his own, whatever strikes; 0 for none.

    srd35.class.barbarian-dr.
    """
    level = harm.target.sheet.classes.get("barbarian", 0)
    if not level or harm.energy:
        return 0
    return int(at_level(fight.figure("class.barbarian-dr"), level) or 0)
