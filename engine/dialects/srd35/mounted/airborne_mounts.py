"""In and out of the saddle in the air (srd35.mount.space, srd35.falling.damage)."""

from affray.engine.dialects.srd35.mounted import riding as srd35_riding
from affray.engine.dialects.srd35.movement.fall import fall
from affray.engine.fight.fight import Fight
from affray.engine.rules.mounted import riding
from affray.engine.rules.mounted.rider_and_mount import mount_of
from affray.engine.rules.movement.fly import BORNE
from affray.engine.rules.position.place import height_of
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.projections.state import Combatant


def enter_in_the_air(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Put a combatant on the map, perhaps on a mount that is in the air already."""
    yield from srd35_riding.enter_in_the_saddle(fight, act)
    yield from lift_rider(fight, fight.combatant(act.id))


def mount(fight: Fight, act: acts.Mount) -> Steps[None]:
    """Climb into the saddle, perhaps of a mount that hovers beside one."""
    yield from riding.mount(fight, act)
    yield from lift_rider(fight, fight.combatant(act.actor))


def lift_rider(fight: Fight, who: Combatant) -> Steps[None]:
    """Let a rider be as high as the mount that bears it."""
    steed = mount_of(fight, who)
    if steed is not None and height_of(steed):
        cites = fight.rules("mount.space")
        yield ConditionGained(
            who=who.id, condition=BORNE, source=steed.id, level=height_of(steed), aloft=True, cites=cites
        )


def dismount_in_the_air(fight: Fight, act: acts.Dismount) -> Steps[None]:
    """Climb down from a mount; whom it bears through the air falls as far as it is high."""
    yield from srd35_riding.dismount(fight, act)
    who = fight.combatant(act.actor)
    if BORNE in who.conditions and not who.mount:
        feet = height_of(who)
        cites = fight.rules("falling.damage")
        yield ConditionLost(who=who.id, condition=BORNE, why="out of the saddle", cites=cites)
        yield from fall(fight, who, feet)
