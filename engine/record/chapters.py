"""The records of the chapters: the points of each, with their signatures."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, final

from msgspec import Struct

from affray.engine.grid.battlefield import Square
from affray.engine.modifiers import Tally
from affray.engine.record.acts import Chapter, Context, Resolver, Ruleset, SheetNames
from affray.engine.record.acts import Square as acts_Square
from affray.engine.record.blow import Blow, Harm, SaveMade
from affray.engine.record.compose import Listed, amend, refine, steps
from affray.engine.steps import Steps
from affray.events.facts.acts.attacks import Attack, Cast, Charge, FullAttack, Strike
from affray.events.facts.acts.turns import Expose, Ready
from affray.events.facts.base import Act, JsonObject
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import AnyAct, Rolled
from affray.events.facts.sheet import Barrier, Modifier, Reduction, Rider, Sheet, Spell, Weapon
from affray.projections.state import Combatant, Condition, Effect

# --- The record of the chapter on attacks: an attack, from its declaration to its consequences


class Attacks(Chapter, frozen=True, kw_only=True):
    """An attack, from its declaration to its consequences.

    stack: add up modifiers by the dialect's stacking rule.
    prepare: check a declared blow and return it.
    is_nonlethal: whether a weapon normally deals nonlethal damage in these hands.
    deliver: resolve a prepared blow, with what it provokes and its consequences; return whether it hit.
    still_strikes: the blow that is still possible after an interruption, given the attacker before it: the
        declared one or one with another weapon, None if it is lost.
    still_planned: the same for a later attack of several, after the results of earlier ones.
    blow_at_end: the blow at the end of a movement, prepared then.
    before_roll: reactions right before an attack roll.
    before_attacks: what happens before the first blow of a declaration.
    before_blow: what a blow costs its weapon beforehand; only for weapons with traits.
    attack_bonus: modifiers of the attack roll from sheet and weapon.
    attack_situation: modifiers of the attack roll from conditions, effects and position.
    range_increment: the range increment of this blow's weapon in feet.
    finesse: whether Dexterity replaces Strength in this blow.
    miss_chance: the percentage, the reason, and the topic of the rule on the miss chance.
    barred: why a target cannot be attacked, and the rule's topic; ("", "") if it can.
    through_surface: whether a blow goes through the surface of an object.
    deciding_rules: further rules to cite when the rule on a topic decides a roll.
    threatens_critical: whether a hit threatens a critical hit, by natural roll, total and defense.
    confirmation_parts: modifiers of the confirmation roll in addition to those of the attack.
    confirm_critical: confirm a threat; return whether the hit is critical.
    finds_its_mark: whether a blow that failed its miss chance hits anyway.
    passes_through: whether a blow passes through a body harmlessly.
    deflected: whether a missile is deflected.
    after_miss: the consequences of a miss.
    after_hit: the consequences of a hit and its damage, given the target's hit points before and whether it
        was on its feet.
    after_blow: the consequences of a declared blow or an attack of opportunity, hit or miss; not called after
        plain blows without traits, conditions or effects.
    after_maneuver: the consequences of an attempted maneuver.
    attack_series: the bonuses of each attack of a full attack, by series.
    two_weapon_parts: the penalties for attacking with both hands, by whether the off-hand weapon is light,
        with the "primary" hand or the "off_hand".
    off_hand_series: the attacks of the given number of off hands, each with its penalty relative to the
        first.
    begin_full_attack: the facts with which a full attack begins: its action, and what is settled before its
        first attack.
    secondary_limb: whether a natural weapon of a combatant is secondary by its nature, and the sheet's
        printed bonus does not include that already.
    set_against_charge: whether a weapon can be set against a charge.
    usual_strikes: the strikes that a full attack makes if none are named.
    usual_shot: a shot or throw at a target as one attack, if nothing else is declared; None if every one
        would endanger its own side.
    least_missiles: how many missiles a shot takes at least.
    declared_feats: what is declared with an attack before its first roll.
    drawn_together: the rules by which weapons are drawn as one.
    weapon_of_charge: the weapon of a combatant's charge, on its own feet or on a mover's, and how it is drawn
        on the way; None if it is in hand.
    finishing_weapon: whether a weapon can deliver a coup de grace.
    test_dice: the dice of a combatant's test, by its purpose: "attack", "confirm", "save.ref", a check.
    sure_faces: the faces that always fail and always succeed in a test, by its purpose and rules;
        0 for none.
    no_automatic_rule: the topic of the rule that a natural 1 or 20 decides nothing in checks ("": none to
        cite).
    """

    stack: Callable[[Context, Sequence[Modifier]], Tally]
    prepare: Callable[..., Blow]
    is_nonlethal: Callable[[Combatant, Weapon], bool]
    deliver: Callable[..., Steps[bool]]
    still_strikes: Callable[[Context, Any, Blow], Steps[Blow | None]]
    still_planned: Callable[..., Steps["Blow | Attempt | None"]]
    blow_at_end: Callable[[Context, Combatant, Weapon, Callable[[Weapon], Blow]], Steps[Blow | None]]
    before_roll: Callable[[Context, Blow], Steps[None]]
    before_attacks: Callable[[Context, Blow], Steps[None]]
    before_blow: Callable[[Context, Blow, str], Steps[None]]
    attack_bonus: Callable[[Context, Blow], tuple[Modifier, ...]]
    attack_situation: Callable[[Context, Blow], list[Modifier]]
    range_increment: Callable[[Context, Blow], int]
    finesse: Callable[[Context, Blow], bool]
    miss_chance: Callable[[Context, Blow], tuple[int, str, str]]
    barred: Callable[[Context, Blow], tuple[str, str]]
    through_surface: Callable[[Context, Blow], bool]
    deciding_rules: Callable[[Context, str], tuple[str, ...]]
    threatens_critical: Callable[[Context, Blow, int, int, int], bool]
    confirmation_parts: Callable[[Context, Blow], list[Modifier]]
    confirm_critical: Callable[[Context, Blow], Steps[bool]]
    finds_its_mark: Callable[[Context, Blow, int, str], Steps[bool]]
    passes_through: Callable[[Context, Blow], Steps[bool]]
    deflected: Callable[[Context, Blow], Steps[bool]]
    after_miss: Callable[[Context, Blow], Steps[None]]
    after_hit: Callable[[Context, Blow, tuple[int, int, int], bool], Steps[None]]
    after_blow: Callable[[Context, Blow, bool], Steps[None]]
    after_maneuver: Callable[[Context, Blow], Steps[None]]
    attack_series: Callable[[Context, Combatant, FullAttack], list[list[Modifier]]]
    two_weapon_parts: Callable[[Context, Combatant, bool, str], list[Modifier]]
    off_hand_series: Callable[[Context, Combatant, int], list[list[Modifier]]]
    begin_full_attack: Callable[[Context, Combatant, object, str, int], list[object]]
    secondary_limb: Callable[[Context, Combatant, Weapon], bool]
    set_against_charge: Callable[[Context, Weapon], bool]
    usual_strikes: Callable[[Context, Combatant, Combatant, Weapon], tuple[Strike, ...]]
    usual_shot: Callable[[Context, Combatant, Combatant, Weapon], Attack | None]
    least_missiles: Callable[[Context, Weapon], int]
    declared_feats: Callable[[Context, Combatant, object, Sequence[Blow]], list[object]]
    drawn_together: Callable[[Context, Combatant, Sequence[str]], tuple[str, ...]]
    weapon_of_charge: Callable[[Context, Combatant, Combatant, Charge], tuple[Weapon, Steps[None] | None]]
    finishing_weapon: Callable[[Weapon], bool]
    test_dice: Callable[[Context, Combatant, str], str]
    sure_faces: Callable[[Context, str, Collection[str]], tuple[int, int]]
    no_automatic_rule: str


# --- The record of the chapter on classes: class abilities, feats, skills, saves and checks


class Classes(Chapter, frozen=True, kw_only=True):
    """Class abilities, feats, skills, saves and checks.

    The features are stages named after an entry of a sheet (lower case; "": every creature has it). A sheet
    may follow the name with a detail, such as "weapon focus (longsword)" or "sneak attack 3d6": the text
    after the name, without brackets, is passed on. So is a class, with its level. On a blow they are
    `feature(fight, blow, detail)`, on a roll `feature(fight, combatant, name, detail)`, and return modifiers.
    Features of attack and defense may depend only on sheets, positions, conditions, effects and items: their
    answers are cached until one of these changes nearby.

    save_bonus: the modifiers of a saving throw.
    after_save: the damage that remains after a save, and why.
    saves_never: why a combatant makes no saving throws; "" if it does.
    save_against_condition: modifiers of a save of that kind for the condition that it is to prevent.
    take_10_20: a number that replaces the die of a check, 0 for none.
    gm_check: carry out a check that the game master calls for; return whether it succeeds.
    bonus_kinds: the kinds of bonus that a sheet may name.
    sheet_names: the names on a sheet that some rule looks for, except those of features.
    attack_features: feats, class abilities and special qualities that modify the attacker's roll.
    defense_features: those that modify the target's defense.
    moving_features: those that modify the defense of a target whose movement provoked.
    damage_features: those that modify the damage of the attacker's blow.
    dice_features: those that add dice of damage, which are never multiplied.
    save_features: those that modify a saving throw, named "fort", "ref" or "will".
    check_features: those that modify a check, by the name of the skill or check.
    initiative_features: those that modify initiative.
    spared_precision: whether precision damage has no effect on a combatant, for reasons other than its
        nature.
    shrug_features: the damage that they leave, and why; "" for nothing special.
    pools: the daily or limited resources of a combatant, by name, with the amount of each.
    check_penalty: the check penalty of armor and load.
    derived_statistics: a sheet with the values that follow from its classes and levels, and the rules.
    """

    save_bonus: Callable[[Context, Combatant, str], list[Modifier]]
    after_save: Callable[[Context, Combatant, SaveMade], tuple[int, str, tuple[str, ...]]]
    saves_never: Callable[[Context, Combatant], str]
    save_against_condition: Callable[[Context, Combatant, str, str], list[Modifier]]
    take_10_20: Callable[[Context, Combatant, int, str], Steps[int]]
    gm_check: Callable[[Context, Combatant, str, int, str], Steps[bool]]
    bonus_kinds: frozenset[str]
    sheet_names: SheetNames
    attack_features: Listed
    defense_features: Listed
    moving_features: Listed
    damage_features: Listed
    dice_features: Listed
    save_features: Listed
    check_features: Listed
    initiative_features: Listed
    spared_precision: Callable[[Context, Combatant], bool]
    shrug_features: Listed
    pools: Callable[[Context, Combatant], Iterable[tuple[str, int]]]
    check_penalty: Callable[[Context, Combatant, str], list[Modifier]]
    derived_statistics: Callable[[Context, Sheet], tuple[Sheet, tuple[str, ...]]]


# --- The record of the chapter on conditions: conditions and how a combatant gets them


class Change(Struct, frozen=True):
    """One number that a condition changes: the `stat`, and the address of its figure.

    `stat` is "attack.melee", "attack.ranged", "defense.melee", "defense.ranged", "maneuver defense", "save",
    "check" ("skill", "ability-check" or "check.spot" for some of them), "damage", "speed", or "score.dex" for
    an ability's score ("score.dex.attack", ".defense" or ".others" for some of its uses), "zero.dex" for a
    score that counts as 0; `topic` and `path` lead to the figure in the catalogue. `halve` takes half of it,
    rounded toward 0 (an ability penalty's effect on its modifier); `negate` turns the figure into a penalty.
    "check" and an ability are skill checks with that ability. `eased` are a feat, and topic and figure of the
    change that applies with it. "attack.dexterity", "attack.strength" and "damage.strength" count if that
    ability contributes. `only` names a contested rule and the reading under which the change applies; `each`
    counts it once for each level of the condition. The same figure of the same rule counts once, however many
    conditions lead to it, unless it is `apart` for each.
    """

    stat: str
    topic: str
    path: tuple[str | int, ...]
    kind: str = "penalty"
    halve: bool = False
    only: tuple[str, str] | None = None
    negate: bool = False
    eased: tuple[str, str, str] | None = None
    each: bool = False
    apart: bool = False


def in_both_modes(stat: str, topic: str, *path: str, kind: str = "penalty") -> tuple[Change, Change]:
    """Return the change of a stat by one figure, in melee and at range alike."""
    return Change(f"{stat}.melee", topic, path, kind), Change(f"{stat}.ranged", topic, path, kind)


def by_columns(
    stat: str, topic: str, melee: str = "penalty", ranged: str = "penalty"
) -> tuple[Change, Change]:
    """Return the change of a stat by a row of the modifier tables, whose columns are melee and ranged."""
    return (
        Change(f"{stat}.melee", topic, ("melee",), melee),
        Change(f"{stat}.ranged", topic, ("ranged",), ranged),
    )


class ConditionRule(Struct, frozen=True):
    """The effects of a condition.

    `topic` names the rule that defines it. `actions` is "any", "single" (one standard or move action),
    "move", "flight" (only acts of escape), "mental" (purely mental acts) or "none"; `dexterity` False denies
    the Dexterity bonus to the defense; `reactions` False forbids attacks of opportunity; `helpless` leaves
    the creature helpless; `rushes` False forbids running and charging; `down` means it neither threatens nor
    counts as on its feet. `shoots` names the weapon families that can still be used at range (None: all);
    `casting` is topic and path of the figure of the concentration check that casting takes. `sightless` is
    topic and figure of the miss chance of the bearer's own blows, `veils` that of blows at the bearer;
    `shieldless` means that no shield bonus counts, `throws` False that thrown weapons cannot be used. The
    condition's own events are steps: `each_turn` as a turn of its bearer begins, `turn_over` as it ends,
    `hurt` when damage has been taken, `healed` when a cure has given hit points. `budget` names the figure of
    the actions that the condition leaves in a turn, and takes precedence over `actions`. `empties` makes the
    bearer drop held items. With `reflexes` a creature with Combat Reflexes may react anyway; `off_guard`
    makes the bearer flat-footed, but uncanny dodge keeps its Dexterity. A bearer that is `inside` another
    creature takes up no square. `part_of` are greater conditions that include this one: its changes do not
    count in addition to theirs.
    """

    topic: str
    changes: tuple[Change, ...] = ()
    actions: str = "any"
    dexterity: bool = True
    dexterity_topic: str = ""
    reactions: bool = True
    helpless: bool = False
    moves: bool = True
    rushes: bool = True
    down: bool = False
    shoots: tuple[str, ...] | None = None
    casting: tuple[str, ...] | None = None
    budget: str = ""
    empties: bool = False
    reflexes: bool = False
    off_guard: bool = False
    sightless: tuple[str, str] | None = None
    veils: tuple[str, str] | None = None
    part_of: tuple[str, ...] = ()
    shieldless: bool = False
    throws: bool = True
    inside: bool = False
    each_turn: Callable[[Context, Combatant], Steps[None]] | None = None
    turn_over: Callable[[Context, Combatant], Steps[None]] | None = None
    hurt: Callable[[Context, Combatant], Steps[None]] | None = None
    healed: Callable[[Context, Combatant], Steps[None]] | None = None


class Step(NamedTuple):
    """One cause's change to an ability: the modifier `before` and `after` it, and the score then."""

    before: int
    after: int
    score: int
    source: str
    rule: str


def known_conditions(dialect: Ruleset) -> frozenset[str]:
    """Return every condition that a dialect knows by its name."""
    conditions: Conditions = dialect.conditions
    return conditions.states.union(conditions.table)


def lone_conditions(dialect: Ruleset) -> frozenset[str]:
    """Return every condition that a danger, a spell or a blow alone can give one combatant."""
    conditions: Conditions = dialect.conditions
    return known_conditions(dialect) - conditions.paired - conditions.cast - conditions.degrees.keys()


class Conditions(Chapter, frozen=True, kw_only=True):
    """Conditions and how a combatant gets them.

    table: what each condition adds, denies and forbids, by its name.
    states: other lasting states, which rules ask for by name.
    leveled: conditions with a level which an entry may give: how many times over, or how high.
    degrees: conditions that need a degree, each with the exposure that gives it.
    paired: conditions that link two combatants, which no danger gives by name.
    cast: conditions that depend on a spell of their bearer's, which only its casting gives.
    local: conditions of one place or moment, or of a grapple: a combatant never takes them into another
        fight.
    unthreatening: conditions whose bearer threatens no squares.
    gain: give a combatant a condition.
    lapses: what a combatant cannot go on with under a condition that it has gained, in any way.
    start: how a combatant enters under a condition.
    time_over: how a condition ends whose duration is over, and what ends with it.
    over: the aftermath of a condition that time, a spell or the game master has ended, given as it was.
    felling: the conditions under which a combatant lies with empty hands.
    limp: further consequences when a combatant becomes helpless or leaves the fight.
    take_rider: apply what a blow or spell does besides damage.
    immune_mind: the rules by which a combatant is immune to a state of mind.
    immune_natures: creature types and subtypes, and topic and path of the figure of their immunities.
    score_steps: what changes an ability's modifier for a use of it, cause by cause.
    """

    table: Mapping[str, ConditionRule]
    states: frozenset[str]
    leveled: frozenset[str]
    degrees: Mapping[str, str]
    paired: frozenset[str]
    cast: frozenset[str]
    local: frozenset[str]
    unthreatening: frozenset[str]
    gain: Callable[[Context, ConditionGained], Steps[None]]
    lapses: Callable[[Context, ConditionGained], Steps[None]]
    start: Callable[[Context, ConditionGained], Steps[None]]
    time_over: Callable[[Context, Combatant, str], Steps[None]]
    over: Callable[[Context, Combatant, str, Condition], Steps[None]]
    felling: frozenset[str]
    limp: Callable[[Context, Combatant], Steps[None]]
    take_rider: Callable[[Context, Combatant, Rider], Steps[None]]
    immune_mind: Callable[[Context, Combatant, str], tuple[str, ...]]
    immune_natures: Mapping[str, tuple[str, ...]]
    score_steps: Callable[[Context, Combatant, str, str], tuple[Step, ...]]


# --- The record of the chapter on damage: damage, injury, dying, and what heals


class Damage(Chapter, frozen=True, kw_only=True):
    """Damage, injury, dying, and healing.

    types: the types of damage.
    deal: roll a hit's damage and deal it.
    strength_damage: the Strength modifier of damage: value, source and topic.
    force_rules: the rules on the Strength multiplier of this hit.
    minimum_is_nonlethal: whether the least damage of a hit is one nonlethal point.
    damage_kind: choose among the types of damage that a weapon can deal.
    along_with_damage: further effects of a hit that dealt damage.
    suffer: have a combatant take damage, with all its consequences.
    overcomes: whether a blow overcomes a damage reduction that its kinds do not bypass.
    pierced: how many points of a damage reduction that it does not overcome a blow ignores.
    reduce: the damage that remains, and why.
    roll_with: what the victim may do about damage before it is taken.
    injure: the consequences of lost hit points.
    start_hurt: the consequences of the hit points with which a combatant enters.
    settle: the consequences of hit points that the game master has set, of a combatant that had others
        `before`.
    set_state: how the game master sets a state of health that hit points allow; whether it is one.
    refuse_state: refuse to begin or end a state of health by ruling if it contradicts the hit points.
    loss_topics: the topics of the rules by which damage leaves a combatant in its state.
    disabled_from: the highest hit points of the disabled.
    dying_from: the highest hit points of the dying.
    bleed_out: what happens to the dying in a turn.
    last_stand: whether a combatant stays up at the hit points of the dying.
    undying: the topic of the rule by which a combatant cannot die now; "" if it can.
    death_at: the hit points at which a combatant is dead.
    massive_damage: the damage that may kill outright.
    nonlethal_limit: the most nonlethal damage that is recorded; None for no limit.
    effect_over: the aftermath of an effect that is over.
    """

    types: frozenset[str]
    deal: Callable[[Context, Blow, bool], Steps[None]]
    strength_damage: Callable[[Context, Blow, int], tuple[int, str, str] | None]
    force_rules: Callable[[Context, Blow, int], tuple[str, ...]]
    minimum_is_nonlethal: bool
    damage_kind: Callable[[Context, Blow], Steps[str]]
    along_with_damage: Callable[[Context, Blow, Harm | None, bool], Steps[None]]
    suffer: Callable[[Context, Harm], Steps[None]]
    overcomes: Callable[[Context, Harm, Reduction], bool]
    pierced: Callable[[Context, Harm, Reduction], int]
    reduce: Callable[[Context, Harm], tuple[int, str]]
    roll_with: Callable[[Context, Harm], Steps[None]]
    injure: Callable[[Context, Combatant, int, Harm], Steps[None]]
    start_hurt: Callable[[Context, Combatant], Steps[None]]
    settle: Callable[[Context, Combatant, int], Steps[None]]
    set_state: Callable[[Context, Combatant, str, str], Steps[bool]]
    refuse_state: Callable[..., None]
    loss_topics: Callable[[Harm, int, int], tuple[str, ...]]
    disabled_from: Callable[[Context], int]
    dying_from: Callable[[Context], int]
    bleed_out: Callable[[Context, Combatant], Steps[None]]
    last_stand: Callable[[Context, Combatant, str], Steps[bool]]
    undying: Callable[[Context, Combatant], str]
    death_at: Callable[[Context, Combatant], int]
    massive_damage: Callable[[Context, Combatant], int]
    nonlethal_limit: Callable[[Context, Combatant], int | None]
    effect_over: Callable[[Context, Combatant, Effect], Steps[None]]


# --- The record of the chapter on defense: the score that an attack must reach, and cover


class Defense(Chapter, frozen=True, kw_only=True):
    """The score that an attack must reach, and cover.

    defense_bonus: modifiers of that score from the sheet.
    defense_situation: modifiers of that score from conditions, effects and position.
    dexterity_denied: why a target loses its Dexterity bonus, and the rule's topic; ("", "") if not.
    helpless_dexterity: the value that replaces the Dexterity of the helpless.
    cover: the bonus of cover against this blow.
    uncanny_dodge: whether a combatant keeps its Dexterity when surprised.
    dexterity_cap: how much Dexterity counts, what limits it, and its rule.
    reflex_cover: the cover bonus to a Reflex save, from the origin of an area effect.
    around_corners: choose among squares of origin for a spread.
    name: the name of the score that an attack must reach.
    """

    defense_bonus: Callable[[Context, Blow], tuple[Modifier, ...]]
    defense_situation: Callable[[Context, Blow], list[Modifier]]
    dexterity_denied: Callable[[Context, Blow], tuple[str, str]]
    helpless_dexterity: Callable[[Context, Blow], list[Modifier]]
    cover: Callable[[Context, Blow], list[Modifier]]
    uncanny_dodge: Callable[[Context, Combatant], bool]
    dexterity_cap: Callable[[Context, Combatant], tuple[int | None, str, str]]
    reflex_cover: Callable[[Context, Combatant, Combatant, tuple[Square, int, Square]], tuple[Modifier, ...]]
    around_corners: Callable[[Context, Combatant, tuple[Modifier, ...]], Steps[tuple[Modifier, ...]]]
    name: str


# --- The record of the chapter on environment: hazards of the surroundings


class Danger(NamedTuple):
    """A danger of the surroundings: the topic of its rule, and the start of an exposure.

    `ends` are the conditions that end with the exposure; `afterwards` are the steps then, given the degree of
    the exposure.
    """

    topic: str
    begin: Callable[[Context, Combatant, Expose], Steps[None]]
    ends: tuple[str, ...] = ()
    afterwards: Callable[[Context, Combatant, str], Steps[None]] | None = None


class Environment(Chapter, frozen=True, kw_only=True):
    """Hazards of the surroundings.

    dangers: what the game master may expose a combatant to, by its name.
    untouched: the fact that a combatant is immune to what chokes or withers a body; None if it is not.
    hardy: modifiers of checks against exertion, lack of breath and the surroundings.
    drags: whether water weakens a weapon of a combatant that is in it.
    """

    dangers: Mapping[str, Danger]
    untouched: Callable[[Context, Combatant, str], object]
    hardy: Callable[[Context, Combatant], list[Modifier]]
    drags: Callable[[Context, Combatant, Weapon], bool]


# --- The record of the chapter on gear: weapons, armor and things


class Drawing(NamedTuple):
    """How a weapon is drawn: the `kind` of action, the rules behind it, its row in the table of actions."""

    kind: str
    cites: tuple[str, ...] = ()
    column: str = "move"
    action: str = "Draw a weapon"


class Gear(Chapter, frozen=True, kw_only=True):
    """Weapons, armor and items.

    equip: a sheet with the values that follow from its arms and armor, and the rules.
    drawing: how a weapon is drawn.
    hurled: a weapon with its values when thrown.
    families: the groups of weapons that rules name.
    materials: special materials of weapons and armor.
    postures: the postures that a combatant may drop into.
    unarmed_dice: the damage dice of an unarmed strike.
    tool_parts: modifiers of a check from the state of its tool.
    corner_situation: modifiers of a throw at a grid intersection from the thrower's state and the distance.
    splash_centre: the square of a target from which a hit with a splash weapon splashes, None for all of
        them.
    stray_squares: how many squares a splash weapon that misses goes astray, thrown the given number of feet.
    spared_noise: whether noise can never deafen a creature.
    doors: the doors on the map, open or closed.
    fills_place: whether an object fills its square, so that it cannot be passed.
    refills: whether loading fills a weapon from which missiles were shot; asked by automatic play.
    frees_hand: whether a combatant has a hand for a door, or needs none; asked by automatic play.
    in_other_hands: another combatant's weapon with its values in the hands of the one that took it, None if
        it cannot be wielded; and the rules.
    """

    equip: Callable[[Context, Sheet], tuple[Sheet, tuple[str, ...]]]
    drawing: Callable[[Context, Combatant, str], Drawing]
    hurled: Callable[[Context, Weapon], Weapon]
    families: frozenset[str]
    materials: frozenset[str]
    postures: frozenset[str]
    unarmed_dice: Callable[[Context, Combatant], str]
    tool_parts: Callable[[Context, Combatant, str], list[Modifier]]
    corner_situation: Callable[[Context, Blow], list[Modifier]]
    splash_centre: Callable[[Context, Combatant, Weapon, Combatant], Steps[Square | None]]
    stray_squares: Callable[[Context, Weapon, int], int]
    spared_noise: Callable[[Context, Combatant, str], Steps[bool]]
    doors: Callable[[Context], list[Combatant]]
    fills_place: Callable[[Context, Combatant], bool]
    refills: Callable[[Context, Combatant, Weapon], bool]
    frees_hand: Callable[[Context, Combatant], bool]
    in_other_hands: Callable[[Context, Combatant, Combatant, Weapon], tuple[Weapon | None, tuple[str, ...]]]


# --- The record of the chapter on grapple: grappling and being grappled


class Grapple(Chapter, frozen=True, kw_only=True):
    """Grappling and being grappled.

    bonds: hardness, hit points and rule of what binds a combatant.
    parted: what happens to holds when a combatant has been forced to another place.
    """

    bonds: Callable[[Context, Combatant, str], tuple[int, int, str] | None]
    parted: Callable[[Context, Combatant], Steps[None]]


# --- The record of the chapter on magic: magic, in the order of a casting


class Magic(Chapter, frozen=True, kw_only=True):
    """Magic, in the order of a casting.

    components: the possible components of a spell and other notes on it; patterns too: "costly *".
    stats: the numbers of a combatant that a spell may change, by name.
    casting_action: the action that a spell takes, and its rules.
    refuse_casting: refuse a casting.
    holds_charges: whether the charge of a touch spell can be held.
    strikes_again: whether a spell may have the same target several times, like missiles and rays.
    passes_opening: whether an area spell must hit an opening.
    line_topic: the topic of the rule on a spell's line of effect.
    spell_range: the range of a spell in feet.
    in_area: whether an area from a square includes a combatant.
    prelude: what happens before a spell.
    casting_provokes: the topic of the rule, and whether a casting provokes.
    heard: what other combatants learn of a casting before it takes effect.
    hindrances: what disturbs a casting: topic, source and DC of each.
    hampered_dc: the DC of casting under a condition.
    concentration: the parts of a concentration check for a spell, by the rule on a topic.
    defensive_casting: the DC of casting defensively, and the topics of its rules.
    defense_fails: the consequences of losing a spell that was cast defensively.
    drawn_out: whether a casting continues beyond this turn.
    spell_fails: whether a spell fails once it is cast.
    touching: deliver a touch spell.
    begin: begin the effect of a spell that is not a touch spell.
    affected: those of the combatants in an area that are affected.
    withstands: whether a target resists a spell entirely.
    spell_dc: the DC of a spell's save, and its rules.
    spell_blow: the blow of a spell's touch or ray.
    affect: the save against a spell and its damage.
    on_critical: the effect of a critical hit with the spell's touch or ray on the spell.
    afflict: the condition that a spell gives.
    discharge: a spell's effect through a touch.
    bestow: what a spell gives or leaves besides damage and condition.
    """

    components: frozenset[str]
    stats: frozenset[str]
    casting_action: Callable[[Context, Combatant, Spell], tuple[str, tuple[str, ...]]]
    refuse_casting: Callable[[Context, Combatant, Spell, object], None]
    holds_charges: bool
    strikes_again: Callable[[Spell], bool]
    passes_opening: Callable[[Context, object], bool]
    line_topic: str
    spell_range: Callable[[Context, Combatant, Spell], int]
    in_area: Callable[[Context, Combatant, Spell, acts_Square, Combatant], bool]
    prelude: Callable[[Context, Combatant, Spell], Steps[None]]
    casting_provokes: Callable[[Context, Combatant, Spell], tuple[str, bool]]
    heard: Callable[[Context, Combatant, Spell, Cast | None], Steps[bool]]
    hindrances: Callable[[Context, Combatant, Spell], list[tuple[str, str, int]]]
    hampered_dc: Callable[..., int]
    concentration: Callable[[Context, Combatant, Spell, str], list[Modifier]]
    defensive_casting: Callable[[Context, Combatant, Spell], tuple[int, tuple[str, ...]]]
    defense_fails: Callable[[Context, Combatant, Spell], Steps[None]]
    drawn_out: Callable[[Context, Combatant, Spell, object], Steps[bool]]
    spell_fails: Callable[[Context, Combatant, Spell], Steps[bool]]
    touching: Callable[[Context, Combatant, Spell, list[Combatant]], Steps[None]]
    begin: Callable[[Context, Combatant, Spell], Steps[None]]
    affected: Callable[
        [Context, Combatant, Spell, list[Combatant], acts_Square | None], Steps[list[Combatant]]
    ]
    withstands: Callable[[Context, Combatant, Spell, Combatant], Steps[bool]]
    spell_dc: Callable[[Context, Combatant, Spell], tuple[int, tuple[str, ...]]]
    spell_blow: Callable[[Context, Combatant, Spell, Combatant], Blow]
    affect: Callable[..., Steps[Rolled | None]]
    on_critical: Callable[[Context, Spell, Combatant], Steps[Spell]]
    afflict: Callable[[Context, Combatant, Spell, Combatant], Steps[None]]
    discharge: Callable[[Context, Combatant, Spell, Combatant, Blow | None, bool], Steps[None]]
    bestow: Callable[[Context, Combatant, Spell, Combatant, bool], Steps[None]]


# --- The record of the chapter on maneuvers: special attacks


class Side(Struct, gc=False):
    """One side of an opposed check: roller, modifiers, and the name of the check ("" for an attack roll)."""

    who: Combatant
    parts: list[Modifier]
    check_name: str = ""


class Contest(Struct, frozen=True, gc=False):
    """The result of an opposed check for its initiator; `margin` is its total minus the opponent's."""

    won: bool
    margin: int


@final
class Attempt(Struct, gc=False):
    """A special attack in progress: the blow that carries it and its object.

    `item` is the object of a disarm or sunder, or the chosen option of a grapple; `secured` is how well a
    worn item is fastened; `name` distinguishes this attempt's opportunities from others, `weapon` is used in
    an option of the grapple.
    """

    blow: Blow
    item: str = ""
    secured: str = "normal"
    name: str = ""
    weapon: str = ""


class Substitute(Struct, frozen=True):
    """A special attack in place of a melee attack.

    `prepare(fight, who, target, weapon, item, kind)` refuses what the rules forbid and changes nothing;
    `carry_out(fight, attempt)` rolls, asks and yields facts, and returns whether the attempt succeeded.
    `topic` is the rule that lets it replace an attack of opportunity, `listed` where the dialect lists its
    special attacks, `declared` the rules by which it is a separate standard action. A substitute that is
    `of_movement` only responds to movement, and is no attack of its user's turn.
    """

    prepare: Callable[[Context, Combatant, Combatant, str, str, str], Attempt]
    carry_out: Callable[[Context, Attempt], Steps[bool]]
    topic: str = "aoo.substitutes"
    listed: tuple[str, ...] = ()
    of_movement: bool = False
    declared: tuple[str, ...] = ()


def substitutes(dialect: Ruleset) -> Mapping[str, Substitute]:
    """Return the special attacks that a dialect allows in place of a melee attack in one's turn."""
    found: Mapping[str, Substitute] = dialect.maneuvers.substitutes
    return {name: plan for name, plan in found.items() if not plan.of_movement}


class Maneuvers(Chapter, frozen=True, kw_only=True):
    """Special attacks.

    substitutes: the special attacks that can replace a melee attack, by name.
    tripped_footing: how a target keeps its footing against a trip.
    before_contest: what happens right before the check of a special attack without an attack roll.
    """

    substitutes: Mapping[str, Substitute]
    tripped_footing: Callable[[Context, Combatant, str, bool], Side]
    before_contest: Callable[[Context, Combatant, Combatant], Steps[None]]


# --- The record of the chapter on mounted: riders and mounts


class Mounted(Chapter, frozen=True, kw_only=True):
    """Riders and mounts.

    averted: whether a rider negates a hit on its mount.
    frightened: whether combat frightens a mount, so that its rider must control it.
    left_squares: what enemies may do besides attack when a mount leaves their squares.
    """

    averted: Callable[[Context, Blow], Steps[bool]]
    frightened: Callable[[Context, Combatant], bool]
    left_squares: Callable[[Context, Combatant, list[Combatant]], Steps[None]]


class Left(NamedTuple):
    """What a combatant has left of something: `amount` of `most`, such as actions, feet or spell slots."""

    kind: str
    amount: int
    most: int
    unit: str = ""


class StandingSums(NamedTuple):
    """An attack with a weapon and the defense against it, as they are before the roll.

    `own_attack` and `own_defense` are the modifiers of the two sheets.
    """

    weapon: str
    attack: tuple[Modifier, ...]
    attack_total: int
    own_attack: tuple[Modifier, ...]
    defense: tuple[Modifier, ...]
    defense_total: int
    own_defense: tuple[Modifier, ...]


class Worth(NamedTuple):
    """What an opponent counts in the difficulty of an encounter: its rating, and its points."""

    id: str
    rating: str
    points: int


class Difficulty(Struct, frozen=True):
    """How hard an encounter is, by the advice of a rulebook.

    `party` are the characters with their levels, `foes` their opponents with what each counts, `total` their
    sum. `budgets` are the most points of each grade, in ascending order; `grade` is the first that suffices.
    """

    party: tuple[tuple[str, int], ...]
    foes: tuple[Worth, ...]
    budgets: Mapping[str, int]
    total: int
    grade: str
    notes: tuple[str, ...]
    cites: tuple[str, ...]


# --- The record of the chapter on movement: speed, steps and their consequences


class Measure(Struct, frozen=True, gc=False):
    """The cost of a path: feet, the diagonals counted so far, and the rules that contributed."""

    feet: int
    diagonals: int
    cites: tuple[str, ...] = ()


class Movement(Chapter, frozen=True, kw_only=True):
    """Movement: speed, steps and their consequences.

    speed: a combatant's speed in feet before a mode of movement halves or doubles it.
    laden: the effects of a load, as a combatant enters.
    speed_told: the fact that explains a combatant's speed; None for nothing to explain.
    forfeit: the feet by which a combatant's next movement falls short of its speed.
    slowing_rule: the rule that limits how far a combatant gets.
    walk: go along a legal path, with the consequences of each step; return whether the end was reached.
    leaving: the enemies that may attack because a mover leaves a square they threaten.
    approach: the consequences of approaching a combatant; None for nothing.
    refuse_step: refuse a step into a square, as far as its mover knows.
    in_way: the occupants of the squares of a step, known or not.
    refuse_entry: refuse a square because of some of its occupants.
    after_running_into: the consequences of running into a combatant that the mover did not perceive.
    refuse_ground: refuse a step that walls, pillars and pits forbid, given the mover's space.
    refuse_rough: refuse ground on which a mode of movement is not possible.
    measure: the cost of a path in feet, and the rules.
    scaled_diagonals: whether doubled costs double each diagonal by its count, the first as one square and the
        next as two, rather than making each three.
    too_far: the rule by which a path is too long.
    shape: the fields of the movement's fact on squeezing and the like.
    may_stop: whether a movement may end in a square.
    may_pass: whether a mover may pass through another combatant's square.
    step_needs_check: whether something in a step must be overcome by a check.
    check_before_step: try to overcome it; return whether the mover goes on.
    barrier_fault: the part of a map's barrier between squares that would have no effect; "" if all of it
        counts.
    step_is_told: whether a step is recorded as a separate movement.
    after_step: the consequences of entering a square.
    step_aside: move a combatant that has ended in an illegal square to a legal one.
    after_movement: the consequences of a finished movement.
    running: the fact of the running combatant's loss.
    run_multiple: how many times its speed a combatant runs.
    nimble: whether a combatant is trained to tumble.
    fall: have a combatant fall the given number of feet.
    """

    speed: Callable[[Context, Combatant], int]
    laden: Callable[[Context, Combatant], Steps[None]]
    speed_told: Callable[[Context, Combatant], object]
    forfeit: Callable[[Context, Combatant], int]
    slowing_rule: Callable[[Context, Combatant, str], str]
    walk: Callable[..., Steps[bool]]
    leaving: Callable[[Context, Combatant, acts_Square, acts_Square, str], list[Combatant]]
    approach: Callable[[Context, Combatant, acts_Square, acts_Square], Steps[None] | None]
    refuse_step: Callable[[Context, Combatant, acts_Square, acts_Square, bool, Combatant | None, str], None]
    in_way: Callable[[Context, Combatant, acts_Square, acts_Square, bool, str], list[Combatant]]
    refuse_entry: Callable[
        [Context, Combatant, acts_Square, Sequence[Combatant], bool, Combatant | None, str], None
    ]
    after_running_into: Callable[[Context, Combatant, Combatant, str], Steps[None]]
    refuse_ground: Callable[[Context, Combatant, acts_Square, acts_Square, Any], None]
    refuse_rough: Callable[[Context, Combatant, Sequence[acts_Square], str, str], None]
    measure: Callable[[Context, Combatant, Sequence[acts_Square], str], Measure]
    scaled_diagonals: bool
    too_far: Callable[[Context, Combatant, Sequence[acts_Square], str, int], str]
    shape: Callable[[Context, Combatant, Sequence[acts_Square], str], JsonObject]
    may_stop: Callable[[Context, Combatant, acts_Square], bool]
    may_pass: Callable[[Context, Combatant, Combatant], bool]
    step_needs_check: Callable[[Context, Combatant, acts_Square, acts_Square, str], bool]
    check_before_step: Callable[[Context, Combatant, acts_Square, acts_Square, str], Steps[bool]]
    barrier_fault: Callable[[Barrier], str]
    step_is_told: Callable[[Context, Combatant, acts_Square, acts_Square, str], bool]
    after_step: Callable[[Context, Combatant, acts_Square, acts_Square, str], Steps[None]]
    step_aside: Callable[[Context, Combatant, acts_Square], Steps[None]]
    after_movement: Callable[[Context, Combatant], Steps[None]]
    running: Callable[[Context, Combatant], object]
    run_multiple: Callable[[Context, Combatant], int]
    nimble: Callable[[Context, Combatant], bool]
    fall: Callable[[Context, Combatant, int], Steps[None]]


# --- The record of the chapter on opportunity: attacks of opportunity and other reactions out of turn


class ReactionBlow(Struct, frozen=True, gc=False):
    """The touch with a held charge out of turn, and its resolver, which returns whether it hit."""

    blow: Blow
    carry_out: Callable[[Context, Blow], Steps[bool]]


class Opportunity(Chapter, frozen=True, kw_only=True):
    """Attacks of opportunity and other reactions out of turn.

    provoke: let those that may attack a combatant do so, all for the same opportunity.
    opportunities: how many attacks of opportunity a round allows, and the rule's topic.
    opportunity_name: the name of the opportunity that this movement gives.
    sheltered: what protects a target from an attack of opportunity, and the rule's topic; ("", "") for
        nothing.
    weapons_at: the weapons in hand with which a combatant can attack a target out of turn.
    touch_by_charge: the touch with a spell's charge, if that is the weapon among `weapons_at`.
    weapon_topics: the topics of the rules that allow a weapon out of turn.
    opening_rules: the rules by which a step provokes an attack of opportunity.
    """

    provoke: Callable[..., Steps[None]]
    opportunities: Callable[[Context, Combatant], tuple[int, str]]
    opportunity_name: Callable[[Context, Combatant], str]
    sheltered: Callable[[Context, Blow], tuple[str, str]]
    weapons_at: Callable[[Context, Combatant, Combatant], list[Weapon]]
    touch_by_charge: Callable[[Context, Combatant, Combatant, Weapon], ReactionBlow | None]
    weapon_topics: Callable[[Weapon], tuple[str, ...]]
    opening_rules: Callable[..., Sequence[str]]


# --- The record of the chapter on position: space, reach, height

Bands = tuple[tuple[int, int], ...]
"""Distances in feet, each the least and the most."""


class Position(Chapter, frozen=True, kw_only=True):
    """Position: space, reach, height.

    space_and_reach: the space and reach of a sheet in feet.
    refuse_taken: refuse to enter where there is no room.
    placed: the rules on the space that a combatant takes.
    out_of_reach: the rule by which a weapon does not reach a target; "" if it does.
    reach_bands: the distances in feet at which a combatant can attack, from and to.
    arming: the conditions that give their bearer a means of attack, such as a spell's charge.
    bands_by_state: the distances under such a condition.
    levels_apart: the difference in height of two combatants, in feet.
    walls_part: whether walls separate two combatants.
    walled_off: whether walls between squares block every line between two combatants, or one and a place;
        asked if there are any such walls.
    through_walls: refuse a declaration through a wall between squares; asked if there are any such walls.
    """

    space_and_reach: Callable[[Context, Sheet], tuple[int, int]]
    refuse_taken: Callable[[Context, Sheet, acts_Square, int], None]
    placed: Callable[[Context, Sheet, int, int], Sequence[str]]
    out_of_reach: Callable[[Context, Combatant, Weapon, int], str]
    reach_bands: Callable[[Context, Combatant], Bands]
    arming: frozenset[str]
    bands_by_state: Callable[[Context, Combatant, Bands], Bands]
    levels_apart: Callable[[Combatant, Combatant], int]
    walls_part: Callable[[Context, Combatant, Combatant], bool]
    walled_off: Callable[[Context, Combatant, Combatant, acts_Square | None], bool]
    through_walls: Callable[[Context, Combatant, Act], None]


# --- The record of the chapter on senses: sight and other perception


class Senses(Chapter, frozen=True, kw_only=True):
    """Sight and other perception.

    sees_foe: whether a combatant sees another that moves past.
    locates: whether a combatant perceives another, or has found out its square: otherwise it walks into it.
    """

    sees_foe: Callable[[Context, Combatant, Combatant], bool]
    locates: Callable[[Context, Combatant, Combatant], bool]


# --- The record of the chapter on turns: rounds, turns and what they allow

NO_ACTION: Final = ""
"""The action type of acts that accompany another action or that a turn does not count."""

SEVERAL: Final = "several"
"""The action type of acts that take more than one action of a turn, such as a move with a blow on the way."""


class Allowance(Struct, frozen=True):
    """The actions that one turn allows, and the topic of the rule that limits them.

    `standard` and `move` count actions of each type, `total` both together; a full-round action needs `full`.
    `step` counts short steps, `swift` swift actions. `swap` and `break_off` are the topics of the rules that
    let a move action replace the standard action and the rest of a full attack, where they are cited;
    `swift_topic` is that of swift actions. `extra` are additional move actions, by the rule on `extra_topic`.
    """

    standard: int = 1
    move: int = 2
    total: int = 2
    full: bool = True
    swift: int = 0
    step: int = 1
    topic: str = "action.types"
    swap: str = ""
    break_off: str = ""
    swift_topic: str = ""
    extra: int = 0
    extra_topic: str = ""


class Around(Struct, frozen=True):
    """A rule that applies to many declarations, whatever their resolvers.

    `stage(fight, act, found)` goes through the steps of each of the `acts` and adds its own. `ahead` may
    refuse the declaration before that, `change` returns it in the form to carry out.
    """

    stage: Callable[[Context, Any, Steps[None]], Steps[None]]
    acts: tuple[type[Act], ...]
    ahead: Callable[[Context, Any], None] | None = None
    change: Callable[[Context, Any], Any] | None = None

    def carrying(self, resolver: Resolver) -> Resolver:
        """Return a resolver that carries out a declaration under this rule."""
        changed = resolver if self.change is None else amend(self.change, resolver)
        made: Resolver = refine(changed, self.stage)
        return made if self.ahead is None else steps(self.ahead, made)


class Turns(Chapter, frozen=True, kw_only=True):
    """Rounds, turns and the actions that they allow.

    surprise: who is surprised, once, as a fight begins.
    initiative: roll a combatant's initiative.
    order: sort those who rolled into the order of turns.
    open_round: what happens before the first turn of a round.
    close_round: what happens after the last turn of a round.
    open_turn: what happens before a combatant may act.
    close_turn: what happens as its turn ends.
    allowance: the actions that a turn allows a combatant.
    ending_rule: the rule by which something that lasts is over, as a topic.
    propose: what automatic play must declare outside turns, for the named combatants before others.
    table_rules: the rules of the table of actions on an act, by column and name of its row.
    told_safe: report that an act does not provoke, if the dialect has a rule on it.
    short_step_rules: the rules to cite for a short step.
    free_action: spend a free action; return whether there is time for it.
    free_action_limit: whether one more free action is within reason.
    take_readied: carry out a readied action, once its trigger has occurred.
    watch: go through the steps of a declaration, with the consequences of each of its facts.
    action_type: the type of action that a declaration takes: standard, move, full-round, free; "" for none.
    readiable: which types of action can be readied, and the rule.
    prohibitions: what a combatant's state forbids, asked before each of its declarations.
    around: the rules that wrap declarations, whatever their resolvers; each wraps those before it.
    turn_onset: what happens automatically as a turn begins.
    last_turn: a delayed turn that still comes after all others, by its combatant's id.
    precedence: the value that orders several who delayed to the same count, the highest first.
    """

    surprise: Callable[[Context, object], Steps[None]]
    initiative: Callable[[Context, Combatant], Steps[None]]
    order: Callable[[Context, Sequence[str]], Steps[None]]
    open_round: Callable[[Context, int], Steps[None]]
    close_round: Callable[[Context], Steps[None]]
    open_turn: Callable[[Context, Combatant], Steps[None]]
    close_turn: Callable[[Context, Combatant], Steps[None]]
    allowance: Callable[[Context, Combatant], Allowance]
    ending_rule: Callable[[Context, str, Effect | None], str]
    propose: Callable[[Context, Collection[str]], AnyAct | None]
    table_rules: Callable[..., tuple[str, ...]]
    told_safe: Callable[[Context, Combatant, str, str, str], Steps[None]]
    short_step_rules: Callable[[Context, Combatant], tuple[str, ...]]
    free_action: Callable[..., Steps[bool]]
    free_action_limit: Callable[[Context, Combatant, str], Steps[bool]]
    take_readied: Callable[[Context, Combatant, Combatant, Ready], Steps[None]]
    watch: Callable[[Context, Steps[None]], Steps[None]]
    action_type: Callable[[Context, Combatant, Act], str]
    readiable: Callable[[Context], tuple[tuple[str, ...], str]]
    prohibitions: Callable[[Context, Combatant, object], None]
    around: tuple[Around, ...]
    turn_onset: Callable[[Context, Combatant], Steps[None]]
    last_turn: Callable[[Context], Steps[str]]
    precedence: Callable[[Combatant], tuple[int, ...]]
