"""How much of its Strength a creature puts behind a blow (srd35.damage.*, srd35.natural-weapons.*)."""

from affray.engine.dialects.srd35.attacks.natural_weapons import is_secondary, is_single
from affray.engine.dialects.srd35.attacks.unarmed_strikes import rules_of_bare_hands
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import wielded_in_two_hands
from affray.engine.rules.damage.weapon_damage import strength_share

#: The rules by which a blow has another share of the Strength bonus than the whole.
SHARED = ("damage.off-hand", "damage.two-handed", "weapons.handed-use", "natural-weapons.single")


def strength_damage(fight: Fight, blow: Blow, strength: int) -> tuple[int, str, str] | None:
    """Return (value, name, topic) of what Strength adds to damage, or None when it has no part.

    A one-handed weapon in both hands gains half again, a rapier nothing; a natural weapon half as a
    secondary one, half again as the only one (srd35.weapons.handed-use, srd35.natural-weapons.*). In a flurry
    the whole bonus counts, however the weapon is held (srd35.class.flurry).
    """
    weapon = blow.weapon
    if "as printed" in weapon.traits:
        return None
    share = strength_share(fight, blow, strength)
    if share is None or strength <= 0:
        return share
    if blow.kind == "flurry" and (weapon.off_hand or wielded_in_two_hands(weapon)):
        return strength, "Strength (flurry, in either hand or both)", "class.flurry"
    if share[2] in ("damage.off-hand", "damage.two-handed"):
        share = part_of(fight, strength, share[2]), share[1], share[2]
    if not blow.melee or weapon.off_hand:
        return share
    if weapon.wield == "natural":
        if is_secondary(fight, blow):
            part = int(strength * fight.figure("natural-weapons", "secondary_str"))
            return part, "Strength (secondary natural weapon, half)", "natural-weapons"
        if is_single(blow):
            part = int(strength * fight.figure("natural-weapons.single", "str"))
            return part, "Strength (only natural weapon, one and a half)", "natural-weapons.single"
        return strength, "Strength", "natural-weapons"
    if weapon.wield == "one-handed" and wielded_in_two_hands(weapon):
        topic = "weapons.handed-use"
        if "no 1.5 Str in two hands" in weapon.traits:
            return strength, f"Strength (a second hand adds nothing to a {weapon.name})", topic
        return part_of(fight, strength, topic), "Strength (two hands, one and a half)", topic
    return share


def part_of(fight: Fight, strength: int, topic: str) -> int:
    """Return the share of a Strength bonus that the rule on a topic gives, rounded down."""
    return int(strength * fight.figure(topic, "numerator") // fight.figure(topic, "denominator"))


def force_rules(fight: Fight, blow: Blow, strength: int) -> tuple[str, ...]:
    """Return the rules on bare hands, and the one that drops the fraction of a shared odd Strength bonus.

    srd35.unarmed.damage, srd35.math.round-down.
    """
    hands = rules_of_bare_hands(fight, blow) if blow.weapon.wield == "unarmed" else ()
    if strength <= 0 or not strength % 2:
        return hands
    share = fight.dialect.damage.strength_damage(fight, blow, strength)
    shared = share is not None and share[2] in SHARED
    return (*hands, *fight.rules("math.round-down")) if shared else hands
