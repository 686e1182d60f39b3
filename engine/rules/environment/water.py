"""In the water: who stands, swims or drifts, and how it fights there.

srd35.hazard.water-combat, pf1.hazard.water.
"""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Harm
from affray.engine.record.conditions import ConditionRule
from affray.engine.record.environment import Danger
from affray.engine.rules.environment.burning import doused
from affray.engine.rules.environment.drowning import give_air
from affray.engine.rules.environment.in_water import (
    ADRIFT,
    COMBAT,
    FOOTING,
    FREE,
    IN_WATER,
    OFF_BALANCE,
    SWIMMING,
    hindered_by_water,
)
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def into_water(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Stand or swim in water, or drift in it off balance; it puts out flames.

    srd35.hazard.water-combat, pf1.hazard.water.
    """
    rule = fight.rule(COMBAT)
    source = act.degree or FOOTING
    if source not in (FOOTING, SWIMMING, ADRIFT):
        raise Refusal(f"one is in water by {FOOTING}, {SWIMMING}, {ADRIFT}, not {act.degree!r}", rule)
    yield ConditionGained(who=target.id, condition=IN_WATER, source=source, cites=(rule,))
    if source == ADRIFT and not target.sheet.swim and FREE not in target.sheet.traits:
        yield ConditionGained(who=target.id, condition=OFF_BALANCE, source=ADRIFT, cites=(rule,))
    yield from doused(fight, target)


def swung_in_water(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what water takes off the roll of a blow in it (srd35.hazard.water-combat, pf1.hazard.water)."""
    attacker = blow.attacker
    if not hindered_by_water(attacker) or not fight.dialect.environment.drags(fight, attacker, blow.weapon):
        return []
    return [fight.modifier(COMBAT, "attack", kind="penalty", source="in water")]


def off_balance_target(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what a target off balance in the water makes of a roll against it.

    srd35.hazard.water-combat, pf1.hazard.water.
    """
    source = f"{blow.target.id} off balance"
    return [fight.modifier(COMBAT, "off_balance_vs", kind="circumstance", source=source)]


def halve_in_water(fight: Fight, harm: Harm) -> Harm:
    """Take half off the damage of a weapon that water drags on, before anything else reduces it.

    pf1.hazard.water.
    """
    loses_half(fight, harm)
    return harm


def loses_half(fight: Fight, harm: Harm) -> bool:
    """Take half off the damage of a weapon that water drags on; say whether it does.

    srd35.hazard.water-combat, pf1.hazard.water.
    """
    attacker, weapon = harm.attacker, harm.weapon
    if attacker is None or weapon is None or not hindered_by_water(attacker):
        return False
    if not fight.dialect.environment.drags(fight, attacker, weapon):
        return False
    energy = sum(harm.energies.values())
    harm.amount = int((harm.amount - energy) * fight.figure(COMBAT, "damage")) + energy
    harm.reduced_by += (fight.rule(COMBAT),)
    return True


DANGER: Final = Danger(COMBAT, into_water, (IN_WATER, OFF_BALANCE), give_air)
LOSING_BALANCE: Final = ConditionRule(COMBAT, dexterity=False)
