"""List the contents of futurepath: the function at each point, chapter by chapter."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath import (
    classes,
    conditions,
    damage,
    defense,
    environment,
    grapple,
    magic,
    maneuvers,
    movement,
    opportunity,
    position,
    senses,
)
from affray.engine.dialects.futurepath.attacks import attack_roll, full_attack, ranged_attacks, unarmed
from affray.engine.dialects.futurepath.classes import SHEET_NAMES
from affray.engine.dialects.futurepath.conditions import LOCAL, STATES, TABLE
from affray.engine.dialects.futurepath.defense import is_closed
from affray.engine.dialects.futurepath.gear import explosives, handling, objects, strike_held
from affray.engine.dialects.futurepath.grapple import GRAPPLE as grapple_GRAPPLE
from affray.engine.dialects.futurepath.movement import LOW
from affray.engine.dialects.futurepath.turns import action_types, flow
from affray.engine.kernel.places import CHASM
from affray.engine.record.acts import SAID, UNSAID, ActSpec, Fields, questions, rolls
from affray.engine.record.chapters import (
    Around,
    Attacks,
    Classes,
    Conditions,
    Damage,
    Defense,
    Environment,
    Gear,
    Grapple,
    Magic,
    Maneuvers,
    Movement,
    Opportunity,
    Position,
    Senses,
    Turns,
    known_conditions,
    substitutes,
)
from affray.engine.record.compose import (
    about,
    always,
    amend,
    any_of,
    asks,
    by_word,
    choose,
    first,
    gather,
    no_reason,
    prohibit,
    refine,
    steps,
    when,
)
from affray.engine.rules import defense as shared_defense
from affray.engine.rules import grapple as shared_grapple
from affray.engine.rules.attacks import attack_roll as shared_attack_roll
from affray.engine.rules.attacks import declared_blow
from affray.engine.rules.attacks.attack_roll import ATTACKER_STATE, is_natural_threat
from affray.engine.rules.attacks.full_attack import get_single_missile, usual_shot, usual_strikes
from affray.engine.rules.attacks.stacking import GRADES, KINDS
from affray.engine.rules.classes import abilities, checks
from affray.engine.rules.classes.feats import as_printed, on_sheet_so_far
from affray.engine.rules.classes.sheets import POLICIES, SHEET
from affray.engine.rules.conditions import conditions as shared_conditions
from affray.engine.rules.damage import damage as shared_damage
from affray.engine.rules.damage import injury, recovery_and_riders
from affray.engine.rules.gear import objects as shared_objects
from affray.engine.rules.gear.tables import keep_sheet
from affray.engine.rules.gear.weapons_in_hand import (
    EMPTIES,
    THROWS,
    leave_hand,
    leave_unloaded,
    melee_weapons_at,
)
from affray.engine.rules.grapple import let_go_limp
from affray.engine.rules.magic import casting, spell_effects
from affray.engine.rules.maneuvers import trample as attempts
from affray.engine.rules.movement import movement as shared_movement
from affray.engine.rules.movement import skills, walking
from affray.engine.rules.movement.movement import sizes_apart, slowing_rule
from affray.engine.rules.opportunity import attacks_of_opportunity
from affray.engine.rules.plain import (
    HAZARD,
    PLAIN_ATTACKS,
    PLAIN_CLASSES,
    PLAIN_CONDITIONS,
    PLAIN_DAMAGE,
    PLAIN_DEFENSE,
    PLAIN_ENVIRONMENT,
    PLAIN_GEAR,
    PLAIN_GRAPPLE,
    PLAIN_MAGIC,
    PLAIN_MANEUVERS,
    PLAIN_MOVEMENT,
    PLAIN_OPPORTUNITY,
    PLAIN_POSITION,
    PLAIN_SENSES,
    PLAIN_TURNS,
    TYPES,
    danger_by,
    give_separate_condition,
)
from affray.engine.rules.senses import hidden
from affray.engine.rules.turns import actions, delay_and_ready, fiat, initiative
from affray.engine.rules.turns import flow as shared_delay
from affray.engine.rules.turns.actions import by_table
from affray.engine.rules.turns.delay_and_ready import TRIGGER
from affray.events.facts import acts

# --- The chapter on turns in futurepath: every point that is not plain

TURNS: Turns = replace(
    PLAIN_TURNS,
    rolls=PLAIN_TURNS.rolls | rolls("1d20: tie-break"),
    questions=PLAIN_TURNS.questions
    | questions(
        "first: wait, act", "free-cost: move, attack", "last: act, forfeit", "speech: fits, too much"
    ),
    acts={
        **PLAIN_TURNS.acts,
        acts.Split: ActSpec(action_types.start_or_complete, "then"),
        acts.Ready: ActSpec(
            refine(delay_and_ready.ready, action_types.report_ready), "then step", trigger=TRIGGER
        ),
        acts.Delay: ActSpec(refine(shared_delay.delay, action_types.report_delay), "count"),
        acts.Speak: ActSpec(action_types.speak, "words gesture converse"),
        acts.Enter: ActSpec(
            steps(
                when("grapples", shared_grapple.refuse_start_in_grapple),
                when("nonlethal", fiat.refuse_spared_nonlethal),
                amend(
                    when("grapples", fiat.at_the_opponent),
                    choose(when("carried", initiative.arrive), actions.enter),
                ),
                when("grapples", shared_grapple.start_in_grapple),
                when("grip", grapple.start_in_pin),
                flow.join_at_once,
            ),
            "id side at hp nonlethal held initiative acted by levels used grapples unloaded origin carried",
            refuses="riding",
            under=fiat.OF_CONDITIONS_AND_GRAPPLE,
            grip=fiat.GRIPS,
            conditions=known_conditions,
            policy=POLICIES,
            sheet=SHEET,
        ),
    },
    surprise=flow.surprise,
    initiative=steps(flow.improved_initiative, initiative.roll_initiative),
    order=choose(when("", initiative.set_order, holds=flow.ties_by_modifier), flow.order_by_dexterity),
    open_round=steps(flow.open_round, flow.offer_early_turns),
    last_turn=flow.last_turn,
    close_round=flow.close_round,
    open_turn=choose(
        when(shared_delay.RESUMED, shared_delay.resume_turn),
        steps(
            shared_delay.end_what_lasts_until_turn,
            when("readied is not None", shared_delay.lapse_readied),
            flow.begin_turn,
            explosives.burst_due_explosives,
            when("'dying' in conditions", injury.bleed_out, holds=flow.standard_injuries),
        ),
    ),
    close_turn=flow.close_turn,
    allowance=flow.allowance,
    action_type=by_table(action_types.TABLE),
    readiable=action_types.readiable,
    prohibitions=prohibit(
        about(
            shared_movement.WALKS,
            when(f"{CHASM!r} in conditions", shared_movement.refuse_to_walk_out),
        ),
        when("'pinned' in conditions", grapple.refuse_to_pinned),
        when("'grappling' in conditions", grapple.refuse_other_actions),
        when("'total-defense' in conditions", action_types.refuse_while_defending),
        about((acts.Attack, acts.FullAttack), when("'charging' in conditions", flow.refuse_after_charge)),
        about(
            (acts.Step,),
            when("'bull rush' in spent or 'overrun' in spent", maneuvers.refuse_step_afterwards),
        ),
        about(
            (acts.Move, acts.Step, acts.Run, acts.Withdraw, acts.Charge, acts.BullRush, acts.Overrun),
            when("'kneeling' in conditions or 'sitting' in conditions", movement.refuse_to_walk),
        ),
        about((acts.Ready,), action_types.refuse_out_of_turn),
        when("effects", action_types.refuse_before_completing),
    ),
    free_action=flow.free_action,
    precedence=flow.precedence,
    around=(Around(strike_held.report_unattended, (acts.Attack,)),),
    watch=refine(opportunity.name_rules, explosives.follow_timers, handling.follow_bullets),
)


# --- The chapter on attacks in futurepath: every point that is not plain

#: An attack meant to knock out a helpless foe.
KNOCKOUT = f"intent.kind == {unarmed.KNOCKOUT!r}"
#: An attack with an explosive or a splash weapon.
BREAKS_OUT = "('explosive' in weapon.traits or 'splash' in weapon.traits)"

ATTACKS: Attacks = replace(
    PLAIN_ATTACKS,
    rolls=PLAIN_ATTACKS.rolls | rolls("1d100: miss-chance", "1d20: aid"),
    questions=PLAIN_ATTACKS.questions | questions("caught: alert, precautions, helpless"),
    acts={
        **PLAIN_ATTACKS.acts,
        acts.Attack: ActSpec(
            choose(
                when("act.aim", ranged_attacks.line_up_at_thing, holds=ranged_attacks.is_aimed_at),
                when("act.at is not None and act.autofire", ranged_attacks.sweep_area),
                when("", explosives.throw_explosive, holds=explosives.is_explosive),
                when("", explosives.throw_splash, holds=explosives.is_splash),
                when("act.autofire or act.bullets", ranged_attacks.fire_volley),
                amend(
                    when("at is not None", senses.who_is_there),
                    choose(
                        when("at is not None", senses.strike_at_nobody),
                        when("aim", ranged_attacks.shoot_helpless),
                        full_attack.attack,
                    ),
                ),
            ),
            "target weapon thrown nonlethal defensively bullets autofire at aim",
            under={"aim": dict.fromkeys(("at", "defensively", "bullets", "autofire"), UNSAID)},
        ),
        acts.Charge: ActSpec(
            full_attack.charge,
            "target path weapon item",
            special=substitutes,
            under={"item": {"special": ("disarm",)}},
        ),
        acts.FullAttack: ActSpec(
            full_attack.full_attack,
            "nonlethal defensively second",
            strikes=Fields(
                "target weapon thrown item off_hand bullets autofire",
                special=substitutes,
                under={
                    "item": {"special": ("disarm", "grapple")},
                    **{one: {"special": UNSAID} for one in ("thrown", "off_hand", "bullets", "autofire")},
                },
            ),
        ),
        acts.CoupDeGrace: ActSpec(refine(declared_blow.coup_de_grace, full_attack.finish), "target weapon"),
        acts.KnockoutBlow: ActSpec(unarmed.knockout_blow, "target weapon"),
        acts.TotalDefense: ActSpec(full_attack.total_defense),
        acts.Aid: ActSpec(full_attack.aid, "friend opponent weapon", benefit=("attack", "defense")),
    },
    stack=attack_roll.stack,
    barred=first(
        when("not melee and 'prone' in attacker.conditions", ranged_attacks.explain_prone_weapon),
        when("not melee", ranged_attacks.explain_beyond_range),
        when("'explosive' in weapon.traits", ranged_attacks.explain_aimed_explosive),
        defense.behind_total_cover,
    ),
    before_attacks=unarmed.report_armed_fists,
    before_roll=steps(
        when("not melee and 'grappling' in target.conditions", grapple.shoot_into_grapple),
        when(f"not melee and {strike_held.AT_ITEM}", strike_held.strike_whom_it_meets),
        when("melee and target.conditions", attack_roll.note_attack),
        when("weapon.wield in ('unarmed', 'natural')", unarmed.cite_damage),
    ),
    attack_bonus=refine(
        shared_attack_roll.attack_bonus,
        attack_roll.cite_ability_rules,
        when("not weapon.proficient", attack_roll.firearm_proficiency),
        when(f"not weapon.proficient and {BREAKS_OUT}", explosives.needs_no_proficiency),
    ),
    deciding_rules=attack_roll.rules_of_sum,
    attack_situation=refine(
        gather(
            *shared_attack_roll.ATTACKER_STATE,
            when("attacker.sheet.size != 'medium' or target.sheet.size != 'medium'", attack_roll.cite_sizes),
            when("melee and weapon.wield == 'natural'", unarmed.cite_natural_arms),
            when("melee", attack_roll.flanking_advantage),
            attack_roll.height_advantage,
            when("not melee", attack_roll.no_flanking_at_range),
            when("not melee", ranged_attacks.range_disadvantage),
            when("not melee", attack_roll.shot_into_melee),
            when("not melee and weapon.family == 'longarm'", ranged_attacks.get_adjacent_longarm_penalty),
            when("not melee and 'prone' in attacker.conditions", ranged_attacks.shooting_prone),
            when("attacker.conditions", conditions.cite_hampering_cover),
            when("attacker.conditions", conditions.unrelated_disadvantages),
        ),
        conditions.cite_attack_table,
    ),
    miss_chance=senses.miss_chance,
    threatens_critical=refine(
        choose(
            when(KNOCKOUT, unarmed.confirm_knockout),
            when(("target.sheet.thing is not None", strike_held.AT_ITEM), objects.no_threat_to_things),
            is_natural_threat,
        ),
        attack_roll.cite_threat,
    ),
    confirm_critical=choose(when(KNOCKOUT, always), attack_roll.confirm),
    after_miss=defense.strike_cover,
    after_blow=steps(
        when("'splash' in weapon.traits", explosives.break_flask),
        when(EMPTIES, leave_unloaded),
        when(THROWS, leave_hand),
    ),
    deliver=refine(
        declared_blow.deliver,
        when(
            "not melee and weapon.family in ('firearm', 'handgun', 'longarm')", ranged_attacks.provoking_shot
        ),
        when("intent.arrows > 1", ranged_attacks.spend_bullets),
        when("target.sheet.thing is not None", objects.provoke_bearer),
        when(strike_held.AT_ITEM, strike_held.provoke_by_shot),
    ),
    still_strikes=choose(when("blow.intent.item", strike_held.still_at_item), declared_blow.still_strikes),
    attack_series=full_attack.full_attacks,
    usual_strikes=refine(usual_strikes, when(ranged_attacks.FIRES_ONLY_SO, ranged_attacks.automatic_strikes)),
    usual_shot=choose(when(ranged_attacks.FIRES_ONLY_SO, ranged_attacks.automatic_shot), usual_shot),
    least_missiles=choose(
        when(ranged_attacks.FIRES_ONLY_SO, ranged_attacks.least_bullets), get_single_missile
    ),
    finishing_weapon=ranged_attacks.finishes,
)
"""`bullets` fires several at the target, `autofire` a weapon with the trait "automatic" or, if it fires no
single shots, "automatic only": at the target, or with `at` at an area of two by two squares, of which `at` is
the upper left one. Each attack of a full attack may be a burst at a target.

