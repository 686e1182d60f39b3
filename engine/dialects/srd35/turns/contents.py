"""The chapter on turns in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.attacks import aid_another
from affray.engine.dialects.srd35.classes import turned_undead
from affray.engine.dialects.srd35.conditions import ability_loss, confusion_fascination
from affray.engine.dialects.srd35.damage import fast_healing
from affray.engine.dialects.srd35.damage.injury import bleed_out_together
from affray.engine.dialects.srd35.grapple import pinned_at_start
from affray.engine.dialects.srd35.magic import long_castings
from affray.engine.dialects.srd35.mounted import airborne_mounts, barding
from affray.engine.dialects.srd35.prohibitions import PROHIBITIONS
from affray.engine.dialects.srd35.turns import (
    action_budget,
    action_types,
    course_of_turn,
    delay_and_ready,
    surprise,
)
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions
from affray.engine.record.compose import amend, choose, prohibit, refine, steps, when
from affray.engine.record.conditions import known_conditions
from affray.engine.record.turns import Around, Turns
from affray.engine.rules.attacks import swarms
from affray.engine.rules.classes.sheet_words import POLICIES, SHEET
from affray.engine.rules.conditions.ability_points import refuse_start_losses, start_losses
from affray.engine.rules.gear import special_substances
from affray.engine.rules.grapple import start_in_grapple
from affray.engine.rules.magic import casting_in_progress, gazes, new_saves, ongoing_damage
from affray.engine.rules.mounted import mounted_combat, stay_mounted, turn_of_pair
from affray.engine.rules.mounted.riding import at_the_mount, refuse_saddle, take_saddle
from affray.engine.rules.turns import (
    allowance,
    arriving,
    delay,
    flow,
    free_actions,
    minor_acts,
    split_full_round,
    start_states,
    table_of_actions,
)
from affray.engine.rules.turns import delay_and_ready as shared_ready
from affray.engine.rules.turns.action_types import by_table
from affray.engine.rules.turns.delay_and_ready import TRIGGER
from affray.engine.rules.turns.plain import PLAIN_TURNS
from affray.engine.rules.turns.start_states import GRIPS, OF_CONDITIONS_AND_GRAPPLE
from affray.events.facts import acts

TURNS: Turns = replace(
    PLAIN_TURNS,
    questions=PLAIN_TURNS.questions | questions("free-limit: allow, refuse"),
    acts={
        **PLAIN_TURNS.acts,
        acts.Ready: Honours(shared_ready.ready, "then step", trigger=TRIGGER),
        acts.Enter: Honours(
            steps(
                when("riding", refuse_saddle),
                when("grapples", start_in_grapple.refuse_start_in_grapple),
                when("grapples", pinned_at_start.refuse_bodiless_grapple),
                refuse_start_losses,
                when("nonlethal", start_states.refuse_spared_nonlethal),
                amend(
                    when("riding", at_the_mount),
                    when("grapples", start_states.at_the_opponent),
                    choose(when("carried", arriving.arrive), minor_acts.enter),
                ),
                when("riding", take_saddle),
                when("grapples", start_in_grapple.start_in_grapple),
                when("grip", pinned_at_start.start_pinned),
                start_losses(ability_loss.lose_ability_points),
                barding.tell_speed,
                airborne_mounts.lift_rider,
            ),
            "id side at hp nonlethal held initiative acted riding by levels losses used grapples unloaded"
            " origin carried",
            under=OF_CONDITIONS_AND_GRAPPLE,
            grip=GRIPS,
            conditions=known_conditions,
            policy=POLICIES,
            sheet=SHEET,
        ),
        acts.Delay: Honours(steps(turn_of_pair.refuse_begun_mount, delay.delay), "count"),
        acts.Resume: Honours(
            steps(refine(delay.resume, delay_and_ready.cite_new_count), delay_and_ready.take_delayed_turn)
        ),
        acts.Split: Honours(split_full_round.split, "then"),
    },
    surprise=surprise.surprise,
    close_round=steps(bleed_out_together, flow.close_round),
    open_turn=choose(
        when("", flow.begin_turn, holds=course_of_turn.is_uneventful),
        when(
            flow.RESUMED,
            steps(
                flow.resume_turn,
                when("mount", turn_of_pair.go_on_with_mount),
                when("'turned' in conditions", turned_undead.cower_or_flee),
            ),
        ),
        steps(
            casting_in_progress.come_due,
            special_substances.flare_up,
            when("delaying", delay_and_ready.lose_delayed_turn),
            refine(
                steps(
                    when("mount", turn_of_pair.turn_of_mount),
                    *flow.FRESH_TURN,
                    when("mount", turn_of_pair.begin_with_mount),
                    when("mount", turn_of_pair.befall_mount),
                ),
                aid_another.cite_lapsed_aid,
            ),
            when("'turned' in conditions", turned_undead.cower_or_flee),
            turn_of_pair.rider_and_mount(
                steps(
                    when("effects", ongoing_damage.deal_ongoing_damage),
                    special_substances.stand_in_fire,
                    gazes.meet_gazes,
                    when("effects", new_saves.attempt_new_saves),
                )
            ),
            long_castings.continue_casting,
            confusion_fascination.settle_confusion_and_panic,
        ),
    ),
    close_turn=steps(
        when("sheet.traits", swarms.swarm_damage_to_all, holds=swarms.swarm_can_harm),
        when("mount", turn_of_pair.end_turn_of_mount),
        flow.close_turn,
    ),
    allowance=choose(
        when(action_budget.UNHINDERED, action_budget.unrestricted_allowance),
        refine(allowance.allowance, action_budget.restricted),
    ),
    table_rules=table_of_actions.rule_of_table,
    action_type=by_table(action_types.TABLE),
    told_safe=table_of_actions.tell_safe,
    short_step_rules=action_budget.rules_of_short_step,
    free_action_limit=free_actions.is_reasonable,
    take_readied=delay_and_ready.interrupt,
    watch=stay_mounted.watch_seats,
    prohibitions=prohibit(*PROHIBITIONS),
    around=(
        Around(
            when(mounted_combat.MOUNTED, mounted_combat.tell_ride),
            (acts.Step, acts.Withdraw, acts.Run),
            ahead=mounted_combat.refuse_to_ride,
            change=when(mounted_combat.MOUNTED, mounted_combat.as_mount),
        ),
    ),
    turn_onset=fast_healing.turn_onset,
)
