"""The chapter on maneuvers in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.gear.objects import MATERIALS
from affray.engine.dialects.woa.grapple import grab
from affray.engine.dialects.woa.maneuvers import disarm, overrun, push, stunt, sunder, trip
from affray.engine.dialects.woa.maneuvers.declared_feint import feinting
from affray.engine.dialects.woa.maneuvers.sunder import SOFT
from affray.engine.dialects.woa.mounted import mounted_combat
from affray.engine.dialects.woa.turns.declared_actions import keeping
from affray.engine.record.acts import Honours
from affray.engine.record.maneuvers import Maneuvers, Substitute
from affray.engine.rules.maneuvers.plain import PLAIN_MANEUVERS
from affray.events.facts import acts

IN_PLACE = "attack.in-place-of-attack"

MANEUVERS: Maneuvers = replace(
    PLAIN_MANEUVERS,
    acts={
        acts.Trip: Honours(mounted_combat.maneuvering(trip.trip), "target", "weapon"),
        acts.Disarm: Honours(
            keeping(mounted_combat.wielding(disarm.disarm)),
            "target",
            "weapon",
            "item",
            "secured",
            "both_hands",
        ),
        acts.Sunder: Honours(
            keeping(mounted_combat.wielding(sunder.sunder)),
            "target",
            "weapon",
            "item",
            "hardness",
            "hp",
            "secured",
            material=(*MATERIALS, SOFT),
        ),
        acts.Push: Honours(mounted_combat.maneuvering(push.push), "target"),
        acts.Stunt: Honours(keeping(mounted_combat.wielding(stunt.stunt)), "target", "what", "weapon"),
        acts.Overrun: Honours(
            mounted_combat.maneuvering(overrun.overrun),
            "target",
            "path",
            "charge",
            "whole",
            "strike",
            "weapon",
        ),
        acts.Feint: Honours(feinting, "target"),
    },
    substitutes={
        "trip": Substitute(trip.plan_trip, trip.carry_out_trip, IN_PLACE, ("maneuver.trip.action-cost",)),
        "disarm": Substitute(disarm.plan_disarm, disarm.carry_out_disarm, IN_PLACE, ("disarm.action",)),
        "sunder": Substitute(
            sunder.plan_sunder, sunder.carry_out_sunder, IN_PLACE, ("maneuver.sunder.action-cost",)
        ),
        "push": Substitute(push.plan_push, push.carry_out_push, IN_PLACE, ("maneuver.push.action-cost",)),
        "grab": Substitute(grab.plan_grab, grab.carry_out_grab, IN_PLACE, ("grab.action",)),
    },
)
