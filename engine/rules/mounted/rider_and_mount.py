"""Rider and mount as a pair: who carries whom, and who decides for both."""

from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.projections.state import Combatant


def mount_of(fight: Fight, who: Combatant) -> Combatant | None:
    """Return whom a combatant rides, None on foot."""
    return fight.state.combatants[who.mount] if who.mount else None


def rider_of(fight: Fight, who: Combatant) -> Combatant | None:
    """Return who rides a combatant, if anybody does."""
    return fight.state.combatants[who.rider] if who.rider else None


def guides(fight: Fight, rider: Combatant) -> bool:
    """Say whether a rider can guide anything: not while down or at anybody's mercy."""
    return not rider.conditions or not (is_down(fight, rider) or is_helpless(fight, rider))


def is_guided(fight: Fight, who: Combatant) -> bool:
    """Say whether a combatant is a mount that acts in its rider's turn and has none of its own."""
    return who.rider != "" and guides(fight, fight.state.combatants[who.rider])


def leader(fight: Fight, who: Combatant) -> Combatant:
    """Return who decides for a combatant: the rider of a mount that is guided, else itself."""
    rider = rider_of(fight, who)
    return rider if rider is not None and guides(fight, rider) else who


def pair_of(fight: Fight, who: Combatant) -> tuple[Combatant, Combatant] | None:
    """Return (rider, mount) if somebody rides, or is a mount that is guided; None on foot."""
    steed = mount_of(fight, who)
    if steed is not None:
        return who, steed
    rider = rider_of(fight, who)
    return (rider, who) if rider is not None and is_guided(fight, who) else None
