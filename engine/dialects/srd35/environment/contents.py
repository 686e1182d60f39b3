"""The chapter on environment in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.environment import gm_settings
from affray.engine.record.environment import Environment
from affray.engine.rules.environment.plain import PLAIN_ENVIRONMENT
from affray.events.facts import acts

ENVIRONMENT: Environment = replace(
    PLAIN_ENVIRONMENT,
    acts={**PLAIN_ENVIRONMENT.acts, acts.Expose: gm_settings.expose},
)
