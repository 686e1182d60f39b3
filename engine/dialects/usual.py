"""The declarations that most dialects resolve alike."""

from collections.abc import Mapping
from typing import Any

from affray.engine.rules.attacks import actions, coup
from affray.engine.rules.gear import drawing
from affray.engine.rules.moving import movement
from affray.engine.rules.turns import flow, minor, ready
from affray.events.facts import acts

ACTS: Mapping[type[acts.Act], Any] = {
    acts.Enter: minor.enter,
    acts.Begin: flow.begin,
    acts.EndTurn: flow.end_turn,
    acts.Move: movement.move,
    acts.TotalDefense: actions.total_defense,
    acts.CoupDeGrace: coup.coup_de_grace,
    acts.Delay: ready.delay,
    acts.Resume: ready.resume,
    acts.Ready: ready.ready,
    acts.Stand: minor.stand,
    acts.Drop: minor.drop,
    acts.Sheathe: drawing.sheathe,
    acts.Stabilize: minor.stabilize,
    acts.Speak: minor.speak,
    acts.Hazard: minor.hazard,
    acts.Close: flow.close,
}
