"""Rending with what hits often enough, and raking with what else there is.

srd35.constrict-rake-rend, pf1.constrict-rend-rake.
"""

from collections.abc import Iterator
from itertools import repeat
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.attacks.natural_weapons import strikes_per_full_attack
from affray.engine.rules.gear.held_weapons import natural_weapons
from affray.engine.steps import Refusal, Steps
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

HOLDS: Final = "constrict-rake-rend"


def natural_weapon_as_printed(name: str, dice: str, kind: str = "bludgeoning") -> Weapon:
    """Return a natural weapon whose dice hold all that it deals, Strength included."""
    return Weapon(name, dice, kind, "natural", traits=("as printed",))


def raking_claws(combatant: Combatant) -> Iterator[Weapon]:
    """Yield the claws that rake, each as often as it strikes."""
    for weapon in natural_weapons(combatant):
        if "rake" in weapon.traits:
            yield from repeat(weapon, strikes_per_full_attack(weapon))


def refuse_rake(fight: Fight, combatant: Combatant) -> None:
    """Refuse to rake whom one has only just grabbed, twice in a turn, or without such claws."""
    rule = fight.rule(HOLDS)
    if not list(raking_claws(combatant)):
        raise Refusal(f"{combatant.id} has no claws to rake with", rule)
    if combatant.spent.get("grab") or combatant.spent.get("rake"):
        raise Refusal(f"{combatant.id} rakes once a turn, and only whom it held as the turn began", rule)


def rake(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[bool]:
    """Rake an opponent that was held as the turn began, with every claw that does (constrict-rake-rend).

    srd35.constrict-rake-rend, pf1.constrict-rend-rake.
    """
    rule = fight.rule(HOLDS)
    yield ActionSpent(who=grappler.id, kind="rake", what="rake", cites=(rule,))
    for weapon in raking_claws(grappler):
        if "dead" not in target.conditions:
            blow = Blow(grappler, target, weapon, True, 0, Intent("grapple"))
            blow.cites.append(rule)
            yield from strike(fight, blow)
    return True


def tear(fight: Fight, combatant: Combatant, target: Combatant, dice: str) -> Steps[None]:
    """Deal the damage of a rend, dice and all that stands behind them (constrict-rake-rend).

    srd35.constrict-rake-rend, pf1.constrict-rend-rake.
    """
    yield RuleApplied(who=combatant.id, what=f"rends {target.id}", cites=fight.rules(HOLDS))
    weapon = natural_weapon_as_printed("rend", dice, "slashing")
    blow = Blow(combatant, target, weapon, True, 0, Intent("full"))
    yield from fight.dialect.damage.deal(fight, blow, False)
