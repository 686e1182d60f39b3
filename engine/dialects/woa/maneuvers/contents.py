"""The chapter on maneuvers in woa: what stands at each point that is not plain.

Traits of a weapon: "trip", "locked gauntlet"; of a creature: "cannot be tripped", "stable", "stability +4 vs
trip, push", "maneuver +2 vs disarm" ("vs all" is every one). With "tripping strike", "disarming strike" or
"sundering strike" a strike of a full attack names it as `special`; a charge may end in a `special = "push"`.
"""

from msgspec.structs import replace

from affray.engine.dialects.woa.gear.objects import MATERIALS
from affray.engine.dialects.woa.grapple import grab
from affray.engine.dialects.woa.maneuvers import disarm, feint, overrun, push, stunt, sunder, trip
from affray.engine.dialects.woa.maneuvers.sunder import SOFT
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.maneuvers import Maneuvers, Substitute
from affray.engine.record.other_fields import SAID, UNSAID
from affray.engine.rules.maneuvers.plain import PLAIN_MANEUVERS
from affray.events.facts import acts

IN_PLACE = "woa.attack.in-place-of-attack"

MANEUVERS: Maneuvers = replace(
    PLAIN_MANEUVERS,
    rolls=rolls("1d20: disarm, feint, overrun, push, stunt, sunder, trip", "collision"),
    questions=questions(
        "catch: catch, let fall",
        "circumstances: <number>",
        "collision: nonlethal, lethal",
        "drop: keep, drop",
        "feint: Acrobatics, Bluff, Intimidate",
        "follow: stay, follow",
        "guard: base attack, Strength",
        "obstacle: plain, dangerous",
        "overrun: stand, step aside",
        "push: <number>",
        "seat: Ride, armor class",
        "stunt: as proposed, without a check, impossible",
        "way: northeast, east, southeast, south, southwest, west, northwest, north",
    ),
    acts={
        acts.Trip: Honours(trip.trip, "target weapon"),
        acts.Disarm: Honours(
            disarm.disarm,
            "target weapon item secured both_hands",
            under={"secured": {"item": SAID}, "both_hands": {"weapon": UNSAID}},
        ),
        acts.Sunder: Honours(
            sunder.sunder,
            "target weapon item hardness hp secured",
            material=(*MATERIALS, SOFT),
            under={key: {"item": SAID} for key in ("hardness", "hp", "material")},
        ),
        acts.Push: Honours(push.push, "target"),
        acts.Stunt: Honours(stunt.stunt, "target what weapon"),
        acts.Overrun: Honours(
            overrun.overrun,
            "target path charge whole strike weapon",
            under={"whole": {"charge": UNSAID}, "weapon": {"strike": SAID}},
        ),
        acts.Feint: Honours(feint.feint, "target"),
    },
    substitutes={
        "trip": Substitute(trip.plan_trip, trip.carry_out_trip, IN_PLACE, ("woa.maneuver.trip.action-cost",)),
        "disarm": Substitute(
            disarm.disarm_attempt, disarm.carry_out_disarm, IN_PLACE, ("woa.disarm.action",)
        ),
        "sunder": Substitute(
            sunder.plan_sunder, sunder.carry_out_sunder, IN_PLACE, ("woa.maneuver.sunder.action-cost",)
        ),
        "push": Substitute(push.plan_push, push.carry_out_push, IN_PLACE, ("woa.maneuver.push.action-cost",)),
        "grab": Substitute(grab.plan_grab, grab.carry_out_grab, IN_PLACE, ("woa.grab.action",)),
    },
)
