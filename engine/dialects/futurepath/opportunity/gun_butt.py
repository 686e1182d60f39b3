"""The butt of a ranged weapon, with which its holder strikes at those who give an opening next to it."""

from typing import Final

from affray.engine.dialects.futurepath.contested import in_force
from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.held_weapons import strikes_in_melee
from affray.engine.rules.position.place import distance
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

BUTT: Final = "futurepath.aoo.improvised-gun-butt"
DAMAGE: Final = "futurepath.assumed.gun-butt"
MELEE_ONLY: Final = "futurepath.aoo.melee-only"
#: The traits of ranged weapons that are no guns: what bursts, and what breaks.
WITHOUT_BUTT: Final = frozenset({"explosive", "splash"})
#: What a butt is called, after its weapon.
CALLED: Final = " (butt)"


def is_butt(weapon: Weapon) -> bool:
    """Say whether a weapon is the butt of another one."""
    return weapon.name.endswith(CALLED)


def butts_of(fight: Fight, holder: Combatant) -> list[Weapon]:
    """Return the butts of the ranged weapons that somebody holds, where the rules let one strike with them.

    An improvised weapon, with which nobody is proficient; a grenade or a flask has none
    (futurepath.aoo.improvised-gun-butt,
    futurepath.assumed.gun-butt, futurepath.aoo.melee-only).
    """
    if in_force(fight, MELEE_ONLY, {"weapon in hand": "ranged"}) != BUTT:
        return []
    return [
        butt(fight, weapon)
        for weapon in holder.sheet.weapons
        if weapon.name in holder.held
        and weapon.wield != "natural"
        and not strikes_in_melee(weapon)
        and not WITHOUT_BUTT.intersection(weapon.traits)
    ]


def butt(fight: Fight, weapon: Weapon) -> Weapon:
    """Return the butt of a ranged weapon as the improvised weapon that it is."""
    hands = "two" if weapon.hands > 1 else "one"
    return Weapon(
        name=f"{weapon.name}{CALLED}",
        damage=str(fight.figure(DAMAGE, f"{hands}_handed")),
        damage_type="bludgeoning",
        wield="two-handed" if weapon.hands > 1 else "one-handed",
        hands=weapon.hands,
        proficient=False,
    )


def at_hand(fight: Fight, holder: Combatant, target: Combatant, found: list[Weapon]) -> list[Weapon]:
    """Return what somebody can strike at a target with out of turn: with a butt, if with nothing else.

    futurepath.aoo.improvised-gun-butt.
    """
    return found if found or distance(holder, target) > reach_of_butt(fight) else butts_of(fight, holder)


def reach_of_butt(fight: Fight) -> int:
    """Return how far a butt reaches: those less than 5 feet off are the ones in adjacent squares."""
    return int(fight.book.figure(BUTT, "max_distance_ft_exclusive"))


def bands_with_butts(
    fight: Fight, holder: Combatant, found: tuple[tuple[int, int], ...]
) -> tuple[tuple[int, int], ...]:
    """Return the distances at which a combatant threatens, next to it with a butt too."""
    if found or not butts_of(fight, holder):
        return found
    return ((0, reach_of_butt(fight)),)
