"""Shooting and casting on the way of a mount (pf1.mount.ranged, pf1.mount.cast)."""

from affray.engine.dialects.pf1.magic.casting import cast_own_spell
from affray.engine.fight.fight import Fight
from affray.engine.rules.mounted import on_the_way
from affray.engine.steps import Steps
from affray.events.facts import acts


def ride_and_act(fight: Fight, act: acts.Ride) -> Steps[None]:
    """Ride on and shoot, or cast a spell of one's own, on the way."""
    return on_the_way.act_on_the_way(fight, act, cast_own_spell)
