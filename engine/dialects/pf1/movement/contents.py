"""The chapter on movement in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks import blind_fight
from affray.engine.dialects.pf1.grapple import swallow
from affray.engine.dialects.pf1.movement import (
    acrobatics,
    balance,
    fall,
    jump,
    move_modes,
    obstacles,
    speed,
    step_costs,
    step_up,
)
from affray.engine.dialects.pf1.opportunity import attacks_of_opportunity, safe_ways
from affray.engine.dialects.pf1.position import pass_through, tight_spaces, very_small
from affray.engine.dialects.pf1.turns import flow as own_flow
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import amend, any_of, by_word, choose, first, refine, steps, when
from affray.engine.record.movement import Movement
from affray.engine.record.other_fields import SAID
from affray.engine.record.silent import none
from affray.engine.rules.classes.natures import FLYING, INCORPOREAL, natured
from affray.engine.rules.conditions import fascination
from affray.engine.rules.maneuvers import trample
from affray.engine.rules.movement import barriers, footing, run_endurance, unseen, walking
from affray.engine.rules.movement.movement import run_multiple, sizes_apart
from affray.engine.rules.movement.plain import PLAIN_MOVEMENT
from affray.engine.rules.position import squeezing
from affray.engine.rules.senses import hidden
from affray.events.facts import acts

#: Those whom difficult terrain does not hamper.
CLEAR = natured("mover", FLYING), natured("mover", INCORPOREAL)

MOVEMENT: Movement = replace(
    PLAIN_MOVEMENT,
    questions=questions("depth: <feet>", "step up: <square>, decline"),
    rolls=rolls(
        "1d20: acrobatics, climb, constitution, escape artist, fly, swim",
        "closest, fall, fall-nonlethal, falling-object",
    ),
    acts={
        **PLAIN_MOVEMENT.acts,
        acts.Step: Honours(
            refine(steps(walking.five_foot_step, own_flow.cite_free_step), step_up.follow), "to"
        ),
        acts.Withdraw: Honours(refine(walking.withdraw, speed.tell_withdrawal), "path"),
        acts.Move: Honours(
            refine(
                amend(
                    when(move_modes.NARROW, squeezing.through_gap),
                    choose(
                        *by_word("how", move_modes.WAYS),
                        refine(walking.move, speed.tell_move),
                    ),
                ),
                when("", acrobatics.hurry_blindly, holds=acrobatics.is_blinded),
                when("", blind_fight.move_surely, holds=blind_fight.moves_surely),
                safe_ways.tell_safe_way,
            ),
            "path dc fast up wide",
            how=move_modes.HOW,
            surface=("", *balance.SURFACES),
            under=move_modes.READ_BY,
        ),
        acts.Jump: Honours(
            jump.jump,
            "path takeoff feet",
            kind=("long", "high", "down"),
            under={
                "path": {"kind": ("long", "high")},
                "takeoff": {"kind": ("long",)},
                "feet": {"kind": ("high", "down")},
            },
        ),
        acts.Fall: Honours(fall.fall_by_gm, "target feet size opponent", under={"opponent": {"size": SAID}}),
        acts.Run: Honours(
            refine(
                walking.run,
                speed.tell_run,
                when("", acrobatics.hurry_blindly, holds=acrobatics.is_blinded),
                when("", blind_fight.move_surely, holds=blind_fight.moves_surely),
                run_endurance.run_while_breath_lasts,
            ),
            "path",
        ),
    },
    speed=speed.land_speed,
    speed_told=speed.speed_told,
    refuse_step=choose(
        when("", very_small.refuse_no_room, holds=very_small.is_very_small),
        squeezing.refuse_no_fit,
    ),
    in_way=refine(squeezing.in_way, when("how == 'trample' and not last", trample.without_run_over)),
    refuse_entry=first(
        unseen.refuse_charge_through,
        choose(
            when("", very_small.refuse_held_full, holds=very_small.is_very_small),
            footing.refuse_held,
        ),
    ),
    after_running_into=steps(unseen.no_longer_hides, unseen.know_square),
    may_stop=choose(when("", very_small.has_room, holds=very_small.is_very_small), footing.may_stop),
    may_pass=any_of(pass_through.lets_pass, sizes_apart),
    shape=squeezing.shape,
    step_is_told=any_of(
        squeezing.changes_form,
        very_small.enters_held_square,
        attacks_of_opportunity.gives_no_second_opening,
    ),
    after_step=steps(
        tight_spaces.settle_after_step,
        attacks_of_opportunity.tell_one_opening,
        very_small.provoke_by_entering,
    ),
    after_movement=steps(
        when("mover.sheet.traits", swallow.carry_along),
        hidden.no_longer_hidden,
        walking.after_movement,
        fascination.possible_threat,
    ),
    measure=refine(
        step_costs.measure_strides,
        when("how == 'minimum'", step_costs.measure_least),
    ),
    too_far=step_costs.too_far,
    forfeit=step_up.forfeit,
    slowing_rule=step_up.slowed_by_step,
    refuse_rough=first(obstacles.refuse_charge_across, choose(when(CLEAR, none), footing.refuse_rough)),
    barrier_fault=barriers.asks_for_check,
    step_needs_check=obstacles.step_needs_check,
    check_before_step=obstacles.check_before_step,
    fall=fall.come_down,
    nimble=any_of(PLAIN_MOVEMENT.nimble, acrobatics.is_practiced),
    run_multiple=first(speed.run_by_feat, own_flow.run_four_times, run_multiple),
)
