"""The chapter on grapple in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.gear import tanglefoot
from affray.engine.dialects.srd35.grapple import restraints, start_grapple
from affray.engine.record.grapple import Grapple
from affray.engine.rules.grapple.plain import PLAIN_GRAPPLE
from affray.events.facts import acts

GRAPPLE: Grapple = replace(
    PLAIN_GRAPPLE,
    acts={
        acts.BreakFree: tanglefoot.break_free,
        acts.Grapple: start_grapple.grapple,
        acts.Bind: restraints.bind,
        acts.GetFree: restraints.get_free,
    },
    bonds=restraints.sturdiness,
)
