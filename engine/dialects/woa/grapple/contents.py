"""The chapter on grapple in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.conditions import impeded_mobility
from affray.engine.dialects.woa.grapple import grab_actions, grapple
from affray.engine.dialects.woa.mounted import mounted_combat
from affray.engine.dialects.woa.turns.declared_actions import keeping
from affray.engine.record.grapple import Grapple
from affray.engine.rules.grapple.plain import PLAIN_GRAPPLE
from affray.events.facts import acts

GRAPPLE: Grapple = replace(
    PLAIN_GRAPPLE,
    acts={
        acts.Grapple: keeping(grapple.grapple),
        acts.Grab: keeping(mounted_combat.wielding(grab_actions.grabbing)),
        acts.GetFree: keeping(impeded_mobility.get_free),
        acts.BreakFree: keeping(impeded_mobility.break_free),
    },
)
