"""Big and little creatures: what their size does to space, reach and opportunities (srd35.size.*)."""

from affray.engine.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.grid.distance import distance_ft
from affray.engine.rules.threat import bands
from affray.projections.state import Combatant

Square = tuple[int, int]


def opening(
    fight: Fight, who: Combatant, enemy: Combatant, here: Square, there: Square, how: str
) -> tuple[str, ...]:
    """Return the rules, beyond the common ones, by which a step provokes from an enemy or does not.

    Natural reach beyond 5 feet threatens whoever comes closer within it, and the adjacent squares too
    (srd35.size.long-reach-aoo-on-approach, .long-reach-five-foot-step, .natural-reach-threatens-adjacent).
    """
    topics = []
    if how == "minimum":
        topics.append("special-move.minimum-provokes")
    before = distance_ft(enemy.at, here, enemy.space, who.space)
    if before <= SQUARE_FT:
        if naturally_beyond(fight, enemy, "size.natural-reach-threatens-adjacent"):
            topics.append("size.natural-reach-threatens-adjacent")
    elif distance_ft(enemy.at, there, enemy.space, who.space) < before:
        topic = "size.long-reach-five-foot-step" if how == "step" else "size.long-reach-aoo-on-approach"
        if naturally_beyond(fight, enemy, "size.long-reach-aoo-on-approach"):
            topics.append(topic)
    return fight.rules(*topics)


def naturally_beyond(fight: Fight, who: Combatant, topic: str) -> bool:
    """Say whether a combatant threatens with a natural reach beyond the 5 feet that the rule names."""
    beyond = fight.figure(topic, "beyond_ft")
    return any(not least and most > beyond for least, most in bands(fight, who))
