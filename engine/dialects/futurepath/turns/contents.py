"""The chapter on turns in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.gear import attacks_on_objects, bullets, planted, timers
from affray.engine.dialects.futurepath.grapple import being_held
from affray.engine.dialects.futurepath.maneuvers import attack_in_move
from affray.engine.dialects.futurepath.movement import postures
from affray.engine.dialects.futurepath.opportunity import attacks_of_opportunity
from affray.engine.dialects.futurepath.turns import (
    action_budget,
    action_types,
    delay,
    flow,
    full_round,
    special_initiative,
    speech,
    split_full_round,
    total_defense,
)
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import about, amend, choose, prohibit, refine, steps, when
from affray.engine.record.conditions import known_conditions
from affray.engine.record.turns import Around, Turns
from affray.engine.rules.classes.sheet_words import POLICIES, SHEET
from affray.engine.rules.damage import injury
from affray.engine.rules.grapple import start_in_grapple
from affray.engine.rules.movement import brink
from affray.engine.rules.position import place
from affray.engine.rules.turns import arriving, delay_and_ready, initiative, minor_acts, start_states
from affray.engine.rules.turns import delay as shared_delay
from affray.engine.rules.turns import flow as shared_flow
from affray.engine.rules.turns.action_types import by_table
from affray.engine.rules.turns.delay_and_ready import TRIGGER
from affray.engine.rules.turns.plain import PLAIN_TURNS
from affray.events.facts import acts

TURNS: Turns = replace(
    PLAIN_TURNS,
    rolls=PLAIN_TURNS.rolls | rolls("1d20: tie-break"),
    questions=PLAIN_TURNS.questions
    | questions(
        "first: wait, act", "free-cost: move, attack", "last: act, forfeit", "speech: fits, too much"
    ),
    acts={
        **PLAIN_TURNS.acts,
        acts.Split: Honours(split_full_round.start_or_complete, "then"),
        acts.Ready: Honours(
            refine(delay_and_ready.ready, special_initiative.tell_ready), "then step", trigger=TRIGGER
        ),
        acts.Delay: Honours(refine(shared_delay.delay, special_initiative.tell_delay), "count"),
        acts.Speak: Honours(speech.speak, "words gesture"),
        acts.Enter: Honours(
            steps(
                when("grapples", start_in_grapple.refuse_start_in_grapple),
                when("nonlethal", start_states.refuse_spared_nonlethal),
                amend(
                    when("grapples", start_states.at_the_opponent),
                    choose(when("carried", arriving.arrive), minor_acts.enter),
                ),
                when("grapples", start_in_grapple.start_in_grapple),
                when("grip", being_held.start_in_pin),
                flow.join_at_once,
            ),
            "id side at hp nonlethal held initiative acted by levels used grapples unloaded origin carried",
            refuses="riding",
            under=start_states.OF_CONDITIONS_AND_GRAPPLE,
            grip=start_states.GRIPS,
            conditions=known_conditions,
            policy=POLICIES,
            sheet=SHEET,
        ),
    },
    surprise=flow.surprise,
    initiative=steps(flow.improved_initiative, initiative.roll_initiative),
    order=choose(when("", initiative.set_order, holds=flow.ties_by_modifier), flow.order_by_dexterity),
    open_round=steps(flow.open_round, delay.ahead_of_all),
    last_turn=delay.last_turn,
    close_round=flow.close_round,
    open_turn=choose(
        when(shared_flow.RESUMED, shared_flow.resume_turn),
        steps(
            shared_flow.end_what_lasts_until_turn,
            when("readied is not None", shared_flow.lapse_readied),
            flow.begin_turn,
            planted.go_off,
            when("'dying' in conditions", injury.bleed_out, holds=flow.standard_injuries),
        ),
    ),
    close_turn=flow.close_turn,
    allowance=action_budget.allowance,
    action_type=by_table(action_types.TABLE),
    readiable=action_types.readiable,
    prohibitions=prohibit(
        about(brink.WALKS, when(f"{place.CHASM!r} in conditions", brink.refuse_to_walk_out)),
        when("'pinned' in conditions", being_held.refuse_to_pinned),
        when("'grappling' in conditions", being_held.refuse_other_actions),
        when("'total-defense' in conditions", total_defense.refuse_while_defending),
        about(
            (acts.Attack, acts.FullAttack), when("'charging' in conditions", full_round.refuse_after_charge)
        ),
        about(
            (acts.Step,),
            when("'bull rush' in spent or 'overrun' in spent", attack_in_move.refuse_step_afterwards),
        ),
        about(
            (acts.Move, acts.Step, acts.Run, acts.Withdraw, acts.Charge, acts.BullRush, acts.Overrun),
            when("'kneeling' in conditions or 'sitting' in conditions", postures.refuse_to_walk),
        ),
        about((acts.Ready,), split_full_round.refuse_out_of_turn),
        when("effects", split_full_round.refuse_before_completing),
    ),
    free_action=action_budget.free_action,
    precedence=flow.precedence,
    around=(Around(attacks_on_objects.tell_unattended, (acts.Attack,)),),
    watch=refine(attacks_of_opportunity.name_rules, timers.follow_timers, bullets.follow_bullets),
)
