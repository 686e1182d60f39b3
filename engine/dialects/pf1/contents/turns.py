"""Chapters on turns, conditions, opportunity, movement, position, senses, mounts, surroundings in pf1."""

from msgspec.structs import replace

from affray.engine.dialects.pf1 import (
    damage,
    environment,
    gear,
    grapple,
    mounted,
    movement,
    opportunity,
    position,
    senses,
    turns,
)
from affray.engine.dialects.pf1.attacks import attack_roll, weapons_and_feats
from affray.engine.dialects.pf1.classes import abilities
from affray.engine.dialects.pf1.conditions import afflictions
from affray.engine.dialects.pf1.conditions.afflictions import BLEED, DRAINED, IMMUNE, LOCAL, gain_bleed
from affray.engine.dialects.pf1.conditions.condition_table import STATES, TABLE
from affray.engine.dialects.pf1.grapple import TIED
from affray.engine.kernel import turns as kernel_turns
from affray.engine.kernel.places import CHASM
from affray.engine.record.acts import SAID, ActSpec, Fields, questions, rolls
from affray.engine.record.chapters import (
    Around,
    Conditions,
    Environment,
    Mounted,
    Movement,
    Opportunity,
    Position,
    Senses,
    Turns,
    known_conditions,
)
from affray.engine.record.compose import (
    about,
    amend,
    any_of,
    asks,
    by_word,
    choose,
    first,
    gather,
    none,
    prohibit,
    refine,
    steps,
    when,
)
from affray.engine.rules import environment as shared_environment
from affray.engine.rules.attacks import natural_weapons
from affray.engine.rules.classes import feats
from affray.engine.rules.classes.feats import RAGING, is_rage_beginning
from affray.engine.rules.classes.sheets import FLYING, INCORPOREAL, POLICIES, SHEET, natured
from affray.engine.rules.conditions import conditions, fear
from affray.engine.rules.conditions.conditions import PARALYZED
from affray.engine.rules.conditions.fear import refuse_start_losses, start_losses
from affray.engine.rules.gear import nets, splash_weapons
from affray.engine.rules.gear.weapons_in_hand import melee_weapons_at
from affray.engine.rules.magic import casting, ongoing_spells, touch_spells
from affray.engine.rules.magic.concentration import CONCENTRATING, end_unmaintained_spell
from affray.engine.rules.magic.touch_spells import CHARGED
from affray.engine.rules.maneuvers import trample
from affray.engine.rules.mounted import mounted_combat, riding, stay_mounted
from affray.engine.rules.mounted.riding import enter_at_mount, refuse_saddle, take_saddle
from affray.engine.rules.movement import movement as shared_movement
from affray.engine.rules.movement import skills, walking
from affray.engine.rules.movement.movement import once_a_round, run_multiple, sizes_apart
from affray.engine.rules.movement.skills import start_aloft
from affray.engine.rules.opportunity import attacks_of_opportunity
from affray.engine.rules.plain import (
    PLAIN_CONDITIONS,
    PLAIN_ENVIRONMENT,
    PLAIN_MOUNTED,
    PLAIN_MOVEMENT,
    PLAIN_OPPORTUNITY,
    PLAIN_POSITION,
    PLAIN_SENSES,
    PLAIN_TURNS,
)
from affray.engine.rules.position import squeezing
from affray.engine.rules.senses import hidden
from affray.engine.rules.turns import actions, fiat, flow, initiative
from affray.engine.rules.turns.actions import by_table
from affray.engine.rules.turns.fiat import GRIPS, OF_CONDITIONS_AND_GRAPPLE
from affray.events.facts import acts

# --- The chapter on turns in pf1: each point that differs from the default

