"""In and out of the saddle in the air (srd35.mount.space, srd35.falling.damage)."""

from affray.engine.dialects.srd35.movement.fall import come_down
from affray.engine.fight.fight import Fight
from affray.engine.rules.mounted.rider_and_mount import mount_of
from affray.engine.rules.movement.fly import BORNE
from affray.engine.rules.position.place import height_of
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost


def lift_rider(fight: Fight, act: acts.Enter | acts.Mount) -> Steps[None]:
    """Let whoever has got into the saddle be as high as the mount that bears it."""
    actor = fight.combatant(act.id if isinstance(act, acts.Enter) else act.actor)
    steed = mount_of(fight, actor)
    if steed is not None and height_of(steed):
        cites = fight.rules("srd35.mount.space")
        yield ConditionGained(
            who=actor.id, condition=BORNE, source=steed.id, level=height_of(steed), aloft=True, cites=cites
        )


def fall_from_saddle(fight: Fight, act: acts.Dismount) -> Steps[None]:
    """Let whoever has climbed down from a mount in the air fall as far as it is high."""
    actor = fight.combatant(act.actor)
    if BORNE in actor.conditions and not actor.mount:
        feet = height_of(actor)
        cites = fight.rules("srd35.falling.damage")
        yield ConditionLost(who=actor.id, condition=BORNE, why="out of the saddle", cites=cites)
        yield from come_down(fight, actor, feet)
