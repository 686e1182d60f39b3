"""What nobody does from the saddle: that by which it would move itself (pf1.mount.control)."""

from affray.engine.fight.fight import Fight
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.projections.state import Combatant

#: Declarations that move whoever makes them.
AFOOT = (acts.BullRush, acts.Drag, acts.Skirmish, acts.Trample, acts.Jump)


def refuse_own_feet(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse a rider to move by itself, which is the mount's; a bull rush without a charge moves nobody."""
    if not isinstance(act, acts.BullRush) or act.charge:
        rule = fight.rule("pf1.mount.control")
        raise Refusal(f"{actor.id} rides {actor.mount} and does not move by itself", rule)
