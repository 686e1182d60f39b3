"""The chapter on mounted in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.mounted import riding, shots_from_the_saddle, stay_mounted
from affray.engine.record.acts import Fields, Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.mounted import Mounted
from affray.engine.record.words import Judged
from affray.engine.rules.mounted.plain import PLAIN_MOUNTED
from affray.events.facts import acts

MOUNTED: Mounted = replace(
    PLAIN_MOUNTED,
    rolls=rolls("1d100: stay-mounted", "1d20: ride"),
    questions=questions("avert: try, decline", "lands: <square>"),
    acts={
        acts.Mount: Honours(riding.mount, "target fast"),
        acts.Dismount: Honours(riding.dismount, "to fast"),
        acts.Guide: Honours(riding.guide, what=Judged(("control", "knees"))),
        acts.Ride: Honours(
            shots_from_the_saddle.ride,
            "path pace after",
            then={
                acts.Attack: Fields("target weapon thrown nonlethal"),
                acts.FullAttack: Fields("nonlethal", strikes=Fields("target weapon thrown off_hand")),
                acts.Cast: Fields("spell targets at defensively"),
            },
        ),
    },
    averted=stay_mounted.averted,
)
