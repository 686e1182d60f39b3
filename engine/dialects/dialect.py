"""A dialect: a frozen record of named rule points.

There is no chain of subclasses. A dialect's module builds one record and lists every point, taking
shared steps from `affray.engine.rules` by name and its own where its rulebook differs. Two dialects
differ exactly where their records do.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from msgspec import Struct, field

from affray.engine.blow import Blow, Harm
from affray.engine.book import Book
from affray.engine.fight import Fight
from affray.engine.modifiers import Tally
from affray.engine.rules.attacks.attack_action import trained_tumbler, usual_strikes
from affray.engine.rules.attacks.attack_modifiers import (
    flank_parts,
    nothing_bars,
    range_increment,
    solid_surface,
)
from affray.engine.rules.attacks.attack_roll import (
    finesse,
    judged_alone,
    never_averted,
    no_aftermath,
    no_reactions,
    none_turned_aside,
    nothing_follows,
    solid,
    still_missed,
)
from affray.engine.rules.attacks.coup_de_grace import bows_finish
from affray.engine.rules.attacks.critical_hits import confirm, natural_threat
from affray.engine.rules.attacks.two_weapon_fighting import one_by_one
from affray.engine.record.conditions import Step
from affray.engine.rules.classes.ability_scores import printed_scores
from affray.engine.rules.classes.derived_statistics import as_printed
from affray.engine.record.classes import Feature
from affray.engine.rules.classes.plain import always_rolled, not_called_for
from affray.engine.rules.classes.saves_and_checks import (
    after_save,
    no_check_penalty,
    no_immunity,
    nothing_steels,
    saves_always,
)
from affray.engine.record.conditions import ConditionRule
from affray.engine.rules.conditions.plain import gained_as_is
from affray.engine.rules.damage.injury import below_zero, bleed_out, no_last_stand
from affray.engine.rules.damage.plain import as_made, nothing_due, stays
from affray.engine.rules.damage.weapon_damage import (
    loss_topics,
    no_force_rules,
    no_nonlethal_limit,
    no_rolling,
    nothing_more,
    reduce,
    strength_share,
    weapon_damage,
)
from affray.engine.rules.defense.armor_class import armor_cap, helpless_dexterity, uncanny_by_trait
from affray.engine.record.gear import Drawing
from affray.engine.rules.gear.draw_and_sheathe import quick_draw
from affray.engine.rules.gear.equip import as_given
from affray.engine.rules.gear.item_hardness import no_bonds
from affray.engine.rules.gear.weapons_in_hand import as_wielded, bare_hand, out_of_reach
from affray.engine.rules.magic import (
    casting,
    concentration,
    held_charge,
    spell_effects,
    targets_and_areas,
    touch_spells,
)
from affray.engine.record.maneuvers import Side
from affray.engine.rules.maneuvers.opposed_checks import trip_footing
from affray.engine.record.maneuvers import Substitute
from affray.engine.rules.maneuvers.substitutes import approach_freely, leave_alone, no_pledges
from affray.engine.rules.movement import footing
from affray.engine.record.movement import Measure
from affray.engine.rules.movement.movement import (
    any_foe,
    arrived,
    leaving,
    once_a_round,
    printed_pace,
    run_multiple,
    running,
    sizes_apart,
    unslowed,
)
from affray.engine.rules.opportunity.attacks_of_opportunity import no_topics, sheltered
from affray.engine.rules.opportunity.threatened_squares import level_with, plain_bands
from affray.engine.rules.turns import flow
from affray.engine.record.turns import Allowance
from affray.engine.rules.turns.delay_and_ready import take_readied
from affray.engine.rules.turns.minor_acts import placed, refuse_taken, space_and_reach, unexposed, unladen
from affray.engine.rules.turns.plain import no_rules, unlimited, unrated, untold
from affray.engine.record.turns import MARKED, PAIRED, Check, Refuse
from affray.engine.rules.turns.prohibitions import PLAIN_ATTACKS
from affray.engine.steps import Steps
from affray.events.facts.acts import Act, Ready, Strike
from affray.events.facts.combat import ConditionGained
from affray.events.facts.modifier import Modifier
from affray.events.facts.rolled import Rolled
from affray.events.facts.sheet import Rider, Sheet, Spell, Weapon
from affray.projections.state import Combatant, Effect

Square = tuple[int, int]


class Points(Struct, frozen=True, kw_only=True):
    """The rule points of a dialect, in the order in which a fight meets them.

    Each is a plain function; generators (`Steps`) may roll, ask and yield facts, the others only
    read. `acts` maps every declaration that the dialect knows to its resolver.
    """

    acts: Mapping[type[Act], Callable[[Fight, Any], Steps[None]]]
    # flow
    surprise: Callable[[Fight, Any], Steps[None]]
    initiative: Callable[[Fight, Combatant], Steps[None]] = flow.initiative
    order: Callable[[Fight, Sequence[str]], Steps[None]]
    open_round: Callable[[Fight, int], Steps[None]] = flow.open_round
    close_round: Callable[[Fight], Steps[None]]
    open_turn: Callable[[Fight, Combatant], Steps[None]]
    close_turn: Callable[[Fight, Combatant], Steps[None]]
    allowance: Callable[[Fight, Combatant], Allowance]
    ending: Callable[[Fight, str, Effect | None], str] = flow.by_duration
    # attack
    stack: Callable[[Fight, Sequence[Modifier]], Tally]
    reactions: Callable[[Fight, Blow], Steps[None]] = no_reactions
    attack_bonus: Callable[[Fight, Blow], tuple[Modifier, ...]]
    attack_situation: Callable[[Fight, Blow], list[Modifier]]
    defense_bonus: Callable[[Fight, Blow], tuple[Modifier, ...]]
    defense_situation: Callable[[Fight, Blow], list[Modifier]]
    dexterity_denied: Callable[[Fight, Blow], tuple[str, str]]
    cover: Callable[[Fight, Blow], list[Modifier]]
    miss_chance: Callable[[Fight, Blow], tuple[int, str, str]]
    threatens_critical: Callable[[Fight, Blow, int, int, int], bool] = natural_threat
    confirm: Callable[[Fight, Blow], Steps[bool]] = confirm
    damage: Callable[[Fight, Blow, bool], Steps[None]] = weapon_damage
    strength_damage: Callable[[Fight, Blow, int], tuple[int, str, str] | None] = strength_share
    force_rules: Callable[[Fight, Blow, int], tuple[str, ...]] = no_force_rules
    full_attacks: Callable[[Fight, Combatant, Any], list[list[Modifier]]]
    defensive_casting_dc: Callable[[Fight, Any], int] = concentration.defensive_casting_dc
    minimum_is_nonlethal: bool = False
    reduce: Callable[[Fight, Harm], tuple[int, str]] = reduce
    injure: Callable[[Fight, Combatant, int, Harm], Steps[None]]
    death_at: Callable[[Fight, Combatant], int]
    massive_damage: Callable[[Fight, Combatant], int]
    # opportunity
    leaving: Callable[[Fight, Combatant, Square, Square, str], list[Combatant]] = leaving
    arrived: Callable[[Fight, Combatant], Steps[None]] = arrived
    running: Callable[[Fight, Combatant], Any] = running
    sees_foe: Callable[[Fight, Combatant, Combatant], bool] = any_foe
    propose: Callable[[Fight], Any] = flow.no_plans
    opportunities: Callable[[Fight, Combatant], tuple[int, str]]
    sheltered: Callable[[Fight, Blow], tuple[str, str]] = sheltered
    # checks
    save_bonus: Callable[[Fight, Combatant, str], list[Modifier]]
    # points on which most rulebooks agree
    dying: Callable[[Fight, Combatant], Steps[None]] = bleed_out
    nonlethal_limit: Callable[[Fight, Combatant], int | None] = no_nonlethal_limit
    helpless_dexterity: Callable[[Fight, Blow], list[Modifier]] = helpless_dexterity
    space_and_reach: Callable[[Fight, Any], tuple[int, int]] = space_and_reach
    opportunity: Callable[[Fight, Combatant], str] = once_a_round
    ranged_touch_provokes: bool = False
    reflex_cover: Callable[[Fight, Combatant, Combatant], tuple[Modifier, ...]] = spell_effects.reflex_cover
    around_corners: Callable[[Fight, Combatant, tuple[Modifier, ...]], Steps[tuple[Modifier, ...]]] = (
        spell_effects.straight
    )
    finishes: Callable[[Weapon], bool] = bows_finish
    missed: Callable[[Fight, Blow], Steps[None]] = no_aftermath
    judging: Callable[[Fight, str], tuple[str, ...]] = judged_alone
    armed: Callable[[Fight, Blow], Steps[None]] = no_reactions
    turned_aside: Callable[[Fight, Blow], Steps[bool]] = none_turned_aside
    strikes_home: Callable[[Fight, Blow, int, str], Steps[bool]] = still_missed
    passes_through: Callable[[Fight, Blow], Steps[bool]] = solid
    struck: Callable[[Fight, Blow, tuple[int, int, int], bool], Steps[None]] = nothing_follows
    pledged: Callable[[Fight, Combatant, Any, Sequence[Blow]], list[Any]] = no_pledges
    rated: Callable[..., tuple[str, ...]] = unrated
    reasonable: Callable[[Fight, Combatant, str], Steps[bool]] = unlimited
    taking: Callable[[Fight, Combatant, int, str], Steps[int]] = always_rolled
    drawn_together: Callable[[Fight, Combatant, Sequence[str]], tuple[str, ...]] = one_by_one
    reckoned: Callable[[Fight, Sheet], tuple[Sheet, tuple[str, ...]]] = as_printed
    no_automatic: str = ""
    still: Callable[[Fight, Combatant], tuple[str, ...]] = no_rules
    range_increment: Callable[[Fight, Blow], int] = range_increment
    safe: Callable[[Fight, Combatant, str, str, str], Steps[None]] = untold
    defense_name: str = "armor class"
    run_multiple: Callable[[Fight, Combatant], int] = run_multiple
    may_pass: Callable[[Fight, Combatant, Combatant], bool] = sizes_apart
    # the ground: what a step costs, what forbids it and what it brings about
    refuse_step: Callable[[Fight, Combatant, Square, Square, bool, Combatant | None, str], None] = (
        footing.refuse_step
    )
    refuse_rough: Callable[[Fight, Combatant, Sequence[Square], str, str], None] = footing.refuse_rough
    measure: Callable[[Fight, Combatant, Sequence[Square], str], Measure] = footing.measure
    too_far: Callable[[Fight, Combatant, Sequence[Square], str, int], str] = footing.too_far
    shape: Callable[[Fight, Combatant, Sequence[Square], str], dict[str, Any]] = footing.shape
    may_stop: Callable[[Fight, Combatant, Square], bool] = footing.may_stop
    hindered: Callable[[Fight, Combatant, Square, Square, str], bool] = footing.hindered
    crossing: Callable[[Fight, Combatant, Square, Square, str], Steps[bool]] = footing.crossing
    noticed: Callable[[Fight, Combatant, Square, Square, str], bool] = footing.noticed
    entered: Callable[[Fight, Combatant, Square, Square, str], Steps[None]] = footing.entered
    step_aside: Callable[[Fight, Combatant, Square], Steps[None]] = footing.step_aside
    opening: Callable[..., tuple[str, ...]] = footing.opening
    # big and little creatures: where they stand, what they reach, with whom they flank
    refuse_taken: Callable[[Fight, Sheet, Square, int], None] = refuse_taken
    placed: Callable[[Fight, Sheet, int, int], tuple[str, ...]] = placed
    out_of_reach: Callable[[Fight, Combatant, Weapon, int], str] = out_of_reach
    flank_parts: Callable[[Fight, Blow], list[Modifier]] = flank_parts
    bands: Callable[[Fight, Combatant], tuple[tuple[int, int], ...]] = plain_bands
    apart: Callable[[Combatant, Combatant], int] = level_with
    # where speed comes from, and what a load does
    pace: Callable[[Fight, Combatant], int] = printed_pace
    laden: Callable[[Fight, Combatant], Steps[None]] = unladen
    check_penalty: Callable[[Fight, Combatant, str], list[Modifier]] = no_check_penalty
    dexterity_cap: Callable[[Fight, Combatant], tuple[int | None, str, str]] = armor_cap
    nimble: Callable[[Fight, Combatant], bool] = trained_tumbler
    last_stand: Callable[[Fight, Combatant, str], Steps[bool]] = no_last_stand
    checks: tuple[Check, ...] = (PLAIN_ATTACKS,)
    approach: Callable[[Fight, Combatant, Square, Square], Steps[None] | None] = approach_freely
    after_save: Callable[[Fight, Combatant, str, str, bool, int], tuple[int, str, tuple[str, ...]]] = (
        after_save
    )
    steeled: Callable[[Fight, Combatant, str], tuple[Modifier, ...]] = nothing_steels
    unmoved: Callable[[Fight, Combatant, str], tuple[str, ...]] = no_immunity
    roll_with: Callable[[Fight, Harm], Steps[None] | None] = no_rolling
    uncanny: Callable[[Fight, Combatant], bool] = uncanny_by_trait
    unarmed_dice: Callable[[Fight, Combatant], str] = bare_hand
    finesse: Callable[[Fight, Blow], bool] = finesse
    loss_topics: Callable[[Harm, int, int], tuple[str, ...]] = loss_topics
    damage_kind: Callable[[Fight, Blow], Steps[str]] = as_made
    after_hit: Callable[[Fight, Blow, Harm | None, bool], Steps[None]] = nothing_more
    gain: Callable[[Fight, ConditionGained], Steps[None]] = gained_as_is
    bestow: Callable[[Fight, Combatant, Spell, Combatant, bool], Steps[None]] = spell_effects.no_gift
    onset: Callable[[Fight, Combatant], Steps[None]] = nothing_due
    lapse: Callable[[Fight, Combatant, Effect], Steps[None]] = stays
    dying_from: Callable[[Fight], int] = below_zero
    expose: Callable[[Fight, Combatant, Rider], Steps[None]] = unexposed
    aoo_topics: Callable[[Weapon], tuple[str, ...]] = no_topics
    called_for: Callable[[Fight, Combatant, str, int, str], Steps[bool]] = not_called_for
    slowed: Callable[[Fight, Combatant, str], str] = unslowed
    score_steps: Callable[[Fight, Combatant, str, str], tuple[Step, ...]] = printed_scores
    substitutes: Mapping[str, Substitute] = field(default_factory=dict)
    features: tuple[Feature, ...] = ()
    attend: Callable[[Fight, Steps[None]], Steps[None]] = leave_alone
    averted: Callable[[Fight, Blow], Steps[bool]] = never_averted
    tripped_footing: Callable[[Fight, Combatant, str, bool], Side] = trip_footing
    interrupt: Callable[[Fight, Combatant, Combatant, Ready], Steps[None]] = take_readied
    bonds: Callable[[Fight, Combatant, str], tuple[int, int, str] | None] = no_bonds
    barred: Callable[[Fight, Blow], tuple[str, str]] = nothing_bars
    through_surface: Callable[[Fight, Blow], bool] = solid_surface
    saves_never: Callable[[Fight, Combatant], str] = saves_always
    hurled: Callable[[Fight, Weapon], Weapon] = as_wielded
    drawing: Callable[[Fight, Combatant, str], Drawing] = quick_draw
    # Asked of weapons with traits only, and not after a plain blow: in melee, without traits or off hand,
    # between two without conditions. What concerns every blow belongs to `reactions` and `struck`.
    before_blow: Callable[[Fight, Blow, str], Steps[None]] = no_aftermath
    after_blow: Callable[[Fight, Blow, bool], Steps[None]] = no_aftermath
    tried: Callable[[Fight, Blow], Steps[None]] = no_aftermath
    usual_strikes: Callable[[Fight, Combatant, Combatant, Weapon], tuple[Strike, ...]] = usual_strikes
    equip: Callable[[Fight, Sheet], tuple[Sheet, tuple[str, ...]]] = as_given
    # magic, in the order of a casting
    casting_action: Callable[[Fight, Combatant, Spell], tuple[str, tuple[str, ...]]] = casting.casting_action
    refuse_casting: Callable[[Fight, Combatant, Spell, Any], None] = casting.free_to_cast
    holds_charges: bool = False
    passes_opening: Callable[[Fight, Any], bool] = targets_and_areas.no_opening
    line_topic: str = "cover.total-no-attack"
    spell_range: Callable[[Fight, Combatant, Spell], int] = targets_and_areas.printed_range
    in_area: Callable[[Fight, Combatant, Spell, Square, Combatant], bool] = targets_and_areas.seen_by_caster
    prelude: Callable[[Fight, Combatant, Spell], Steps[None]] = casting.nothing_before
    casting_provokes: Callable[[Fight, Combatant, Spell], tuple[bool, str]] = casting.casting_provokes
    heard: Callable[[Fight, Combatant, Spell, Any], Steps[bool]] = casting.heard
    hindrances: Callable[[Fight, Combatant, Spell], list[tuple[str, str, int]]] = concentration.hindrances
    hampered_dc: Callable[..., int] = concentration.hampered_dc
    defensive_casting: Callable[[Fight, Spell], tuple[int, str]] = concentration.defensive_casting
    drawn_out: Callable[[Fight, Combatant, Spell, Any], Steps[bool]] = casting.at_once
    spell_fails: Callable[[Fight, Combatant, Spell], Steps[bool]] = casting.never_fails
    touching: Callable[[Fight, Combatant, Spell, list[Combatant]], Steps[None]] = touch_spells.touching
    affected: Callable[[Fight, Combatant, Spell, list[Combatant]], Steps[list[Combatant]]] = (
        casting.all_targets
    )
    withstands: Callable[[Fight, Combatant, Spell, Combatant], Steps[bool]] = spell_effects.no_resistance
    spell_dc: Callable[[Fight, Combatant, Spell], tuple[int, tuple[str, ...]]] = spell_effects.printed_dc
    spell_blow: Callable[[Fight, Combatant, Spell, Combatant], Blow] = touch_spells.spell_blow
    affect: Callable[[Fight, Combatant, Spell, Combatant, Rolled | None], Steps[Rolled | None]] = (
        spell_effects.affect
    )
    afflict: Callable[[Fight, Combatant, Spell, Combatant], Steps[None]] = spell_effects.afflict
    discharge: Callable[[Fight, Combatant, Spell, Combatant, Blow | None, bool], Steps[None]] = (
        held_charge.discharge
    )


class Dialect(Struct, frozen=True, kw_only=True, dict=True):
    """A rule dialect ready for play: its name, its catalogue, its options and its points."""

    name: str
    title: str
    book: Book
    options: Mapping[str, str]
    points: Points
    conditions: Mapping[str, ConditionRule]
    stacks: frozenset[str] = frozenset()

    @cached_property
    def acts(self) -> Mapping[type[Act], Callable[[Fight, Any], Steps[None]]]:
        """Every declaration that the dialect knows, with its resolver."""
        return self.points.acts

    @cached_property
    def checks_of(self) -> Callable[[type[Act], bool, bool, bool], tuple[tuple[str, Refuse], ...]]:
        """The prohibitions that may concern a type of declaration, each with the condition to ask for still.

        `checks_of(kind, marked, paired, own)`: those for which something has to last on anybody only if it
        does (`marked`), those about riders and mounts only for one (`paired`), those that ask for a condition
        of the actor's only if it has its `own`.
        """

        def found(kind: type[Act], marked: bool, paired: bool, own: bool) -> tuple[tuple[str, Refuse], ...]:
            met = {"": True, MARKED: marked, PAIRED: paired}
            return tuple(
                ("" if check.condition in met else check.condition, check.refuse)
                for check in self.points.checks
                if (not check.acts or kind in check.acts) and met.get(check.condition, own)
            )

        return cache(found)

    # What follows answers from a cache in C: every fact of every fight cites something.

    @cached_property
    def rule(self) -> Callable[[str], str]:
        """The id of the rule on a topic, by `rule(topic)`; raises UnknownRule."""
        return cache(self.book.topic_id)

    @cached_property
    def rules(self) -> Callable[..., tuple[str, ...]]:
        """The ids of the rules on several topics, each once, by `rules(*topics)`; raises UnknownRule."""
        return cache(lambda *topics: tuple(dict.fromkeys(map(self.rule, topics))))

    @cached_property
    def figure(self) -> Callable[..., Any]:
        """A figure of the rule on a topic, by `figure(topic, *path)`; raises UnknownRule or UnknownFigure."""

        def found(topic: str, *path: str | int) -> Any:
            rule, place = self.book.place(topic, *path)
            return self.book.figure(rule, *place)

        return cache(found)

    @cached_property
    def modifier(self) -> Callable[[str, tuple[str | int, ...], str, str], Modifier]:
        """The modifier whose value and citation come from the rule on a topic.

        By `modifier(topic, path, kind, source)`; raises UnknownRule or UnknownFigure.
        """

        def found(topic: str, path: tuple[str | int, ...], kind: str, source: str) -> Modifier:
            rule, _ = self.book.place(topic, *path)
            return Modifier(self.figure(topic, *path), kind, source, rule)

        return cache(found)
