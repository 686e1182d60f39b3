"""The attack action, in combat and out of it (woa.attack.single, woa.attack.take-10)."""

from affray.engine.dialects.woa.attacks import take_10
from affray.engine.dialects.woa.mounted import mounted_combat
from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts import acts


def attack_once(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make one attack, or outside combat one without a roll (woa.attack.single, woa.attack.take-10)."""
    return take_10.take_ten(fight, act) if act.take else mounted_combat.attack_by_rider_or_mount(fight, act)
