"""The plain values of the chapter on movement: complete, for a dialect to start from."""

from affray.engine.record.acts import Honours
from affray.engine.record.compose import first
from affray.engine.record.movement import Movement
from affray.engine.record.silent import always, no, no_points, no_topic, none, nothing
from affray.engine.rules.attacks.attack_action import trained_tumbler
from affray.engine.rules.movement import barriers, footing, walking
from affray.engine.rules.movement.movement import printed_pace, run_multiple, running, sizes_apart, unslowed
from affray.engine.rules.movement.walking import after_movement, leaving
from affray.engine.rules.position import squeezing
from affray.engine.rules.turns import minor_acts
from affray.events.facts import acts

PLAIN_MOVEMENT = Movement(
    acts={acts.Move: Honours(walking.move, "path", how=("normal",)), acts.Stand: Honours(minor_acts.stand)},
    speed=printed_pace,
    laden=nothing,
    speed_told=none,
    slowing_rule=unslowed,
    forfeit=no_points,
    walk=walking.walk,
    leaving=leaving,
    approach=none,
    refuse_step=first(footing.refuse_blocked, footing.refuse_occupied),
    in_way=footing.in_way,
    refuse_entry=footing.refuse_held,
    after_running_into=nothing,
    refuse_ground=squeezing.refuse_wall_or_corner,
    refuse_rough=footing.refuse_rough,
    measure=footing.measure,
    scaled_diagonals=False,
    too_far=no_topic,
    shape=footing.shape,
    may_stop=footing.may_stop,
    may_pass=sizes_apart,
    step_needs_check=no,
    check_before_step=always,
    barrier_fault=barriers.covers_only,
    step_is_told=no,
    after_step=nothing,
    step_aside=footing.step_aside,
    after_movement=after_movement,
    running=running,
    run_multiple=run_multiple,
    nimble=trained_tumbler,
    fall=nothing,
)
