"""How much of its Strength a creature puts behind a blow (srd35.damage.*, srd35.weapons.handed-use)."""

from affray.engine.dialects.srd35.attacks.unarmed_strikes import rules_of_bare_hands
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.damage.strength_to_damage import Share, part_of

#: The rules by which a blow has another share of the Strength bonus than the whole.
SHARED = ("damage.off-hand", "damage.two-handed", "weapons.handed-use", "natural-weapons.single")


def strength_of_second_hand(fight: Fight, blow: Blow, strength: int, share: Share) -> Share:
    """Return the share of Strength with a one-handed weapon in both hands: half again, with a rapier not.

    srd35.weapons.handed-use
    """
    weapon, topic = blow.weapon, "weapons.handed-use"
    if "no 1.5 Str in two hands" in weapon.traits:
        return strength, f"Strength (a second hand adds nothing to a {weapon.name})", topic
    return part_of(fight, strength, topic), "Strength (two hands, one and a half)", topic


def force_rules(fight: Fight, blow: Blow, strength: int) -> tuple[str, ...]:
    """Return the rules on bare hands, and the one that drops the fraction of a shared odd Strength bonus.

    srd35.unarmed.damage, srd35.math.round-down.
    """
    hands = rules_of_bare_hands(fight, blow) if blow.weapon.wield == "unarmed" else ()
    if strength <= 0 or not strength % 2:
        return hands
    share = fight.dialect.damage.strength_damage(fight, blow, strength)
    shared = share is not None and share[2] in SHARED
    return (*hands, *fight.rules("srd35.math.round-down")) if shared else hands
