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

# --- The record of the chapter on attacks: an attack, from what is declared with it to what follows it


class Attacks(Chapter, frozen=True, kw_only=True):
    """An attack, from what is declared with it to what follows it.

    stack: add up modifiers by the dialect's rule on stacking.
    prepare: the blow that is declared, found legal.
    is_nonlethal: whether a weapon deals nonlethal damage of itself in these hands.
    deliver: strike a prepared blow, with what it provokes and what follows; return whether it hit.
    still_strikes: the blow that can be struck after an interruption, given how the attacker stood before:
        the one meant or one with another weapon, None where it is lost.
    still_planned: the same of a later attack of several, after what has happened in those before it.
    blow_at_end: the blow at the end of a movement, as it is prepared then.
    before_roll: reactions right before an attack roll.
    before_attacks: what the first blow of a declaration meets with, before it.
    before_blow: what a blow takes from its weapon before it; of weapons with traits only.
    attack_bonus: what sheet and weapon give to the attack roll.
    attack_situation: what conditions, effects and the place do to the attack roll.
    range_increment: the range increment of this blow's weapon in feet.
    finesse: whether Dexterity stands for Strength in this blow.
    miss_chance: percent, why, and the topic of the rule on the chance to miss.
    barred: why a target cannot be attacked at all, and the rule's topic; ("", "") if it can.
    through_surface: whether a blow goes through the surface of an object.
    deciding_rules: further rules to cite when the rule on a topic decides a roll.
    threatens_critical: whether a hit threatens a critical one, by natural roll, total and defense.
    confirmation_parts: what adds to the roll that confirms a threat, besides the parts of the attack.
    confirm_critical: confirm a threat; return whether the hit is critical.
    finds_its_mark: whether a blow that the miss chance caught strikes home all the same.
    passes_through: whether a blow goes through a body without harm.
    deflected: whether a missile is turned aside.
    after_miss: what follows a miss.
    after_hit: what follows a hit and its harm, given the target's hit points before and whether it
        stood.
    after_blow: what follows a declared blow or one of opportunity, hit or not; not after plain blows
        without traits, conditions or effects.
    after_maneuver: what follows an attempt at a maneuver.
    attack_series: the bonuses of each attack of a full attack, by series.
    two_weapon_parts: what an attack pays when both hands strike, by whether the weapon of the off hand is
        light, with the "primary" hand or the "off_hand".
    off_hand_series: the attacks of the off hand, of so many off hands, each with what it has less than the
        first.
    begin_full_attack: the facts with which a full attack begins: its action, and what is settled before its
        first attack.
    secondary_limb: whether a natural weapon of a combatant is a secondary one by its nature, and what its
        sheet prints does not hold that already.
    set_against_charge: whether a weapon can be set against a charge.
    usual_strikes: the strikes that a full attack makes if none are named.
    usual_shot: a shot or throw at a target as one attack, if nothing more is said of it; None where there is
        none that spares its own side.
    least_missiles: how many missiles a shot takes at least.
    declared_feats: what is declared with an attack before its first roll.
    drawn_together: the rules by which weapons are drawn as one.
    weapon_of_charge: the weapon of a charge by a combatant, on its own feet or on a mover's, and how it is
        drawn on the way; None where it is at hand.
    finishing_weapon: whether a weapon can deliver a coup de grace.
    test_dice: the dice of a combatant's test, by what it is for: "attack", "confirm", "save.ref", a check.
    sure_faces: the faces that always fail and always succeed in a test, by what it is for and the rules cited
        for it; 0 for none.
    no_automatic_rule: the topic of the rule that 1 and 20 decide nothing in checks ("": none to cite).
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

    The features are stages under the `named` entry of a sheet (lower case; "": everybody has it). A sheet may
    follow the name with a detail, such as "weapon focus (longsword)" or "sneak attack 3d6": what stands after
    the name, without brackets, is handed on. So is a class, with its level. On a blow they are
    `feature(fight, blow, detail)`, on a roll `feature(fight, combatant, name, detail)`, and return modifiers.
    What depends on anything but sheets, places, conditions, effects and items must not be said on attack and
    defense, whose answers hold as long as none of these change nearby.

    save_bonus: the modifiers of a saving throw.
    after_save: what a save makes of damage, and why.
    saves_never: why a combatant makes no saving throws; "" if it does.
    save_against_condition: what adds to a save of that kind for the condition that it is to ward off.
    take_10_20: a number that stands for the die of a check, 0 for none.
    gm_check: carry out a check that the game master calls for; return whether it succeeds.
    bonus_kinds: the kinds of bonus that a sheet may name.
    sheet_names: the names on a sheet that some rule looks for, besides those of features.
    attack_features: feats, class abilities and special qualities that add to the attacker's roll.
    defense_features: those that add to the target's defense.
    moving_features: those that add to the defense of a target whose movement gave the opportunity.
    damage_features: those that add to the damage of the attacker's blow.
    dice_features: those that add dice of damage, which are never multiplied.
    save_features: those that add to a saving throw, named "fort", "ref" or "will".
    check_features: those that add to a check, by the name of the skill or check.
    initiative_features: those that add to initiative.
    spared_precision: whether precise blows find no vital spot on a combatant, other than for its nature.
    shrug_features: what they leave of harm, and why; "" for nothing special.
    pools: what a combatant has to use up, by name, and how many of it.
    check_penalty: what armor and load take from a check.
    derived_statistics: a sheet with what its classes and levels come to, and the rules.
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


# --- The record of the chapter on conditions: conditions and how they come over a combatant


class Change(Struct, frozen=True):
    """One number that a condition changes: the `stat`, and where its figure stands.

    `stat` is "attack.melee", "attack.ranged", "defense.melee", "defense.ranged", "maneuver defense", "save",
    "check" ("skill", "ability-check" or "check.spot" for some of them), "damage", "speed", or "score.dex" for
    an ability's score ("score.dex.attack", ".defense" or ".others" for some of its uses), "zero.dex" for one
    that counts as 0; `topic` and `path` lead to the figure in the catalogue. `halve` takes half of it,
    rounded toward 0 (an ability penalty's effect on its modifier); `negate` turns the figure into a penalty.
    "check" and an ability are skill checks with that one. `eased` are a feat, and topic and figure of what it
    makes of the change. "attack.dexterity", "attack.strength" and "damage.strength" count where that ability
    has a part. `only` names a contested rule and the reading under which the change holds; `each` counts it
    once for each level of the condition. The same figure of the same rule counts once, however many
    conditions lead to it, unless it stands `apart` for each.
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
    """What a condition does.

    `topic` names the rule that defines it. `actions` is "any", "single" (one standard or move
    action), "move", "flight" (what gets one away), "mental" (what takes the mind alone) or "none";
    `dexterity` False denies the Dexterity bonus to the defense; `reactions` False forbids attacks of
    opportunity; `helpless` leaves the creature at anybody's mercy; `rushes` False forbids to run and
    charge; `down` means it neither threatens nor counts as
    standing. `shoots` names the weapon families that can still be used at range (None: all);
    `casting` is topic and path of the figure of the concentration check that casting takes. `sightless` is
    topic and figure of the miss chance that one's own blows have who cannot see, `veils` of that of blows
    at its bearer; `shieldless` means that no shield bonus counts, `throws` False that thrown weapons are
    useless. What a condition brings about by itself are steps: `each_turn` as a turn of its bearer begins,
    `turn_over` as it ends, `hurt` when damage has been taken, `healed` when a cure has given hit points.
    `budget` names the figure that says what the condition leaves of a turn, and comes before `actions`.
    It `empties` the hands. With `reflexes` Combat Reflexes lets one react all the same; who is `off_guard`
    by it is flat-footed, and keeps its Dexterity by uncanny dodge.
    Who is `inside` another by it takes up no square of its own.
    `part_of` are greater conditions that have this one in them: its changes do not
    count beside theirs.
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
    """What one cause makes of an ability: the modifier `before` and `after` it, and the score then."""

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
    """Return every condition that a danger, a spell or a blow can bring over one combatant by itself."""
    conditions: Conditions = dialect.conditions
    return known_conditions(dialect) - conditions.paired - conditions.cast - conditions.degrees.keys()


class Conditions(Chapter, frozen=True, kw_only=True):
    """Conditions and how they come over a combatant.

    table: what each condition adds, denies and forbids, by its name.
    states: what else may last on somebody, which rules ask for by its name.
    leveled: those that have a level which an entry may say: how many times over, or how high.
    degrees: those that are nothing without a degree, each with the exposure that says it.
    paired: those that last between two, which no danger gives by their name.
    cast: those that hang on a spell of their bearer's, which its casting alone gives.
    local: those of one place or moment, or of somebody's hold: nobody takes them into another fight.
    unthreatening: those whose bearer threatens nobody.
    gain: how a condition comes over a combatant.
    lapses: what a combatant cannot go on with under a condition that has come over it, in whatever way.
    start: how a combatant enters under a condition.
    time_over: how a condition ends that has lasted as long as it was to, and what ends with it.
    over: what a condition leaves behind that time, a spell or the game master has ended, given as it was.
    felling: the conditions under which a combatant lies, with empty hands.
    limp: what else follows when a combatant comes to lie at anybody's mercy or is out of the fight.
    take_rider: what comes along with a blow or spell besides damage.
    immune_mind: the rules by which a state of mind cannot come over a combatant.
    immune_natures: what a creature may be, and topic and path of the figure of what such are immune to.
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
    """Damage, injury, dying, and what heals.

    types: the types of damage there are.
    deal: roll a hit's damage and deal it.
    strength_damage: what Strength adds to damage: value, source and topic.
    force_rules: the rules on the force of this hit's multiplier.
    minimum_is_nonlethal: whether the least damage of a hit is one nonlethal point.
    damage_kind: choose among the types of damage that a weapon can deal.
    along_with_damage: what comes along with the damage of a hit.
    suffer: have a combatant take harm, with all that comes of it.
    overcomes: whether a blow overcomes a damage reduction that its kinds do not bypass.
    pierced: how many points of a damage reduction that it does not overcome a blow ignores.
    reduce: what is left of harm, and why.
    roll_with: what the harmed may do about harm before it is taken.
    injure: what lost hit points bring about.
    start_hurt: what the hit points with which a combatant enters bring about.
    settle: what hit points bring about that the game master has set, of a combatant that had others `before`.
    set_state: how the game master sets a state of health that hit points allow; whether it is one.
    refuse_state: refuse to begin or end a state of health by the game master's word against the hit points.
    loss_topics: the topics of the rules by which damage leaves a combatant as it is.
    disabled_from: the highest hit points of the disabled.
    dying_from: the highest hit points of the dying.
    bleed_out: what becomes of the dying in a turn.
    last_stand: whether a combatant stays up at the hit points of the dying.
    undying: the topic of the rule by which a combatant cannot die now; "" if it can.
    death_at: the hit points at which a combatant is dead.
    massive_damage: the damage that may kill at once.
    nonlethal_limit: the most nonlethal damage that is kept; None for no limit.
    effect_over: what an effect leaves behind when it is over.
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

    defense_bonus: what the sheet gives to the score that an attack must reach.
    defense_situation: what conditions, effects and the place do to that score.
    dexterity_denied: why a target loses its Dexterity bonus, and the rule's topic; ("", "") if not.
    helpless_dexterity: what stands for the Dexterity of the helpless.
    cover: the bonus of cover against this blow.
    uncanny_dodge: whether a combatant keeps its Dexterity when surprised.
    dexterity_cap: how much Dexterity counts, what allows no more, and its rule.
    reflex_cover: what cover gives to a Reflex save, from where an area effect originates.
    around_corners: choose among squares of origin for a spread.
    name: what the score that an attack must reach is called.
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


# --- The record of the chapter on environment: what surroundings do


class Danger(NamedTuple):
    """A danger of the surroundings: the topic of its rule, and what begins when somebody is exposed to it.

    `ends` are the conditions that are over with the exposure; `afterwards` is what comes then, told in what
    degree the exposure was.
    """

    topic: str
    begin: Callable[[Context, Combatant, Expose], Steps[None]]
    ends: tuple[str, ...] = ()
    afterwards: Callable[[Context, Combatant, str], Steps[None]] | None = None


class Environment(Chapter, frozen=True, kw_only=True):
    """What surroundings do.

    dangers: what the game master may expose a combatant to, by its name.
    untouched: the fact that what chokes or withers a body does nothing to a combatant; None where it does.
    hardy: what helps a combatant where exertion, breath or the surroundings wear it down.
    drags: whether water takes the force out of a weapon of somebody who is in it.
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
    """Weapons, armor and things.

    equip: a sheet with what its arms and armor come to, and the rules.
    drawing: how a weapon is drawn.
    hurled: a weapon as it is when thrown.
    families: the groups of weapons that rules speak of.
    materials: what weapons and armor may be made of, besides the usual.
    postures: the postures into which one lets oneself drop.
    unarmed_dice: the damage dice of an unarmed strike.
    tool_parts: what the state of a tool does to a check that is made with it.
    corner_situation: what the thrower's state and the distance do to a throw at a grid corner.
    splash_centre: the square of a target from which a hit with such a weapon splashes, None for all of them.
    stray_squares: how many squares such a weapon goes astray that misses, thrown so many feet.
    spared_noise: whether noise cannot deafen a creature at all.
    doors: the doors that stand on the map, open or closed.
    fills_place: whether a thing fills its place, so that nobody gets past it.
    refills: whether loading fills a weapon again from which missiles were shot; asked of automatic play.
    frees_hand: whether a combatant has a hand for a door, or needs none; asked of automatic play.
    in_other_hands: a weapon of another as who has taken it wields it, None if it cannot; and the rules.
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


# --- The record of the chapter on grapple: holding and being held


class Grapple(Chapter, frozen=True, kw_only=True):
    """Holding and being held.

    bonds: hardness, hit points and rule of what binds a combatant.
    parted: what becomes of holds when a combatant has been driven somewhere else.
    """

    bonds: Callable[[Context, Combatant, str], tuple[int, int, str] | None]
    parted: Callable[[Context, Combatant], Steps[None]]


# --- The record of the chapter on magic: magic, in the order of a casting


class Magic(Chapter, frozen=True, kw_only=True):
    """Magic, in the order of a casting.

    components: what a casting may take, and what may be said of a spell beside it; patterns too: "costly *".
    stats: the numbers of a combatant that a spell may change, by name.
    casting_action: the action that a spell takes, and its rules.
    refuse_casting: refuse a casting.
    holds_charges: whether the charge of a touch spell can be held.
    strikes_again: whether a spell may have the same target several times, as missiles and rays may.
    passes_opening: whether an area spell must hit an opening.
    line_topic: the topic of the rule on a spell's line of effect.
    spell_range: the range of a spell in feet.
    in_area: whether an area from a square catches a combatant.
    prelude: what happens before a spell.
    casting_provokes: the topic of the rule, and whether a casting provokes.
    heard: what others make of a casting before it takes effect.
    hindrances: what disturbs a casting: topic, source and DC of each.
    hampered_dc: the DC of casting under a condition.
    concentration: the parts of a concentration check for a spell, by the rule on a topic.
    defensive_casting: the DC of casting defensively, and the topics of its rules.
    defense_fails: what follows as a spell is lost that was to be cast defensively.
    drawn_out: whether a casting goes on beyond this turn.
    spell_fails: whether a spell fails once it is cast.
    touching: deliver a touch spell.
    begin: what begins as a spell takes effect that is no touch.
    affected: whom an area affects, of those in it.
    withstands: whether a target withstands a spell altogether.
    spell_dc: the DC of a spell's save, and its rules.
    spell_blow: the blow that a spell's touch or ray is.
    affect: the save against a spell and its damage.
    on_critical: what a critical hit of its touch or ray makes of a spell.
    afflict: the condition that a spell brings.
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
    """One side of an opposed check: who rolls, the modifiers, which check it is ("" for an attack roll)."""

    who: Combatant
    parts: list[Modifier]
    check_name: str = ""


class Contest(Struct, frozen=True, gc=False):
    """How an opposed check came out for its initiator; `margin` is its total minus the other's."""

    won: bool
    margin: int


@final
class Attempt(Struct, gc=False):
    """A special attack on its way: the blow that carries it and what it is aimed at.

    `item` is the object that a disarm or sunder wants, for a grapple the option that is meant;
    `secured` how well a worn item sits; `name` tells this attempt's opportunities from others,
    `weapon` is what an option of the grapple is done with.
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
    `topic` is the rule that lets it take the place of an attack of opportunity, `listed` where the dialect
    lists its special attacks, `declared` the rules by which it is a standard action of its own.
    One `of_movement` answers movement alone, and is no attack of one's own turn.
    """

    prepare: Callable[[Context, Combatant, Combatant, str, str, str], Attempt]
    carry_out: Callable[[Context, Attempt], Steps[bool]]
    topic: str = "aoo.substitutes"
    listed: tuple[str, ...] = ()
    of_movement: bool = False
    declared: tuple[str, ...] = ()


def substitutes(dialect: Ruleset) -> Mapping[str, Substitute]:
    """Return the special attacks that a dialect lets take the place of a melee attack of one's own turn."""
    found: Mapping[str, Substitute] = dialect.maneuvers.substitutes
    return {name: plan for name, plan in found.items() if not plan.of_movement}


class Maneuvers(Chapter, frozen=True, kw_only=True):
    """Special attacks.

    substitutes: the special attacks that can take the place of a melee attack, by name.
    tripped_footing: how a target keeps its footing against a trip.
    before_contest: what a special attack without an attack roll meets with, right before its check.
    """

    substitutes: Mapping[str, Substitute]
    tripped_footing: Callable[[Context, Combatant, str, bool], Side]
    before_contest: Callable[[Context, Combatant, Combatant], Steps[None]]


# --- The record of the chapter on mounted: riders and mounts


class Mounted(Chapter, frozen=True, kw_only=True):
    """Riders and mounts.

    averted: whether a hit on a mount is averted by its rider.
    frightened: whether combat frightens a mount, so that its rider must keep it in hand.
    left_squares: what enemies whose squares a mount leaves may do besides striking at it.
    """

    averted: Callable[[Context, Blow], Steps[bool]]
    frightened: Callable[[Context, Combatant], bool]
    left_squares: Callable[[Context, Combatant, list[Combatant]], Steps[None]]


# --- The record of the chapter on movement: movement: speed, steps and what they bring about


class Measure(Struct, frozen=True, gc=False):
    """What a way costs: feet, diagonals that count on, and the rules that had a part in it."""

    feet: int
    diagonals: int
    cites: tuple[str, ...] = ()


class Movement(Chapter, frozen=True, kw_only=True):
    """Movement: speed, steps and what they bring about.

    speed: a combatant's speed in feet before a way of moving halves or doubles it.
    laden: what a load does, as a combatant enters.
    speed_told: what is told of where a combatant's speed comes from; None for nothing.
    forfeit: the feet that the next way of a combatant has less than its speed allows.
    slowing_rule: the rule that says how far a combatant gets.
    walk: go along a legal path, with what follows from each step; return whether the end was reached.
    leaving: those who may strike because a mover leaves a square they threaten.
    approach: what follows from coming near somebody; None for nothing.
    refuse_step: refuse a step into a square, as far as its mover knows.
    in_way: who holds the squares that a step leads into, known or not.
    refuse_entry: refuse a square for some of those who hold it.
    after_running_into: what follows once a mover has run into somebody whom it did not perceive.
    refuse_ground: refuse a step that walls, pillars and pits forbid to what a mover takes up.
    refuse_rough: refuse ground on which a way of moving is not possible.
    measure: what a way costs in feet, and the rules.
    scaled_diagonals: whether what doubles the cost of a square doubles each diagonal as it counts, one as a
        square and the next as two, rather than making each three.
    too_far: the rule by which a way is too long.
    shape: what the fact of a movement says about squeezing and the like.
    may_stop: whether a movement may end in a square.
    may_pass: whether a mover may pass through another's square.
    step_needs_check: whether a step meets with something that a check must overcome.
    check_before_step: try to overcome it; return whether the mover goes on.
    barrier_fault: what of a barrier between squares, as the map has it, would mean nothing; "" if all counts.
    step_is_told: whether a step is told as a movement of its own.
    after_step: what entering a square brings about.
    step_aside: move to a legal square whoever has ended in none.
    after_movement: what follows once a movement is over.
    running: the fact of what running takes from a combatant.
    run_multiple: how many times its speed a combatant runs.
    nimble: whether a combatant is trained to tumble.
    fall: have a combatant fall so many feet.
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
    """The touch with a held charge out of turn, and how it is carried out; that returns whether it struck."""

    blow: Blow
    carry_out: Callable[[Context, Blow], Steps[bool]]


class Opportunity(Chapter, frozen=True, kw_only=True):
    """Attacks of opportunity and other reactions out of turn.

    provoke: let those who may attack a combatant for the same opportunity.
    opportunities: how many attacks of opportunity a round allows, and the rule's topic.
    opportunity_name: the name of the opportunity that this movement gives.
    sheltered: what keeps a target from an attack of opportunity, and the rule's topic; ("", "") for
        nothing.
    weapons_at: the weapons with which a combatant can strike at a target out of turn, as they are at hand.
    touch_by_charge: the touch with a spell's charge, if that is the weapon of those of `weapons_at`.
    weapon_topics: the topics of what lets a weapon strike out of turn.
    opening_rules: the rules by which a step opens a combatant to an attack of opportunity.
    """

    provoke: Callable[..., Steps[None]]
    opportunities: Callable[[Context, Combatant], tuple[int, str]]
    opportunity_name: Callable[[Context, Combatant], str]
    sheltered: Callable[[Context, Blow], tuple[str, str]]
    weapons_at: Callable[[Context, Combatant, Combatant], list[Weapon]]
    touch_by_charge: Callable[[Context, Combatant, Combatant, Weapon], ReactionBlow | None]
    weapon_topics: Callable[[Weapon], tuple[str, ...]]
    opening_rules: Callable[..., Sequence[str]]


# --- The record of the chapter on position: where combatants stand: space, reach, height

Bands = tuple[tuple[int, int], ...]
"""Distances in feet, each the least and the most."""


class Position(Chapter, frozen=True, kw_only=True):
    """Where combatants stand: space, reach, height.

    space_and_reach: the space and reach of a sheet in feet.
    refuse_taken: refuse to enter where there is no room.
    placed: the rules on the space that a combatant takes.
    out_of_reach: the rule by which a weapon does not reach so far; "" if it does.
    reach_bands: the distances in feet from and to which a combatant strikes.
    arming: the conditions that give their bearer something to strike with, such as a spell's charge.
    bands_by_state: the distances with what such a condition gives.
    levels_apart: how far two are apart in height, in feet.
    walls_part: whether walls come between two.
    walled_off: whether walls between squares keep every line from one off another, or off that at a place;
        asked where there are any.
    through_walls: refuses what is declared through a wall between squares; asked where there are any.
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


# --- The record of the chapter on senses: who sees whom


class Senses(Chapter, frozen=True, kw_only=True):
    """Who sees whom.

    sees_foe: whether a combatant sees another that moves past.
    locates: whether a combatant perceives another, or has found out its square: who does not walks into it.
    """

    sees_foe: Callable[[Context, Combatant, Combatant], bool]
    locates: Callable[[Context, Combatant, Combatant], bool]


# --- The record of the chapter on turns: rounds, turns and what they allow

NO_ACTION: Final = ""
"""The type of action of what goes with something else, or is nothing that a turn counts."""

SEVERAL: Final = "several"
"""That of what takes more than one action of a turn, such as a move with a blow on the way."""


class Allowance(Struct, frozen=True):
    """How much one turn allows, and the topic of the rule that limits it.

    `standard` and `move` count actions of each type, `total` both together; a full-round action
    needs `full`. `step` counts short steps, `swift` swift actions. `swap` and
    `break_off` are the topics of the rules that let a move action take the place of the standard one and of
    the rest of a full attack, where they are cited; `swift_topic` is that of swift actions. `extra` are move
    actions on top of all that, by the rule on `extra_topic`.
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
    """A rule about many declarations, whatever carries them out.

    `stage(fight, act, found)` goes through the steps of each of the `acts` and adds its own. `ahead` may
    refuse the declaration before that, `change` returns it as it is to be carried out.
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
    """Rounds, turns and what they allow.

    surprise: who is surprised, once, as a fight begins.
    initiative: roll a combatant's initiative.
    order: put those who rolled into the order of turns.
    open_round: what happens before the first turn of a round.
    close_round: what happens after the last turn of a round.
    open_turn: what happens before a combatant may act.
    close_turn: what happens as its turn ends.
    allowance: how much a turn lets a combatant do.
    ending_rule: the rule by which something that lasts is over, as a topic.
    propose: what automatic play must declare outside turns, by those who are named before others.
    table_rules: the rules of the table of actions on an act, by column and name of its row.
    told_safe: tell that an act provokes nothing, where the dialect has a rule on it.
    short_step_rules: the rules to cite for a short step.
    free_action: spend a free action; whether there is time for it.
    free_action_limit: whether one more free action is within reason.
    take_readied: carry out what was readied, once its trigger has come.
    watch: go through the steps of a declaration, with what follows from each of its facts.
    action_type: which type of action a declaration takes: standard, move, full-round, free; "" for none.
    readiable: which types of action can be readied, and the rule.
    prohibitions: what a combatant's state forbids, asked before each of its declarations.
    around: what goes on around declarations, whatever carries them out; each goes around those before it.
    turn_onset: what happens of itself as a turn begins.
    last_turn: which turn that was put off still comes once everybody else has had one, by its combatant's id.
    precedence: what the order goes by among several who delayed to the same count, the higher first.
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