A weapon with the trait "explosive" is thrown at a square, `at`; "burst (20)" and "reflex (15)" give the
radius of its burst in feet and the DC of the save. One with the trait "splash" is thrown at a target or at a
square; "splash damage (1d3)" gives its splash damage, by default 1 point.
"""


# --- The chapter on defense in futurepath: every point that is not plain

DEFENSE: Defense = replace(
    PLAIN_DEFENSE,
    questions=questions("dodge-aside: dodge, stand"),
    dexterity_denied=refine(
        shared_defense.dexterity_denied,
        when("'grappling' in target.conditions", grapple.dexterity_against_outsiders),
    ),
    helpless_dexterity=defense.helpless_dexterity,
    defense_bonus=choose(
        when(strike_held.AT_ITEM, strike_held.no_defense_of_bearer),
        refine(
            shared_defense.printed_armor_class,
            defense.by_kind,
            when("'pinned' in target.conditions", defense.pinned_dexterity),
            when("target.conditions", defense.fixed_defense, holds=defense.is_fixed),
            when("target.sheet.thing is not None", objects.defense_of_thing),
        ),
    ),
    cover=defense.cover_by_degree,
    reflex_cover=defense.against_spell,
    defense_situation=choose(
        when(strike_held.AT_ITEM, strike_held.cover_of_item),
        refine(
            gather(
                *shared_defense.TARGET_STATE,
                when("'grappling' in target.conditions", grapple.row_of_grappling),
                when("'pinned' in target.conditions", grapple.row_of_pinned),
            ),
            defense.flat_footed_row,
            when("'running' in target.conditions and not melee", defense.add_running_bonus),
            when("target.conditions and not melee", defense.no_posture_beside),
            when("target.conditions", defense.no_condition_beside, holds=defense.is_fixed),
            when("target.conditions", defense.helpless_row, holds=defense.has_table_row),
            conditions.cite_defense_table,
        ),
    ),
    name="Defense",
)


# --- The chapter on damage in futurepath: every point that is not plain

DAMAGE: Damage = replace(
    PLAIN_DAMAGE,
    rolls=PLAIN_DAMAGE.rolls | rolls("1d100: stabilize", "1d20: treat-injury"),
    acts={**PLAIN_DAMAGE.acts, acts.Stabilize: ActSpec(damage.stabilize, "target")},
    types=TYPES | {"ballistic", "concussion"},
    strength_damage=attack_roll.strength_damage,
    injure=steps(
        when(
            "'conversing' in target.conditions and harm.attacker is not None",
            damage.break_conversation,
        ),
        when(
            "target.sheet.thing is None",
            refine(recovery_and_riders.injure, damage.cite_thresholds),
        ),
        when(
            "target.sheet.thing is not None and target.hp <= 0 and 'dead' not in target.conditions",
            shared_objects.ruin,
        ),
    ),
    deal=choose(
        when(strike_held.AT_ITEM, strike_held.deal_to_item),
        refine(shared_damage.weapon_damage, when("target.sheet.thing is not None", objects.deal_to_thing)),
    ),
    reduce=choose(when("target.sheet.thing is not None", objects.reduce_to_thing), shared_damage.reduce),
    questions=PLAIN_DAMAGE.questions | questions("effective: effective, ineffective"),
    death_at=damage.death_at,
    disabled_from=damage.disabled_from,
    dying_from=damage.dying_from,
    loss_topics=refine(shared_damage.loss_topics, damage.rules_of_loss),
    massive_damage=flow.massive_damage,
)


# --- The chapter on conditions in futurepath: every point that is not plain

CONDITIONS: Conditions = replace(
    PLAIN_CONDITIONS,
    table=TABLE,
    states=STATES,
    gain=choose(
        when("", shared_conditions.report_condition_immunity, holds=shared_conditions.is_spared_condition),
        steps(amend(conditions.cite_kind, give_separate_condition), asks("conditions.lapses")),
    ),
    local=LOCAL,
    paired=frozenset({"grappling"}),
    lapses=magic.lose_with_mind,
    limp=steps(when("'grappling' in conditions", let_go_limp)),
)


# --- The chapter on movement in futurepath: every point that is not plain

MOVEMENT: Movement = replace(
    PLAIN_MOVEMENT,
    questions=questions("depth: <feet>"),
    rolls=rolls("1d20: climb, constitution, swim, tumble"),
    acts={
        **PLAIN_MOVEMENT.acts,
        acts.Move: ActSpec(
            steps(
                flow.refuse_to_move_on,
                choose(
                    *by_word("how", dict.fromkeys(movement.WAYS, movement.move_slowly)),
                    *by_word("how", {movement.DOUBLE: walking.double_move}),
                    *by_word("how", {movement.SPACE: movement.steer}),
                    *by_word("how", {movement.TUMBLE: movement.tumble_by_old_rules}),
                    *by_word("how", {movement.VEHICLE: refine(walking.move, movement.enter_vehicle)}),
                    refine(walking.move, movement.move_by_speed),
                ),
            ),
            "path dc fast up",
            how=(
                "normal",
                movement.DOUBLE,
                movement.SPACE,
                movement.VEHICLE,
                movement.TUMBLE,
                *movement.WAYS,
            ),
            under={
                "dc": {"how": ("climb", "swim")},
                "fast": {"how": ("climb", movement.TUMBLE)},
                "up": {"how": (movement.SPACE,)},
            },
        ),
        acts.Stand: ActSpec(choose(when("", movement.rise, holds=movement.is_low), actions.stand)),
        acts.Step: ActSpec(movement.five_foot_step, "to"),
        acts.Withdraw: ActSpec(movement.retreat, "path", how=("normal", "climb", "swim")),
        acts.Run: ActSpec(
            refine(
                steps(movement.refuse_to_run, movement.sprint),
                skills.run_while_breath_lasts,
                movement.cite_rest,
            ),
            "path",
        ),
    },
    speed=refine(PLAIN_MOVEMENT.speed, when("'encumbered' in mover.conditions", movement.encumbered)),
    speed_told=movement.explain_speed,
    slowing_rule=amend(slowing_rule, movement.limit_of_combat),
    measure=movement.measure_way,
    in_way=refine(shared_movement.in_way, objects.without_open_doors),
    refuse_entry=first(objects.refuse_closed, shared_movement.refuse_held),
    after_running_into=shared_movement.know_square,
    after_movement=steps(PLAIN_MOVEMENT.after_movement, hidden.no_longer_hidden),
    may_pass=any_of(
        movement.lets_pass, movement.is_open_door, when("", sizes_apart, holds=movement.is_no_closed_door)
    ),
    may_stop=grapple.may_stay,
    leaving=choose(when("", walking.leaving, holds=movement.is_each_square_left_provoking), movement.leaving),
    fall=movement.fall,
)


# --- The chapter on position in futurepath: every point that is not plain

POSITION: Position = replace(
    PLAIN_POSITION,
    space_and_reach=choose(
        when("sheet.size == 'medium'", position.human_space_and_reach), PLAIN_POSITION.space_and_reach
    ),
    placed=refine(PLAIN_POSITION.placed, position.add_scale_rule),
    reach_bands=refine(unarmed.reach_bands, opportunity.bands_with_butts),
)


# --- The chapter on senses in futurepath: every point that is not plain

SENSES: Senses = replace(PLAIN_SENSES, locates=senses.locates)
"""Concealment is declared by its degree ("one-quarter concealment" to "total concealment"); "invisible" and
"blinded" count as total, fog on the map as a separate degree. An unseen target is attacked by its square
(`at`).
"""


# --- The chapter on opportunity in futurepath: every point that is not plain

OPPORTUNITY: Opportunity = replace(
    PLAIN_OPPORTUNITY,
    questions=questions("take: take, trip, disarm, grapple, decline", "with: <weapon>"),
    opportunities=attacks_of_opportunity.opportunities,
    sheltered=first(
        defense.behind_total_cover,
        when("attacker.conditions", attack_roll.why_hopeless),
        no_reason,
    ),
    weapons_at=refine(
        melee_weapons_at,
        when(f"{unarmed.MARTIAL!r} in sheet.feats", unarmed.with_trained_fists),
        opportunity.at_hand,
    ),
    weapon_topics=gather(opportunity.rules_of_weapon, unarmed.arms_of_opportunity),
    opening_rules=opportunity.rules_of_way,
)


# --- The chapter on maneuvers in futurepath: every point that is not plain

MANEUVERS: Maneuvers = replace(
    PLAIN_MANEUVERS,
    rolls=rolls("1d20: bull rush, counter-disarm, counter-trip, disarm, feint, trip"),
    questions=questions(
        "counter-disarm: try, decline",
        "counter-trip: try, decline",
        "drop: drop, fall",
        "overrun: block, avoid",
        "push: <number>",
    ),
    acts={
        acts.BullRush: ActSpec(maneuvers.bull_rush, "target path charge"),
        acts.Overrun: ActSpec(maneuvers.overrun_opponent, "target path charge weapon"),
        acts.Sunder: ActSpec(
            choose(when("", strike_held.shoot_at_item, holds=strike_held.is_shot), strike_held.sunder_item),
            "target weapon item size hardness hp thrown",
        ),
        acts.Feint: ActSpec(maneuvers.mislead_by_bluff, "target"),
        acts.Trip: ActSpec(attempts.trip, "target weapon"),
        acts.Disarm: ActSpec(
            maneuvers.disarm_opponent, "target weapon item secured", under={"secured": {"item": SAID}}
        ),
    },
    substitutes={"trip": maneuvers.TRIP, "disarm": maneuvers.DISARM, "grapple": grapple_GRAPPLE},
)
"""A weapon with the trait "trip" can trip.

