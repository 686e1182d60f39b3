"""The chapter on environment in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.environment import gm_settings
from affray.engine.record.acts import Honours
from affray.engine.record.environment import Environment
from affray.engine.rules.environment.plain import PLAIN_ENVIRONMENT
from affray.engine.rules.turns import minor_acts
from affray.events.facts import acts

ENVIRONMENT: Environment = replace(
    PLAIN_ENVIRONMENT,
    acts={
        **PLAIN_ENVIRONMENT.acts,
        acts.Hazard: Honours(
            minor_acts.hazard,
            "target",
            "save",
            "dc",
            "damage",
            "damage_type",
            "on_save",
            "condition",
            "source",
            "rider",
            "skill",
        ),
        acts.Expose: Honours(gm_settings.expose, "target", "to", "degree", "way", "shod", "over"),
    },
)
