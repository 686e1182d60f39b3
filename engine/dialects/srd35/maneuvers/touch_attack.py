"""The touch of a trip or a grab, and what it sets off (srd35.ac.touch, srd35.cast.hold-charge)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.magic.held_charge import discharge_by_strike
from affray.engine.rules.maneuvers.harmless_touch import touch
from affray.engine.steps import Steps


def touch_attack(fight: Fight, blow: Blow, *cites: str) -> Steps[bool]:
    """Make a melee touch attack that does no damage; return whether it hits (srd35.ac.touch).

    With the bare hand it discharges a spell that is held; one it kills is not hit (srd35.cast.hold-charge).
    """
    touching = yield from touch(fight, blow, *cites)
    if touching is None:
        return False
    yield from discharge_by_strike(fight, touching, True)
    return "dead" not in touching.target.conditions
