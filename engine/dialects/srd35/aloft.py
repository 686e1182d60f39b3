"""Leaving the saddle in the air (srd35.falling.damage)."""

from affray.engine.fight import Fight
from affray.engine.rules.mounts import riding
from affray.engine.rules.moving.fall import fall
from affray.engine.rules.moving.fly import BORNE
from affray.engine.rules.moving.place import height_of
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost


def dismount(fight: Fight, act: acts.Dismount) -> Steps[None]:
    """Climb down from a mount; whom it bears through the air falls as far as it is high."""
    yield from riding.dismount(fight, act)
    who = fight.combatant(act.actor)
    if BORNE in who.conditions and not who.mount:
        feet = height_of(who)
        cites = fight.rules("falling.damage")
        yield ConditionLost(who=who.id, condition=BORNE, why="out of the saddle", cites=cites)
        yield from fall(fight, who, feet)
