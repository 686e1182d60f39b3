"""Creatures that crush what they hold: the sheet says so by the trait "constrict 1d8+6"."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.attacks.rend import HOLDS, natural_weapon_as_printed
from affray.engine.rules.classes.ability_modifiers import trait_detail
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def constrict(fight: Fight, grappler: Combatant, target: Combatant, won: bool) -> Steps[None]:
    """Add the damage of a creature that constricts to a grapple check, if it has won that.

    srd35.constrict-rake-rend, pf1.constrict-rend-rake.
    """
    dice = trait_detail(grappler, "constrict")
    if not won or not dice or "dead" in target.conditions:
        return
    yield RuleApplied(who=grappler.id, what=f"constricts {target.id}", cites=fight.rules(HOLDS))
    blow = Blow(grappler, target, natural_weapon_as_printed("constriction", dice), True, 0, Intent("grapple"))
    yield from fight.dialect.damage.deal(fight, blow, False)
