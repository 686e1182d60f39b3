"""Endurance (srd35.feat.endurance-diehard)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC = "srd35.feat.endurance-diehard"


def endurance_parts(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return what Endurance adds where exertion, breath or the surroundings wear one down."""
    if not has_feat(combatant, "endurance"):
        return []
    return [fight.modifier(TOPIC, "endurance", kind="feat", source="Endurance")]
