"""Striking with a weapon, on one's own turn, out of turn or from an ambush (woa.attack.single)."""

from affray.engine.dialects.woa.grapple.grapple_modifiers import strike_wrong_grappler
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.weapon_blow import strike_and_settle
from affray.engine.steps import Steps


def strike_target(fight: Fight, blow: Blow) -> Steps[bool]:
    """Strike at a target, or at another grappler in its place; return whether the blow hit."""
    if "grappling" in blow.target.conditions:
        yield from strike_wrong_grappler(fight, blow)
    return (yield from strike_and_settle(fight, blow))
