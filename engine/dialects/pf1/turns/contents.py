"""The chapter on turns in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.classes import saves
from affray.engine.dialects.pf1.conditions import ability_loss
from affray.engine.dialects.pf1.damage import exposed_items, healing, injury
from affray.engine.dialects.pf1.gear import broken_things, tower_shield
from affray.engine.dialects.pf1.grapple import casting, get_free, start_in_grapple
from affray.engine.dialects.pf1.mounted import on_own_feet
from affray.engine.dialects.pf1.movement import fall, fly, speed, step_up
from affray.engine.dialects.pf1.opportunity import attacks_of_opportunity
from affray.engine.dialects.pf1.position import tight_spaces
from affray.engine.dialects.pf1.turns import action_types, rounds
from affray.engine.dialects.pf1.turns import flow as own_flow
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import rolls
from affray.engine.record.compose import about, amend, choose, prohibit, refine, steps, when
from affray.engine.record.conditions import known_conditions
from affray.engine.record.turns import Around, Turns
from affray.engine.rules.attacks import swarm_prohibitions, swarms
from affray.engine.rules.classes import flight_from_turner
from affray.engine.rules.classes.sheet_words import POLICIES, SHEET
from affray.engine.rules.conditions import compulsion, flight_from_fear
from affray.engine.rules.conditions.ability_points import refuse_start_losses, start_losses
from affray.engine.rules.conditions.mental_actions import PARALYZED
from affray.engine.rules.gear import nets, special_substances
from affray.engine.rules.magic import casting_in_progress, gazes, new_saves, ongoing_damage
from affray.engine.rules.mounted import mounted_combat, ride_skill, stay_mounted, turn_of_pair
from affray.engine.rules.mounted.riding import at_the_mount, refuse_saddle, take_saddle
from affray.engine.rules.movement import brink
from affray.engine.rules.position import place, tight_form
from affray.engine.rules.senses import hidden
from affray.engine.rules.turns import (
    allowance,
    arriving,
    delay,
    flow,
    minor_acts,
    prohibitions,
    split_full_round,
    start_states,
    table_of_actions,
)
from affray.engine.rules.turns.action_types import by_table
from affray.engine.rules.turns.plain import PLAIN_TURNS
from affray.engine.rules.turns.start_states import GRIPS, OF_CONDITIONS_AND_GRAPPLE
from affray.events.facts import acts

TURNS: Turns = replace(
    PLAIN_TURNS,
    acts={
        **PLAIN_TURNS.acts,
        acts.Begin: Honours(flow.begin, "unaware round turn stealthy"),
        acts.Delay: Honours(steps(turn_of_pair.refuse_begun_mount, delay.delay), "count"),
        acts.Resume: Honours(refine(delay.resume, rounds.change_place_by_resuming)),
        acts.Split: Honours(refine(split_full_round.split, rounds.split_in_restricted_turn), "then"),
        acts.Enter: Honours(
            steps(
                when("riding", refuse_saddle),
                when("grapples", start_in_grapple.refuse_start_in_grapple),
                refuse_start_losses,
                when("conditions", broken_things.refuse_start_broken),
                when("nonlethal", start_states.refuse_spared_nonlethal),
                amend(
                    when("riding", at_the_mount), choose(when("carried", arriving.arrive), minor_acts.enter)
                ),
                when("hp is not None", broken_things.start_broken),
                when("riding", take_saddle),
                when("grapples", start_in_grapple.start_in_grapple),
                start_losses(ability_loss.lose_ability_points),
            ),
            "id side at hp nonlethal held initiative acted riding by levels losses used grapples unloaded"
            " origin carried",
            under=OF_CONDITIONS_AND_GRAPPLE,
            grip=GRIPS,
            conditions=known_conditions,
            policy=POLICIES,
            sheet=SHEET,
        ),
    },
    rolls=PLAIN_TURNS.rolls | rolls("1d20: perception, stealth"),
    surprise=own_flow.surprise,
    order=refine(PLAIN_TURNS.order, rounds.set_order_by_result),
    open_round=refine(PLAIN_TURNS.open_round, rounds.open_normal_round),
    close_round=flow.close_round,
    open_turn=steps(
        when("casting", casting_in_progress.come_due),
        refine(
            choose(
                when(flow.RESUMED, steps(flow.resume_turn, when("mount", turn_of_pair.go_on_with_mount))),
                steps(
                    special_substances.flare_up,
                    when("mount", turn_of_pair.turn_of_mount),
                    *flow.FRESH_TURN,
                    when("mount", turn_of_pair.begin_with_mount),
                    when("mount", turn_of_pair.befall_mount),
                    turn_of_pair.rider_and_mount(
                        steps(
                            when("effects", ongoing_damage.deal_ongoing_damage),
                            special_substances.stand_in_fire,
                            gazes.meet_gazes,
                            when("effects", new_saves.attempt_new_saves),
                        )
                    ),
                ),
            ),
            own_flow.count_immediate_action,
        ),
    ),
    close_turn=steps(
        when("sheet.traits", swarms.swarm_damage_to_all, holds=swarms.swarm_can_harm),
        when("mount", turn_of_pair.end_turn_of_mount),
        refine(
            steps(when(f"{injury.ON_ITS_FEET!r} in conditions", injury.strain_below_zero), flow.close_turn),
            rounds.keep_initiative_when_idle,
        ),
    ),
    take_readied=refine(
        PLAIN_TURNS.take_readied,
        own_flow.cite_disturbed_caster,
        rounds.change_place_by_readying,
    ),
    ending_rule=refine(PLAIN_TURNS.ending_rule, rounds.full_round_over),
    table_rules=table_of_actions.rule_of_table,
    told_safe=table_of_actions.tell_safe,
    short_step_rules=own_flow.rules_of_short_step,
    action_type=by_table(action_types.TABLE),
    watch=amend(
        stay_mounted.watch_seats,
        refine(attacks_of_opportunity.name_rules, saves.cite_saves, exposed_items.harm_items_after_one),
    ),
    allowance=refine(allowance.allowance, when("found.total", own_flow.add_swift_action)),
    prohibitions=prohibit(
        about(brink.WALKS, when(f"{place.CHASM!r} in conditions", brink.refuse_to_walk_out)),
        about(
            (*swarm_prohibitions.BLOWS, *swarm_prohibitions.HOLDS, *swarm_prohibitions.AIMED),
            swarm_prohibitions.refuse_single,
        ),
        about(
            (acts.Cast,), when(("'pinned' in conditions", "'tied up' in conditions"), casting.refuse_gestures)
        ),
        when(("'pinned' in conditions", "'tied up' in conditions"), get_free.refuse_pinned),
        about((acts.Cast,), when(f"{fall.FALLING!r} in conditions", fall.refuse_slow_spell)),
        about((acts.Move, acts.Run, acts.Withdraw), when("'flying' in conditions", fly.refuse_on_foot)),
        about((acts.Move, acts.Withdraw), when("'winded' in conditions", speed.refuse_hurry)),
        about((acts.Step,), when("effects", step_up.refuse_short_step)),
        about((acts.Touch,), tower_shield.refuse_touch_at_shield),
        when("'tethered' in conditions", nets.refuse_beyond_rope),
        when("mount or rider or riderless", ride_skill.refuse_astride),
        when(f"{PARALYZED!r} in conditions", prohibitions.refuse_but_delay),
        about(on_own_feet.AFOOT, when("mount", on_own_feet.refuse_own_feet)),
        about((acts.Delay, acts.Resume, acts.Ready), prohibitions.refuse_change_of_initiative),
        about(
            tight_form.ATTACKS, when(f"{tight_form.WRIGGLING!r} in conditions", tight_spaces.refuse_attack)
        ),
        about(
            (acts.Attack, acts.FullAttack, acts.Charge),
            when("", hidden.refuse_unnoticed, holds=prohibitions.effect_on_anybody),
        ),
        when("'turned' in conditions", flight_from_turner.refuse_but_flight),
        when("'panicked' in conditions", flight_from_fear.refuse_to_panicked),
        when("'frightened' in conditions", flight_from_fear.refuse_to_frightened),
        when("effects", compulsion.refuse_against_compulsion),
    ),
    around=(
        Around(
            when(mounted_combat.MOUNTED, mounted_combat.tell_ride),
            (acts.Move, acts.Step, acts.Withdraw, acts.Run),
            ahead=mounted_combat.refuse_to_ride,
            change=when(mounted_combat.MOUNTED, mounted_combat.as_mount),
        ),
    ),
    turn_onset=healing.turn_onset,
)
