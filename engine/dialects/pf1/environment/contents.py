"""The chapter on environment in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.record.acts import Honours
from affray.engine.record.environment import Environment
from affray.engine.rules.environment.plain import PLAIN_ENVIRONMENT
from affray.engine.rules.gear import caltrops
from affray.events.facts import acts

ENVIRONMENT: Environment = replace(
    PLAIN_ENVIRONMENT,
    acts={
        **PLAIN_ENVIRONMENT.acts,
        acts.Expose: Honours(caltrops.step_among_caltrops, "target shod to", degree=("", caltrops.SLOWLY)),
    },
)
