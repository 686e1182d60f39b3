"""The plain values of the chapter on movement: complete, for a dialect to start from."""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.record.acts import Honours
from affray.engine.record.movement import Movement
from affray.engine.rules.attacks.attack_action import trained_tumbler
from affray.engine.rules.movement import footing, walking
from affray.engine.rules.movement.movement import printed_pace, run_multiple, running, sizes_apart, unslowed
from affray.engine.rules.movement.walking import arrived, leaving
from affray.engine.rules.turns import minor_acts
from affray.engine.rules.turns.minor_acts import unladen
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.projections.state import Combatant


def no_fall(fight: Fight, who: Combatant, feet: int) -> Steps[None]:
    """Let a fall do nothing: the dialect has no rule on it."""
    return
    yield


def approach_freely(fight: Fight, who: Combatant, here: Square, there: Square) -> None:
    """Let a step that brings a mover nearer to an enemy have no consequence."""


PLAIN_MOVEMENT = Movement(
    acts={
        acts.Move: Honours(walking.move, "path", how=("normal",)),
        acts.Stand: Honours(minor_acts.stand),
    },
    speed=printed_pace,
    laden=unladen,
    slowing_rule=unslowed,
    walk=walking.walk,
    leaving=leaving,
    approach=approach_freely,
    refuse_step=footing.refuse_step,
    refuse_rough=footing.refuse_rough,
    measure=footing.measure,
    too_far=footing.too_far,
    shape=footing.shape,
    may_stop=footing.may_stop,
    may_pass=sizes_apart,
    hindered=footing.hindered,
    crossing=footing.crossing,
    noticed=footing.noticed,
    entered=footing.entered,
    step_aside=footing.step_aside,
    arrived=arrived,
    running=running,
    run_multiple=run_multiple,
    nimble=trained_tumbler,
    fall=no_fall,
)
