"""Creatures that crush what they hold: constrict, and the natural weapon that grabs.

srd35.constrict-rake-rend. The sheet says so by traits: "constrict 1d8+6" of the creature, "improved grab"
of a natural weapon.
"""

from affray.engine.dialects.srd35.attacks.rend_and_rake import HOLDS, natural_weapon_as_printed, trait_detail
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.gear.held_weapons import natural_weapons
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def constrict(fight: Fight, grappler: Combatant, target: Combatant, won: bool) -> Steps[None]:
    """Add the damage of a creature that constricts to a grapple check, if it has won that."""
    dice = trait_detail(grappler, "constrict")
    if not won or not dice or "dead" in target.conditions:
        return
    yield RuleApplied(who=grappler.id, what=f"constricts {target.id}", cites=fight.rules(HOLDS))
    blow = Blow(grappler, target, natural_weapon_as_printed("constriction", dice), True, 0, Intent("grapple"))
    yield from fight.dialect.damage.deal(fight, blow, False)


def grabbing_weapon(combatant: Combatant) -> Weapon | None:
    """Return the weapon with which a creature grabs, whose damage each won check deals again."""
    return next((one for one in natural_weapons(combatant) if "improved grab" in one.traits), None)
