"""The chapter on mounted in srd35: what stands at each point that is not plain.

Traits of a mount's sheet: "bareback", "unsuited", "military saddle", "barding" (its `speed` is that without
it); one whose name or trait is on the list of `srd35.mount.combat-trained` is trained, or frightened by
combat.
"""

from msgspec.structs import replace

from affray.engine.dialects.srd35.mounted import airborne_mounts, guide_mount, shots_from_the_saddle
from affray.engine.record.acts import Fields, Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import steps
from affray.engine.record.mounted import Mounted
from affray.engine.rules.mounted import averted_blows, ride_skill, rider_provokes, riding
from affray.engine.rules.mounted.plain import PLAIN_MOUNTED
from affray.events.facts import acts

MOUNTED: Mounted = replace(
    PLAIN_MOUNTED,
    rolls=rolls("1d100: stay-mounted", "1d20: ride"),
    questions=questions("avert: try, decline", "lands: <square>"),
    acts={
        acts.Mount: Honours(steps(riding.mount, airborne_mounts.lift_rider), "target fast"),
        acts.Dismount: Honours(steps(riding.dismount, airborne_mounts.fall_from_saddle), "to fast"),
        acts.Guide: Honours(guide_mount.guide, "what path", under={"path": {"what": ("leap",)}}),
        acts.Ride: Honours(
            shots_from_the_saddle.ride,
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
    averted=averted_blows.averted,
    frightened=ride_skill.is_listed_as_frightened,
    left_squares=rider_provokes.open_rider_too,
)
