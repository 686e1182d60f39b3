"""The chapter on movement in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.turns import flow as own_flow
from affray.engine.record.acts import Honours
from affray.engine.record.compose import first, steps
from affray.engine.record.movement import Movement
from affray.engine.rules.movement import walking
from affray.engine.rules.movement.movement import run_multiple
from affray.engine.rules.movement.plain import PLAIN_MOVEMENT
from affray.events.facts import acts

MOVEMENT: Movement = replace(
    PLAIN_MOVEMENT,
    acts={
        **PLAIN_MOVEMENT.acts,
        acts.Step: Honours(steps(walking.five_foot_step, own_flow.cite_free_step), "to"),
        acts.Withdraw: Honours(walking.withdraw, "path"),
        acts.Run: Honours(walking.run, "path"),
    },
    run_multiple=first(own_flow.run_four_times, run_multiple),
)
