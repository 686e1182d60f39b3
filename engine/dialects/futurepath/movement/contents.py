"""The chapter on movement in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.gear import doors
from affray.engine.dialects.futurepath.grapple import being_held
from affray.engine.dialects.futurepath.movement import (
    fall,
    half_speed,
    movement,
    postures,
    spacecraft,
    speed,
    tumble,
    ways,
)
from affray.engine.dialects.futurepath.turns import full_round
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import amend, any_of, by_word, choose, first, refine, steps, when
from affray.engine.record.movement import Movement
from affray.engine.rules.movement import footing, on_foot, run_endurance, unseen, walking
from affray.engine.rules.movement.movement import sizes_apart, slowing_rule
from affray.engine.rules.movement.plain import PLAIN_MOVEMENT
from affray.engine.rules.senses import hidden
from affray.engine.rules.turns import minor_acts
from affray.events.facts import acts

MOVEMENT: Movement = replace(
    PLAIN_MOVEMENT,
    questions=questions("depth: <feet>"),
    rolls=rolls("1d20: climb, constitution, swim, tumble"),
    acts={
        **PLAIN_MOVEMENT.acts,
        acts.Move: Honours(
            steps(
                full_round.refuse_to_move_on,
                choose(
                    *by_word("how", dict.fromkeys(half_speed.WAYS, half_speed.move_slowly)),
                    *by_word("how", {speed.DOUBLE: on_foot.double_move}),
                    *by_word("how", {spacecraft.SPACE: spacecraft.steer}),
                    *by_word("how", {tumble.TUMBLE: tumble.tumble_by_old_rules}),
                    *by_word("how", {speed.VEHICLE: refine(walking.move, speed.enter_vehicle)}),
                    refine(walking.move, speed.move_by_speed),
                ),
            ),
            "path dc fast up",
            how=("normal", speed.DOUBLE, spacecraft.SPACE, speed.VEHICLE, tumble.TUMBLE, *half_speed.WAYS),
            under={
                "dc": {"how": ("climb", "swim")},
                "fast": {"how": ("climb", tumble.TUMBLE)},
                "up": {"how": (spacecraft.SPACE,)},
            },
        ),
        acts.Stand: Honours(choose(when("", postures.rise, holds=postures.is_low), minor_acts.stand)),
        acts.Step: Honours(movement.five_foot_step, "to"),
        acts.Withdraw: Honours(movement.retreat, "path", how=("normal", "climb", "swim")),
        acts.Run: Honours(
            refine(
                steps(speed.refuse_to_run, movement.sprint),
                run_endurance.run_while_breath_lasts,
                speed.tell_rest,
            ),
            "path",
        ),
    },
    speed=refine(PLAIN_MOVEMENT.speed, when("'encumbered' in mover.conditions", speed.encumbered)),
    speed_told=speed.why_so_fast,
    slowing_rule=amend(slowing_rule, speed.limit_of_combat),
    measure=ways.measure_way,
    in_way=refine(footing.in_way, doors.without_open_doors),
    refuse_entry=first(doors.refuse_closed, footing.refuse_held),
    after_running_into=unseen.know_square,
    after_movement=steps(PLAIN_MOVEMENT.after_movement, hidden.no_longer_hidden),
    may_pass=any_of(ways.lets_pass, ways.is_open_door, when("", sizes_apart, holds=ways.is_no_closed_door)),
    may_stop=being_held.may_stay,
    leaving=choose(when("", walking.leaving, holds=movement.each_square_left), movement.leaving),
    fall=fall.fall,
)
