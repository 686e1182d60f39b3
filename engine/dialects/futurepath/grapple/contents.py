"""The chapter on grapple in futurepath: what stands at each point that is not plain.

A grapple is started (`start`) and kept up by being in the other's square; then each of the two may `damage`,
`pin`, `escape` (by `skill`, with Escape Artist), `break-pin` of a friend, `draw` a light weapon or `attack`
with one, each in place of an attack but for drawing. In a full attack they are its strikes, `special` being
"grapple" and `item` the option.
"""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.grapple import grapple_options, start_grapple
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.grapple import Grapple
from affray.engine.rules.grapple import loose_holds
from affray.engine.rules.grapple.plain import PLAIN_GRAPPLE
from affray.events.facts import acts

GRAPPLE: Grapple = replace(
    PLAIN_GRAPPLE,
    rolls=rolls("1d2: grappler", "1d20: escape, escape artist, grapple"),
    questions=questions("grab: hold, grab only", "hold: hold, let go", "in: <square>", "out: <square>"),
    acts={
        acts.Grapple: Honours(
            start_grapple.wrestle,
            "target weapon skill",
            what=("start", *grapple_options.OPTIONS),
            under={"weapon": {"what": ("attack", "draw")}, "skill": {"what": ("escape",)}},
        ),
    },
    parted=loose_holds.let_go_apart,
)
