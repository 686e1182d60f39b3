"""The chapter on environment in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.movement import move_modes
from affray.engine.record.environment import Environment
from affray.engine.rules.environment.plain import PLAIN_ENVIRONMENT
from affray.events.facts import acts

ENVIRONMENT: Environment = replace(
    PLAIN_ENVIRONMENT,
    acts={acts.Hazard: move_modes.hazard, acts.Expose: move_modes.expose},
)
