"""The default values of every chapter: complete, for a dialect to start from."""

from collections.abc import Sequence
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.kernel import turns as kernel_turns
from affray.engine.kernel.movement import measure
from affray.engine.modifiers import Tally
from affray.engine.record.acts import ActSpec, Resolver, SheetNames, questions, rolls
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import (
    Attacks,
    Bands,
    Classes,
    Conditions,
    Damage,
    Defense,
    Environment,
    Gear,
    Grapple,
    Magic,
    Maneuvers,
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
    always,
    choose,
    first,
    gather,
    listed,
    never,
    no,
    no_parts,
    no_points,
    no_reason,
    no_rules,
    no_topic,
    nobody,
    none,
    nothing,
    prohibit,
    steps,
    when,
    yes,
)
from affray.engine.rules import defense
from affray.engine.rules.attacks import attack_roll, declared_blow, full_attack
from affray.engine.rules.attacks.attack_roll import (
    confirm,
    finesse,
    is_natural_threat,
    one_d20,
    range_increment,
    sure_faces,
)
from affray.engine.rules.attacks.declared_blow import can_finish_by_shot, is_trained_tumbler
from affray.engine.rules.attacks.full_attack import get_single_missile, one_by_one, usual_shot, usual_strikes
from affray.engine.rules.attacks.stacking import KINDS, STACKING, TYPED, stack_typed
from affray.engine.rules.attacks.straight_charge import weapon_in_hand
from affray.engine.rules.classes import checks
from affray.engine.rules.classes.abilities import printed_scores, yield_sheet_pools
from affray.engine.rules.classes.checks import halve_damage_on_save
from affray.engine.rules.classes.feats import as_printed
from affray.engine.rules.classes.sheets import DICE, POLICIES, SHEET, damage_type
from affray.engine.rules.conditions import conditions
from affray.engine.rules.conditions.conditions import is_spared_precision
from affray.engine.rules.damage import injury, recovery_and_riders
from affray.engine.rules.damage.damage import (
    ENERGY,
    loss_topics,
    reduce,
    strength_share,
    suffer,
    weapon_damage,
)
from affray.engine.rules.damage.injury import (
    bleed_out,
    go_limp,
    highest_disabled,
    highest_dying,
    is_cause_not_hit_points,
    state_of,
)
from affray.engine.rules.defense import armor_cap, helpless_dexterity, uncanny_by_trait
from affray.engine.rules.gear import handling, others_things, splash_weapons
from affray.engine.rules.gear.handling import quick_draw
from affray.engine.rules.gear.others_things import as_its_owner
from affray.engine.rules.gear.tables import keep_sheet
from affray.engine.rules.gear.weapons_in_hand import (
    as_wielded,
    bare_hand,
    melee_weapons_at,
    out_of_reach,
    plain_bands,
)
from affray.engine.rules.magic import casting, concentration, spell_effects, touch_spells
from affray.engine.rules.maneuvers.opposed_checks import trip_footing
from affray.engine.rules.movement import movement, walking
from affray.engine.rules.movement.movement import (
    once_a_round,
    printed_pace,
    run_multiple,
    running,
    sizes_apart,
    unslowed,
)
from affray.engine.rules.movement.walking import after_movement, leaving
from affray.engine.rules.opportunity import attacks_of_opportunity
from affray.engine.rules.opportunity.attacks_of_opportunity import cover_or_concealment
from affray.engine.rules.opportunity.threatened_squares import opening
from affray.engine.rules.position import squeezing
from affray.engine.rules.position.places import is_walled_off, no_height_between, refuse_through_walls
from affray.engine.rules.position.squeezing import refuse_taken, rules_of_space, space_and_reach
from affray.engine.rules.turns import actions, delay_and_ready, fiat, flow, initiative
from affray.engine.rules.turns.actions import COMMON, by_table, free_action
from affray.engine.rules.turns.delay_and_ready import TRIGGER, take_readied, types_of_text
from affray.engine.rules.turns.fiat import OF_CONDITIONS, refuse_spared_nonlethal
from affray.engine.rules.turns.initiative import end_condition
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- The default values of the chapter on turns: complete, for a dialect to start from


