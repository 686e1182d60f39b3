"""Who threatens whom: the squares that a combatant could strike into, also out of turn."""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import Square
from affray.engine.rules.position.place import reaches
from affray.projections.state import Combatant


def threatens(fight: Fight, combatant: Combatant, target: Combatant, at: Square | None = None) -> bool:
    """Say whether `combatant` threatens `target` where it stands, or with its anchor at `at`.

    Nobody threatens in the middle of a long casting, or held so that it strikes at nobody; cover and sight
    are judged when it attacks (srd35.grapple.no-threat, pf1.cond.pinned).
    """
    for name in combatant.conditions:
        if name in fight.dialect.conditions.unthreatening:
            return False
    if combatant.casting_due:
        # Whoever works on a long spell threatens nobody (srd35.cast.one-round).
        return False
    up = (
        fight.dialect.position.levels_apart(combatant, target)
        if combatant.conditions or target.conditions
        else 0
    )
    position = fight.dialect.position
    bands = position.reach_bands(fight, combatant)
    armed = combatant.conditions and not position.arming.isdisjoint(combatant.conditions)
    for least, most in position.bands_by_state(fight, combatant, bands) if armed else bands:
        if up <= most and reaches(combatant, target, least, most, at):
            return not fight.field.sides or not position.walled_off(fight, combatant, target, at)
    return False


def endangers(fight: Fight, enemy: Combatant, mover: Combatant, at: Square | None = None) -> bool:
    """Say whether an enemy threatens the mover and is not down, so that an opening would be one for it.

    What provokes nothing is told of these alone.
    """
    return not is_down(fight, enemy) and threatens(fight, enemy, mover, at)


@per_scene("mover.id", reads=("combatants", "places", "conditions", "items", "sides"))
def threatening(fight: Fight, mover: Combatant) -> list[Combatant]:
    """Return the enemies who threaten the mover where it stands, in order of entry."""
    return [enemy for enemy in fight.enemies(mover) if threatens(fight, enemy, mover)]
