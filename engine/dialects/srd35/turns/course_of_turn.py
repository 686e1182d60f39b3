"""The course of a turn in srd35, each step in its place: what begins it, what goes on in it, what ends it.

A turn to which nobody brings anything but a budget takes the plain steps.
"""

from affray.engine.fight.fight import Fight, is_marked
from affray.engine.fight.memory import per_scene
from affray.projections.state import Combatant


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
