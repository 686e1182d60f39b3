"""The chapter on grapple in woa: what stands at each point that is not plain.

`grab` seizes a `part` with one hand, both, or a natural weapon (`means`); `grapple` starts a grapple. Whoever
grapples as a round begins declares one intent of type "grapple" ("pin", "escape", "escape-artist", "cast",
...) and comes last; who wins the check has a turn, in which `grapple` does what was declared. Feats:
"improved grab", "deadly stroke"; a thief's trait "sudden strike x3".
"""

from msgspec.structs import replace

from affray.engine.dialects.woa.conditions import impeded_mobility
from affray.engine.dialects.woa.grapple import grab_actions, grapple
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.grapple import Grapple
from affray.engine.record.other_fields import UNSAID
from affray.engine.rules.grapple.plain import PLAIN_GRAPPLE
from affray.events.facts import acts

GRAPPLE: Grapple = replace(
    PLAIN_GRAPPLE,
    rolls=rolls(
        "1d100: ground, wrong-target",
        "1d20: drag, escape, escape artist, grab, grapple, pull, squeeze, throw",
    ),
    questions=questions(
        "in: <square>",
        "keep: let go, hold",
        "other: possible, impossible",
        "pin: ground, wall",
        "resist: base attack bonus + Wisdom modifier, Insight, resist, go along",
        "squeeze: nothing more, suffocation",
        "stop: stop, let",
        "unusual: possible, impossible",
        "weight: no, yes",
    ),
    acts={
        acts.Grapple: Honours(
            grapple.grapple,
            "target weapon path skill part",
            what=("start", "ease", *grapple.ACTIVITIES),
            under={
                "weapon": {"what": ("attack", "called-shot", "draw", "activate")},
                "path": {"what": ("move",)},
                "part": {"what": ("called-shot",)},
                "skill": {"what": ("escape",)},
            },
        ),
        acts.Grab: Honours(
            grab_actions.grabbing,
            "target what part hands means unusual targets path at skill",
            under={
                "target": {"what": ("start", "escape", "throw", "release"), "targets": UNSAID},
                **{key: {"what": ("start",)} for key in ("part", "hands", "means", "unusual")},
                **{key: {"what": ("escape",)} for key in ("targets", "skill")},
                "path": {"what": ("drag",)},
                "at": {"what": ("throw",)},
            },
        ),
        acts.GetFree: Honours(impeded_mobility.get_free, "skill"),
        acts.BreakFree: Honours(impeded_mobility.break_free, "weapon"),
    },
)
