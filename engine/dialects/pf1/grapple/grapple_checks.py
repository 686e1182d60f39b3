"""The checks of those who grapple, and what grabbing adds to them (pf1.grab, pf1.cmb)."""

from typing import Final

from affray.engine.dialects.pf1.grapple.hold import HOLDING
from affray.engine.dialects.pf1.maneuvers.combat_maneuver import combat_maneuver_bonus
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.classes.ability_scores import lowered
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.position.place import distance
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

GRAB: Final = "pf1.grab"


def grapple_blow(attacker: Combatant, target: Combatant, weapon: Weapon) -> Blow:
    """Return the blow that carries a check in a grapple, which nothing keeps from its target."""
    intent = Intent("grapple", maneuver="grapple", against="CMD against grapple")
    return Blow(attacker, target, weapon, True, distance(attacker, target), intent)


def grabbing(fight: Fight, attacker: Combatant, one_limb: bool) -> list[Modifier]:
    """Return what a creature that grabs adds to start and to maintain a grapple, less for one limb's hold."""
    parts = []
    if any("grab" in weapon.traits for weapon in attacker.sheet.weapons):
        parts.append(fight.modifier(GRAB, "cmb", kind="racial", source="grab"))
    if one_limb:
        parts.append(fight.modifier(GRAB, "hold", kind="penalty", source="with one limb"))
    return parts


def holds_with_a_limb(grappler: Combatant) -> bool:
    """Say whether a combatant holds another without being grappled itself."""
    return HOLDING in grappler.conditions and "grappled" not in grappler.conditions


def cmb_of(fight: Fight, combatant: Combatant, other: Combatant) -> int:
    """Return the combat maneuver bonus of a combatant as its Strength or Dexterity is now (pf1.cmb)."""
    blow = grapple_blow(combatant, other, unarmed(fight, combatant))
    short = "dex" if fight.dialect.attacks.finesse(fight, blow) else "str"
    return fight.stack([*combat_maneuver_bonus(fight, blow), *lowered(fight, combatant, short)]).total
