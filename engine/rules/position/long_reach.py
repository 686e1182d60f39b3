"""Long reach: what it strikes at, and how it is met on the way (srd35.size.*, pf1.size.large)."""

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import distance_ft
from affray.engine.record.position import Bands
from affray.engine.rules.movement.on_foot import MINIMUM
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def out_of_reach(fight: Fight, combatant: Combatant, weapon: Weapon, feet: int) -> str:
    """Return the topic of the rule by which a weapon does not strike at that distance.

    Without reach one has to enter the opponent's square; a big creature's reach weapon strikes beyond its
    natural reach only (srd35.size.tiny-must-enter, srd35.size.large-reach-weapon, pf1.size.large).
    """
    if not combatant.reach:
        return "size.tiny-must-enter"
    if weapon.reach and combatant.space > 1:
        most = combatant.reach * fight.formula("size.large-reach-weapon", "max")
        if feet <= combatant.reach or feet > most:
            return "size.large-reach-weapon"
    return "attack-action.melee"


def rules_of_opening(
    fight: Fight, combatant: Combatant, enemy: Combatant, here: Square, there: Square, how: str
) -> tuple[str, ...]:
    """Return the rules, beyond the common ones, by which a step provokes from an enemy or does not.

    Natural reach beyond 5 feet threatens whoever comes closer within it, and the adjacent squares too
    (srd35.size.long-reach-aoo-on-approach, srd35.size.long-reach-five-foot-step,
    srd35.size.natural-reach-threatens-adjacent, srd35.special-move.minimum-provokes, pf1.size.large,
    pf1.minimum-move).
    """
    topics = []
    if how == MINIMUM:
        topics.append("special-move.minimum-provokes")
    if naturally_beyond(fight, enemy):
        before = distance_ft(enemy.at, here, enemy.space, combatant.space)
        if before <= SQUARE_FT:
            topics.append("size.natural-reach-threatens-adjacent")
        elif distance_ft(enemy.at, there, enemy.space, combatant.space) < before:
            step = how == "step"
            topics.append("size.long-reach-five-foot-step" if step else "size.long-reach-aoo-on-approach")
    return fight.rules(*topics)


def naturally_beyond(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a combatant threatens with a natural reach beyond the usual 5 feet."""
    return any_naturally_beyond(fight, fight.dialect.position.reach_bands(fight, combatant))


@per_fight("bands")
def any_naturally_beyond(fight: Fight, bands: Bands) -> bool:
    """Say whether any of these distances is that of a natural reach beyond the usual 5 feet."""
    beyond = fight.figure("size.natural-reach-threatens-adjacent", "beyond_ft")
    return any(not least and most > beyond for least, most in bands)
