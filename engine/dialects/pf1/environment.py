"""Environment: fire, acid, lava, smoke, cold, heat, lack of air, and fighting in water."""

from collections.abc import Mapping
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.chapters import ConditionRule, Danger
from affray.engine.rules import environment
from affray.engine.rules.classes.sheets import nature_among
from affray.engine.rules.environment import BURNING, CLIMATE, expose_to_climate
from affray.engine.rules.gear import splash_weapons
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

# --- The dangers of a place in pf1, and the effect of water on a blow
# pf1.hazard.ref, pf1.hazard.water, pf1.gear.splash-ref.

SPARED: Final = "pf1.nonlethal.immune"

DANGERS: Final[Mapping[str, Danger]] = {
    "fire": Danger(environment.FIRE, environment.catch_fire, (BURNING,)),
    **environment.DANGERS,
    "smoke": environment.SMOKE_DANGER,
    "no air": Danger(environment.TOPIC, environment.take_air, afterwards=environment.give_air),
    "cold": Danger(CLIMATE, expose_to_climate),
    "heat": Danger(CLIMATE, expose_to_climate),
    "water": environment.WATER_DANGER,
    "caltrops": Danger(splash_weapons.TOPIC, splash_weapons.among_caltrops),
}
#: Dangers with degrees, and the degrees.
HAVE_DEGREES: Final = (*environment.DANGERS, "water", "caltrops")
DEGREES: Final = (
    *("", *environment.DEGREES, environment.FOOTING, environment.SWIMMING, environment.ADRIFT),
    splash_weapons.SLOWLY,
)

#: The conditions of the dangers of a place.
CONDITIONS: Final[Mapping[str, ConditionRule]] = {
    BURNING: ConditionRule(environment.FIRE, each_turn=environment.burn),
    **environment.LIQUIDS_CONDITIONS,
    **environment.SMOKE_CONDITIONS,
    **environment.DROWNING_CONDITIONS,
    environment.IN_WATER: ConditionRule(environment.COMBAT),
    environment.OFF_BALANCE: environment.LOSING_BALANCE,
}


def untouched(fight: Fight, victim: Combatant, what: str) -> RuleApplied | None:
    """Return the fact that a creature immune to nonlethal damage ignores smoke, cold and heat.

    pf1.nonlethal.immune.
    """
    kind = nature_among(victim, fight.figure(SPARED))
    if not kind:
        return None
    told = f"{what} does nothing: {kind}, immune to nonlethal damage"
    return RuleApplied(who=victim.id, what=told, cites=(fight.rule(SPARED),))


def drags(fight: Fight, attacker: Combatant, weapon: Weapon) -> bool:
    """Return whether water weakens a weapon.

    It does for slashing and bludgeoning weapons, and for piercing ones of combatants that have neither
    footing nor a successful Swim check; a swim speed needs none (pf1.hazard.water).
    """
    kinds = weapon.damage_type.replace(",", " ").split()
    if any(kind in environment.SWUNG for kind in kinds) and "piercing" not in kinds:
        return True
    drifting = (
        attacker.conditions[environment.IN_WATER].source == environment.ADRIFT and not attacker.sheet.swim
    )
    return drifting and any(kind in (*environment.SWUNG, "piercing") for kind in kinds)
