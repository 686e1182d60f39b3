"""What pf1 says of natural weapons besides: the only kind of them, and limbs that hold something.

pf1.natural.attacks. A claw is a hand, other natural weapons are if their trait says so ("a hand"); a claw of
another limb has the trait "not a hand". A creature has two hands, "arms 4" as many as it says.
"""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_company
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.natural_weapons import (
    ordinary_natural_weapons,
    struck_with,
)
from affray.engine.rules.gear.hands import hands_taken
from affray.engine.rules.gear.held_weapons import counted_arms, held_weapons, strikes_per_full_attack
from affray.engine.rules.gear.weapons_in_hand import bands_of
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.sheet import Weapon
from affray.events.wording import counted
from affray.projections.state import Combatant

TOPIC: Final = "pf1.natural.attacks"
CLAWS: Final = frozenset({"claw", "claws"})
HAND: Final = "a hand"
NO_HAND: Final = "not a hand"
#: The trait of claws that strike only whom the creature holds.
RAKE: Final = "rake"


def unless_only_kind(fight: Fight, combatant: Combatant, weapon: Weapon, found: bool) -> bool:
    """Say whether a secondary natural weapon strikes as one: not where the creature has no other kind."""
    return any(one.name != weapon.name for one in ordinary_natural_weapons(combatant))


def is_hand(weapon: Weapon) -> bool:
    """Say whether a natural weapon strikes with a limb that could hold something."""
    if weapon.wield != "natural" or NO_HAND in weapon.traits:
        return False
    return HAND in weapon.traits or not CLAWS.isdisjoint(weapon.name.casefold().split())


def free_to_strike(combatant: Combatant, weapon: Weapon) -> int:
    """Return with how many of its limbs a natural weapon can strike: all but those that hold something."""
    most = strikes_per_full_attack(weapon)
    if not is_hand(weapon):
        return most
    hands = max(counted_arms(combatant), most)
    return max(0, min(most, hands - hands_taken(combatant)))


def limb_is_taken(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why a natural weapon cannot strike at all: every limb of it holds something; ("", "") if not."""
    if free_to_strike(blow.attacker, blow.weapon):
        return "", ""
    return f"every {blow.weapon.name} of {blow.attacker.id} holds something", TOPIC


def refuse_taken_limbs(fight: Fight, actor: Combatant, act: acts.FullAttack) -> None:
    """Refuse more strikes with a natural weapon than limbs of it are free."""
    limbs = [weapon for weapon in struck_with(fight, actor, act) if weapon is not None]
    for weapon in limbs:
        free = free_to_strike(actor, weapon)
        if limbs.count(weapon) > free:
            limbs_free = counted(free, weapon.name)
            reason = f"{actor.id} can strike with {limbs_free}: every other one holds something"
            raise Refusal(reason, fight.rule(TOPIC))


def leave_out_taken(
    fight: Fight, attacker: Combatant, enemy: Combatant, weapon: Weapon, found: tuple[acts.Strike, ...]
) -> tuple[acts.Strike, ...]:
    """Return the strikes of a usual full attack without those of limbs that hold something."""
    free = {one.name: free_to_strike(attacker, one) for one in attacker.sheet.weapons}
    kept = []
    for one in found:
        free[one.weapon] -= 1
        if free[one.weapon] >= 0:
            kept.append(one)
    return tuple(kept)


def at_hand(fight: Fight, combatant: Combatant, target: Combatant, found: list[Weapon]) -> list[Weapon]:
    """Return the weapons with which a combatant strikes out of turn: no limb that holds something, or rakes.

    pf1.natural.attacks, pf1.constrict-rend-rake.
    """
    return [one for one in found if free_to_strike(combatant, one) and RAKE not in one.traits]


@per_company("combatant.id")
def reach_bands(fight: Fight, combatant: Combatant) -> tuple[tuple[int, int], ...]:
    """Return the distances at which a combatant threatens with what it holds and with free limbs.

    Claws that only rake threaten nobody (pf1.constrict-rend-rake).
    """
    ready = [one for one in held_weapons(combatant) if free_to_strike(combatant, one)]
    return bands_of(fight, combatant, [one for one in ready if RAKE not in one.traits])
