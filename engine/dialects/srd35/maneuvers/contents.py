"""The chapter on maneuvers in srd35: what stands at each point that is not plain.

A creature with the trait "trample 2d8" may `trample`.
"""

from msgspec.structs import replace

from affray.engine.dialects.srd35.conditions import confusion_fascination
from affray.engine.dialects.srd35.grapple import start_grapple
from affray.engine.dialects.srd35.maneuvers import awesome_blow, disarm, feint, overrun, sunder, trip
from affray.engine.dialects.srd35.maneuvers import bull_rush as srd35_bull_rush
from affray.engine.dialects.srd35.mounted import stay_mounted
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import refine, steps, when
from affray.engine.record.maneuvers import Maneuvers
from affray.engine.record.other_fields import SAID
from affray.engine.rules.maneuvers import trample
from affray.engine.rules.maneuvers.opposed_checks import trip_footing
from affray.engine.rules.maneuvers.plain import PLAIN_MANEUVERS
from affray.events.facts import acts

MANEUVERS: Maneuvers = replace(
    PLAIN_MANEUVERS,
    rolls=rolls(
        "1d100: astray",
        "1d20: bull rush, counter-disarm, counter-overrun, counter-trip, disarm, feint, overrun, sunder, "
        "trip",
        "1d6: obstacle",
        "2d8: trample",
    ),
    questions=questions(
        "way: northeast, east, southeast, south, southwest, west, northwest, north",
        "counter-disarm: try, decline",
        "counter-overrun: try, decline",
        "counter-trip: try, decline",
        "drop: drop, fall",
        "overrun: block, avoid",
        "push: <number>",
        "trample: avoid, strike",
    ),
    acts={
        acts.Trample: Honours(trample.trample, "path"),
        acts.Trip: Honours(trip.trip, "target weapon"),
        acts.Disarm: Honours(disarm.disarm, "target weapon item secured", under={"secured": {"item": SAID}}),
        acts.Sunder: Honours(
            sunder.sunder,
            "target weapon item size hardness hp",
            under={key: {"item": SAID} for key in ("size", "hardness", "hp")},
        ),
        acts.BullRush: Honours(srd35_bull_rush.bull_rush, "target path charge"),
        acts.Overrun: Honours(overrun.overrun, "target path charge"),
        acts.Feint: Honours(feint.feint, "target"),
        acts.AwesomeBlow: Honours(awesome_blow.awesome_blow, "target weapon"),
    },
    before_contest=steps(when("target.conditions", confusion_fascination.rouse_by_attempt)),
    substitutes={
        name: replace(plan, listed=("srd35.special-attack.table",))
        for name, plan in {
            "trip": trip.TRIP,
            "disarm": disarm.DISARM,
            "sunder": sunder.SUNDER,
            "grapple": start_grapple.GRAPPLE,
        }.items()
    },
    tripped_footing=refine(trip_footing, stay_mounted.rider_footing),
)
