"""Who threatens whom: the squares that a combatant could strike into, also out of turn."""

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_fight, same
from affray.engine.grid.battlefield import Square
from affray.engine.rules.gear.weapons_in_hand import (
    fights_unarmed,
    held_weapons,
    is_armed,
    melee_band,
    strikes_in_melee,
    unarmed,
)
from affray.engine.rules.position.place import reaches
from affray.projections.state import Combatant


@per_fight("who.id", same("who.sheet"), "who.held")
def plain_bands(fight: Fight, who: Combatant) -> tuple[tuple[int, int], ...]:
    """Return the distances at which a combatant threatens with what it holds.

    Empty for the unarmed (srd35.aoo.threatened).
    """
    weapons = held_weapons(who)
    if fights_unarmed(who):
        weapons = [*weapons, unarmed(fight, who)]
    return tuple(
        dict.fromkeys(
            melee_band(who, weapon)
            for weapon in weapons
            if strikes_in_melee(weapon) and is_armed(who, weapon) and "no-threat" not in weapon.traits
        )
    )


def threatens(fight: Fight, who: Combatant, target: Combatant, at: Square | None = None) -> bool:
    """Say whether `who` threatens `target` where it stands, or with its anchor at `at`.

    A grappling creature threatens nothing, nor does one in the middle of a long casting; cover and sight
    are judged when it attacks.
    """
    if who.conditions and ("grappling" in who.conditions or "grappled" in who.conditions):
        return False
    if who.casting_due:
        # Whoever works on a long spell threatens nobody (srd35.cast.one-round).
        return False
    up = fight.dialect.position.levels_apart(who, target) if who.conditions or target.conditions else 0
    near = [
        up <= most and reaches(who, target, least, most, at)
        for least, most in fight.dialect.position.reach_bands(fight, who)
    ]
    return any(near)


def level_with(who: Combatant, target: Combatant) -> int:
    """Return 0: for dialects in which only the map tells how far one is from the other."""
    return 0