For a disarm, the size of a weapon is inferred from how it is wielded (light, one-handed, two-handed) unless
one of its traits names a size, such as "tiny".
"""


# --- The chapter on grapple in futurepath: every point that is not plain

GRAPPLE: Grapple = replace(
    PLAIN_GRAPPLE,
    rolls=rolls("1d2: grappler", "1d20: escape, escape artist, grapple"),
    questions=questions("grab: hold, grab only", "hold: hold, let go", "in: <square>", "out: <square>"),
    acts={
        acts.Grapple: ActSpec(
            grapple.wrestle,
            "target weapon skill",
            what=("start", *grapple.OPTIONS),
            under={"weapon": {"what": ("attack", "draw")}, "skill": {"what": ("escape",)}},
        ),
    },
    parted=shared_grapple.let_go_apart,
)
"""A grapple is started (`start`) and kept up by being in the opponent's square; then each of the two may
`damage`, `pin`, `escape` (by `skill`, with Escape Artist), `break-pin` of a friend, `draw` a light weapon or
`attack` with one, each except drawing in place of an attack. In a full attack they are its strikes, `special`
being "grapple" and `item` the option.
"""


# --- The chapter on magic in futurepath: every point that is not plain

MAGIC: Magic = replace(
    PLAIN_MAGIC,
    refuse_casting=first(magic.refuse_through_things, spell_effects.refuse_origin),
    spell_dc=refine(spell_effects.printed_dc, classes.cite_save_purpose),
    rolls=PLAIN_MAGIC.rolls | rolls("spell"),
    acts={
        acts.Cast: ActSpec(
            casting.cast_spell, "spell targets at defensively opening", under={"at": {"targets": UNSAID}}
        ),
        acts.Dismiss: ActSpec(magic.cease, "spell"),
    },
)


# --- The chapter on gear in futurepath: every point that is not plain

GEAR: Gear = replace(
    PLAIN_GEAR,
    families=frozenset({"", "bow", "crossbow", "sling", "spell", "firearm", "handgun", "longarm"}),
    postures=frozenset(LOW),
    unarmed_dice=unarmed.unarmed_dice,
    drawing=handling.by_move_action,
    refills=handling.is_emptied,
    doors=objects.doors_on_map,
    fills_place=is_closed,
    acts={
        **PLAIN_GEAR.acts,
        acts.Drop: ActSpec(handling.drop_freely, "item also", refuses="to"),
        acts.Draw: ActSpec(handling.draw_weapon, "item also"),
        acts.Handle: ActSpec(objects.handle, "item", what=tuple(objects.ROWS)),
        acts.Load: ActSpec(handling.reload_weapon, "item"),
        acts.Burst: ActSpec(objects.break_by_force, "target"),
        acts.Repair: ActSpec(strike_held.repair, "target item tools"),
        acts.Prepare: ActSpec(explosives.plant, "item at rounds"),
    },
    rolls=rolls("1d4: corner", "misdirection", "1d20: repair, strength", "2d6: repaired"),
    equip=refine(
        keep_sheet,
        on_sheet_so_far(objects.thing_from_table),
        on_sheet_so_far(handling.explosives_strike_nobody),
    ),
    corner_situation=gather(
        *ATTACKER_STATE,
        ranged_attacks.range_disadvantage,
        when("'prone' in attacker.conditions", ranged_attacks.shooting_prone),
        when("attacker.conditions", conditions.unrelated_disadvantages),
    ),
)
"""`thing = {table = "steel door"}` or `thing = {substance = "wood", inches = 2}` makes a sheet an object,
with hardness, hit points and break DC of the tables; "manufactured" is the row of its size, whose figures a
sheet may raise. The trait "carried by (NAME)" marks an object that this combatant holds, carries or wears.

