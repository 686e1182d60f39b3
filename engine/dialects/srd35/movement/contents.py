"""The chapter on movement in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes import turned_undead
from affray.engine.dialects.srd35.conditions.confusion_fascination import possible_threat
from affray.engine.dialects.srd35.mounted import barding, mounted_combat, mounted_moves
from affray.engine.dialects.srd35.movement import (
    fall,
    jump,
    load,
    move_modes,
    speed,
    step_costs,
    terrain,
    tumble,
    walk_and_run,
)
from affray.engine.dialects.srd35.position import pass_through
from affray.engine.dialects.srd35.senses import hide
from affray.engine.record.acts import Honours
from affray.engine.record.compose import choose, steps, when
from affray.engine.record.movement import Movement
from affray.engine.record.words import Judged
from affray.engine.rules.movement.plain import PLAIN_MOVEMENT
from affray.events.facts import acts

MOVEMENT: Movement = replace(
    PLAIN_MOVEMENT,
    acts={
        **PLAIN_MOVEMENT.acts,
        acts.Jump: Honours(jump.jump, "kind path takeoff feet onto depth"),
        acts.Lift: Honours(load.lift, "pounds how path"),
        acts.Move: Honours(
            move_modes.move, "path dc fast up draw", how=move_modes.HOW, surface=Judged(move_modes.GROUNDS)
        ),
        acts.Step: Honours(mounted_combat.step_by_rider_or_mount, "to"),
        acts.Withdraw: Honours(mounted_moves.withdraw_by_rider_or_mount, "path"),
        acts.Run: Honours(mounted_moves.run_by_rider_or_mount, "path"),
        acts.Fall: Honours(fall.fall_by_gm, "target feet onto depth pounds"),
    },
    speed=barding.speed_in_barding,
    laden=load.laden,
    slowing_rule=speed.slowing_rule,
    approach=turned_undead.approach,
    refuse_step=terrain.refuse_step,
    refuse_rough=terrain.refuse_rough,
    measure=step_costs.measure,
    too_far=step_costs.too_far,
    shape=terrain.shape,
    may_stop=pass_through.may_stop,
    may_pass=pass_through.may_pass,
    step_needs_check=terrain.step_needs_check,
    check_before_step=terrain.check_before_step,
    step_is_told=terrain.step_is_told,
    after_step=terrain.after_step,
    step_aside=terrain.step_aside,
    after_movement=steps(hide.come_out_of_hiding, possible_threat),
    run_multiple=choose(
        when("", barding.heavy_barding_run, holds=barding.in_heavy_barding), walk_and_run.run_multiple
    ),
    nimble=tumble.nimble,
    fall=fall.come_down,
)
