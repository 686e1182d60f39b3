"""The chapter on grapple in pf1: what stands at each point that is not plain.

A natural weapon with the trait "grab" may hold whom it hits. Whoever is "holding" must `maintain` the grapple
on each of its turns, or `move`, `damage`, `pin`, `tie-up` (with the `weapon` that is the rope) or `swallow`
(with the trait "swallow whole 2d6 acid"), else it is over as the turn ends. The other may `escape` or
`take-over`; those in ropes `get-free`. A creature with the trait "constrict 1d8+6" hurts with each successful
check; claws of the trait "rake" may `rake` whom their bearer held as its turn began.
"""

from msgspec.structs import replace

from affray.engine.dialects.pf1.grapple import get_free, grapple, hold
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import choose, when
from affray.engine.record.grapple import Grapple
from affray.engine.rules.gear import nets
from affray.engine.rules.grapple.plain import PLAIN_GRAPPLE
from affray.events.facts import acts

GRAPPLE: Grapple = replace(
    PLAIN_GRAPPLE,
    rolls=rolls("1d20: escape, escape artist", "gut"),
    questions=questions(
        "grab: grab, hold with one limb, decline",
        "hazard: escape, escape artist, decline",
        "in: <square>",
        "out: <square>",
    ),
    acts={
        acts.Grapple: Honours(
            grapple.grapple,
            "target weapon path skill lethal nonlethal hazardous",
            what=grapple.WHAT,
            under={
                "weapon": {"what": ("damage", "tie-up")},
                "path": {"what": ("move",)},
                "hazardous": {"what": ("move",)},
                "skill": {"what": ("escape", "take-over")},
                "lethal": {"what": ("damage",)},
                "nonlethal": {"what": ("damage",)},
            },
        ),
        acts.GetFree: Honours(
            choose(when("", nets.get_out_of_net, holds=get_free.is_only_in_net), get_free.get_free), "skill"
        ),
    },
    parted=hold.parted,
)
