"""The chapter on maneuvers in futurepath: what stands at each point that is not plain.

A weapon with the trait "trip" trips. Of what size a weapon is, for a disarm, is taken from how it is wielded
(light, one-handed, two-handed) unless one of its traits names a size, such as "tiny".
"""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.gear import shoot_held, strike_held
from affray.engine.dialects.futurepath.grapple.start_grapple import GRAPPLE
from affray.engine.dialects.futurepath.maneuvers import bull_rush, disarm, feint, overrun, trip
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import choose, when
from affray.engine.record.maneuvers import Maneuvers
from affray.engine.record.other_fields import SAID
from affray.engine.rules.maneuvers.plain import PLAIN_MANEUVERS
from affray.events.facts import acts

MANEUVERS: Maneuvers = replace(
    PLAIN_MANEUVERS,
    rolls=rolls("1d20: bull rush, counter-disarm, counter-trip, disarm, feint, trip"),
    questions=questions(
        "counter-disarm: try, decline",
        "counter-trip: try, decline",
        "drop: drop, fall",
        "overrun: block, avoid",
        "push: <number>",
    ),
    acts={
        acts.BullRush: Honours(bull_rush.bull_rush, "target path charge"),
        acts.Overrun: Honours(overrun.overrun_opponent, "target path charge weapon"),
        acts.Sunder: Honours(
            choose(when("", shoot_held.shoot_at_item, holds=shoot_held.is_shot), strike_held.sunder_item),
            "target weapon item size hardness hp thrown",
        ),
        acts.Feint: Honours(feint.mislead_by_bluff, "target"),
        acts.Trip: Honours(trip.trip_opponent, "target weapon"),
        acts.Disarm: Honours(
            disarm.disarm_opponent, "target weapon item secured", under={"secured": {"item": SAID}}
        ),
    },
    substitutes={"trip": trip.TRIP, "disarm": disarm.DISARM, "grapple": GRAPPLE},
)
