"""The chapter on environment in pf1: what stands at each point that is not plain.

Whoever is exposed to water stands on firm ground there ("footing"), has succeeded at its Swim check
("swimming") or has neither ("no footing"): the `degree`.
"""

from msgspec.structs import replace

from affray.engine.dialects.pf1.environment import dangers
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import rolls
from affray.engine.record.environment import Environment
from affray.engine.rules.environment import exposure
from affray.engine.rules.environment.plain import PLAIN_ENVIRONMENT
from affray.events.facts import acts

ENVIRONMENT: Environment = replace(
    PLAIN_ENVIRONMENT,
    rolls=PLAIN_ENVIRONMENT.rolls | rolls("1d20: constitution", "1d3: lava-rounds"),
    acts={
        **PLAIN_ENVIRONMENT.acts,
        acts.Expose: Honours(
            exposure.expose_to_danger,
            "target over shod",
            to=tuple(dangers.DANGERS),
            degree=dangers.DEGREES,
            under={"degree": {"to": dangers.HAVE_DEGREES}, "shod": {"to": ("caltrops",)}},
        ),
    },
    dangers=dangers.DANGERS,
    untouched=dangers.untouched,
    drags=dangers.drags,
)
