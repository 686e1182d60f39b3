"""Rending with what hits often enough, and damage that is printed as it stands.

srd35.constrict-rake-rend, pf1.constrict-rend-rake.
"""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

HOLDS: Final = "constrict-rake-rend"


def natural_weapon_as_printed(name: str, dice: str, kind: str = "bludgeoning") -> Weapon:
    """Return a natural weapon whose dice hold all that it deals, Strength included."""
    return Weapon(name, dice, kind, "natural", traits=("as printed",))


def tear(fight: Fight, combatant: Combatant, target: Combatant, dice: str) -> Steps[None]:
    """Deal the damage of a rend, dice and all that stands behind them (constrict-rake-rend).

    srd35.constrict-rake-rend, pf1.constrict-rend-rake.
    """
    yield RuleApplied(who=combatant.id, what=f"rends {target.id}", cites=fight.rules(HOLDS))
    weapon = natural_weapon_as_printed("rend", dice, "slashing")
    blow = Blow(combatant, target, weapon, True, 0, Intent("full"))
    yield from fight.dialect.damage.deal(fight, blow, False)
