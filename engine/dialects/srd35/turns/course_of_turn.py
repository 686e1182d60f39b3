"""The course of a turn in srd35, each step in its place: what begins it, what goes on in it, what ends it.

A turn to which nobody brings anything but a budget takes the plain steps.
"""

from collections.abc import Callable
from functools import wraps

from affray.engine.fight.fight import Fight, is_marked
from affray.engine.fight.memory import per_scene
from affray.engine.rules.mounted.rider_and_mount import is_guided, mount_of
from affray.engine.steps import Steps
from affray.projections.state import Combatant

Stage = Callable[[Fight, Combatant], Steps[None]]


def is_uneventful(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a turn begins with nothing but its budget: nothing lasts on anybody, nobody gazes."""
    if (
        combatant.mount
        or combatant.delaying
        or combatant.casting is not None
        or combatant.readied is not None
        or combatant.afflictions
    ):
        return False
    if combatant.sheet.fast_healing or combatant.sheet.regeneration or fight.memory.company[is_marked]:
        return False
    return not might_be_gazed_at(fight, combatant)


@per_scene("combatant.side", reads=("combatants", "sides"))
def might_be_gazed_at(fight: Fight, combatant: Combatant) -> bool:
    """Say whether any enemy has powers at all, which a gaze would be one of."""
    return any([one.sheet.spells for one in fight.enemies(combatant)])


def rider_and_mount(stage: Stage) -> Stage:
    """Return a stage that goes through the same for a combatant and then for the mount that it guides."""

    @wraps(stage)
    def both(fight: Fight, combatant: Combatant) -> Steps[None]:
        return go_through_both(fight, combatant, stage)

    return both


def go_through_both(fight: Fight, combatant: Combatant, stage: Stage) -> Steps[None]:
    """Go through a stage for a combatant, then for the mount that it guided as that began."""
    steed = mount_of(fight, combatant)
    guided = [steed] if steed is not None and is_guided(fight, steed) else []
    yield from stage(fight, combatant)
    for one in guided:
        yield from stage(fight, one)