An object that is not broken covers creatures behind it: a door or wall totally, other objects by half if the
creature is no larger, or as the trait "covers (DEGREE)" says, with "covers (none)" for no cover. Doors, by
their row or their trait "door", are opened and closed with `handle`, the door being its `item`; the
conditions "open" and "ajar" give the state of a door.

Preparing an explosive means planting it: `at` is the grid corner where it is set, `rounds` its timer.
"""


# --- The chapter on classes in futurepath: every point that is not plain

CLASSES: Classes = replace(
    PLAIN_CLASSES,
    questions=PLAIN_CLASSES.questions
    | questions(
        "action: attack action, move action, full-round action",
        "opening: provokes, safe",
    ),
    rolls=PLAIN_CLASSES.rolls | rolls(f"1d20: {', '.join(checks.SKILLS)}"),
    acts={
        **PLAIN_CLASSES.acts,
        acts.UseSkill: ActSpec(classes.use_skill, "skill dc"),
        acts.UseFeat: ActSpec(classes.use_feat, "feat"),
        acts.UseAbility: ActSpec(classes.use_talent, "ability"),
        acts.Stunt: ActSpec(classes.do_something_else, "what"),
    },
    sheet_names=SHEET_NAMES,
    save_bonus=refine(
        checks.save_bonus,
        abilities.by_kind_of_save,
        when("combatant.sheet.thing is not None", objects.save_of_thing),
    ),
    saves_never=objects.never_saves,
    after_save=refine(checks.halve_damage_on_save, when("combatant.conditions", defense.hardly_touched)),
    bonus_kinds=KINDS | GRADES,
    derived_statistics=refine(as_printed, on_sheet_so_far(unarmed.train_fists)),
)


# --- The chapter on the environment in futurepath: every point that is not plain

ENVIRONMENT: Environment = replace(
    PLAIN_ENVIRONMENT,
    acts={
        acts.Hazard: danger_by(
            choose(when("condition", conditions.refuse_without_reason, holds=conditions.lacks_reason), HAZARD)
        ),
        acts.Extinguish: ActSpec(environment.extinguish, "target"),
    },
)
