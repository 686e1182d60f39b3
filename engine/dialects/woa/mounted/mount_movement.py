"""Riding: how the mount moves as its rider directs, and what either has done beside its actions."""

from typing import Any

from msgspec.structs import replace

from affray.engine.dialects.woa.mounted.mount_control import refuse_out_of_hand
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.rules.mounted.rider_and_mount import pair_of
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

#: What rider and mount have done this round, beside the actions that it took.
STRUCK, STRIKES, SHOTS, MOUNT_FIGHTS = "struck", "strikes", "shots", "the mount fights"


def refuse_to_ride(fight: Fight, act: acts.Move | acts.Run | acts.Step) -> None:
    """Refuse movement to a mount that is out of hand, or that would spoil what the rider has done."""
    pair = pair_of(fight, fight.combatant(act.actor))
    if pair is not None:
        rider, steed = pair
        refuse_out_of_hand(fight, steed)
        squares = 1 if isinstance(act, acts.Step) else len(act.path)
        refuse_ride_on(fight, rider, steed, squares, isinstance(act, acts.Run))


def as_mount(fight: Fight, act: Any) -> Any:
    """Return the movement of somebody who rides as the mount's (woa.mount.shared-initiative).

    It takes the mount's own action, at its own speed, and none of the rider's.
    """
    pair = pair_of(fight, fight.combatant(act.actor))
    return act if pair is None else replace(act, actor=pair[1].id)


def tell_ride(fight: Fight, act: Any, moving: Steps[None]) -> Steps[None]:
    """Move; of somebody who rides tell whose speed and action that was."""
    pair = pair_of(fight, fight.combatant(act.actor))
    return moving if pair is None else tell_whose_movement(fight, moving, *pair)


def tell_whose_movement(fight: Fight, moving: Steps[None], rider: Combatant, steed: Combatant) -> Steps[None]:
    """Go through the movement of a mount and tell whose it was."""
    yield from moving
    rule = fight.rule("woa.mount.shared-initiative")
    yield RuleApplied(who=rider.id, what=f"rides at the speed of {steed.id}, by its action", cites=(rule,))


def refuse_ride_on(fight: Fight, rider: Combatant, steed: Combatant, squares: int, whole: bool) -> None:
    """Refuse movement that would spoil what the rider has done: several blows, or a shot at half the way."""
    topic = "woa.mount.combat.melee-while-moving"
    feet = steed.spent.get("feet", 0) + squares * SQUARE_FT
    if rider.spent.get(STRIKES, 0) and feet > fight.figure(topic, "mount_move_threshold_ft"):
        most = fight.figure(topic, "mount_move_threshold_ft")
        reason = f"{rider.id} has made more than one attack: {steed.id} moves {most} ft. at most"
        raise Refusal(reason, fight.rule(topic))
    if rider.spent.get(SHOTS) and (whole or steed.spent.get("move")):
        raise Refusal(
            f"{rider.id} has shot already: on a double move or run it shoots at half the way",
            fight.rule("woa.mount.combat.ranged"),
        )


def has_moved_far(steed: Combatant) -> bool:
    """Say whether a mount has gone farther this round than one move."""
    return bool(steed.spent.get("feet")) and (
        steed.spent.get("move", 0) > 1 or bool(steed.spent.get("full-round"))
    )
