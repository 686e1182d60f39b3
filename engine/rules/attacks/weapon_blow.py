"""The blow of a weapon: built with all that the weapon says of it, struck with all that it leaves behind.

Declared blows, those out of turn and those in a grapple are built and struck here.
"""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import TOUCH_ARMOR_CLASS, Blow, usual_intent
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.gear.held_weapons import fights_unarmed
from affray.engine.steps import Steps
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def build_blow(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    weapon: Weapon,
    kind: str,
    *,
    melee: bool = True,
    feet: int = 0,
    nonlethal: bool | None = None,
) -> Blow:
    """Return a blow with a weapon over so many feet, for the weapon's own kind of damage unless one is given.

    A weapon that only has to touch strikes at touch Armor Class (srd35.ac.touch, pf1.touch.ac-excludes,
    futurepath.attack.touch, woa.ac.touch-attack).
    """
    if nonlethal is None:
        nonlethal = fight.dialect.attacks.is_nonlethal(attacker, weapon)
    if weapon.traits and "touch" in weapon.traits:
        intent = usual_intent(kind, nonlethal, TOUCH_ARMOR_CLASS)
        return Blow(attacker, target, weapon, melee, feet, intent, cites=[fight.rule("ac.touch")])
    return Blow(attacker, target, weapon, melee, feet, usual_intent(kind, nonlethal))


def is_nonlethal(attacker: Combatant, weapon: Weapon) -> bool:
    """Say whether a weapon deals nonlethal damage of itself: so do bare hands that are no arms.

    srd35.unarmed.lethal, pf1.weapons.unarmed-note, futurepath.attack.unarmed.lethal-option.
    """
    bare = weapon.wield == "unarmed" and "lethal" not in weapon.traits
    return (bare and not fights_unarmed(attacker)) or "nonlethal" in weapon.traits


def strike_and_settle(fight: Fight, blow: Blow) -> Steps[bool]:
    """Strike a blow, then settle what follows it, hit or not; return whether it hit."""
    hit = yield from strike(fight, blow)
    yield from fight.dialect.attacks.after_blow(fight, blow, hit)
    return hit
