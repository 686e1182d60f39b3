"""Moving, withdrawing and running on foot, or by having the mount do so (srd35.mount.speed)."""

from collections.abc import Callable

from affray.engine.dialects.srd35.mounted.mounted_combat import as_act_of_mount, send_mount
from affray.engine.dialects.srd35.movement import walk_and_run
from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts import acts


def move_by_rider_or_mount(
    fight: Fight, act: acts.Move, way: Callable[[Fight, acts.Move], Steps[None]] = walk_and_run.move_unmounted
) -> Steps[None]:
    """Move in some way; whoever rides has the mount move instead (srd35.mount.speed)."""
    who = fight.combatant(act.actor)
    if not (who.mount or who.rider):
        return way(fight, act)
    return send_mount(fight, act, len(act.path), way(fight, as_act_of_mount(fight, who, act)))


def withdraw_by_rider_or_mount(fight: Fight, act: acts.Withdraw) -> Steps[None]:
    """Withdraw, or have the mount withdraw."""
    who = fight.combatant(act.actor)
    if not (who.mount or who.rider):
        return walk_and_run.withdraw(fight, act)
    return send_mount(
        fight, act, len(act.path), walk_and_run.withdraw(fight, as_act_of_mount(fight, who, act)), True
    )


def run_by_rider_or_mount(fight: Fight, act: acts.Run) -> Steps[None]:
    """Run, or have the mount run."""
    who = fight.combatant(act.actor)
    if not (who.mount or who.rider):
        return walk_and_run.run_while_breath_lasts(fight, act)
    return send_mount(
        fight,
        act,
        len(act.path),
        walk_and_run.run_while_breath_lasts(fight, as_act_of_mount(fight, who, act)),
        True,
    )
