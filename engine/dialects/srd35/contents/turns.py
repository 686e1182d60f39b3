"""Chapters on turns, conditions, opportunity, movement, position, senses, mounts, surroundings in srd35."""

from typing import get_args

from msgspec.structs import replace

from affray.engine.dialects.srd35 import (
    attacks,
    environment,
    magic,
    mounted,
    opportunity,
    position,
    senses,
    turns,
)
from affray.engine.dialects.srd35.classes import abilities, checks, turning
from affray.engine.dialects.srd35.classes.abilities import endurance_parts
from affray.engine.dialects.srd35.conditions import ability_loss, condition_table
from affray.engine.dialects.srd35.conditions.condition_table import LOCAL, STATES, TABLE
from affray.engine.dialects.srd35.damage import injury, reduction_and_rest
from affray.engine.dialects.srd35.damage.injury import bleed_out_together
from affray.engine.dialects.srd35.defense import behind_tower_shield
from affray.engine.dialects.srd35.grapple import grapple, restraints
from affray.engine.dialects.srd35.movement import flight, movement, skills, speed
from affray.engine.kernel import turns as kernel_turns
from affray.engine.kernel.places import CHASM
from affray.engine.record.acts import UNSAID, ActSpec, Fields, Judged, questions, rolls
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
    lone_conditions,
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
    prohibit,
    refine,
    steps,
    when,
)
from affray.engine.rules import environment as shared_environment
from affray.engine.rules import grapple as shared_grapple
from affray.engine.rules.attacks import natural_weapons
from affray.engine.rules.attacks.declared_blow import is_trained_tumbler
from affray.engine.rules.classes import feats
from affray.engine.rules.classes.feats import RAGING, is_rage_beginning
from affray.engine.rules.classes.sheets import DICE, FLYING, POLICIES, RIDER, SHEET, damage_type
from affray.engine.rules.conditions import conditions, fear
from affray.engine.rules.conditions.fear import possible_threat, refuse_start_losses, start_losses
from affray.engine.rules.environment import IN_WATER
from affray.engine.rules.gear import nets, splash_weapons
from affray.engine.rules.gear.weapons_in_hand import melee_weapons_at
from affray.engine.rules.magic import casting, ongoing_spells, touch_spells
from affray.engine.rules.magic.concentration import CONCENTRATING, end_unmaintained_spell
from affray.engine.rules.magic.touch_spells import CHARGED
from affray.engine.rules.maneuvers import trample
from affray.engine.rules.mounted import mounted_combat, riding
from affray.engine.rules.mounted.riding import enter_at_mount, refuse_saddle, take_saddle
from affray.engine.rules.movement import movement as shared_movement
from affray.engine.rules.movement import skills as balancing
from affray.engine.rules.movement import walking
from affray.engine.rules.movement.movement import slowing_rule
from affray.engine.rules.opportunity import attacks_of_opportunity
from affray.engine.rules.plain import (
    HAZARD,
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
from affray.engine.rules.turns import actions, delay_and_ready, fiat, flow, initiative
from affray.engine.rules.turns.actions import by_table
from affray.engine.rules.turns.delay_and_ready import TRIGGER
from affray.engine.rules.turns.fiat import GRIPS, OF_CONDITIONS_AND_GRAPPLE
from affray.events.facts import acts
from affray.events.facts.flow import AnyAct

# --- Prohibitions under `srd35`: by bonds, holds, mounts, fear, rage, places, natures and minds

#: Acts aimed at a combatant.
AIMED = tuple(kind for kind in get_args(AnyAct) if {"target", "strikes"} & set(kind.__struct_fields__))

PROHIBITIONS = (
    about((acts.Delay, acts.Resume, acts.Ready), actions.refuse_change_of_initiative),
    when(f"{conditions.PARALYZED!r} in conditions", actions.refuse_but_delay),
    about(
        shared_movement.WALKS,
        when(f"{CHASM!r} in conditions", shared_movement.refuse_to_walk_out),
    ),
    about(
        (acts.Move, acts.Run, acts.Charge, acts.Overrun, acts.BullRush, acts.Skirmish, acts.Trample),
        when(("'in water' in conditions", "'climbing' in conditions"), movement.refuse_to_cross),
    ),
    when("'bound' in conditions", restraints.refuse_bound),
    when("'tethered' in conditions", nets.refuse_beyond_rope),
    when("'grappling' in conditions", grapple.refuse_no_option),
    when("mount or rider or riderless", riding.refuse_astride),
    when("'turned' in conditions", feats.refuse_but_flight),
    when("'frightened' in conditions", fear.refuse_to_frightened),
    when("'frightened' in conditions", magic.refuse_to_fight_without_escaping),
    when("'panicked' in conditions", fear.refuse_readied_in_panic),
    when("'commanded' in conditions", turning.refuse_without_orders),
    about(
        (acts.Cast, acts.Attack, acts.FullAttack),
        when(f"{feats.RAGING!r} in conditions", abilities.refuse_patience),
    ),
    about(squeezing.ATTACKS, when(f"{squeezing.WRIGGLING!r} in conditions", position.refuse_attack)),
    about(
        (*natural_weapons.BLOWS, *natural_weapons.SWARM_PROHIBITIONS_HOLDS, *natural_weapons.AIMED),
        natural_weapons.refuse_single,
    ),
    about(
        (acts.Attack, acts.FullAttack, acts.Charge),
        when("", hidden.refuse_unnoticed, holds=actions.effect_on_anybody),
    ),
    about(position.HOLDS, position.refuse_holds),
    about((*AIMED, acts.Touch), when("", position.refuse_other_plane, holds=position.anybody_beyond)),
    when("effects", fear.refuse_against_compulsion),
)
"""In the order in which they are checked: the first that forbids an act is the reason given."""


# --- The chapter on turns in srd35: each point that differs from the default

TURNS: Turns = replace(
    PLAIN_TURNS,
    questions=PLAIN_TURNS.questions | questions("free-limit: allow, refuse"),
    acts={
        **PLAIN_TURNS.acts,
        acts.Ready: ActSpec(delay_and_ready.ready, "then step", trigger=TRIGGER),
        acts.Enter: ActSpec(
            steps(
                when("riding", refuse_saddle),
                when("grapples", shared_grapple.refuse_start_in_grapple),
                when("grapples", grapple.refuse_bodiless_grapple),
                refuse_start_losses,
                when("nonlethal", fiat.refuse_spared_nonlethal),
                amend(
                    when("riding", enter_at_mount),
                    when("grapples", fiat.at_the_opponent),
                    choose(when("carried", initiative.arrive), actions.enter),
                ),
                when("riding", take_saddle),
                when("grapples", shared_grapple.start_in_grapple),
                when("grip", grapple.start_pinned),
                start_losses(ability_loss.lose_ability_points),
                mounted.tell_speed,
                mounted.lift_rider,
            ),
            "id side at hp nonlethal held initiative acted riding by levels losses used grapples unloaded"
            " origin carried",
            under=OF_CONDITIONS_AND_GRAPPLE,
            grip=GRIPS,
            conditions=known_conditions,
            policy=POLICIES,
            sheet=SHEET,
        ),
        acts.Delay: ActSpec(steps(riding.refuse_begun_mount, flow.delay), "count"),
        acts.Resume: ActSpec(steps(refine(flow.resume, turns.cite_new_count), turns.take_delayed_turn)),
        acts.Split: ActSpec(actions.split, "then"),
    },
    surprise=turns.surprise,
    close_round=steps(bleed_out_together, kernel_turns.close_round),
    open_turn=choose(
        when("", flow.begin_turn, holds=turns.is_uneventful),
        when(
            flow.RESUMED,
            steps(
                flow.resume_turn,
                when("mount", riding.go_on_with_mount),
                when("'turned' in conditions", turning.cower_or_flee),
            ),
        ),
        steps(
            casting.come_due,
            splash_weapons.run_thrower_fires,
            when("delaying", turns.lose_delayed_turn),
            refine(
                steps(
                    when("mount", riding.turn_of_mount),
                    *flow.FRESH_TURN,
                    when("mount", riding.begin_with_mount),
                    when("mount", riding.apply_effects_to_mount),
                ),
                attacks.cite_lapsed_aid,
            ),
            when("'turned' in conditions", turning.cower_or_flee),
            riding.rider_and_mount(
                steps(
                    when("effects", ongoing_spells.deal_ongoing_damage),
                    splash_weapons.stand_in_fire,
                    ongoing_spells.meet_gazes,
                    when("effects", ongoing_spells.attempt_new_saves),
                )
            ),
            magic.continue_casting,
            condition_table.settle_confusion_and_panic,
        ),
    ),
    close_turn=steps(
        when("sheet.traits", natural_weapons.swarm_damage_to_all, holds=natural_weapons.can_swarm_harm),
        when("mount", riding.end_turn_of_mount),
        flow.close_turn,
    ),
    allowance=choose(
        when(turns.UNHINDERED, turns.unrestricted_allowance),
        refine(actions.allowance, turns.restricted),
    ),
    table_rules=actions.rule_of_table,
    action_type=by_table(turns.TABLE),
    told_safe=actions.report_safe_action,
    short_step_rules=turns.rules_of_short_step,
    free_action_limit=actions.is_reasonable,
    take_readied=turns.interrupt,
    watch=skills.watch_climbers_and_seats,
    prohibitions=prohibit(*PROHIBITIONS),
    around=(
        Around(
            when(mounted_combat.MOUNTED, mounted_combat.tell_ride),
            (acts.Step, acts.Withdraw, acts.Run),
            ahead=mounted_combat.refuse_to_ride,
            change=when(mounted_combat.MOUNTED, mounted_combat.as_mount),
        ),
    ),
    turn_onset=reduction_and_rest.turn_onset,
)


# --- The chapter on conditions in srd35: each point that differs from the default

CONDITIONS: Conditions = replace(
    PLAIN_CONDITIONS,
    rolls=rolls("1d100: confusion, exposure", "1d5: flight", "1d6: ability", "poison"),
    questions=questions("lost-spell: <spell>", "treat: <affliction>"),
    acts={
        acts.Rouse: ActSpec(fear.rouse, "target"),
        acts.Envenom: ActSpec(condition_table.envenom, "weapon poison"),
    },
    table=TABLE,
    states=STATES,
    leveled=frozenset({ability_loss.ENERGY_DRAIN_DRAINED, FLYING}),
    degrees=condition_table.DEGREES,
    local=LOCAL,
    paired=frozenset({"grappling", "holding", "swallowed"}),
    cast=frozenset({CONCENTRATING, CHARGED}),
    gain=choose(
        when("", conditions.report_condition_immunity, holds=conditions.is_spared_condition),
        steps(
            choose(
                when(
                    f"fact.condition == '{ability_loss.ENERGY_DRAIN_DRAINED}'", ability_loss.drain_one_or_more
                ),
                when("", abilities.come_into_rage, holds=is_rage_beginning),
                condition_table.gain_with_consequences,
            ),
            asks("conditions.lapses"),
        ),
    ),
    lapses=casting.lose_with_mind,
    start=choose(
        when(f"fact.condition == '{ability_loss.ENERGY_DRAIN_DRAINED}'", ability_loss.start_drained),
        when(f"fact.condition == '{FLYING}'", balancing.start_aloft),
        when(f"fact.condition == '{RAGING}'", abilities.start_raging),
        when("fact.condition == 'dead'", condition_table.start_dead),
        PLAIN_CONDITIONS.start,
    ),
    time_over=choose(
        when(f"condition == {CONCENTRATING!r}", end_unmaintained_spell), PLAIN_CONDITIONS.time_over
    ),
    over=choose(when(f"condition == {RAGING!r}", abilities.wear_off), PLAIN_CONDITIONS.over),
    limp=steps(
        when("'grappling' in conditions or 'holding' in conditions", shared_grapple.let_go_limp),
        when(f"'{FLYING}' in conditions", flight.fall_limp),
        when(f"'{skills.CLIMBING}' in conditions", skills.let_go),
        when(
            f"'{balancing.BALANCING}' in conditions or '{balancing.SURELY}' in conditions",
            balancing.fall_off_balance,
        ),
        when(f"'{IN_WATER}' in conditions", environment.sink_paralyzed),
    ),
    take_rider=injury.resist_or_suffer,
    immune_mind=abilities.immune_to_fear,
    immune_natures={
        nature: ("srd35.creature-immunities", nature)
        for nature in ("undead", "construct", "ooze", "plant", "elemental", "vermin")
    },
    score_steps=ability_loss.score_steps,
)


# --- The chapter on movement in srd35: each point that differs from the default

MOVEMENT: Movement = replace(
    PLAIN_MOVEMENT,
    rolls=rolls("1d20: balance, climb, jump, swim, tumble", "closest, fall, fall-nonlethal, falling-object"),
    questions=questions("depth: <feet>", "dive: swim, tumble, none", "soften: jump, tumble, none"),
    acts={
        **PLAIN_MOVEMENT.acts,
        acts.Jump: ActSpec(
            skills.jump,
            "kind path takeoff feet onto depth",
            under={
                "path": {"kind": ("long", "high", "hop")},
                "feet": {"kind": ("high", "down")},
                "onto": {"kind": ("down",)},
                "depth": {"onto": ("water",)},
            },
        ),
        acts.Lift: ActSpec(speed.lift, "pounds how path", under={"path": {"how": ("ground", "drag")}}),
        acts.Move: ActSpec(
            steps(
                movement.refuse_words,
                when(mounted_combat.PAIRED, mounted_combat.refuse_to_ride),
                refine(
                    amend(
                        when(mounted_combat.MOUNTED, mounted_combat.as_mount),
                        when(movement.NARROW, squeezing.through_gap),
                        choose(
                            *by_word("how", movement.MOVE_MODES_WAYS),
                            steps(
                                movement.refuse_to_move,
                                when(movement.ON_FOOT, movement.refuse_off_the_ground),
                                choose(
                                    *by_word("how", movement.WALK_AND_RUN_WAYS),
                                    refine(walking.move, movement.tell_move),
                                ),
                            ),
                        ),
                    ),
                    when(mounted_combat.MOUNTED, mounted_combat.tell_ride),
                    when("draw", movement.draw_on_the_way),
                    when(f"not ({movement.SPECIAL})", movement.tell_overlooked),
                ),
            ),
            "path dc fast up draw wide",
            how=movement.HOW,
            surface=Judged(movement.GROUNDS),
            under=movement.READ_BY,
        ),
        acts.Step: ActSpec(steps(movement.refuse_unlisted_mode, walking.five_foot_step), "to"),
        acts.Withdraw: ActSpec(
            steps(
                movement.refuse_to_withdraw,
                movement.refuse_unlisted_mode,
                refine(walking.withdraw, movement.tell_withdrawal),
            ),
            "path",
        ),
        acts.Run: ActSpec(
            steps(
                movement.refuse_to_run,
                refine(walking.run, movement.tell_run, balancing.run_while_breath_lasts),
            ),
            "path",
        ),
        acts.Fall: ActSpec(
            flight.fall_by_gm,
            "target feet onto depth pounds",
            under={"onto": {"pounds": UNSAID}, "depth": {"onto": ("water",)}},
        ),
    },
    speed=choose(
        when("sheet.armor_weight", mounted.speed_in_barding, holds=mounted.is_barded), speed.land_speed
    ),
    speed_told=speed.speed_told,
    laden=speed.set_load_condition,
    slowing_rule=slowing_rule,
    approach=turning.approach,
    refuse_step=squeezing.refuse_no_fit,
    in_way=refine(squeezing.in_way, when("how == 'trample' and not last", trample.drop_those_run_over)),
    refuse_entry=first(shared_movement.refuse_charge_through, position.refuse_held),
    after_running_into=steps(shared_movement.no_longer_hides, shared_movement.know_square),
    refuse_ground=choose(
        when("", position.refuse_too_deep, holds=position.solid_is_no_obstacle),
        squeezing.refuse_wall_or_corner,
    ),
    refuse_rough=movement.refuse_rough,
    measure=movement.measure,
    too_far=movement.too_far,
    shape=squeezing.shape,
    may_stop=position.may_stop,
    may_pass=position.may_pass,
    step_needs_check=movement.step_needs_check,
    check_before_step=movement.check_before_step,
    barrier_fault=shared_movement.asks_for_check,
    step_is_told=any_of(movement.step_is_told, squeezing.changes_form),
    after_step=movement.after_step,
    step_aside=movement.step_aside,
    after_movement=steps(hidden.no_longer_hidden, walking.after_movement, possible_threat),
    run_multiple=movement.run_multiple,
    nimble=any_of(is_trained_tumbler, skills.is_practiced),
    fall=flight.come_down,
)


# --- The chapter on position in srd35: each point that differs from the default

POSITION: Position = replace(
    PLAIN_POSITION,
    space_and_reach=position.space_and_reach_by_size,
    refuse_taken=choose(when("", position.refuse_to_share, holds=position.may_share), squeezing.refuse_taken),
    placed=gather(squeezing.rules_of_space, position.rules_on_place),
    out_of_reach=squeezing.out_of_reach,
    levels_apart=position.distance_between_planes,
    walls_part=position.walls_part,
    reach_bands=opportunity.bands_without_rakes,
    arming=frozenset({CHARGED}),
    bands_by_state=touch_spells.bands_of_charge,
)
"""Traits of a sheet that the rules on the ground read: "flying" and "incorporeal" (not hampered by it),
"bulky" (an obstacle even when helpless), "fills its space" (cannot be passed), "swarm". A flier or climber
is at the height that the condition's level says, and distances count it; the "incorporeal" and the
"ethereal" pass through walls.
"""


# --- The chapter on senses in srd35: each point that differs from the default

SENSES: Senses = replace(
    PLAIN_SENSES,
    rolls=rolls("1d100: blind-fight", "1d20: hide, listen, move-silently, search, spot"),
    acts={
        acts.Hide: ActSpec(senses.hide, "path how"),
        acts.Seek: ActSpec(
            senses.seek,
            "target sense at through wind reactive",
            under={
                "target": {"sense": ("spot", "listen", "scent")},
                "at": {"sense": ("grope",)},
                "through": {"sense": ("listen",)},
                "wind": {"sense": ("scent",)},
                "reactive": {"sense": ("spot", "listen", "scent")},
            },
        ),
    },
    sees_foe=senses.sees_foe,
    locates=senses.locates,
)
"""Senses are traits: "darkvision 60", "low-light vision", "blindsight 30", "blindsense 30", "tremorsense
30", "scent", "see invisibility". `expose` puts a combatant where no daylight falls ("no daylight"), carries
a "light" (`degree` is the source), is behind "improved cover" or in a "veil" (`degree` is its percent).
Conditions "invisible", "blinded", "blurred", "distracted", "immobile", "ethereal" count too; "incorporeal"
is a trait.
"""


# --- The chapter on opportunity in srd35: each point that differs from the default

OPPORTUNITY: Opportunity = replace(
    PLAIN_OPPORTUNITY,
    opportunities=refine(
        attacks_of_opportunity.opportunities,
        when("found[1] == 'feat.combat-reflexes'", opportunity.number_of_feat),
    ),
    questions=questions("take: take, trip, disarm, grapple, decline, sunder", "with: <weapon>"),
    sheltered=first(
        when("'confused' in attacker.conditions", fear.explain_confused_ignoring),
        senses.out_of_sight,
        behind_tower_shield,
        attacks_of_opportunity.cover_or_concealment,
    ),
    weapons_at=refine(
        melee_weapons_at,
        opportunity.leave_out_rakes,
        when("combatant.sheet.traits", natural_weapons.none_of_swarm),
        when(f"{CHARGED!r} in combatant.conditions", touch_spells.charge_at_hand),
    ),
    touch_by_charge=touch_spells.touch_by_charge,
    weapon_topics=opportunity.aoo_topics,
    opening_rules=squeezing.rules_of_opening,
)


# --- The chapter on mounted in srd35: each point that differs from the default

MOUNTED: Mounted = replace(
    PLAIN_MOUNTED,
    rolls=rolls("1d100: stay-mounted", "1d20: ride"),
    questions=questions("avert: try, decline", "lands: <square>"),
    acts={
        acts.Mount: ActSpec(steps(riding.mount, mounted.lift_rider), "target fast"),
        acts.Dismount: ActSpec(steps(riding.dismount, mounted.fall_from_saddle), "to fast"),
        acts.Guide: ActSpec(mounted.guide, "what path", under={"path": {"what": ("leap",)}}),
        acts.Ride: ActSpec(
            mounted.ride,
            "path pace after",
            then={
                acts.Attack: Fields("target weapon nonlethal defensively power expertise"),
                acts.FullAttack: Fields(
                    "nonlethal defensively flurry power expertise second rapid_shot whirlwind",
                    strikes=Fields("target weapon special off_hand"),
                ),
                acts.Cast: Fields("spell targets at defensively opening"),
            },
        ),
    },
    averted=mounted_combat.averted,
    frightened=riding.is_listed_as_frightened,
    left_squares=mounted_combat.open_rider_too,
)
"""Traits of a mount's sheet: "bareback", "unsuited", "military saddle", "barding" (its `speed` is that
without it); one whose name or trait is on the list of `srd35.mount.combat-trained` is trained, or
frightened by combat.
"""


# --- The chapter on environment in srd35: each point that differs from the default

ENVIRONMENT: Environment = replace(
    PLAIN_ENVIRONMENT,
    rolls=PLAIN_ENVIRONMENT.rolls
    | rolls("1d20: use rope", "1d3: lava-rounds", "1d6: blown-back", "blown-about, blown-away"),
    acts={
        **PLAIN_ENVIRONMENT.acts,
        acts.Hazard: ActSpec(
            HAZARD,
            "target save dc source",
            damage=DICE,
            damage_type=damage_type,
            condition=lone_conditions,
            on_save=("negates", "half"),
            skill=checks.CALLED,
            rider=RIDER,
            under=actions.HAZARD_UNDER,
        ),
        acts.Expose: ActSpec(
            steps(
                environment.refuse_idle_words,
                choose(
                    when(f"to in {tuple(environment.CONDITIONS)!r}", environment.expose),
                    shared_environment.expose_to_danger,
                ),
            ),
            "target degree way shod over",
            to=(*environment.CONDITIONS, *environment.DANGERS),
        ),
    },
    dangers=environment.DANGERS,
    untouched=conditions.untouched,
    hardy=endurance_parts,
    drags=environment.drags,
)
"""A `hazard` whose `source` is a combatant's id asks for a skill about that one.
"""
