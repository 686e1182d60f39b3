"""The chapter on mounted in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.mounted import riding, shots_from_the_saddle, stay_mounted
from affray.engine.record.mounted import Mounted
from affray.engine.rules.mounted.plain import PLAIN_MOUNTED
from affray.events.facts import acts

MOUNTED: Mounted = replace(
    PLAIN_MOUNTED,
    acts={
        acts.Mount: riding.mount,
        acts.Dismount: riding.dismount,
        acts.Guide: riding.guide,
        acts.Ride: shots_from_the_saddle.ride,
    },
    averted=stay_mounted.averted,
)
