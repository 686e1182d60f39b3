"""Raking whom one holds, with claws that do nothing else.

srd35.constrict-rake-rend, pf1.constrict-rend-rake.
"""

from collections.abc import Iterator
from itertools import repeat

from affray.engine.fight.fight import Fight
from affray.engine.rules.attacks.rend import HOLDS
from affray.engine.rules.attacks.weapon_blow import build_blow, strike_and_settle
from affray.engine.rules.gear.held_weapons import natural_weapons, strikes_per_full_attack
from affray.engine.steps import Refusal, Steps
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


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
        reason = f"{combatant.id} rakes once a turn, and only an opponent that it held as the turn began"
        raise Refusal(reason, rule)


def rake(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[bool]:
    """Rake an opponent that was held as the turn began, with every claw that does (constrict-rake-rend).

    srd35.constrict-rake-rend, pf1.constrict-rend-rake.
    """
    rule = fight.rule(HOLDS)
    yield ActionSpent(who=grappler.id, kind="rake", what="rake", cites=(rule,))
    for weapon in raking_claws(grappler):
        if "dead" not in target.conditions:
            blow = build_blow(fight, grappler, target, weapon, "grapple")
            blow.cites.append(rule)
            yield from strike_and_settle(fight, blow)
    return True
