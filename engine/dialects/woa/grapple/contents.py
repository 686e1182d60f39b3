"""The chapter on grapple in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.conditions import impeded_mobility
from affray.engine.dialects.woa.grapple import grab_actions, grapple
from affray.engine.record.acts import Honours
from affray.engine.record.grapple import Grapple
from affray.engine.rules.grapple.plain import PLAIN_GRAPPLE
from affray.events.facts import acts

GRAPPLE: Grapple = replace(
    PLAIN_GRAPPLE,
    acts={
        acts.Grapple: Honours(
            grapple.grapple, "target weapon path skill part", what=("start", "ease", *grapple.ACTIVITIES)
        ),
        acts.Grab: Honours(
            grab_actions.grabbing, "target what part hands means unusual targets path at skill"
        ),
        acts.GetFree: Honours(impeded_mobility.get_free, "skill"),
        acts.BreakFree: Honours(impeded_mobility.break_free, "weapon"),
    },
)