TURNS: Turns = replace(
    PLAIN_TURNS,
    acts={
        **PLAIN_TURNS.acts,
        acts.Begin: ActSpec(flow.begin, "unaware round turn stealthy"),
        acts.Delay: ActSpec(steps(riding.refuse_begun_mount, flow.delay), "count"),
        acts.Resume: ActSpec(refine(flow.resume, turns.change_place_by_resuming)),
        acts.Split: ActSpec(refine(actions.split, turns.split_in_restricted_turn), "then"),
        acts.Enter: ActSpec(
            steps(
                when("riding", refuse_saddle),
                when("grapples", grapple.refuse_start_in_grapple),
                refuse_start_losses,
                when("conditions", gear.refuse_start_broken),
                when("nonlethal", fiat.refuse_spared_nonlethal),
                amend(
                    when("riding", enter_at_mount), choose(when("carried", initiative.arrive), actions.enter)
                ),
                when("hp is not None", gear.start_broken),
                when("riding", take_saddle),
                when("grapples", grapple.start_in_grapple),
                start_losses(afflictions.lose_ability_points),
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
    questions=PLAIN_TURNS.questions | questions("free-limit: allow, refuse"),
    surprise=turns.surprise,
    order=refine(PLAIN_TURNS.order, turns.set_order_by_result),
    open_round=refine(PLAIN_TURNS.open_round, turns.open_normal_round),
    close_round=kernel_turns.close_round,
    open_turn=steps(
        when("casting", casting.come_due),
        refine(
            choose(
                when(flow.RESUMED, steps(flow.resume_turn, when("mount", riding.go_on_with_mount))),
                steps(
                    splash_weapons.run_thrower_fires,
                    when("mount", riding.turn_of_mount),
                    *flow.FRESH_TURN,
                    when("mount", riding.begin_with_mount),
                    when("mount", riding.apply_effects_to_mount),
                    riding.rider_and_mount(
                        steps(
                            when("effects", ongoing_spells.deal_ongoing_damage),
                            splash_weapons.stand_in_fire,
                            ongoing_spells.meet_gazes,
                            when("effects", ongoing_spells.attempt_new_saves),
                        )
                    ),
                ),
            ),
            turns.count_immediate_action,
        ),
    ),
    close_turn=steps(
        when("sheet.traits", natural_weapons.swarm_damage_to_all, holds=natural_weapons.can_swarm_harm),
        when("mount", riding.end_turn_of_mount),
        refine(
            steps(when(f"{damage.ON_ITS_FEET!r} in conditions", damage.strain_below_zero), flow.close_turn),
            turns.keep_initiative_when_idle,
        ),
    ),
    take_readied=refine(
        PLAIN_TURNS.take_readied,
        turns.cite_disturbed_caster,
        turns.change_place_by_readying,
    ),
    ending_rule=refine(PLAIN_TURNS.ending_rule, turns.full_round_over),
    table_rules=actions.rule_of_table,
    told_safe=actions.report_safe_action,
    free_action_limit=actions.is_reasonable,
    short_step_rules=turns.rules_of_short_step,
    action_type=by_table(turns.TABLE),
    watch=amend(
        stay_mounted.watch_seats,
        refine(opportunity.name_rules, abilities.cite_saves, damage.harm_items_after_one),
    ),
    allowance=refine(actions.allowance, when("found.total", turns.add_swift_action)),
    prohibitions=prohibit(
        about(
            shared_movement.WALKS,
            when(f"{CHASM!r} in conditions", shared_movement.refuse_to_walk_out),
        ),
        about(
            (*natural_weapons.BLOWS, *natural_weapons.SWARM_PROHIBITIONS_HOLDS, *natural_weapons.AIMED),
            natural_weapons.refuse_single,
        ),
        about(
            (acts.Cast,), when(("'pinned' in conditions", "'tied up' in conditions"), grapple.refuse_gestures)
        ),
        when(("'pinned' in conditions", "'tied up' in conditions"), grapple.refuse_pinned),
        about((acts.Cast,), when(f"{movement.FALLING!r} in conditions", movement.refuse_slow_spell)),
        about((acts.Move, acts.Run, acts.Withdraw), when("'flying' in conditions", movement.refuse_on_foot)),
        about(
            movement.AFOOT,
            when("'in water' in conditions", movement.refuse_without_footing),
        ),
        about((acts.Step,), when(f"{senses.DARK!r} in conditions", senses.refuse_step_in_the_dark)),
        about((acts.Move, acts.Withdraw), when("'winded' in conditions", movement.refuse_hurry)),
        about((acts.Step,), when("effects", movement.refuse_short_step)),
        about((acts.Touch,), gear.refuse_touch_at_shield),
        when("'tethered' in conditions", nets.refuse_beyond_rope),
        when("mount or rider or riderless", riding.refuse_astride),
        when(f"{PARALYZED!r} in conditions", actions.refuse_but_delay),
        about(mounted.AFOOT, when("mount", mounted.refuse_own_feet)),
        about((acts.Delay, acts.Resume, acts.Ready), actions.refuse_change_of_initiative),
        about(squeezing.ATTACKS, when(f"{squeezing.WRIGGLING!r} in conditions", position.refuse_attack)),
        about(
            (acts.Attack, acts.FullAttack, acts.Charge),
            when("", hidden.refuse_unnoticed, holds=actions.effect_on_anybody),
        ),
        when("'turned' in conditions", feats.refuse_but_flight),
        when("'panicked' in conditions", fear.refuse_to_panicked),
        when("'frightened' in conditions", fear.refuse_to_frightened),
        when("effects", fear.refuse_against_compulsion),
    ),
    around=(
        Around(
            when(mounted_combat.MOUNTED, mounted_combat.tell_ride),
            (acts.Move, acts.Step, acts.Withdraw, acts.Run),
            ahead=mounted_combat.refuse_to_ride,
            change=when(mounted_combat.MOUNTED, mounted_combat.as_mount),
        ),
    ),
    turn_onset=damage.turn_onset,
)


# --- The chapter on conditions in pf1: each point that differs from the default

CONDITIONS: Conditions = replace(
    PLAIN_CONDITIONS,
    rolls=rolls(
        "1d100: confusion, exposure",
        "closest, self-harm",
        "ability, disease, energy-drain, other, poison, stunning",
    ),
    acts={
        acts.Rouse: ActSpec(fear.rouse, "target"),
        acts.Envenom: ActSpec(afflictions.envenom, "weapon poison"),
    },
    table=TABLE,
    states=STATES,
    local=LOCAL,
    paired=frozenset({*grapple.BETWEEN, TIED, grapple.SWALLOWED}),
    leveled=frozenset({BLEED, DRAINED, FLYING}),
    cast=frozenset({CONCENTRATING, CHARGED}),
    # The grappled make no attacks of opportunity, but may attack on their turn: they threaten.
    unthreatening=frozenset({grapple.PINNED, TIED}),
    gain=steps(
        choose(
            when("", conditions.report_condition_immunity, holds=conditions.is_spared_condition),
            when(f"fact.condition == {BLEED!r}", gain_bleed),
            when(f"fact.condition == {DRAINED!r}", afflictions.drain_one_or_more),
            when("", abilities.come_into_rage, holds=is_rage_beginning),
            afflictions.gain,
        ),
        asks("conditions.lapses"),
    ),
    lapses=casting.lose_with_mind,
    time_over=choose(
        when(f"condition == {CONCENTRATING!r}", end_unmaintained_spell),
        when("condition == 'holding'", grapple.lapse),
        PLAIN_CONDITIONS.time_over,
    ),
    over=choose(when(f"condition == {RAGING!r}", abilities.wear_off), PLAIN_CONDITIONS.over),
    start=choose(
        when(f"fact.condition == {RAGING!r}", abilities.start_raging),
        when(f"fact.condition == {DRAINED!r}", afflictions.drain_one_or_more),
        when(f"fact.condition == {FLYING!r}", start_aloft),
        PLAIN_CONDITIONS.start,
    ),
    immune_natures=IMMUNE,
    take_rider=afflictions.expose,
    limp=steps(
        grapple.release_hold,
        grapple.let_out_by_death,
        when(f"{FLYING!r} in conditions", movement.fall_limp),
        when(f"{RAGING!r} in conditions", abilities.lose_rage),
        when(f"'{skills.BALANCING}' in conditions", skills.fall_off_balance),
    ),
    score_steps=choose(
        when("combatant.losses or combatant.conditions", afflictions.score_steps),
        PLAIN_CONDITIONS.score_steps,
    ),
)


# --- The chapter on movement in pf1: each point that differs from the default

#: Movers that difficult terrain does not hamper.
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
        acts.Step: ActSpec(
            refine(steps(walking.five_foot_step, turns.cite_free_step), movement.follow), "to"
        ),
        acts.Withdraw: ActSpec(refine(walking.withdraw, movement.tell_withdrawal), "path"),
        acts.Move: ActSpec(
            refine(
                amend(
                    when(movement.NARROW, squeezing.through_gap),
                    choose(
                        *by_word("how", movement.WAYS),
                        refine(walking.move, movement.tell_move),
                    ),
                ),
                when("", movement.hurry_blindly, holds=movement.is_blinded),
                when("", attack_roll.move_surely, holds=attack_roll.moves_surely),
                opportunity.report_safe_path,
            ),
            "path dc fast up wide",
            how=movement.HOW,
            surface=("", *movement.SURFACES),
            under=movement.READ_BY,
        ),
        acts.Jump: ActSpec(
            movement.jump,
            "path takeoff feet",
            kind=("long", "high", "down"),
            under={
                "path": {"kind": ("long", "high")},
                "takeoff": {"kind": ("long",)},
                "feet": {"kind": ("high", "down")},
            },
        ),
        acts.Fall: ActSpec(
            movement.fall_by_gm, "target feet size opponent", under={"opponent": {"size": SAID}}
        ),
        acts.Run: ActSpec(
            refine(
                walking.run,
                movement.tell_run,
                when("", movement.hurry_blindly, holds=movement.is_blinded),
                when("", attack_roll.move_surely, holds=attack_roll.moves_surely),
                skills.run_while_breath_lasts,
            ),
            "path",
        ),
    },
    speed=movement.land_speed,
    speed_told=movement.speed_told,
    refuse_step=choose(
        when("", position.refuse_no_room, holds=position.is_very_small),
        squeezing.refuse_no_fit,
    ),
    in_way=refine(squeezing.in_way, when("how == 'trample' and not last", trample.drop_those_run_over)),
    refuse_entry=first(
        shared_movement.refuse_charge_through,
        choose(
            when("", position.refuse_held_full, holds=position.is_very_small),
            shared_movement.refuse_held,
        ),
    ),
    after_running_into=steps(shared_movement.no_longer_hides, shared_movement.know_square),
    may_stop=choose(when("", position.has_room, holds=position.is_very_small), shared_movement.may_stop),
    may_pass=any_of(position.lets_pass, sizes_apart),
    shape=squeezing.shape,
    step_is_told=any_of(
        squeezing.changes_form,
        position.enters_held_square,
        opportunity.gives_no_second_opening,
    ),
    after_step=steps(
        position.settle_after_step,
        opportunity.report_single_opportunity,
        position.provoke_by_entering,
    ),
    after_movement=steps(
        when("mover.sheet.traits", grapple.carry_along),
        hidden.no_longer_hidden,
        walking.after_movement,
        fear.possible_threat,
    ),
    measure=refine(
        movement.measure_strides,
        when("how == 'minimum'", movement.measure_least),
    ),
    too_far=movement.too_far,
    forfeit=movement.forfeit,
    slowing_rule=movement.slowed_by_step,
    refuse_rough=first(
        movement.refuse_charge_across, choose(when(CLEAR, none), shared_movement.refuse_rough)
    ),
    barrier_fault=shared_movement.asks_for_check,
    step_needs_check=movement.step_needs_check,
    check_before_step=movement.check_before_step,
    fall=movement.come_down,
    nimble=any_of(PLAIN_MOVEMENT.nimble, movement.is_practiced),
    run_multiple=first(movement.run_by_feat, turns.run_four_times, run_multiple),
)


# --- The chapter on position in pf1: each point that differs from the default

POSITION: Position = replace(
    PLAIN_POSITION,
    space_and_reach=attack_roll.space_and_reach_by_size,
    refuse_taken=choose(
        when("", position.refuse_to_share, holds=position.shares_squares), squeezing.refuse_taken
    ),
    out_of_reach=refine(squeezing.out_of_reach, position.rule_of_reach),
    reach_bands=weapons_and_feats.reach_bands,
    arming=frozenset({CHARGED}),
    bands_by_state=touch_spells.bands_of_charge,
)


# --- The chapter on senses in pf1: each point that differs from the default

SENSES: Senses = replace(
    PLAIN_SENSES,
    rolls=rolls("1d20: perception, stealth"),
    acts={
        acts.Hide: ActSpec(senses.hide_by_stealth, "path", how=("", senses.SNIPE)),
        acts.Seek: ActSpec(senses.look_for, "target through reactive", sense=("spot",)),
    },
    sees_foe=senses.sees_foe,
    locates=senses.is_located,
)
"""The game master sets that a combatant is "in dim light" or "in darkness", in any square; without
either it is in clear light. "darkvision 60" is a trait; what low-light vision sees by farther lights is in
what the game master says. `hide` uses Stealth, `seek` Perception, for every sense.
"""


# --- The chapter on opportunity in pf1: each point that differs from the default

OPPORTUNITY: Opportunity = replace(
    PLAIN_OPPORTUNITY,
    questions=PLAIN_OPPORTUNITY.questions
    | questions("take: take, trip, disarm, sunder, stand still, decline"),
    opportunities=refine(
        attacks_of_opportunity.opportunities,
        when("found[1] == 'flat-footed.start'", turns.opportunities_unaware),
        when("found[1] == 'feat.combat-reflexes'", turns.opportunities_by_feat),
    ),
    opportunity_name=first(turns.once_a_move, once_a_round),
    sheltered=first(
        when("'confused' in attacker.conditions", fear.explain_confused_ignoring),
        when("target.effects", senses.explain_unnoticed),
        when("target.effects", gear.behind_closed_edge),
        attacks_of_opportunity.cover_or_concealment,
    ),
    opening_rules=gather(opportunity.rules_of_left_square, squeezing.rules_of_opening),
    weapons_at=refine(
        melee_weapons_at,
        weapons_and_feats.at_hand,
        when("combatant.sheet.traits", natural_weapons.none_of_swarm),
        when(f"{CHARGED!r} in combatant.conditions", touch_spells.charge_at_hand),
    ),
    touch_by_charge=touch_spells.touch_by_charge,
)


# --- The chapter on mounted in pf1: each point that differs from the default

MOUNTED: Mounted = replace(
    PLAIN_MOUNTED,
    rolls=rolls("1d100: stay-mounted", "1d20: ride", "fall, spurs"),
    questions=questions("avert: try, decline", "unseat: try, decline", "lands: <square>"),
    acts={
        acts.Mount: ActSpec(
            steps(when("fast", mounted.refuse_hurry), riding.mount, mounted.report_safe_mounting),
            "target fast",
        ),
        acts.Dismount: ActSpec(
            steps(when("fast", mounted.refuse_hurry), riding.dismount, mounted.report_safe_mounting),
            "to fast",
        ),
        acts.Guide: ActSpec(mounted.guide, "what path", under={"path": {"what": ("leap",)}}),
        acts.Ride: ActSpec(
            mounted.ride_and_act,
            "path pace after",
            then={
                acts.Attack: Fields("target weapon nonlethal defensively power expertise"),
                acts.FullAttack: Fields(
                    "nonlethal defensively flurry power expertise second rapid_shot",
                    strikes=Fields("target weapon off_hand"),
                ),
                acts.Cast: Fields("spell targets at defensively opening"),
            },
        ),
    },
    averted=mounted.averted,
    frightened=mounted.is_frightened,
    left_squares=mounted_combat.open_rider_too,
)
"""Traits of a mount's sheet: "combat trained" (every other mount is frightened by combat; a name such as
"warhorse" says it too), "bareback", "unsuited", "military saddle". A rider at its mount's side for cover
can `recover` from "behind the mount".
"""


# --- The chapter on environment in pf1: each point that differs from the default

ENVIRONMENT: Environment = replace(
    PLAIN_ENVIRONMENT,
    rolls=PLAIN_ENVIRONMENT.rolls | rolls("1d20: constitution", "1d3: lava-rounds"),
    acts={
        **PLAIN_ENVIRONMENT.acts,
        acts.Expose: ActSpec(
            shared_environment.expose_to_danger,
            "target over shod",
            to=tuple(environment.DANGERS),
            degree=environment.DEGREES,
            under={"degree": {"to": environment.HAVE_DEGREES}, "shod": {"to": ("caltrops",)}},
        ),
    },
    dangers=environment.DANGERS,
    untouched=environment.untouched,
    drags=environment.drags,
)
"""A combatant exposed to water is on firm ground there ("footing"), has succeeded at its Swim check
("swimming") or has neither ("no footing"): the `degree`.
"""
