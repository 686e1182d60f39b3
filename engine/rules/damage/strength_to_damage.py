"""How much of its Strength a creature puts behind a blow that is not struck with a weapon held as usual."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.natural_weapons import is_secondary, is_single
from affray.engine.rules.classes.ability_modifiers import wielded_in_two_hands

#: What Strength adds to damage, its name, and the topic of the rule.
Share = tuple[int, str, str]


def nothing_of_strength(fight: Fight, blow: Blow, strength: int, share: Share | None) -> None:
    """Let Strength have no part in damage that is printed as it stands."""
    return


def strength_of_limb(fight: Fight, blow: Blow, strength: int, share: Share) -> Share:
    """Return the share of Strength with a natural weapon: half if secondary, half again if the only one.

    srd35.natural-weapons, srd35.natural-weapons.single, pf1.natural.attacks.
    """
    if is_secondary(fight, blow):
        part = int(strength * fight.figure("natural-weapons", "secondary_str"))
        return part, "Strength (secondary natural weapon, half)", "natural-weapons"
    if is_single(blow):
        part = int(strength * fight.figure("natural-weapons.single", "str"))
        return part, "Strength (only natural weapon, one and a half)", "natural-weapons.single"
    return strength, "Strength", "natural-weapons"


def strength_in_flurry(fight: Fight, blow: Blow, strength: int, share: Share) -> Share:
    """Return the share of Strength in a flurry: all, however the weapon is held.

    srd35.class.flurry, pf1.monk.
    """
    if blow.weapon.off_hand or wielded_in_two_hands(blow.weapon):
        return strength, "Strength (flurry, in either hand or both)", "class.flurry"
    return share


def strength_by_table(fight: Fight, blow: Blow, strength: int, share: Share) -> Share:
    """Return the share of Strength in the off hand or in two hands by its figure.

    srd35.damage.off-hand, srd35.damage.two-handed, pf1.damage.off-hand-bonus, pf1.damage.two-handed-bonus.
    """
    return part_of(fight, strength, share[2]), share[1], share[2]


def part_of(fight: Fight, strength: int, topic: str) -> int:
    """Return the share of a Strength bonus that the rule on a topic gives, rounded down."""
    return int(strength * fight.figure(topic, "numerator") // fight.figure(topic, "denominator"))
