"""The chapter on mounted in pf1: what stands at each point that is not plain.

Traits of a mount's sheet: "combat trained" (every other mount is frightened by combat; a name such as
"warhorse" says it too), "bareback", "unsuited", "military saddle". Whoever hangs beside its mount for cover
can `recover` from "behind the mount".
"""

from msgspec.structs import replace

from affray.engine.dialects.pf1.mounted import mounted_combat, ride_skill, shots_from_the_saddle
from affray.engine.record.acts import Fields, Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import steps, when
from affray.engine.record.mounted import Mounted
from affray.engine.rules.mounted import rider_provokes, riding
from affray.engine.rules.mounted.plain import PLAIN_MOUNTED
from affray.events.facts import acts

MOUNTED: Mounted = replace(
    PLAIN_MOUNTED,
    rolls=rolls("1d100: stay-mounted", "1d20: ride", "fall, spurs"),
    questions=questions("avert: try, decline", "unseat: try, decline", "lands: <square>"),
    acts={
        acts.Mount: Honours(
            steps(when("fast", ride_skill.refuse_hurry), riding.mount, mounted_combat.tell_safe_mounting),
            "target fast",
        ),
        acts.Dismount: Honours(
            steps(when("fast", ride_skill.refuse_hurry), riding.dismount, mounted_combat.tell_safe_mounting),
            "to fast",
        ),
        acts.Guide: Honours(ride_skill.guide, "what path", under={"path": {"what": ("leap",)}}),
        acts.Ride: Honours(
            shots_from_the_saddle.ride_and_act,
            "path pace after",
            then={
                acts.Attack: Fields("target weapon nonlethal defensively power expertise"),
                acts.FullAttack: Fields(
                    "nonlethal defensively flurry power expertise second rapid_shot",
                    strikes=Fields("target weapon off_hand"),
                ),
                acts.Cast: Fields("spell targets at defensively opening"),
            },
        ),
    },
    averted=mounted_combat.averted,
    frightened=ride_skill.is_frightened,
    left_squares=rider_provokes.open_rider_too,
)
