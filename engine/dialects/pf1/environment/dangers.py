"""The dangers of a place in pf1, and what water does to a blow.

pf1.hazard.ref, pf1.hazard.water, pf1.gear.splash-ref.
"""

from collections.abc import Mapping
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.conditions import ConditionRule
from affray.engine.record.environment import Danger
from affray.engine.rules.classes.natures import nature_among
from affray.engine.rules.environment import burning, drowning, in_water, liquids, smoke, water
from affray.engine.rules.environment.exposure import CLIMATE, expose_to_climate
from affray.engine.rules.environment.hazard_damage import BURNING
from affray.engine.rules.gear import caltrops
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

SPARED: Final = "pf1.nonlethal.immune"

DANGERS: Final[Mapping[str, Danger]] = {
    "fire": Danger(burning.FIRE, burning.catch_fire, (BURNING,)),
    **liquids.DANGERS,
    "smoke": smoke.DANGER,
    "no air": Danger(drowning.TOPIC, drowning.take_air, afterwards=drowning.give_air),
    "cold": Danger(CLIMATE, expose_to_climate),
    "heat": Danger(CLIMATE, expose_to_climate),
    "water": water.DANGER,
    "caltrops": Danger(caltrops.TOPIC, caltrops.among_caltrops),
}
#: Dangers that come in degrees, and these.
HAVE_DEGREES: Final = (*liquids.DANGERS, "water", "caltrops")
DEGREES: Final = (
    *("", *liquids.DEGREES, in_water.FOOTING, in_water.SWIMMING, in_water.ADRIFT),
    caltrops.SLOWLY,
)

#: What the dangers of a place are as conditions.
CONDITIONS: Final[Mapping[str, ConditionRule]] = {
    BURNING: ConditionRule(burning.FIRE, each_turn=burning.burn),
    **liquids.CONDITIONS,
    **smoke.CONDITIONS,
    **drowning.CONDITIONS,
    in_water.IN_WATER: ConditionRule(in_water.COMBAT),
    in_water.OFF_BALANCE: water.LOSING_BALANCE,
}


def untouched(fight: Fight, victim: Combatant, what: str) -> RuleApplied | None:
    """Return that smoke, cold and heat do nothing to a creature that ignores the nonlethal damage they deal.

    pf1.nonlethal.immune.
    """
    kind = nature_among(victim, fight.figure(SPARED))
    if not kind:
        return None
    told = f"{what} does nothing: {kind}, immune to nonlethal damage"
    return RuleApplied(who=victim.id, what=told, cites=(fight.rule(SPARED),))


def drags(fight: Fight, attacker: Combatant, weapon: Weapon) -> bool:
    """Say whether water takes the force out of a weapon.

    It does of what slashes or bludgeons, and of what pierces for those who neither have footing nor have
    succeeded at a Swim check; with a swim speed none is called for (pf1.hazard.water).
    """
    kinds = weapon.damage_type.replace(",", " ").split()
    if any(kind in in_water.SWUNG for kind in kinds) and "piercing" not in kinds:
        return True
    drifting = attacker.conditions[in_water.IN_WATER].source == in_water.ADRIFT and not attacker.sheet.swim
    return drifting and any(kind in (*in_water.SWUNG, "piercing") for kind in kinds)
