"""What follows from a blow: hit or missed, once its harm is done."""

from affray.engine.blow import Blow
from affray.engine.dialects.woa.attacks import stray_missiles
from affray.engine.dialects.woa.conditions import stunning_blows
from affray.engine.dialects.woa.grapple import grab_strength_checks
from affray.engine.dialects.woa.opportunity import shield_block
from affray.engine.dialects.woa.turns import ready_concentration
from affray.engine.fight import Fight
from affray.engine.steps import Steps


def struck(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a hit: it may stun, a grip may weaken, and who was ready may lose its concentration.

    woa.round.effect-duration-stun-example, woa.grab.escape-strike, woa.ready.concentration-broken
    """
    if blow.attacker.conditions:
        yield from grab_strength_checks.weaken_grip(fight, blow, before, standing)
    if blow.weapon.riders:
        yield from stunning_blows.stun(fight, blow)
    yield from ready_concentration.after_hit(fight, blow, before)


def missed(fight: Fight, blow: Blow) -> Steps[None]:
    """After a miss: a shield may suffer, a missile go astray, the concentration on a trigger be lost.

    woa.ac.touch-shield-takes-effect, woa.attack.ranged-miss-wrong-target, woa.ready.concentration-broken
    """
    if blow.touch:
        yield from shield_block.missed(fight, blow)
    if not blow.melee:
        yield from stray_missiles.goes_astray(fight, blow)
    if blow.target.readied is not None:
        yield from ready_concentration.shaken(fight, blow.target, 0)
