"""The chapter on movement in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks import blind_fight
from affray.engine.dialects.pf1.movement import acrobatics, obstacles
from affray.engine.dialects.pf1.opportunity import attacks_of_opportunity
from affray.engine.dialects.pf1.position import very_small
from affray.engine.dialects.pf1.turns import flow as own_flow
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import rolls
from affray.engine.record.compose import any_of, choose, first, refine, steps, when
from affray.engine.record.movement import Movement
from affray.engine.record.silent import none
from affray.engine.rules.classes.natures import FLYING, INCORPOREAL, natured
from affray.engine.rules.movement import barriers, footing, walking
from affray.engine.rules.movement.movement import run_multiple
from affray.engine.rules.movement.plain import PLAIN_MOVEMENT
from affray.events.facts import acts

#: Those whom difficult terrain does not hamper.
CLEAR = natured("mover", FLYING), natured("mover", INCORPOREAL)

MOVEMENT: Movement = replace(
    PLAIN_MOVEMENT,
    rolls=rolls("1d20: acrobatics, climb, swim"),
    acts={
        **PLAIN_MOVEMENT.acts,
        acts.Step: Honours(steps(walking.five_foot_step, own_flow.cite_free_step), "to"),
        acts.Withdraw: Honours(walking.withdraw, "path"),
        acts.Move: Honours(
            refine(
                walking.move,
                when("", acrobatics.hurry_blindly, holds=acrobatics.is_blinded),
                when("", blind_fight.move_surely, holds=blind_fight.moves_surely),
            ),
            "path",
            how=("normal",),
        ),
        acts.Run: Honours(
            refine(
                walking.run,
                when("", acrobatics.hurry_blindly, holds=acrobatics.is_blinded),
                when("", blind_fight.move_surely, holds=blind_fight.moves_surely),
            ),
            "path",
        ),
    },
    refuse_step=first(
        footing.refuse_blocked,
        choose(when("", very_small.refuse_no_room, holds=very_small.is_very_small), footing.refuse_occupied),
    ),
    may_stop=choose(when("", very_small.has_room, holds=very_small.is_very_small), footing.may_stop),
    step_is_told=any_of(very_small.enters_held_square, attacks_of_opportunity.gives_no_second_opening),
    after_step=steps(attacks_of_opportunity.tell_one_opening, very_small.provoke_by_entering),
    measure=refine(
        choose(when(CLEAR, obstacles.measure_clear), footing.measure),
        when(obstacles.THERE, obstacles.add_obstacles),
    ),
    too_far=obstacles.too_far,
    refuse_rough=first(obstacles.refuse_charge_across, choose(when(CLEAR, none), footing.refuse_rough)),
    barrier_fault=barriers.asks_for_check,
    step_needs_check=obstacles.step_needs_check,
    check_before_step=obstacles.check_before_step,
    nimble=any_of(PLAIN_MOVEMENT.nimble, acrobatics.is_practiced),
    run_multiple=first(own_flow.run_four_times, run_multiple),
)
