"""The character sheet and other parts of facts: modifiers, durations, terrain, state between fights."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from affray.events.facts.base import Count, CustomFields, Name, Number, Place, Size, Sum, Told, Wield, Words
from affray.events.facts.base import Names as base_Names

# --- Parts of sheets: bonuses, ability scores, saves, riders


class Bonus(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One part of a printed number, such as armor 4 from a chain shirt.

    value: the number; negative for a penalty.
    kind: the bonus type.
    source: its source.
    """

    value: Number
    kind: Name
    source: Name = ""


class Abilities(Struct, frozen=True, gc=False, forbid_unknown_fields=True, rename={"int_": "int"}):
    """Ability scores; None if the creature lacks the score.

    str: Strength.
    dex: Dexterity.
    con: Constitution.
    int_: Intelligence.
    wis: Wisdom.
    cha: Charisma.
    """

    str: Number | None = 10
    dex: Number | None = 10
    con: Number | None = 10
    int_: Number | None = 10
    wis: Number | None = 10
    cha: Number | None = 10


class Saves(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Base saving throw bonuses, before ability modifiers.

    fort: Fortitude.
    ref: Reflex.
    will: Will.
    """

    fort: Number = 0
    ref: Number = 0
    will: Number = 0


Bonuses = Annotated[tuple[Bonus, ...], Meta(max_length=200)]

Names = Annotated[tuple[Name, ...], Meta(max_length=200)]


class ExtraDamage(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Extra dice of damage that are never multiplied, such as 1d6 fire.

    dice: the dice.
    kind: the type of damage.
    source: their source.
    """

    dice: Name
    kind: Name
    source: Name = ""


class Rider(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An effect of a hit or spell in addition to damage: poison, drain, a condition.

    name: its name.
    kind: its kind.
    delivery: "injury" needs a wound.
    save: the saving throw that prevents it; empty for none.
    dc: the DC of the saving throw.
    effect: its immediate effect: "1d6 str" (ability damage), "1d4 con drain", "2 negative levels" or a
        condition.
    secondary: for poison, the effect a minute later unless a second save prevents it.
    rounds: the duration of the condition; 0 until something ends it.
    """

    name: Name
    kind: Literal["poison", "disease", "stunning", "ability", "energy drain", "other"] = "other"
    delivery: Literal["injury", "contact"] = "injury"
    save: Literal["", "fort", "ref", "will"] = ""
    dc: Number = 0
    effect: Name = ""
    secondary: Name = ""
    rounds: Number = 0


Riders = Annotated[tuple[Rider, ...], Meta(max_length=50)]


class Grant(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A modifier that a spell gives.

    stat: the value that it changes: "attack", "defense", "save.will", "damage" and so on.
    value: the bonus or penalty.
    kind: the bonus type.
    """

    stat: Name
    value: Number
    kind: Name = "untyped"


# --- The character sheet: numbers as parts with their bonus types, never only a total

Numbers = Annotated[dict[Name, Number], Meta(max_length=1000)]
"""Numbers by name."""

SIZES: tuple[str, ...] = (
    "fine",
    "diminutive",
    "tiny",
    "small",
    "medium",
    "large",
    "huge",
    "gargantuan",
    "colossal",
)
#: The abilities, with the rulebook's name of each.
SCORES: dict[str, str] = {
    "str": "Strength",
    "dex": "Dexterity",
    "con": "Constitution",
    "int": "Intelligence",
    "wis": "Wisdom",
    "cha": "Charisma",
}
#: Kinds of creature that the rules distinguish.
KINDS: tuple[str, ...] = (
    "magical beast",
    "monstrous humanoid",
    "aberration",
    "animal",
    "construct",
    "dragon",
    "elemental",
    "fey",
    "giant",
    "humanoid",
    "ooze",
    "outsider",
    "plant",
    "undead",
    "vermin",
)


class Weapon(Struct, frozen=True, gc=False, forbid_unknown_fields=True, cache_hash=True):
    """A weapon of a sheet.

    name: its name.
    damage: its dice; empty if `table` gives them.
    damage_type: the type of its damage.
    wield: its category.
    threat: the lowest natural roll that threatens a critical hit.
    multiplier: the damage multiplier of a critical hit.
    range: the range increment in feet; 0 for melee only.
    thrown: a melee weapon that can be thrown.
    reach: a reach weapon.
    hands: the number of hands that hold it.
    rating: the Strength rating of a composite bow.
    family: its group of weapons, if rules refer to one.
    proficient: its wielder is proficient with it.
    traits: qualities such as "trip", "disarm+2", "brace", "finesse", "double", "nonlethal".
    attack: its parts of the attack bonus.
    bonus_damage: its parts of the damage.
    extra: extra dice that are never multiplied.
    ammunition: the number of missiles; not counted if left out. For a thrown weapon, the number of copies,
        one in hand and the others to be drawn; 1 if left out.
    off_hand: it is held in the off hand.
    table: its row in the rulebook's tables; figures left out here come from that row when the combatant
        enters, figures given here must agree with it.
    size: the size of creature that it is made for; empty for its wielder's.
    material: its material; empty for the usual one.
    masterwork: it is of masterwork quality.
    load: the kind of loading that it needs; empty for none.
    ounces: its weight.
    far: a fixed reach in feet, independent of the creature's reach (a whip).
    second: the damage of the second end of a double weapon.
    second_multiplier: the critical multiplier of the second end; 0 for the same.
    riders: further effects of a hit.
    """

    name: Name
    damage: Name
    damage_type: Name = "slashing"
    wield: Wield = "one-handed"
    threat: Number = 20
    multiplier: Number = 2
    range: Number = 0
    thrown: bool = False
    reach: bool = False
    hands: Number = 1
    rating: Number | None = None
    family: Name = ""
    proficient: bool = True
    traits: Names = ()
    attack: Bonuses = ()
    bonus_damage: Bonuses = ()
    extra: Annotated[tuple[ExtraDamage, ...], Meta(max_length=200)] = ()
    ammunition: Number | None = None
    off_hand: bool = False
    table: Name = ""
    size: Literal["", Size] = ""
    material: Name = ""
    masterwork: bool = False
    load: Name = ""
    ounces: Number = 0
    far: Number = 0
    second: Name = ""
    second_multiplier: Number = 0
    riders: Riders = ()


class Worn(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A worn suit of armor or shield.

    name: its name.
    table: the row of the rulebook's armor table; its figures come from there when the combatant enters.
    kind: armor or shield.
    bonus: its bonus to Armor Class.
    weight: the class of armor.
    max_dex: its maximum Dexterity bonus.
    check: its check penalty, 0 or less.
    failure: its arcane spell failure in percent.
    enhancement: its enhancement bonus.
    proficient: its wearer is proficient with it.
    masterwork: it is of masterwork quality.
    material: its material; empty for the usual one.
    size: the size of creature that it is made for; empty for its wearer's.
    ounces: its weight.
    traits: its qualities.
    """

    name: Name
    table: Name = ""
    kind: Literal["armor", "shield"] = "armor"
    bonus: Number = 0
    weight: Literal["none", "light", "medium", "heavy"] = "none"
    max_dex: Number | None = None
    check: Number = 0
    failure: Number = 0
    enhancement: Number = 0
    proficient: bool = True
    masterwork: bool = False
    material: Name = ""
    size: Literal["", Size] = ""
    ounces: Number = 0
    traits: Names = ()


class Spell(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A spell, power, special ability, magic item or grenade as numbers.

    name: its name.
    level: its level.
    casting: its casting time.
    range: its range in feet; 0 for touch.
    touch: its touch attack; empty for none.
    area: the shape of its area; empty for single targets.
    area_feet: the size of its area in feet.
    save: the saving throw against it; empty for none.
    dc: the DC of the saving throw; 0 to calculate it from level and `key`.
    on_save: the effect of a successful save.
    damage: its dice.
    damage_type: the type of its damage.
    condition: the condition that it causes.
    rounds: the duration of its condition and grants.
    components: its components.
    resistance: spell resistance applies to it.
    uses: the number of uses; unlimited if left out.
    school: its school.
    key: the caster's key ability.
    caster_level: its caster level; 0 to calculate it from the caster's levels or Hit Dice.
    arcane: it is an arcane spell.
    spontaneous: it is cast spontaneously, without preparation.
    metamagic: the metamagic feats that a spontaneous caster applies.
    concentration: it lasts while the caster concentrates.
    touches: the number of creatures that its charge can touch.
    grants: the modifiers that it gives for its duration.
    ongoing: dice of damage at the start of the target's turns.
    ability: the type of a special ability that is not a spell.
    delivery: the delivery of such an ability.
    item: the kind of magic item that holds the spell.
    dispels: it dispels magic, so it can counter other spells.
    reach: a standard range instead of `range`.
    riders: further effects, such as poison.
    healing: dice of hit points that it heals.
    temporary: dice of temporary hit points.
    works: when it takes effect, if its description says so and the dialect distinguishes that.
    save_each_round: a creature under its condition may spend its turn on a new saving throw.
    """

    name: Name
    level: Number = 0
    casting: Literal["standard", "full-round", "one-round", "move", "swift", "immediate", "free"] = "standard"
    range: Number = 0
    touch: Literal["", "melee", "ranged"] = ""
    area: Literal["", "burst", "cone", "line", "emanation", "spread"] = ""
    area_feet: Number = 0
    save: Literal["", "fort", "ref", "will"] = ""
    dc: Number = 0
    on_save: Literal["negates", "half", "partial"] = "negates"
    damage: Name = ""
    damage_type: Name = ""
    condition: Name = ""
    rounds: Number = 0
    components: Names = ("verbal", "somatic")
    resistance: bool = True
    uses: Number | None = None
    school: Name = ""
    key: Literal["", "str", "dex", "con", "int", "wis", "cha"] = ""
    caster_level: Number = 0
    arcane: bool = False
    spontaneous: bool = False
    metamagic: Names = ()
    concentration: bool = False
    touches: Number = 1
    grants: Annotated[tuple[Grant, ...], Meta(max_length=50)] = ()
    ongoing: Name = ""
    ability: Literal["", "extraordinary", "spell-like", "supernatural"] = ""
    delivery: Literal["", "breath", "gaze", "presence"] = ""
    item: Literal["", "scroll", "wand", "command", "use", "potion", "staff", "worn"] = ""
    dispels: Literal["", "normal", "greater"] = ""
    reach: Literal["", "close", "medium", "long"] = ""
    riders: Riders = ()
    healing: Name = ""
    temporary: Name = ""
    works: Literal["", "at once", "turn end", "round end"] = ""
    save_each_round: bool | UnsetType = UNSET


class Reduction(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Damage reduction: an amount subtracted from each hit.

    amount: the amount.
    bypass: the kinds of weapons that ignore it.
    """

    amount: Number
    bypass: Names = ()


class Thing(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The figures of an object on the map: a door, a chest, a wall.

    table: its row in the rulebook's tables of objects; figures from there are left out here.
    substance: its material.
    inches: its thickness.
    hardness: its hardness.
    break_dc: the Strength DC to break it.
    caster_level: the caster level of its magic.
    """

    table: Name = ""
    substance: Name = ""
    inches: Number = 0
    hardness: Number = 0
    break_dc: Number = 0
    caster_level: Number = 0


class Sheet(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Everything printed about one combatant; speeds and reach in feet.

    name: its name.
    hp: its maximum hit points.
    size: its size.
    tall: it is a tall creature, not a long one.
    kind: the type of creature.
    hit_dice: the sum of class levels, or a monster's Hit Dice.
    classes: class levels by name.
    abilities: the ability scores.
    base_attack: the base attack bonus.
    saves: the base saving throws.
    save_bonuses: additional parts of saving throws, under "fort", "ref", "will" or "all".
    armor: the parts of Armor Class by kind.
    armor_weight: the class of its armor.
    max_dex: the maximum Dexterity bonus in its armor.
    initiative: parts of the initiative other than Dexterity.
    speed: the speed as printed.
    base_speed: the speed without armor.
    fly: its fly speed; 0 for none.
    space: its space in feet; determined by its size if left out.
    reach: its natural reach in feet; determined by its size if left out.
    legs: the number of its legs.
    weapons: its weapons.
    spells: its spells, special abilities and magic items.
    feats: its feats.
    traits: other qualities that rules refer to by name.
    skills: the totals of its skills.
    reductions: its damage reduction.
    resistances: its resistance to each type of energy.
    spell_resistance: its spell resistance; 0 for none.
    concentration: the total of its concentration.
    fast_healing: hit points that it heals each round.
    regeneration: hit points that it regenerates each round.
    lethal: the kinds of damage that it cannot regenerate.
    poisons: the doses of poison that it carries for weapons.
    bare: the numbers without the bonuses of classes and feats, which the dialect then adds.
    race: its race; if given, its speed is calculated from race, class, armor and load.
    speed_bonuses: parts of the speed.
    maneuver: its maneuverability in flight.
    swim: its swim speed; 0 for none.
    climb: its climb speed; 0 for none.
    carried: its load in pounds.
    check_penalties: check penalties of armor and shield that are not included in `skills`.
    ranks: ranks in skills, for rules that need them.
    good_saves: the good saves of each class; base saves are calculated from them instead of `saves`.
    worn: armor and shields with separate figures, which are added to `armor`, maximum Dexterity, check
        penalties and speed when the combatant enters.
    spell_failure: arcane spell failure in percent.
    thing: the figures of an object, if it is one.
    custom: the fields that an installed dialect declares for its sheets.
    """

    name: Name
    hp: Number
    size: Size = "medium"
    tall: bool = True
    kind: Name = "humanoid"
    hit_dice: Number = 1
    classes: Numbers = field(default_factory=dict)
    abilities: Abilities = Abilities()
    base_attack: Number = 0
    saves: Saves = Saves()
    save_bonuses: Annotated[dict[Name, Bonuses], Meta(max_length=1000)] = field(default_factory=dict)
    armor: Bonuses = ()
    armor_weight: Literal["none", "light", "medium", "heavy"] = "none"
    max_dex: Number | None = None
    initiative: Bonuses = ()
    speed: Number = 30
    base_speed: Number | None = None
    fly: Number = 0
    space: Number | None = None
    reach: Number | None = None
    legs: Number = 2
    weapons: Annotated[tuple[Weapon, ...], Meta(max_length=200)] = ()
    spells: Annotated[tuple[Spell, ...], Meta(max_length=200)] = ()
    feats: Names = ()
    traits: Names = ()
    skills: Numbers = field(default_factory=dict)
    reductions: Annotated[tuple[Reduction, ...], Meta(max_length=200)] = ()
    resistances: Numbers = field(default_factory=dict)
    spell_resistance: Number = 0
    concentration: Number | None = None
    fast_healing: Number = 0
    regeneration: Number = 0
    lethal: Names = ()
    poisons: Riders = ()
    bare: Names = ()
    race: Name = ""
    speed_bonuses: Bonuses = ()
    maneuver: Literal["", "perfect", "good", "average", "poor", "clumsy"] = ""
    swim: Number = 0
    climb: Number = 0
    carried: Number = 0
    check_penalties: Bonuses = ()
    ranks: Numbers = field(default_factory=dict)
    good_saves: Annotated[dict[Name, Names], Meta(max_length=1000)] = field(default_factory=dict)
    worn: Annotated[tuple[Worn, ...], Meta(max_length=200)] = ()
    spell_failure: Number = 0
    thing: Thing | None = None
    custom: CustomFields | UnsetType = UNSET


# --- Bounds on the numbers of a sheet in a fight
#
# A declaration may contain any sheet, because it is recorded even if refused; these bounds are checked for
# sheets that enter. Beyond them, calculations of squares, lines and dice would take too long.

MOST_FEET = 10_000
LARGEST_SPACE_FT = 100
FARTHEST_REACH_FT = 500
FASTEST_FT = 5_000
LARGEST_AREA_FT = 1_000
HIGHEST_SCORE = 100
MOST_TIMES = 10


def beyond_bounds(sheet: Sheet) -> str:
    """Return a sentence about the first number of a sheet that is out of bounds, or ""."""
    return next(filter(None, _faults(sheet)), "")


def _faults(sheet: Sheet) -> Iterator[str]:
    ways = (sheet.speed, sheet.base_speed or 0, sheet.fly, sheet.swim, sheet.climb)
    if min(*ways, sheet.reach or 0, sheet.space or 5) < 0:
        yield "speed, reach and space cannot be negative"
    for name, feet, most in (
        ("speed", max(ways), FASTEST_FT),
        ("reach", sheet.reach or 0, FARTHEST_REACH_FT),
        ("space", sheet.space or 0, LARGEST_SPACE_FT),
    ):
        if feet > most:
            yield f"a {name} of {feet} ft. is more than the {most} ft. that are possible on a map"
    for score in ("str", "dex", "con", "int_", "wis", "cha"):
        value = getattr(sheet.abilities, score)
        if value is not None and not 0 <= value <= HIGHEST_SCORE:
            yield f"ability scores run from 0 to {HIGHEST_SCORE}, not {value}"
    for weapon in sheet.weapons:
        if fault := _of_weapon(weapon):
            yield f"{weapon.name}: {fault}"
    for spell in sheet.spells:
        if fault := _of_spell(spell):
            yield f"{spell.name}: {fault}"


def _of_weapon(weapon: Weapon) -> str:
    if not 0 <= weapon.range <= MOST_FEET:
        return f"a range increment is 0 to {MOST_FEET} ft., not {weapon.range}"
    if not 0 <= weapon.far <= FARTHEST_REACH_FT:
        return f"a weapon reaches 0 to {FARTHEST_REACH_FT} ft. far, not {weapon.far}"
    if not 2 <= weapon.threat <= 20:
        return f"a weapon threatens on 20 or from a lower number down to 2, not {weapon.threat}"
    if not 1 <= weapon.multiplier <= MOST_TIMES:
        return f"a critical multiplier is 1 to {MOST_TIMES}, not {weapon.multiplier}"
    if not 0 <= weapon.second_multiplier <= MOST_TIMES:
        return (
            f"the critical multiplier of the other end is 0 to {MOST_TIMES}, not {weapon.second_multiplier}"
        )
    if weapon.hands < 0 or (weapon.ammunition or 0) < 0:
        return "hands and ammunition cannot be negative"
    return ""


def _of_spell(spell: Spell) -> str:
    if not 0 <= spell.range <= MOST_FEET:
        return f"a range is 0 to {MOST_FEET} ft., not {spell.range}"
    if not 0 <= spell.area_feet <= LARGEST_AREA_FT:
        return f"an area is 0 to {LARGEST_AREA_FT} ft., not {spell.area_feet}"
    return ""


# --- A modifier of a roll, with the rule it comes from


class Modifier(Struct, frozen=True, gc=False):
    """A typed bonus (positive) or penalty (negative).

    `kind` is the bonus type ("armor", "dodge", "size", ...), `source` a description,
    `rule` the id of the rule that grants it. `denied` is empty while the modifier counts;
    otherwise it is the reason why not (a larger bonus of that type, or a condition).
    """

    value: Sum
    kind: Words
    source: Words
    rule: Name
    denied: Told = ""


Modifiers = Annotated[tuple[Modifier, ...], Meta(max_length=10_000)]
"""All modifiers of a roll, including those that do not count."""


# --- Durations


class Until(Struct, frozen=True, gc=False):
    """The end of a duration: `when` ("turn-start", "turn-end", "round-end", "rest") of `who`'s turn
    in round `round` or later; with `when` "" it lasts until something else ends it, with "declaration" until
    the declaration that a ruling is about is decided.

    With a `count` it ends just before that initiative count, on which it began, instead.
    """

    when: Name = ""
    who: Name = ""
    round: Count = 0
    count: Sum | UnsetType = UNSET


# --- The map: obstacles between squares, and ground that covers squares

Row = Annotated[str, Meta(max_length=200)]

MOST_ROWS = 200
Rows = Annotated[tuple[Row, ...], Meta(max_length=MOST_ROWS)]
"""A map: a character for each square."""


class Barrier(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An obstacle between two neighbouring squares that hampers movement across it, both ways.

    `check` names the skill needed to cross it, against `dc`; "" for none. `cover` is the cover behind it:
    "low" for a low wall, "high" for any other obstacle, "" for none. With "total" it is a wall, which blocks
    movement, line of effect and sight. A wall with a name in `door` is a door, or part of one, and blocks
    nothing while it is `open`. A low wall is low for attackers of the size `low_for` and larger, a high
    obstacle for smaller ones; low for all of them if left out. What `conceals`, as a curtain, gives
    concealment to those behind it.
    """

    here: Place
    there: Place
    check: Name = ""
    dc: Number = 0
    cover: Literal["", "low", "high", "total"] = ""
    door: Name = ""
    open: bool = False
    low_for: Size | UnsetType = UNSET
    conceals: bool | UnsetType = UNSET


class Ground(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Ground that covers the squares from `here` to `there`, two opposite corners: ice, deep snow."""

    here: Place
    there: Place
    what: Name


Barriers = Annotated[tuple[Barrier, ...], Meta(max_length=10_000)]
Grounds = Annotated[tuple[Ground, ...], Meta(max_length=1000)]


# --- Installed packages in the log


class Package(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An installed package used in a fight: a dialect, or house rules for one.

    `name` is the name of its entry point, `digest` the sha256 of its files in hexadecimal digits.
    """

    name: Name
    version: Name
    digest: Name


# --- The state of a combatant carried from one fight into another

Amounts = Annotated[tuple[tuple[Words, Sum], ...], Meta(max_length=1000)]
"""Amounts by name, sorted by name."""


class Origin(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The origin of a carried combatant: an event of another log, and the time since then.

    `log` is the digest of the first event of that log, which identifies it wherever it is stored; `fight` is
    the name of its encounter. There the combatant is `id` and left after event `seq` of `branch`, whose
    digest is `digest`. `state` is the digest (hex) of its carried sheet and state. `after` is the number of
    rounds in between, -1 if unknown; `renewed` lists the uses renewed in between, "all" for every one;
    `gathered` means that it picked up its items from the ground. `together` are the combatants carried by the
    same command: the id of each there and here.
    """

    log: Name
    branch: Name
    seq: Count
    digest: Name
    id: Name
    state: Name
    fight: Words = ""
    after: Count = -1
    renewed: base_Names = ()
    gathered: bool = False
    together: Annotated[tuple[tuple[Name, Name], ...], Meta(max_length=200)] = ()


class LastingCondition(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A carried condition: like `ConditionGained`, but `until.round` is the number of rounds left."""

    condition: Words
    source: Words
    until: Until = Until()
    level: Sum = 0
    aloft: bool = False


class LastingEffect(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A carried temporary modifier: like `EffectGained`, but `until.round` is the number of rounds left."""

    id: Words
    stat: Words
    modifier: Modifier
    until: Until = Until()
    against: Words = ""
    uses: Sum = 0


class LastingAffliction(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A carried affliction: like `AfflictionHeld`, but with the `rounds` and `minutes` left (-1: never)."""

    id: Words
    rider: Rider
    by: Words
    dc: Sum
    rounds: Count = -1
    minutes: Count = -1
    treated: Count = -1


class Carried(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The state in which a combatant left another fight, without its sheet.

    `items` are the states of items not simply in hand or put away ("dropped", "unloaded", ...), `unloaded`
    are weapons out of hand that must be loaded when they are taken up again. `losses` are ability points lost
    by damage ("str") or drain ("str drain"). `own_side` is its original side, while it fights for another.
    """

    hp: Sum
    max_hp: Sum
    nonlethal: Sum = 0
    temporary: Sum = 0
    own_side: Name = ""
    held: Annotated[tuple[Words, ...], Meta(max_length=1000)] = ()
    items: Annotated[tuple[tuple[Words, Words], ...], Meta(max_length=1000)] = ()
    unloaded: Annotated[tuple[Words, ...], Meta(max_length=1000)] = ()
    conditions: Annotated[tuple[LastingCondition, ...], Meta(max_length=1000)] = ()
    effects: Annotated[tuple[LastingEffect, ...], Meta(max_length=1000)] = ()
    used: Amounts = ()
    injuries: Annotated[tuple[Words, ...], Meta(max_length=1000)] = ()
    losses: Amounts = ()
    afflictions: Annotated[tuple[LastingAffliction, ...], Meta(max_length=1000)] = ()
    counters: Amounts = ()
