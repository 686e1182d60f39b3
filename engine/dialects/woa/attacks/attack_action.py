"""The attack action, in combat and out of it (woa.attack.single, woa.attack.take-10)."""

from affray.engine.dialects.woa.attacks import blind_attack, declared_blow, take_10
from affray.engine.dialects.woa.mounted.mounted_combat import fighting
from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts import acts


def attack_once(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make one attack, or outside combat one without a roll (woa.attack.single, woa.attack.take-10)."""
    return take_10.take_ten(fight, act) if act.take else attack_by_rider_or_mount(fight, act)


def attack_by_rider_or_mount(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack, from the saddle too, or have the mount attack."""
    strikes = (acts.Strike(act.target, act.weapon, act.thrown),) if act.at is None else ()
    return fighting(fight, act, blind_attack.attack_creature_or_square, strikes)


def full_attack_by_rider_or_mount(fight: Fight, act: acts.FullAttack) -> Steps[None]:
    """Make a full attack, from the saddle too, or have the mount make it."""
    return fighting(fight, act, declared_blow.full_attack, act.strikes)
