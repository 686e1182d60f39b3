"""What hardens a barbarian: damage reduction (srd35.class.barbarian-dr)."""

from affray.engine.blow import Harm
from affray.engine.dialects.srd35.classes.monk_levels import at_level
from affray.engine.dialects.srd35.damage import damage_reduction
from affray.engine.fight import Fight


def reduce(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return what damage reduction leaves; a barbarian has some of his own, of all the best counts.

    srd35.class.barbarian-dr.
    """
    level = harm.target.sheet.classes.get("barbarian", 0)
    if not level or harm.energy:
        return damage_reduction.reduce(fight, harm)
    own = at_level(fight.figure("class.barbarian-dr"), level) or 0
    return damage_reduction.reduce(fight, harm, own, "class.barbarian-dr")
