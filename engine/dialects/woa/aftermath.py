"""What follows from a blow: hit or missed, once its harm is done."""

from affray.engine.dialects.woa import alert
from affray.engine.fight import Fight
from affray.engine.rules.blow import Blow
from affray.engine.steps import Steps


def struck(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a hit: who was ready may lose its concentration (woa.ready.concentration-broken)."""
    yield from alert.after_hit(fight, blow, before)


def missed(fight: Fight, blow: Blow) -> Steps[None]:
    """After a miss: who was ready may lose its concentration all the same."""
    if blow.target.readied is not None:
        yield from alert.shaken(fight, blow.target, 0)
