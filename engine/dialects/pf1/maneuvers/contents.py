"""The chapter on maneuvers in pf1: what stands at each point that is not plain.

A weapon has the traits "trip" and "disarm" where its table says so. From what a `dirty-trick` has done its
victim can `recover`. A bull rush, a drag or a repositioning goes as far as its result allows; how far of it
one pushes or drags, and whether one goes along, is asked. A creature with the trait "trample 2d8" may
`trample`. A `sunder` says `hardness` and `hp` of what the tables do not know; a weapon or armor with the
trait "broken" is so from the start.
"""

from msgspec.structs import replace

from affray.engine.dialects.pf1.maneuvers import (
    bull_rush,
    dirty_trick,
    disarm,
    drag,
    feint,
    overrun,
    reposition,
    stand_still,
    steal,
    sunder,
    trip,
)
from affray.engine.dialects.pf1.mounted import ride_skill
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import choose, when
from affray.engine.record.maneuvers import Maneuvers
from affray.engine.record.other_fields import SAID
from affray.engine.rules.maneuvers import trample
from affray.engine.rules.maneuvers.plain import PLAIN_MANEUVERS
from affray.engine.rules.mounted.ride_skill import BEHIND
from affray.events.facts import acts

MANEUVERS: Maneuvers = replace(
    PLAIN_MANEUVERS,
    rolls=rolls("1d8: direction", "1d4: trick", "1d20: bluff", "trample"),
    questions=questions(
        "destroy: destroy, leave",
        "drop: drop, fall",
        "follow: follow, stay",
        "overrun: block, avoid",
        "push: <number>",
        "take item: take, leave",
        "trample: avoid, strike",
    ),
    acts={
        acts.Trample: Honours(trample.trample, "path"),
        acts.Trip: Honours(trip.trip, "target weapon"),
        acts.Disarm: Honours(disarm.disarm, "target weapon item"),
        acts.BullRush: Honours(bull_rush.bull_rush, "target path charge"),
        acts.DirtyTrick: Honours(dirty_trick.dirty_trick, "target", condition=dirty_trick.tricks),
        acts.Recover: Honours(
            choose(when(f"condition == {BEHIND!r}", ride_skill.sit_up), dirty_trick.recover),
            condition=dirty_trick.recoverable,
        ),
        acts.Drag: Honours(drag.drag, "target"),
        acts.Reposition: Honours(reposition.reposition, "target path"),
        acts.Steal: Honours(steal.steal, "target item weapon fastened"),
        acts.Sunder: Honours(
            sunder.sunder,
            "target weapon item hardness hp",
            under={"hp": {"item": SAID}, "hardness": {"hp": SAID}},
        ),
        acts.Overrun: Honours(overrun.overrun, "target path charge"),
        acts.Feint: Honours(feint.feint, "target"),
    },
    substitutes={
        "trip": trip.TRIP,
        "disarm": disarm.DISARM,
        "sunder": sunder.SUNDER,
        stand_still.NAME: stand_still.STAND_STILL,
    },
)
