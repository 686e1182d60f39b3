"""The chapter on grapple in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.grapple import (
    grapple_options,
    option_choice,
    restraints,
    start_grapple,
)
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.grapple import Grapple
from affray.engine.rules.gear import tanglefoot
from affray.engine.rules.grapple import loose_holds
from affray.engine.rules.grapple.plain import PLAIN_GRAPPLE
from affray.events.facts import acts

GRAPPLE: Grapple = replace(
    PLAIN_GRAPPLE,
    rolls=rolls("1d2: grappler", "1d20: escape, escape artist, grapple"),
    questions=questions(
        "cut-out: no, yes",
        "grab: grab, hold with one limb, decline",
        "hold: hold, let go",
        "in: <square>",
        "out: <square>",
        "rope: let go, hold",
        "silence: speak, silence",
    ),
    acts={
        acts.BreakFree: Honours(tanglefoot.break_free, "weapon"),
        acts.Grapple: Honours(
            start_grapple.grapple,
            "target weapon path skill lethal",
            refuses="completion",
            what=("start", *option_choice.OPTIONS),
            under={
                "weapon": {"what": grapple_options.WITH_AN_ITEM},
                "path": {"what": ("move", "escape")},
                "skill": {"what": ("escape",)},
                "lethal": {"what": ("damage",)},
                "completion": {"what": ("activate",)},
            },
        ),
        acts.Bind: Honours(restraints.bind, "target item"),
        acts.GetFree: Honours(restraints.get_free, "skill"),
    },
    bonds=restraints.sturdiness_of_bonds,
    parted=loose_holds.let_go_apart,
)
