"""The chapter on the environment in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.environment import flames
from affray.engine.record.acts import Honours
from affray.engine.record.environment import Environment
from affray.engine.rules.environment.plain import PLAIN_ENVIRONMENT
from affray.events.facts import acts

ENVIRONMENT: Environment = replace(
    PLAIN_ENVIRONMENT, acts={**PLAIN_ENVIRONMENT.acts, acts.Extinguish: Honours(flames.extinguish, "target")}
)
