"""The declarations that most dialects resolve alike."""

from collections.abc import Mapping
from typing import Any

from affray.engine.rules.attacks import attack_action, coup_de_grace
from affray.engine.rules.gear import draw_and_sheathe
from affray.engine.rules.movement import movement
from affray.engine.rules.turns import delay_and_ready, flow, minor_acts
from affray.events.facts import acts

ACTS: Mapping[type[acts.Act], Any] = {
    acts.Enter: minor_acts.enter,
    acts.Begin: flow.begin,
    acts.EndTurn: flow.end_turn,
    acts.Move: movement.move,
    acts.TotalDefense: attack_action.total_defense,
    acts.CoupDeGrace: coup_de_grace.coup_de_grace,
    acts.Delay: delay_and_ready.delay,
    acts.Resume: delay_and_ready.resume,
    acts.Ready: delay_and_ready.ready,
    acts.Stand: minor_acts.stand,
    acts.Drop: minor_acts.drop,
    acts.Sheathe: draw_and_sheathe.sheathe,
    acts.Stabilize: minor_acts.stabilize,
    acts.Speak: minor_acts.speak,
    acts.Hazard: minor_acts.hazard,
    acts.Close: flow.close,
}
