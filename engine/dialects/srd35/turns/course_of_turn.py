"""The course of a turn in srd35, each step in its place: what begins it, what goes on in it, what ends it.

A turn to which nobody brings anything but a budget takes the plain steps.
"""

from affray.engine.fight.fight import Fight, has_effects, moments_of_expiry
from affray.engine.fight.memory import per_company
from affray.projections.state import Combatant


def is_uneventful(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a turn begins with nothing but its budget.

    Nothing lasts on the combatant, nothing on others until now, nobody is under an effect, nobody gazes.
    """
    if (
        combatant.conditions
        or combatant.mount
        or combatant.delaying
        or combatant.casting is not None
        or combatant.readied is not None
        or combatant.afflictions
    ):
        return False
    if combatant.sheet.fast_healing or combatant.sheet.regeneration:
        return False
    company = fight.memory.company
    if company[has_effects] or ("turn-start", combatant.id) in company[moments_of_expiry]:
        return False
    return not might_be_gazed_at(fight, combatant)


@per_company("combatant.side")
def might_be_gazed_at(fight: Fight, combatant: Combatant) -> bool:
    """Say whether any enemy has powers at all, which a gaze would be one of."""
    return any([one.sheet.spells for one in fight.enemies(combatant)])
