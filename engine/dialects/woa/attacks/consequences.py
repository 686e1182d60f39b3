"""What follows from a blow: hit or missed, once its harm is done."""

from affray.engine.dialects.woa.attacks import astray, stunning
from affray.engine.dialects.woa.holding import struggle
from affray.engine.dialects.woa.reactions import shields
from affray.engine.dialects.woa.turns import alert
from affray.engine.fight import Fight
from affray.engine.rules.attacks.blow import Blow
from affray.engine.steps import Steps


def struck(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a hit: it may stun, a grip may weaken, and who was ready may lose its concentration.

    woa.round.effect-duration-stun-example, woa.grab.escape-strike, woa.ready.concentration-broken
    """
    if blow.attacker.conditions:
        yield from struggle.struck(fight, blow, before, standing)
    if blow.weapon.riders:
        yield from stunning.stun(fight, blow)
    yield from alert.after_hit(fight, blow, before)


def missed(fight: Fight, blow: Blow) -> Steps[None]:
    """After a miss: a shield may suffer, a missile go astray, the concentration on a trigger be lost.

    woa.ac.touch-shield-takes-effect, woa.attack.ranged-miss-wrong-target, woa.ready.concentration-broken
    """
    if blow.touch:
        yield from shields.missed(fight, blow)
    if not blow.melee:
        yield from astray.goes_astray(fight, blow)
    if blow.target.readied is not None:
        yield from alert.shaken(fight, blow.target, 0)
