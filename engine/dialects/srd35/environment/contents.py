"""The chapter on environment in srd35: what stands at each point that is not plain.

A `hazard` whose `source` is a combatant's id asks for a skill about that one.
"""

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes import gm_checks
from affray.engine.dialects.srd35.classes.endurance import endurance_parts
from affray.engine.dialects.srd35.environment import gm_settings, hazards, water
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import rolls
from affray.engine.record.compose import choose, steps, when
from affray.engine.record.conditions import lone_conditions
from affray.engine.record.environment import Environment
from affray.engine.rules.classes.sheet_words import DICE, RIDER, damage_type
from affray.engine.rules.conditions import immunities
from affray.engine.rules.environment import exposure
from affray.engine.rules.environment.plain import HAZARD, PLAIN_ENVIRONMENT
from affray.engine.rules.turns import minor_acts
from affray.events.facts import acts

ENVIRONMENT: Environment = replace(
    PLAIN_ENVIRONMENT,
    rolls=PLAIN_ENVIRONMENT.rolls
    | rolls("1d20: use rope", "1d3: lava-rounds", "1d6: blown-back", "blown-about, blown-away"),
    acts={
        **PLAIN_ENVIRONMENT.acts,
        acts.Hazard: Honours(
            HAZARD,
            "target save dc source",
            damage=DICE,
            damage_type=damage_type,
            condition=lone_conditions,
            on_save=("negates", "half"),
            skill=gm_checks.CALLED,
            rider=RIDER,
            under=minor_acts.HAZARD_UNDER,
        ),
        acts.Expose: Honours(
            steps(
                gm_settings.refuse_idle_words,
                choose(
                    when(f"to in {tuple(gm_settings.CONDITIONS)!r}", gm_settings.expose),
                    exposure.expose_to_danger,
                ),
            ),
            "target degree way shod over",
            to=(*gm_settings.CONDITIONS, *hazards.DANGERS),
        ),
    },
    dangers=hazards.DANGERS,
    untouched=immunities.untouched,
    hardy=endurance_parts,
    drags=water.drags,
)
