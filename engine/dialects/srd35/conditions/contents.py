"""The chapter on conditions in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes import fear_bonuses
from affray.engine.dialects.srd35.conditions import ability_loss, confusion_fascination, energy_drain, poison
from affray.engine.dialects.srd35.conditions import fear as srd35_fear
from affray.engine.dialects.srd35.conditions.condition_table import TABLE
from affray.engine.dialects.srd35.conditions.states import STATES
from affray.engine.dialects.srd35.damage import attack_riders
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import rolls
from affray.engine.record.compose import choose, when
from affray.engine.record.conditions import Conditions
from affray.engine.rules.conditions.plain import PLAIN_CONDITIONS
from affray.events.facts import acts

CONDITIONS: Conditions = replace(
    PLAIN_CONDITIONS,
    rolls=rolls("1d100: confusion, exposure", "1d5: flight", "1d6: ability", "poison"),
    acts={
        acts.Rouse: Honours(confusion_fascination.rouse, "target"),
        acts.Envenom: Honours(poison.envenom, "weapon poison"),
    },
    table=TABLE,
    states=STATES,
    leveled=frozenset({energy_drain.DRAINED, "flying"}),
    gain=srd35_fear.gain_with_consequences,
    start=choose(
        when(f"fact.condition == '{energy_drain.DRAINED}'", energy_drain.start_drained),
        PLAIN_CONDITIONS.start,
    ),
    take_rider=attack_riders.resist_or_suffer,
    immune_mind=fear_bonuses.immune_to_fear,
    score_steps=ability_loss.score_steps,
)
