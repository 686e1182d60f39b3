"""The chapter on maneuvers in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.grapple import start_grapple
from affray.engine.dialects.srd35.maneuvers import awesome_blow, disarm, feint, overrun, sunder, trample, trip
from affray.engine.dialects.srd35.maneuvers import bull_rush as srd35_bull_rush
from affray.engine.dialects.srd35.mounted import stay_mounted as srd35_stay_mounted
from affray.engine.record.maneuvers import Maneuvers
from affray.engine.rules.maneuvers.plain import PLAIN_MANEUVERS
from affray.events.facts import acts

MANEUVERS: Maneuvers = replace(
    PLAIN_MANEUVERS,
    acts={
        acts.Trample: trample.trample,
        acts.Trip: trip.trip,
        acts.Disarm: disarm.disarm,
        acts.Sunder: sunder.sunder,
        acts.BullRush: srd35_bull_rush.bull_rush,
        acts.Overrun: overrun.overrun,
        acts.Feint: feint.feint,
        acts.AwesomeBlow: awesome_blow.awesome_blow,
    },
    substitutes={
        name: replace(plan, listed=("special-attack.table",))
        for name, plan in {
            "trip": trip.TRIP,
            "disarm": disarm.DISARM,
            "sunder": sunder.SUNDER,
            "grapple": start_grapple.GRAPPLE,
        }.items()
    },
    tripped_footing=srd35_stay_mounted.tripped_footing,
)
