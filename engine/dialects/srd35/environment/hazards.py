"""The dangers of a place in srd35 (srd35.hazard.*, srd35.gear.caltrops)."""

from collections.abc import Mapping
from typing import Final

from affray.engine.dialects.srd35.environment.wind import TABLE, WINDS, into_wind
from affray.engine.dialects.srd35.movement.speed import IN_DARKNESS
from affray.engine.fight.fight import Fight
from affray.engine.record.environment import Danger
from affray.engine.rules.environment import drowning, liquids, smoke, water
from affray.engine.rules.environment.burning import FIRE, catch_fire
from affray.engine.rules.environment.exposure import CLIMATE, expose_to_climate
from affray.engine.rules.environment.hazard_damage import BURNING
from affray.engine.rules.gear import caltrops
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

DARK: Final = "srd35.hazard.darkness"


def into_darkness(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Leave somebody without light: blinded in effect, unless it has darkvision (srd35.hazard.darkness)."""
    rule = fight.rule(DARK)
    if any(trait.startswith("darkvision") for trait in target.sheet.traits):
        yield RuleApplied(who=target.id, what="sees in the dark", cites=(rule,))
        return
    yield ConditionGained(who=target.id, condition=IN_DARKNESS, source="no light", cites=(rule,))


DANGERS: Final[Mapping[str, Danger]] = {
    "fire": Danger(FIRE, catch_fire, (BURNING,)),
    **liquids.DANGERS,
    "smoke": smoke.DANGER,
    "no air": Danger(drowning.TOPIC, drowning.take_air, afterwards=drowning.give_air),
    "cold": Danger(CLIMATE, expose_to_climate),
    "heat": Danger(CLIMATE, expose_to_climate),
    "wind": Danger(TABLE, into_wind, tuple(WINDS)),
    "water": water.DANGER,
    "darkness": Danger(DARK, into_darkness, (IN_DARKNESS,)),
    "caltrops": Danger(caltrops.TOPIC, caltrops.among_caltrops),
}
