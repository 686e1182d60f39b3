"""The chapter on movement in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes import turned_undead
from affray.engine.dialects.srd35.mounted import barding
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
from affray.engine.dialects.srd35.position import inside_objects, pass_through
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import amend, any_of, by_word, choose, first, refine, steps, when
from affray.engine.record.movement import Movement
from affray.engine.record.other_fields import UNSAID
from affray.engine.record.words import Judged
from affray.engine.rules.attacks.attack_action import trained_tumbler
from affray.engine.rules.conditions.fascination import possible_threat
from affray.engine.rules.maneuvers import trample
from affray.engine.rules.mounted import mounted_combat
from affray.engine.rules.movement import barriers, run_endurance, unseen, walking
from affray.engine.rules.movement.movement import slowing_rule
from affray.engine.rules.movement.plain import PLAIN_MOVEMENT
from affray.engine.rules.position import squeezing
from affray.engine.rules.senses import hidden
from affray.events.facts import acts

MOVEMENT: Movement = replace(
    PLAIN_MOVEMENT,
    rolls=rolls("1d20: balance, climb, jump, swim, tumble", "closest, fall, fall-nonlethal, falling-object"),
    questions=questions("depth: <feet>", "dive: swim, tumble, none", "soften: jump, tumble, none"),
    acts={
        **PLAIN_MOVEMENT.acts,
        acts.Jump: Honours(
            jump.jump,
            "kind path takeoff feet onto depth",
            under={
                "path": {"kind": ("long", "high", "hop")},
                "feet": {"kind": ("high", "down")},
                "onto": {"kind": ("down",)},
                "depth": {"onto": ("water",)},
            },
        ),
        acts.Lift: Honours(load.lift, "pounds how path", under={"path": {"how": ("ground", "drag")}}),
        acts.Move: Honours(
            steps(
                move_modes.refuse_words,
                when(mounted_combat.PAIRED, mounted_combat.refuse_to_ride),
                refine(
                    amend(
                        when(mounted_combat.MOUNTED, mounted_combat.as_mount),
                        when(move_modes.NARROW, squeezing.through_gap),
                        choose(
                            *by_word("how", move_modes.WAYS),
                            steps(
                                walk_and_run.refuse_to_move,
                                choose(
                                    *by_word("how", walk_and_run.WAYS),
                                    steps(
                                        walk_and_run.refuse_off_the_ground,
                                        refine(walking.move, walk_and_run.tell_move),
                                    ),
                                ),
                            ),
                        ),
                    ),
                    when(mounted_combat.MOUNTED, mounted_combat.tell_ride),
                    when("draw", move_modes.draw_on_the_way),
                    when(f"not ({move_modes.SPECIAL})", move_modes.tell_overlooked),
                ),
            ),
            "path dc fast up draw wide",
            how=move_modes.HOW,
            surface=Judged(move_modes.GROUNDS),
            under=move_modes.READ_BY,
        ),
        acts.Step: Honours(walking.five_foot_step, "to"),
        acts.Withdraw: Honours(
            steps(walk_and_run.refuse_to_withdraw, refine(walking.withdraw, walk_and_run.tell_withdrawal)),
            "path",
        ),
        acts.Run: Honours(
            steps(
                walk_and_run.refuse_to_run,
                refine(walking.run, walk_and_run.tell_run, run_endurance.run_while_breath_lasts),
            ),
            "path",
        ),
        acts.Fall: Honours(
            fall.fall_by_gm,
            "target feet onto depth pounds",
            under={"onto": {"pounds": UNSAID}, "depth": {"onto": ("water",)}},
        ),
    },
    speed=choose(
        when("sheet.armor_weight", barding.speed_in_barding, holds=barding.is_barded), speed.land_speed
    ),
    speed_told=speed.speed_told,
    laden=load.set_load_condition,
    slowing_rule=slowing_rule,
    approach=turned_undead.approach,
    refuse_step=squeezing.refuse_no_fit,
    in_way=refine(squeezing.in_way, when("how == 'trample' and not last", trample.without_run_over)),
    refuse_entry=first(unseen.refuse_charge_through, pass_through.refuse_held),
    after_running_into=steps(unseen.no_longer_hides, unseen.know_square),
    refuse_ground=choose(
        when("", inside_objects.refuse_too_deep, holds=inside_objects.solid_is_no_obstacle),
        squeezing.refuse_wall_or_corner,
    ),
    refuse_rough=terrain.refuse_rough,
    measure=step_costs.measure,
    too_far=step_costs.too_far,
    shape=squeezing.shape,
    may_stop=pass_through.may_stop,
    may_pass=pass_through.may_pass,
    step_needs_check=terrain.step_needs_check,
    check_before_step=terrain.check_before_step,
    barrier_fault=barriers.asks_for_check,
    step_is_told=any_of(terrain.step_is_told, squeezing.changes_form),
    after_step=terrain.after_step,
    step_aside=terrain.step_aside,
    after_movement=steps(hidden.no_longer_hidden, walking.after_movement, possible_threat),
    run_multiple=walk_and_run.run_multiple,
    nimble=any_of(trained_tumbler, tumble.is_practiced),
    fall=fall.come_down,
)
