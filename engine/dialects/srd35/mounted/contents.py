"""The chapter on mounted in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.mounted import airborne_mounts, guide_mount
from affray.engine.dialects.srd35.mounted import shots_from_the_saddle as srd35_shots_from_the_saddle
from affray.engine.dialects.srd35.mounted import stay_mounted as srd35_stay_mounted
from affray.engine.record.mounted import Mounted
from affray.engine.rules.mounted.plain import PLAIN_MOUNTED
from affray.events.facts import acts

MOUNTED: Mounted = replace(
    PLAIN_MOUNTED,
    acts={
        acts.Mount: airborne_mounts.mount,
        acts.Dismount: airborne_mounts.dismount,
        acts.Guide: guide_mount.guide,
        acts.Ride: srd35_shots_from_the_saddle.ride,
    },
    averted=srd35_stay_mounted.averted,
)
