"""Rider and mount as a pair: who carries whom, and who decides for both."""

from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.projections.state import Combatant


def mount_of(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return whom a combatant rides, None on foot."""
    return fight.state.combatants[combatant.mount] if combatant.mount else None


def rider_of(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return who rides a combatant, if anybody does."""
    return fight.state.combatants[combatant.rider] if combatant.rider else None


def guides(fight: Fight, rider: Combatant) -> bool:
    """Say whether a rider can guide anything: not while down or at anybody's mercy."""
    return not rider.conditions or not (is_down(fight, rider) or is_helpless(fight, rider))


def is_guided(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a combatant is a mount that acts in its rider's turn and has none of its own."""
    return combatant.rider != "" and guides(fight, fight.state.combatants[combatant.rider])


def leader(fight: Fight, combatant: Combatant) -> Combatant:
    """Return who decides for a combatant: the rider of a mount that is guided, else itself."""
    rider = rider_of(fight, combatant)
    return rider if rider is not None and guides(fight, rider) else combatant


def pair_of(fight: Fight, combatant: Combatant) -> tuple[Combatant, Combatant] | None:
    """Return (rider, mount) if somebody rides, or is a mount that is guided; None on foot."""
    steed = mount_of(fight, combatant)
    if steed is not None:
        return combatant, steed
    return (leader(fight, combatant), combatant) if is_guided(fight, combatant) else None