def no_watch(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Return the steps of a declaration unchanged: for dialects in which its facts have no consequences."""
    return steps


#: Rulings that the game master can make in every dialect.
FIAT: Final = ActSpec(
    fiat.fiat, "target hp at initiative text", gains=known_conditions, loses=known_conditions
)

PLAIN_TURNS = Turns(
    rolls=rolls("1d20: initiative, roll-off"),
    questions=questions("ready: act, wait"),
    acts={
        acts.Enter: ActSpec(
            steps(
                when("nonlethal", refuse_spared_nonlethal),
                choose(when("carried", initiative.arrive), actions.enter),
            ),
            "id side at hp nonlethal held initiative acted by levels used unloaded origin carried",
            refuses="riding",
            under=OF_CONDITIONS,
            conditions=known_conditions,
            policy=POLICIES,
            sheet=SHEET,
        ),
        acts.Begin: ActSpec(flow.begin, "unaware round turn"),
        acts.EndTurn: ActSpec(flow.end_turn),
        acts.Delay: ActSpec(flow.delay, "count"),
        acts.Resume: ActSpec(flow.resume),
        acts.Ready: ActSpec(delay_and_ready.ready, "then step", trigger=TRIGGER),
        acts.Speak: ActSpec(actions.speak, "words"),
        acts.Close: ActSpec(kernel_turns.close, "reason"),
        acts.Fiat: FIAT,
    },
    surprise=nothing,
    initiative=initiative.roll_initiative,
    order=initiative.set_order,
    open_round=flow.open_round,
    close_round=kernel_turns.close_round,
    open_turn=choose(when(flow.RESUMED, flow.resume_turn), steps(*flow.FRESH_TURN)),
    close_turn=flow.close_turn,
    allowance=actions.allowance,
    ending_rule=initiative.by_duration,
    propose=none,
    table_rules=no_rules,
    told_safe=nothing,
    short_step_rules=no_rules,
    free_action=free_action,
    free_action_limit=always,
    take_readied=take_readied,
    watch=no_watch,
    action_type=by_table(COMMON),
    readiable=types_of_text,
    prohibitions=prohibit(),
    around=(),
    turn_onset=nothing,
    last_turn=nobody,
    precedence=flow.by_modifier,
)


# --- The default values of the chapter on attacks: complete, for a dialect to start from


def stack_by_type(fight: Fight, parts: Sequence[Modifier]) -> Tally:
    """Add up by type: the best of each, dodge, racial and the like together; penalties unless typed alike.

    pf1.bonus.stacking.
    """
    return stack_typed(parts, stacks=STACKING, named=TYPED, rule=fight.rule("bonus.stacking"))


PLAIN_ATTACKS = Attacks(
    rolls=rolls("1d20: attack, confirm"),
    questions=questions("instead: <weapon>, none"),
    acts={
        acts.TotalDefense: ActSpec(declared_blow.total_defense),
        acts.CoupDeGrace: ActSpec(declared_blow.coup_de_grace, "target weapon"),
    },
    stack=stack_by_type,
    prepare=declared_blow.prepare_blow,
    is_nonlethal=attack_roll.is_nonlethal,
    deliver=declared_blow.deliver,
    still_strikes=declared_blow.still_strikes,
    still_planned=declared_blow.still_planned,
    blow_at_end=declared_blow.blow_at_end,
    before_roll=nothing,
    before_attacks=nothing,
    before_blow=nothing,
    attack_bonus=attack_roll.attack_bonus,
    attack_situation=attack_roll.common_attack_situation,
    range_increment=range_increment,
    finesse=finesse,
    miss_chance=attack_roll.miss_chance,
    barred=no_reason,
    through_surface=no,
    deciding_rules=no_rules,
    threatens_critical=is_natural_threat,
    confirmation_parts=no_parts,
    confirm_critical=confirm,
    finds_its_mark=never,
    passes_through=never,
    deflected=never,
    after_miss=nothing,
    after_hit=nothing,
    after_blow=nothing,
    after_maneuver=nothing,
    attack_series=full_attack.series_of_hands,
    two_weapon_parts=no_parts,
    off_hand_series=no_parts,
    begin_full_attack=no_parts,
    secondary_limb=no,
    set_against_charge=declared_blow.has_brace,
    usual_strikes=usual_strikes,
    usual_shot=usual_shot,
    least_missiles=get_single_missile,
    declared_feats=no_parts,
    drawn_together=one_by_one,
    weapon_of_charge=weapon_in_hand,
    finishing_weapon=can_finish_by_shot,
    test_dice=one_d20,
    sure_faces=sure_faces,
    no_automatic_rule="",
)


# --- The default values of the chapter on defense: complete, for a dialect to start from

PLAIN_DEFENSE = Defense(
    acts={},
    defense_bonus=defense.printed_armor_class,
    defense_situation=gather(*defense.TARGET_STATE),
    dexterity_denied=defense.dexterity_denied,
    helpless_dexterity=helpless_dexterity,
    cover=no_parts,
    uncanny_dodge=uncanny_by_trait,
    dexterity_cap=armor_cap,
    reflex_cover=spell_effects.reflex_cover,
    around_corners=spell_effects.cover_against_spread,
    name="armor class",
)


# --- The default values of the chapter on damage: complete, for a dialect to start from


def keep_damage_type(fight: Fight, blow: Blow) -> Steps[str]:
    """Return the type of damage as the weapon's entry has it."""
    return blow.weapon.damage_type
    yield


NEVER: Final = 1_000_000_000
"""More damage than any source deals."""


def no_massive_damage(fight: Fight, victim: Combatant) -> int:
    """Return the limit that no damage reaches: no damage kills outright."""
    return NEVER


#: The types of damage on a sheet: of weapons, of energy, and those without resistance.
TYPES: Final = ENERGY | {
    *("bludgeoning", "piercing", "slashing"),
    *("bleed", "force", "holy", "negative energy", "positive energy", "unholy"),
}

PLAIN_DAMAGE = Damage(
    rolls=rolls("damage, extra-*"),
    acts={acts.Stabilize: ActSpec(actions.stabilize, "target")},
    types=TYPES,
    deal=weapon_damage,
    strength_damage=strength_share,
    force_rules=no_rules,
    minimum_is_nonlethal=False,
    damage_kind=keep_damage_type,
    along_with_damage=nothing,
    suffer=suffer,
    overcomes=no,
    pierced=no_points,
    reduce=reduce,
    roll_with=nothing,
    injure=recovery_and_riders.injure,
    start_hurt=injury.start_hurt,
    settle=injury.settle,
    set_state=injury.set_state,
    refuse_state=injury.refuse_state,
    loss_topics=loss_topics,
    disabled_from=highest_disabled,
    dying_from=highest_dying,
    bleed_out=bleed_out,
    last_stand=never,
    undying=no_topic,
    death_at=injury.death_at,
    massive_damage=no_massive_damage,
    nonlethal_limit=none,
    effect_over=nothing,
)


# --- The default values of the chapter on conditions: complete, for a dialect to start from


def give_separate_condition(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give a condition that has a different cause than hit points, with its consequences."""
    combatant = fight.combatant(fact.who)
    had = fact.condition in combatant.conditions
    yield is_cause_not_hit_points(fact)
    if not had:
        yield from go_limp(fight, combatant, fact.condition)


def start_apart(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Make a combatant enter under a condition, distinguished from those that its hit points require."""
    called_for = state_of(fight, fight.combatant(fact.who))[0]
    yield fact if fact.condition == called_for else is_cause_not_hit_points(fact)


PLAIN_CONDITIONS = Conditions(
    acts={},
    table={},
    states=frozenset(),
    leveled=frozenset(),
    degrees={},
    paired=frozenset(),
    cast=frozenset(),
    local=frozenset(),
    unthreatening=frozenset({"grappling", "grappled"}),
    gain=give_separate_condition,
    lapses=nothing,
    start=start_apart,
    time_over=end_condition,
    over=nothing,
    felling=frozenset({"unconscious", "dying", "stable", "dead"}),
    limp=nothing,
    take_rider=nothing,
    immune_mind=no_rules,
    immune_natures={},
    score_steps=printed_scores,
)


# --- The default values of the chapter on movement: complete, for a dialect to start from

PLAIN_MOVEMENT = Movement(
    acts={acts.Move: ActSpec(walking.move, "path", how=("normal",)), acts.Stand: ActSpec(actions.stand)},
    speed=printed_pace,
    laden=nothing,
    speed_told=none,
    slowing_rule=unslowed,
    forfeit=no_points,
    walk=walking.walk,
    leaving=leaving,
    approach=none,
    refuse_step=first(movement.refuse_blocked, movement.refuse_occupied),
    in_way=movement.in_way,
    refuse_entry=movement.refuse_held,
    after_running_into=nothing,
    refuse_ground=squeezing.refuse_wall_or_corner,
    refuse_rough=movement.refuse_rough,
    measure=measure,
    scaled_diagonals=False,
    too_far=no_topic,
    shape=movement.shape,
    may_stop=movement.may_stop,
    may_pass=sizes_apart,
    step_needs_check=no,
    check_before_step=always,
    barrier_fault=movement.covers_only,
    step_is_told=no,
    after_step=nothing,
    step_aside=movement.step_aside,
    after_movement=after_movement,
    running=running,
    run_multiple=run_multiple,
    nimble=is_trained_tumbler,
    fall=nothing,
)


# --- The default values of the chapter on position: complete, for a dialect to start from


def bands_of_weapons(fight: Fight, combatant: Combatant, found: Bands) -> Bands:
    """Return the distances at which a combatant threatens: with its weapons alone, in any state."""
    return found


PLAIN_POSITION = Position(
    acts={},
    space_and_reach=space_and_reach,
    refuse_taken=refuse_taken,
    placed=rules_of_space,
    out_of_reach=out_of_reach,
    reach_bands=plain_bands,
    arming=frozenset(),
    bands_by_state=bands_of_weapons,
    levels_apart=no_height_between,
    walls_part=yes,
    walled_off=is_walled_off,
    through_walls=refuse_through_walls,
)


# --- The default values of the chapter on senses: complete, for a dialect to start from

PLAIN_SENSES = Senses(acts={}, sees_foe=yes, locates=yes)


# --- The default values of the chapter on opportunity: complete, for a dialect to start from

PLAIN_OPPORTUNITY = Opportunity(
    questions=questions("take: take, decline", "with: <weapon>"),
    acts={acts.Opening: ActSpec(opening, "target opponent reason")},
    provoke=attacks_of_opportunity.provoke,
    opportunities=attacks_of_opportunity.opportunities,
    opportunity_name=once_a_round,
    sheltered=cover_or_concealment,
    weapons_at=melee_weapons_at,
    touch_by_charge=attacks_of_opportunity.no_charge,
    weapon_topics=no_rules,
    opening_rules=no_rules,
)


# --- The default values of the chapter on maneuvers: complete, for a dialect to start from

PLAIN_MANEUVERS = Maneuvers(acts={}, substitutes={}, tripped_footing=trip_footing, before_contest=nothing)


# --- The default values of the chapter on grapple: complete, for a dialect to start from

PLAIN_GRAPPLE = Grapple(acts={}, bonds=none, parted=nothing)


# --- The default values of the chapter on magic: complete, for a dialect to start from

COMPONENTS: Final = frozenset({"verbal", "somatic", "material", "focus", "divine focus", "xp"})

#: The numbers of a combatant that a spell may change in every dialect.
STATS: Final = frozenset({"attack", "melee-attack", "defense", "damage", "save", "speed", "initiative"})

PLAIN_MAGIC = Magic(
    rolls=rolls("1d20: concentration"),
    acts={},
    components=COMPONENTS,
    stats=STATS,
    casting_action=casting.printed_action,
    refuse_casting=none,
    holds_charges=False,
    strikes_again=spell_effects.does_damage,
    passes_opening=no,
    line_topic="cover.total-no-attack",
    spell_range=spell_effects.printed_range,
    in_area=spell_effects.is_reached,
    prelude=nothing,
    casting_provokes=casting.long_casting_provokes,
    heard=casting.never_countered,
    hindrances=concentration.hindrances,
    hampered_dc=concentration.hampered_dc,
    concentration=concentration.by_skill,
    defensive_casting=concentration.defensive_casting,
    defense_fails=nothing,
    drawn_out=never,
    spell_fails=never,
    touching=touch_spells.deliver_by_touch,
    begin=nothing,
    affected=casting.all_targets,
    withstands=never,
    spell_dc=spell_effects.printed_dc,
    spell_blow=touch_spells.spell_blow,
    affect=spell_effects.affect,
    on_critical=recovery_and_riders.critical_spell,
    afflict=spell_effects.give_spell_condition,
    discharge=touch_spells.discharge,
    bestow=nothing,
)


# --- The default values of the chapter on mounted: complete, for a dialect to start from

PLAIN_MOUNTED = Mounted(acts={}, averted=never, frightened=no, left_squares=nothing)


# --- The default values of the chapter on gear: complete, for a dialect to start from

PLAIN_GEAR = Gear(
    acts={
        acts.Grip: ActSpec(others_things.grip, "item hands"),
        acts.Drop: ActSpec(actions.drop, "item"),
        acts.Sheathe: ActSpec(handling.sheathe, "item"),
    },
    questions=questions("whose: <combatant>"),
    equip=keep_sheet,
    drawing=quick_draw,
    hurled=as_wielded,
    unarmed_dice=bare_hand,
    tool_parts=no_parts,
    corner_situation=no_parts,
    splash_centre=splash_weapons.whole_target,
    stray_squares=splash_weapons.increments_thrown,
    spared_noise=never,
    doors=no_parts,
    fills_place=no,
    refills=no,
    frees_hand=yes,
    in_other_hands=as_its_owner,
    families=frozenset({"", "bow", "crossbow", "sling", "spell"}),
    materials=frozenset({""}),
    postures=frozenset({"prone"}),
)


# --- The default values of the chapter on classes: complete, for a dialect to start from


def always_rolled(fight: Fight, combatant: Combatant, number: int, what: str) -> Steps[int]:
    """Return 0: every check is rolled, for dialects without taking 10 or 20."""
    return 0
    yield


PLAIN_CLASSES = Classes(
    rolls=rolls("1d20: save-fort, save-ref, save-will"),
    acts={},
    save_bonus=checks.save_bonus,
    after_save=halve_damage_on_save,
    saves_never=no_topic,
    save_against_condition=no_parts,
    take_10_20=always_rolled,
    gm_check=never,
    bonus_kinds=KINDS,
    sheet_names=SheetNames(),
    attack_features=listed(),
    defense_features=listed(),
    moving_features=listed(),
    damage_features=listed(),
    dice_features=listed(),
    save_features=listed(),
    check_features=listed(),
    initiative_features=listed(),
    spared_precision=is_spared_precision,
    shrug_features=listed(),
    pools=yield_sheet_pools,
    check_penalty=no_parts,
    derived_statistics=as_printed,
)


# --- The default values of the chapter on environment: complete, for a dialect to start from

#: A danger that the game master declares: a purely bodily one does not affect a target without a body.
HAZARD = choose(
    when(
        "save == 'fort' and condition and not damage and rider is None",
        conditions.report_spared_hazard,
        holds=conditions.is_hazard_to_body,
    ),
    actions.hazard,
)


def danger_by(resolver: Resolver) -> ActSpec:
    """Return the act of declaring a danger: a saving throw, damage, a condition."""
    return ActSpec(
        resolver,
        "target save dc source",
        damage=DICE,
        damage_type=damage_type,
        condition=lone_conditions,
        on_save=("negates", "half"),
        under=actions.HAZARD_UNDER,
    )


PLAIN_ENVIRONMENT = Environment(
    rolls=rolls("hazard"),
    acts={acts.Hazard: danger_by(HAZARD)},
    dangers={},
    untouched=none,
    hardy=no_parts,
    drags=no,
)
