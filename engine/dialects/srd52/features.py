"""Features: what the traits, feats, class features and spells of a combatant change, and when.

A feature is a row of a table (`kernel.features`): its rule, and a function for each moment at which it
counts.
Traits and feats are named on the sheet, class features follow from the levels, spells are those that a
combatant is under. The chapters ask `features_of` at these moments and name none of them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from affray.engine.fight.fight import Dialect, Fight
from affray.engine.fight.memory import Same, per_company, per_fight
from affray.engine.grid.battlefield import Square
from affray.engine.steps import NOTHING, Steps
from affray.events.facts.acts import Act
from affray.events.facts.combat import AttackResolved, Until
from affray.events.facts.sheet import Modifier, Sheet, Weapon
from affray.projections.state import Area, Combatant, Effect

# --- What an attack and its damage are


class Strike(Struct, frozen=True, gc=False):
    """One attack with a weapon or spell: attacker, target, weapon, in melee or at range, with which ability.

    adds_ability: the ability modifier counts for damage; a negative one always does.
    spares: whether it is to knock out; None if that is asked as it takes the last hit point.
    spell: it is the attack of a spell.
    by: what it is made by: the Attack action, a feature, "" for anything else.
    outcome: after the roll: its result.
    dealt: after the damage: how much of each type the target took.
    """

    attacker: Combatant
    target: Combatant
    weapon: Weapon
    melee: bool
    ability: str
    adds_ability: bool = True
    spares: bool | None = None
    spell: bool = False
    by: str = ""
    outcome: AttackResolved | None = None
    dealt: Mapping[str, int] = {}

    @property
    def edge(self) -> str:
        """Return "advantage" or "disadvantage" if the roll was made with one and not both; otherwise ""."""
        parts = self.outcome.attack if self.outcome is not None else ()
        kinds = {one.kind for one in parts if not one.denied}
        return next((one for one in ("advantage", "disadvantage") if one in kinds), "")

    @property
    def natural(self) -> int:
        """Return the face of the die; 0 before the roll."""
        return self.outcome.natural if self.outcome is not None else 0

    @property
    def critical(self) -> bool:
        """Return whether it is a Critical Hit."""
        return self.outcome is not None and self.outcome.result == "critical"


class Dice(Struct, frozen=True, gc=False):
    """Dice of damage: their notation, type and source.

    least: what a die that shows less counts as.
    twice: they are rolled twice, and the higher total counts.
    """

    notation: str
    kind: str
    source: str
    least: int = 0
    twice: bool = False


class Blow(Struct, frozen=True, gc=False):
    """The source of damage: attacker, weapon or spell, as a Critical Hit or not, to knock out or not.

    attacker: the combatant that deals it; its id is "" for a hazard.
    source: the weapon, spell or hazard.
    critical: all dice are rolled twice.
    spares: whether a melee attack is to leave a creature at 1 hit point and Unconscious; None to ask.
    halved: a saving throw, or something else, has halved it.
    halving: the reason and the rule of that, if it is no saving throw.
    attack: it is the damage of an attack that hit.
    magical: it comes from a spell or another magical effect.
    kinds: the types of damage that were taken.
    melee: it is the damage of a melee attack.
    answers: the features by which the target has answered the hit with its Reaction.
    fall: it is the damage of a fall.
    """

    attacker: str
    source: str
    critical: bool = False
    spares: bool | None = None
    halved: bool = False
    attack: bool = False
    magical: bool = False
    halving: tuple[str, str] = ("", "")
    kinds: tuple[str, ...] = ()
    melee: bool = False
    answers: tuple[str, ...] = ()
    fall: bool = False


class Casting(Struct, frozen=True, gc=False):
    """One casting of a spell: who, what by which figures, with a slot of which level, on whom, where.

    choice: what the spell leaves to the caster: a type of damage, a condition, a word of command.
    scroll: it is read from a Spell Scroll.
    ritual: it is cast as a Ritual, without a slot.
    blocked: its point of origin lies before an obstruction, not where it was placed.
    chosen: its targets are settled, even if there are none left.
    id: the id of all effects of this casting.
    free: it takes no slot, once until a Long Rest.
    form: the stat block of the form that it gives.
    """

    caster: Combatant
    name: str
    feature: "Feature"
    row: Mapping[str, Any]
    slot: int
    id: str
    targets: tuple[Combatant, ...] = ()
    at: Square | None = None
    choice: str = ""
    scroll: bool = False
    ritual: bool = False
    blocked: bool = False
    chosen: bool = False
    free: bool = False
    form: str = ""


class Spell(Struct, frozen=True, gc=False, kw_only=True):
    """How a spell is cast: what its casting does, and what it asks of its targets.

    seen: the caster must see them.
    willing: they must be on the caster's side.
    dead: they may be dead.
    chosen: those named are chosen from its area, or have no separate range.
    repeats: one may be named several times.
    check: refuses what else the spell does not allow, before anything is used up.
    kinds: the types of creature that it affects; () for all.
    again: the kind of action that lets the caster use the spell again while it lasts; "" for none.
    use: what that does, where it is not what the casting does.
    check_use: refuses what it does not allow.
    after: its area is aimed later, by those that are under the spell.
    point: it is aimed at a square although it has no area.
    form: it gives a form, which the caster states, or names among the packaged sheets as its choice.
    choices: what the caster chooses from, or the figure that lists it; () for no choice.
    unnoticed: its effect is not perceptible: a target that is spared, or only marked, does not know of it.
    curse: magic that ends curses ends it.
    optional: without a choice it is the first one.
    many: how many targets it may have, where that is not its figure.
    reach: its range in feet, where that is not its figure.
    """

    cast: Callable[[Fight, Casting], Steps[None]]
    seen: bool = False
    willing: bool = False
    dead: bool = False
    chosen: bool = False
    repeats: bool = False
    kinds: tuple[str, ...] = ()
    again: str = ""
    use: Callable[[Fight, Casting], Steps[None]] | None = None
    check: Callable[[Fight, Casting], None] | None = None
    check_use: Callable[[Fight, Casting], None] | None = None
    after: bool = False
    point: bool = False
    form: bool = False
    choices: str | tuple[str, ...] = ()
    optional: bool = False
    unnoticed: bool = False
    curse: bool = False
    many: Callable[[Fight, Casting], int] | None = None
    reach: Callable[[Fight, Casting], int] | None = None


# --- Features


class Held(Struct, frozen=True, gc=False):
    """A feature as a combatant has it.

    number: the number in its name ("legendary resistance 3"), or the slot level of a spell.
    caster: the caster of a spell; "" for others.
    choice: what the caster of a spell chose.
    id: the id of the effect of a spell.
    until: the end of a spell.
    """

    name: str
    feature: "Feature"
    holder: Combatant
    number: int = 0
    caster: str = ""
    choice: str = ""
    id: str = ""
    until: Until = Until()


Parts: TypeAlias = Iterable[Modifier]
After: TypeAlias = Callable[[], Steps[None]]


class Pool(Struct, frozen=True, gc=False):
    """A limited supply: its name, how much there is (given the holder), and what a Short Rest returns.

    A Long Rest returns everything. Several features may draw from one pool.
    """

    name: str
    size: "Callable[[Fight, Held], int]"
    short_rest: Literal["none", "one", "all"] = "none"


class Feature(Struct, frozen=True, gc=False, kw_only=True):
    """The effects of a trait, feat, class feature or spell; each function is asked with the fight and `Held`.

    topic: the topic of its rule.
    level: the class and the level at which that class has it; () for one that a sheet names.
    choice: the trait that the sheet must name as well: a subclass, an option of a class.
    state: the condition during which it counts; without a level it does for each bearer of the condition.
    lacks: for a feat, what a sheet lacks to take it; "" for nothing.
    printed: the figures of the sheet contain it.
    pool: the supply that it draws from.
    spell: how it is cast, for a spell.
    row: its figures, for a spell that the rules do not have.
    part: the part of its rule's figures that are its own.
    field: the field of fifth edition by which a sheet has it.

    Parts of sums, sources of Advantage and Disadvantage among them:

    on_attack: of the attack rolls of its holder (strike).
    on_attacked: of attack rolls against its holder (strike).
    on_save: of a saving throw (ability, what it is against: "spell", "magic", "charmed", ...).
    on_check: of an ability check or initiative (skill, "initiative").
    on_search: of a check to find a combatant (combatant).
    extra_die: the die that it adds to a test ("attack", "save", or a skill), or takes off it ("-1d4"); "" for
        none.
    abilities: other abilities for attack and damage with a weapon (weapon).
    check_abilities: other abilities for a check with a skill (skill).
    critical: the lowest face that makes a hit with a weapon critical.
    on_armor_class: of Armor Class.
    base_armor: another way to calculate Armor Class, without armor and shield parts; the best one counts.
    on_speed: the Speed, given the Speed so far (feet).
    special_speed: a special speed (way of moving); 0 for none.
    hover: its holder hovers.
    sheds: the light that its holder sheds: the radius of Bright Light, and that of Dim Light beyond, in feet.
    jump: how far it lets its holder jump, and what that costs (feet).
    jump_ability: another ability for jumps than Strength.
    least_die: what lower damage dice of an attack count as (strike); 0 for themselves.
    adds_to_extra_attack: the ability modifier counts for the damage of the extra attack with a Light weapon.

    What happens, as steps:

    own_attack: before an attack roll of the holder (strike).
    on_miss: as the holder misses (strike); returns whether it hits after all.
    weapon_dice: the damage dice of a weapon or Unarmed Strike that has hit (strike, dice); returns others.
    on_hit: as the holder hits, before damage (strike, whether it is critical); returns more dice and parts,
        and functions whose steps are taken after the damage.
    after_attack: after an attack of the holder (strike, whether it hit).
    before_attack: before an attack roll or a harmful spell at the holder (attacker); returns whether it is
        lost.
    diverts: when an attack has hit the holder (strike); returns whether it hits something else instead.
    before_hit: when an attack would hit the holder (strike, total, needed); returns parts of Armor Class.
    answers_hit: when an attack has hit the holder, before its damage is rolled (strike); returns whether the
        holder answers it.
    before_damage: before the holder takes damage (blow, amount by type); returns the amount by type.
    after_damage: after the holder has taken damage (blow, amount).
    on_fall: as a combatant falls (feet), asked of all; returns whether it lands unharmed.
    at_zero: as the holder would drop to 0 hit points (blow, surplus); returns the hit points that it keeps.
    after_failed_save: after a failed save (ability, what it is against); returns whether it succeeds
        after all.
    forces_save: after the holder has made an enemy roll a saving throw.
    on_initiative: after the holder has rolled initiative.
    before_order: after all have rolled initiative, before the order is set.
    on_action: after the holder has taken an action, a Bonus Action or a Reaction.
    use: carry out a declaration to use it (declaration).
    turn_start, turn_end: at the start and the end of the holder's turns.
    stops_darts: as Magic Missile is cast at the holder (casting); returns whether it does nothing.
    prepares: the spells that the holder has always prepared.
    free: the spells that the holder casts once without a slot, until a Long Rest.
    more_healing: what it adds to the hit points that a spell of the holder with a slot restores (casting).
    spares_slot: as the holder expends a slot (casting); returns whether it keeps it.
    strong_cantrips: cantrips of the holder that miss or are saved against deal half their damage.
    alters_test: after a test nearby is rolled (who, whether it succeeds), asked of all; returns what that
        adds to it.
    casts: as the holder or another casts a spell (casting); returns whether that fails.
    over: when a spell ends, with the reason.
    in_area: as a combatant enters its area, moves within it, or starts or ends a turn there ("enter",
        "within", "start", "end").
    rested: after a rest of the holder (whether it is long).

    What it allows and forbids:

    offers: the uses of it that automatic play and the list of options try.
    plays: the declaration that automatic play makes of it now; None for none.
    ignores: whether damage by its holder ignores Resistance (type).
    factors: what multiplies damage of a type (type): "immunity", "resistance", "vulnerability".
    immune: conditions that its holder does not gain.
    wards: whether its holder does not gain a condition from a cause (condition, id of the cause).
    forbids: refuse a declaration of the holder.
    budget: the actions of a turn, given those so far.
    as_bonus: actions by their names ("dash") that the holder may take as Bonus Actions.
    provokes: whether leaving the reach of enemies provokes them (way of moving).
    drags_freely: whether moving a creature that the holder grapples takes no extra movement (creature).
    knows: whether the holder knows where another is, although unseen (combatant).
    sees_truly: the figure of its rule that says how far its holder has Truesight, in feet.
    reacts: whether the holder can take Reactions.
    more_opportunities: how many more Reactions it has, for Opportunity Attacks only.
    ends_on: what of the holder's ends the spell: "attack", "damage dealt", "casting", "damage taken".
    no_opportunity_attacks: its holder makes none.
    no_healing: its holder regains no hit points.
    reveals: its holder has no benefit from being Invisible.
    sees_invisible: its holder sees the Invisible.
    escapes: whether an attack cannot hit the holder (strike).
    evades: whether it takes half or none of damage that a save halves (ability).
    stays: whether the holder does not die at 0 hit points, but falls Unconscious.
    sure: ways of moving for which the holder needs no check.
    unhindered: grounds that are no Difficult Terrain for it.
    enters: what it may pass: "creatures", "objects" as Difficult Terrain; "stays": end its move there;
        "rock" by burrowing; "gaps", "tiny gaps" without extra movement.
    breathes: what it can breathe: "air", "water".
    on_objects: the figure of its rule that multiplies its damage to objects.
    """

    topic: str
    level: tuple[str, int] | tuple[()] = ()
    choice: str = ""
    state: str = ""
    lacks: Callable[[Dialect, Sheet], str] | None = None
    printed: bool = False
    pool: Pool | None = None
    spell: Spell | None = None
    row: Mapping[str, Any] | None = None
    part: str = ""
    field: str = ""
    on_attack: Callable[[Fight, Held, Strike], Parts] | None = None
    on_attacked: Callable[[Fight, Held, Strike], Parts] | None = None
    on_save: Callable[[Fight, Held, str, frozenset[str]], Parts] | None = None
    on_check: Callable[[Fight, Held, str], Parts] | None = None
    on_search: Callable[[Fight, Held, Combatant], Parts] | None = None
    extra_die: Callable[[Fight, Held, str], str] | None = None
    abilities: Callable[[Fight, Held, Weapon], Iterable[str]] | None = None
    check_abilities: Callable[[Fight, Held, str], Iterable[str]] | None = None
    critical: Callable[[Fight, Held], int] | None = None
    on_armor_class: Callable[[Fight, Held], Parts] | None = None
    base_armor: Callable[[Fight, Held], list[Modifier]] | None = None
    on_speed: Callable[[Fight, Held, int], int] | None = None
    jump: Callable[[Fight, Held], tuple[int, int]] | None = None
    hover: bool = False
    sheds: Callable[[Fight, Held], tuple[int, int]] | None = None
    special_speed: Callable[[Fight, Held, str], int] | None = None
    jump_ability: Callable[[Fight, Held], str] | None = None
    least_die: Callable[[Fight, Held, Strike], int] | None = None
    adds_to_extra_attack: bool = False
    own_attack: Callable[[Fight, Held, Strike], Steps[None]] | None = None
    on_miss: Callable[[Fight, Held, Strike], Steps[bool]] | None = None
    weapon_dice: Callable[[Fight, Held, Strike, Dice], Steps[Dice]] | None = None
    on_hit: Callable[[Fight, Held, Strike, bool], Steps[Iterable[Dice | Modifier | After]]] | None = None
    after_attack: Callable[[Fight, Held, Strike, bool], Steps[None]] | None = None
    before_attack: Callable[[Fight, Held, Combatant], Steps[bool]] | None = None
    diverts: Callable[[Fight, Held, Strike], Steps[bool]] | None = None
    before_hit: Callable[[Fight, Held, Strike, int, int], Steps[Parts]] | None = None
    answers_hit: Callable[[Fight, Held, Strike], Steps[bool]] | None = None
    before_damage: Callable[[Fight, Held, Blow, Mapping[str, int]], Steps[Mapping[str, int]]] | None = None
    after_damage: Callable[[Fight, Held, Blow, int], Steps[None]] | None = None
    on_fall: Callable[[Fight, Held, Combatant, int], Steps[bool]] | None = None
    at_zero: Callable[[Fight, Held, Blow, int], Steps[int]] | None = None
    after_failed_save: Callable[[Fight, Held, str, frozenset[str]], Steps[bool]] | None = None
    forces_save: Callable[[Fight, Held], Steps[None]] | None = None
    on_initiative: Callable[[Fight, Held], Steps[None]] | None = None
    before_order: Callable[[Fight, Held], Steps[None]] | None = None
    on_action: Callable[[Fight, Held], Steps[None]] | None = None
    use: Callable[[Fight, Held, Any], Steps[None]] | None = None
    turn_start: Callable[[Fight, Held], Steps[None]] | None = None
    turn_end: Callable[[Fight, Held], Steps[None]] | None = None
    stops_darts: Callable[[Fight, Held, Casting], Steps[bool]] | None = None
    prepares: tuple[str, ...] = ()
    free: Callable[[Fight, Held], Iterable[str]] | None = None
    more_healing: Callable[[Fight, Held, Casting], int] | None = None
    spares_slot: Callable[[Fight, Held, Casting], Steps[bool]] | None = None
    strong_cantrips: bool = False
    alters_test: Callable[[Fight, Held, Combatant, bool], Steps[Parts]] | None = None
    casts: Callable[[Fight, Held, Casting], Steps[bool]] | None = None
    over: Callable[[Fight, Held, str], Steps[None]] | None = None
    in_area: Callable[[Fight, Area, Combatant, str], Steps[None]] | None = None
    rested: Callable[[Fight, Held, bool], Steps[None]] | None = None
    offers: Callable[[Fight, Held], Iterator[Act]] | None = None
    plays: Callable[[Fight, Held], Act | None] | None = None
    ignores: Callable[[Fight, Held, str], bool] | None = None
    factors: Callable[[Fight, Held, str], Iterable[str]] | None = None
    immune: frozenset[str] = frozenset()
    wards: Callable[[Fight, Held, str, str], bool] | None = None
    forbids: Callable[[Fight, Held, Act], None] | None = None
    budget: Callable[[Fight, Held, Mapping[str, int]], Mapping[str, int]] | None = None
    as_bonus: frozenset[str] = frozenset()
    provokes: Callable[[Fight, Held, str], bool] | None = None
    drags_freely: Callable[[Fight, Held, Combatant], bool] | None = None
    knows: Callable[[Fight, Held, Combatant], bool] | None = None
    sees_truly: str = ""
    reacts: Callable[[Fight, Held], bool] | None = None
    more_opportunities: Callable[[Fight, Held], int] | None = None
    ends_on: frozenset[str] = frozenset()
    no_opportunity_attacks: bool = False
    no_healing: bool = False
    reveals: bool = False
    sees_invisible: bool = False
    escapes: Callable[[Fight, Held, Strike], bool] | None = None
    evades: Callable[[Fight, Held, str], bool] | None = None
    stays: Callable[[Fight, Held], bool] | None = None
    sure: frozenset[str] = frozenset()
    unhindered: frozenset[str] = frozenset()
    enters: frozenset[str] = frozenset()
    breathes: frozenset[str] = frozenset()
    on_objects: str = ""


# --- Who has which

SPELL: Final = "spell"
"""The stat of the effect of a spell, which lasts as long as the spell. Its modifier has the slot level."""

PREPARED: Final = "prepared"
"""Begins the name of what a spell does for those who have prepared it: the Reactions that it allows."""
STAT: Final = "stat"
"""The beginning of the name of a feature of those under an effect on something: "stat action"."""

NO_LEVEL: Final = ("", 0)
"""The level of features that no class has."""

NUMBERED: Final = re.compile(r"(.*\S) (\d+)")


def words_of(table: Mapping[str, Feature]) -> frozenset[str]:
    """Return the words by which a sheet names the features of a table, some with a number after them."""
    hidden = (f"{SPELL} ", f"{PREPARED} ", f"{STAT} ")
    own = {name: one for name, one in table.items() if one.in_area is None and not one.field}
    named = [
        one.choice or name
        for name, one in own.items()
        if (one.choice or not (one.level or one.state)) and not name.startswith(hidden)
    ]
    return frozenset((*named, *(f"{name} [0-9]*" for name in named)))


@per_company("combatant.id")
def features_of(fight: Fight, combatant: Combatant) -> tuple[Held, ...]:
    """Return the features that a combatant has: those of its sheet, and the spells that it is under.

    Of castings of the same spell the most potent counts, the most recent among equals
    (srd52.magic.combine-same).
    """
    found = [
        Held(name, feature, combatant, number)
        for name, feature, number in features_of_sheet(fight, combatant.sheet)
        if not feature.state or feature.state in combatant.conditions
    ]
    if combatant.conditions:
        of_states = features_of_states(fight)
        found += (
            Held(name, feature, combatant)
            for state in combatant.conditions
            for name, feature in of_states.get(state, ())
        )
    spells: dict[str, Held] = {}
    table: Mapping[str, Feature] = fight.dialect.kernel.features
    for effect in combatant.effects:
        if effect.stat == SPELL:
            held = held_spell(fight, combatant, effect)
            if held.name not in spells or held.number >= spells[held.name].number:
                spells[held.name] = held
        elif feature := table.get(f"{STAT} {effect.stat}"):
            name, number = effect.modifier.source, effect.modifier.value
            under = Held(name, feature, combatant, number, effect.against, "", effect.id, effect.until)
            found.append(under)
    return (*found, *spells.values())


@per_fight()
def features_of_states(fight: Fight) -> Mapping[str, tuple[tuple[str, Feature], ...]]:
    """Return by condition the features that each of its bearers has."""
    table: Mapping[str, Feature] = fight.dialect.kernel.features
    found: dict[str, tuple[tuple[str, Feature], ...]] = {}
    for name, feature in table.items():
        if feature.state and not feature.level:
            found[feature.state] = (*found.get(feature.state, ()), (name, feature))
    return found


def held_spell(fight: Fight, combatant: Combatant, effect: Effect) -> Held:
    """Return the spell of an effect as a feature of the combatant that is under it."""
    name = effect.modifier.source
    table: Mapping[str, Feature] = fight.dialect.kernel.features
    feature = table.get(f"{SPELL} {name}") or Feature(topic=effect.modifier.rule.partition(".")[2])
    choice = "" if effect.modifier.kind == SPELL else effect.modifier.kind
    return Held(
        name, feature, combatant, effect.modifier.value, effect.against, choice, effect.id, effect.until
    )


@per_company("combatant.id", "what")
def has(fight: Fight, combatant: Combatant, what: str) -> bool:
    """Return whether any feature of a combatant says so, such as "no_healing"."""
    return any(getattr(held.feature, what) for held in features_of(fight, combatant))


@per_fight(Same("sheet"))
def features_of_sheet(fight: Fight, sheet: Sheet) -> tuple[tuple[str, Feature, int], ...]:
    """Return the features by the traits, feats, prepared spells and levels of a sheet, with their numbers."""
    table: Mapping[str, Feature] = fight.dialect.kernel.features
    found = []
    for word in (*sheet.traits, *sheet.feats):
        numbered = NUMBERED.fullmatch(word)
        name, number = (numbered[1], int(numbered[2])) if numbered else (word, 0)
        feature = table.get(name)
        if feature and not (feature.lacks and feature.lacks(fight.dialect, sheet)):
            found.append((name, feature, number))
    of_classes = [(name, one) for name, one in features_of_classes(fight) if has_by_level(one, sheet)]
    always = (one for _, feature in of_classes for one in feature.prepares)
    for name in dict.fromkeys((*fight.dialect.custom_of(sheet).spells, *always)):
        if feature := table.get(f"{PREPARED} {name}"):
            found.append((name, feature, 0))
    found += [(name, one, sheet.classes[(one.level or NO_LEVEL)[0]]) for name, one in of_classes]
    own = sheet.custom or {}
    found += [(name, one, 0) for name, one in features_by_field(fight) if own.get(one.field)]
    return tuple(found)


@per_fight()
def features_of_classes(fight: Fight) -> tuple[tuple[str, Feature], ...]:
    """Return the features that a level of a class gives."""
    return tuple(one for one in fight.dialect.kernel.features.items() if one[1].level)


@per_fight()
def features_by_field(fight: Fight) -> tuple[tuple[str, Feature], ...]:
    """Return the features that a field of a sheet gives, without a level."""
    return tuple(one for one in fight.dialect.kernel.features.items() if one[1].field)


def has_by_level(feature: Feature, sheet: Sheet) -> bool:
    """Return whether a sheet has a feature by its class levels, and has chosen it if it is an option."""
    of_class, least = feature.level or NO_LEVEL
    if not of_class or sheet.classes.get(of_class, 0) < least:
        return False
    return feature.choice in ("", *sheet.traits)


def once_a_turn(fight: Fight, name: str) -> str:
    """Return the counter of a feature that counts once a turn, also in the turns of others."""
    return f"{name} in turn {fight.state.turn}"


Answer: TypeAlias = tuple[Callable[..., Any], Held]
"""The function of a feature for a moment, and the feature as a combatant has it."""


@per_company("combatant.id", "moment")
def ask(fight: Fight, combatant: Combatant, moment: str) -> tuple[Answer, ...]:
    """Return each feature of a combatant that answers at a moment, with its function."""
    found = ((getattr(held.feature, moment), held) for held in features_of(fight, combatant))
    return tuple((function, held) for function, held in found if function is not None)


@per_company("moment")
def ask_all(fight: Fight, moment: str) -> tuple[Answer, ...]:
    """Return each feature of anybody that answers at a moment, with its function, in order of entry."""
    return tuple(one for other in fight.state.combatants.values() for one in ask(fight, other, moment))


def parts_of(fight: Fight, combatant: Combatant, moment: str, *about: object) -> Iterator[Modifier]:
    """Yield the parts that a combatant's features add to a sum at a moment."""
    for function, held in ask(fight, combatant, moment):
        yield from function(fight, held, *about)


@per_company("combatant.id", "moment")
def any_of(fight: Fight, combatant: Combatant, moment: str) -> frozenset[str]:
    """Return all words that a combatant's features have for something: "sure", "enters", ..."""
    return frozenset(word for held in features_of(fight, combatant) for word in getattr(held.feature, moment))


def steps_of(fight: Fight, combatant: Combatant, moment: str, *about: object) -> Steps[None]:
    """Take the steps of a combatant's features at a moment."""
    found = ask(fight, combatant, moment)
    return each_in_turn(fight, found, about) if found else NOTHING


def each_in_turn(fight: Fight, answers: Iterable[Answer], about: Sequence[object]) -> Steps[None]:
    """Take the steps of several features."""
    for function, held in answers:
        yield from function(fight, held, *about)


def is_settled(fight: Fight, combatant: Combatant, moment: str, *about: object) -> Steps[bool]:
    """Take the steps of a combatant's features at a moment until one returns True; return whether one did."""
    for function, held in ask(fight, combatant, moment):
        if (yield from function(fight, held, *about)):
            return True
    return False
