"""What hardens a barbarian: damage reduction (srd35.class.barbarian-dr)."""

from affray.engine.fight import Fight
from affray.engine.rules.attacks.blow import Harm
from affray.engine.rules.classes.monk import at_level
from affray.engine.rules.defense import soak


def reduce(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return what damage reduction leaves; a barbarian has some of his own, of all the best counts.

    srd35.class.barbarian-dr.
    """
    level = harm.target.sheet.classes.get("barbarian", 0)
    if not level or harm.energy:
        return soak.reduce(fight, harm)
    own = at_level(fight.figure("class.barbarian-dr"), level) or 0
    return soak.reduce(fight, harm, own, "class.barbarian-dr")
