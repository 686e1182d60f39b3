"""What water hides: from above, from below, and far off under it (woa.water.concealment.*)."""

from affray.engine.dialects.woa.environment import water
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.rules.position.place import distance
from affray.projections.state import Combatant

DEGREES = ("total", "three-quarters", "one-half", "one-quarter")


def concealment_by_water(fight: Fight, viewer: Combatant, other: Combatant) -> tuple[str, str, str]:
    """Return (degree, why, topic) of the concealment that water gives `other` from `viewer`, "" for none.

    The surface hides those under it from those above and the reverse; under it, what is far away is hard
    to see (woa.water.concealment.surface, .distance).
    """
    under = water.is_under(viewer), water.is_under(other)
    wet = viewer if under[0] else other
    clarity = water.clarity_of(wet)
    if under[0] != under[1]:
        return hidden_by_surface(fight, wet, clarity)
    if not under[0]:
        return "", "", ""
    feet = distance(viewer, other)
    topic = "woa.water.concealment.distance"
    for degree in DEGREES:
        found = cell(fight, topic, f"water={clarity}", degree)
        if found is not None and feet >= found.value:
            return degree, f"{feet} ft. of {clarity} water", topic
    return "", "", ""


def hidden_by_surface(fight: Fight, wet: Combatant, clarity: str) -> tuple[str, str, str]:
    """Return what hides those on the two sides of the surface from each other.

    Both ends of the scale are printed; hazy water lies between them.
    """
    topic = "woa.water.concealment.surface"
    best, worst = fight.figure(topic, "calm_mostly_clear"), fight.figure(topic, "very_murky_or_stormy")
    if clarity == "murky" or water.state_of(wet) == "stormy":
        degree = worst
    elif clarity == "clear" and water.state_of(wet) == "calm":
        degree = best
    else:
        degree = DEGREES[(DEGREES.index(best) + DEGREES.index(worst) + 1) // 2]
    return degree, "the surface of the water", topic
