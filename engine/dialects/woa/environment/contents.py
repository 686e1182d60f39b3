"""The chapter on environment in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.environment import hazard
from affray.engine.dialects.woa.movement import move_modes
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions
from affray.engine.record.conditions import lone_conditions
from affray.engine.record.environment import Environment
from affray.engine.rules.classes.sheet_words import DICE, damage_type
from affray.engine.rules.environment.plain import PLAIN_ENVIRONMENT
from affray.events.facts import acts

ENVIRONMENT: Environment = replace(
    PLAIN_ENVIRONMENT,
    questions=questions("catastrophe: <condition>", "superior: nothing, <condition>"),
    acts={
        acts.Hazard: Honours(
            move_modes.hazard_by_place,
            "target save dc on_save source skill area edge missiles pit unexpected injury cause bleeding",
            refuses="rider",
            damage=DICE,
            damage_type=damage_type,
            condition=lone_conditions,
            under=hazard.UNDER,
        ),
        acts.Expose: Honours(move_modes.expose, "target to degree way over"),
    },
)
