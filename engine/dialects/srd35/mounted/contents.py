"""The chapter on mounted in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.mounted import airborne_mounts, guide_mount
from affray.engine.dialects.srd35.mounted import shots_from_the_saddle as srd35_shots_from_the_saddle
from affray.engine.dialects.srd35.mounted import stay_mounted as srd35_stay_mounted
from affray.engine.record.acts import Fields, Honours
from affray.engine.record.mounted import Mounted
from affray.engine.rules.mounted.plain import PLAIN_MOUNTED
from affray.events.facts import acts

MOUNTED: Mounted = replace(
    PLAIN_MOUNTED,
    acts={
        acts.Mount: Honours(airborne_mounts.mount, "target fast"),
        acts.Dismount: Honours(airborne_mounts.dismount_in_the_air, "to fast"),
        acts.Guide: Honours(guide_mount.guide, "what path"),
        acts.Ride: Honours(
            srd35_shots_from_the_saddle.ride,
            "path pace after",
            then={
                acts.Attack: Fields("target weapon nonlethal defensively power expertise"),
                acts.FullAttack: Fields(
                    "nonlethal defensively flurry power expertise second rapid_shot whirlwind",
                    strikes=Fields("target weapon special off_hand"),
                ),
                acts.Cast: Fields("spell targets at defensively opening"),
            },
        ),
    },
    averted=srd35_stay_mounted.averted,
)
