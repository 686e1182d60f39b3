"""What keeps a rider in the saddle against a trip (srd35.trip.mounted)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.maneuvers import Side
from affray.engine.rules.maneuvers.opposed_checks import side_of, size_part
from affray.engine.rules.mounted.rider_and_mount import mount_of
from affray.engine.rules.mounted.riding import ride_parts
from affray.projections.state import Combatant


def rider_footing(fight: Fight, combatant: Combatant, topic: str, whole: bool, usual: Side) -> Side:
    """Return the check of whoever is being tripped: a rider may oppose Ride, if that is better.

    Its own size counts, the many legs of its mount do not (srd35.trip.mounted).
    """
    steed = mount_of(fight, combatant)
    if steed is None:
        return usual
    rule = fight.rule("srd35.trip.mounted")
    parts = ride_parts(fight, combatant, steed, rule)
    ability = usual.parts[0].value
    if sum(part.value for part in parts) < ability:
        return usual
    parts += size_part(fight, combatant, topic)
    if whole:
        return side_of(fight, combatant, "ride", parts)
    return Side(combatant, parts)
