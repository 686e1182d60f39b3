"""The character sheet, and what else facts are made of: modifiers, moments, terrain, how somebody left."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from affray.events.facts.base import Count, Name, Number, Place, Size, Sum, Told, Wield, Words
from affray.events.facts.base import Names as base_Names

# --- What the sheets of combatants are made of: bonuses, ability scores, saves, riders


class Bonus(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One printed part of a number: armor 4 from a chain shirt.

    value: how much; below 0 a penalty.
    kind: the kind of bonus.
    source: what gives it.
    """

    value: Number
    kind: Name
    source: Name = ""


class Abilities(Struct, frozen=True, gc=False, forbid_unknown_fields=True, rename={"int_": "int"}):
    """Ability scores; None is a score the creature does not have.

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
    """Dice beyond the weapon's own, never multiplied: 1d6 fire.

    dice: the dice.
    kind: the type of damage.
    source: what gives them.
    """

    dice: Name
    kind: Name
    source: Name = ""


class Rider(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a hit or a spell brings along besides damage: poison, drain, a condition.

    name: what it is called.
    kind: what it is.
    delivery: "injury" needs a wound.
    save: the saving throw that holds it off; empty for none.
    dc: the DC of the saving throw.
    effect: what it does at once: "1d6 str" (ability damage), "1d4 con drain", "2 negative levels" or a
        condition.
    secondary: of poison, what follows a minute later unless another save holds it off.
    rounds: how long the condition lasts; 0 until something ends it.
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

    stat: what it changes: "attack", "defense", "save.will", "damage" and the like.
    value: how much.
    kind: the kind of bonus.
    """

    stat: Name
    value: Number
    kind: Name = "untyped"


# --- The character sheet: numbers as parts with their bonus types, never only as a total

Numbers = Annotated[dict[Name, Number], Meta(max_length=1000)]
"""A number for each of several names."""

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
#: The abilities, and what the rulebook calls each.
SCORES: dict[str, str] = {
    "str": "Strength",
    "dex": "Dexterity",
    "con": "Constitution",
    "int": "Intelligence",
    "wis": "Wisdom",
    "cha": "Charisma",
}
#: Kinds of creature that rules tell apart.
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
    """A weapon as it is wielded.

    name: what it is called.
    damage: its dice; empty where `table` gives them.
    damage_type: the type of its damage.
    wield: how it is wielded.
    threat: the lowest natural roll that threatens a critical hit.
    multiplier: what a critical hit multiplies the damage by.
    range: the range increment in feet; 0 for melee only.
    thrown: a melee weapon that may be thrown.
    reach: a reach weapon.
    hands: how many hands hold it.
    rating: the Strength that a composite bow is built for.
    family: the group of weapons that rules speak of.
    proficient: its wielder is proficient with it.
    traits: qualities such as "trip", "disarm+2", "brace", "finesse", "double", "nonlethal".
    attack: parts of the attack bonus that belong to it.
    bonus_damage: parts of the damage that belong to it.
    extra: dice beyond its own, never multiplied.
    ammunition: how many missiles there are; left out, they are not counted. Of a weapon that is thrown itself
        how many of it there are, one in hand and the others to be drawn; left out, there is one.
    off_hand: it is held in the off hand.
    table: the row of the rulebook's tables that it is; what is left out here comes from there when the
        combatant enters, what is given must agree.
    size: the size of creature that it is made for; empty for its wielder's.
    material: what it is made of; empty for the usual.
    masterwork: it is of masterwork quality.
    load: the kind of loading that it wants; empty for none.
    ounces: its weight.
    far: its own reach in feet where no creature's reach decides (a whip).
    second: the damage of the other end of a double weapon.
    second_multiplier: the critical multiplier of the other end; 0 for the same.
    riders: what a hit brings along.
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
    """A suit of armor or a shield, as it is worn.

    name: what it is called.
    table: the row of the rulebook's armor table; its figures come from there when the combatant enters.
    kind: armor or shield.
    bonus: what it gives to Armor Class.
    weight: the class of armor.
    max_dex: the most that Dexterity counts in it.
    check: its check penalty, 0 or less.
    failure: its arcane spell failure in percent.
    enhancement: its magic.
    proficient: its wearer is proficient with it.
    masterwork: it is of masterwork quality.
    material: what it is made of; empty for the usual.
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

    name: what it is called.
    level: its level.
    casting: the action or time that it takes.
    range: its range in feet; 0 for touch.
    touch: the touch attack that it takes; empty for none.
    area: the shape of its area; empty for single targets.
    area_feet: the size of its area in feet.
    save: the saving throw against it; empty for none.
    dc: the DC of the saving throw; 0 for what level and `key` make it.
    on_save: what a success does.
    damage: its dice.
    damage_type: the type of its damage.
    condition: the condition that it brings.
    rounds: how long condition and grants last.
    components: what casting it takes.
    resistance: spell resistance applies to it.
    uses: how often it can be used; left out, without limit.
    school: its school.
    key: the caster's key ability.
    caster_level: its caster level; 0 for what the caster's levels or Hit Dice give.
    arcane: it is an arcane spell.
    spontaneous: its caster casts without preparing.
    metamagic: the metamagic feats that a spontaneous caster applies.
    concentration: it lasts while the caster keeps up its concentration.
    touches: how many creatures its charge touches.
    grants: the modifiers that it gives for as long.
    ongoing: dice of damage at the start of the target's turns.
    ability: the class of a special ability that is no spell.
    delivery: how such an ability comes.
    item: the kind of a magic item that holds the spell.
    dispels: what counters other spells.
    reach: a standard range instead of `range`.
    riders: poison and the like that it brings.
    healing: dice of hit points that it gives back.
    temporary: dice of hit points that it lends for its time.
    works: when it takes effect, where its description says so and the dialect asks.
    save_each_round: whom its condition holds may spend its turn on a new saving throw.
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
    # Left out where nothing is said: the bytes of any other sheet stay what they were in every release.
    save_each_round: bool | UnsetType = UNSET


class Reduction(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Damage reduction: so much off each hit.

    amount: how much.
    bypass: the kinds of weapons that it does not hold off.
    """

    amount: Number
    bypass: Names = ()


class Thing(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What makes a sheet that of a mere thing: a door, a chest, a wall.

    table: the row of the rulebook's tables of things; what it gives is left out here.
    substance: what it is made of.
    inches: how thick it is.
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

    name: what it is called.
    hp: its full hit points.
    size: its size.
    tall: it is tall, not long.
    kind: the type of creature.
    hit_dice: the sum of class levels, or a monster's Hit Dice.
    classes: class levels by name.
    abilities: the ability scores.
    base_attack: the base attack bonus.
    saves: the base saving throws.
    save_bonuses: further parts of saving throws, under "fort", "ref", "will" or "all".
    armor: the parts of Armor Class by kind.
    armor_weight: the class of its armor.
    max_dex: the most that Dexterity counts in its armor.
    initiative: parts of the initiative besides Dexterity.
    speed: the speed as printed.
    base_speed: the speed without armor.
    fly: the speed of flying; 0 for none.
    space: the feet that it takes up; left out, by its size.
    reach: its natural reach in feet; left out, by its size.
    legs: how many legs it has.
    weapons: its weapons.
    spells: its spells, special abilities and magic items.
    feats: its feats.
    traits: whatever else rules ask for by name.
    skills: the totals of its skills.
    reductions: its damage reduction.
    resistances: how much of each type of energy it resists.
    spell_resistance: its spell resistance; 0 for none.
    concentration: the total of its concentration.
    fast_healing: hit points that it gets back each round.
    regeneration: hit points that it regenerates each round.
    lethal: the kinds of damage that a regenerating creature takes in full.
    poisons: the doses of poison that it carries for weapons.
    bare: the numbers that lack what classes and feats give, where the dialect works it out.
    race: its race; then the speed is worked out from race, class, armor and load.
    speed_bonuses: parts of the speed.
    maneuver: how well it flies.
    swim: the speed of swimming; 0 for none.
    climb: the speed of climbing; 0 for none.
    carried: what it bears, in pounds.
    check_penalties: the check penalties of armor and shield that the totals in `skills` leave out.
    ranks: ranks in a skill where a rule asks for them.
    good_saves: the good saves of each class, from which the base saves follow instead of `saves`.
    worn: armor and shields with their own figures, added to `armor`, the caps, the check penalties and the
        speed as the combatant enters.
    spell_failure: arcane spell failure in percent.
    thing: what makes it a mere thing.
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


# --- What the numbers of a sheet may be with which a combatant is in a fight
#
# A declaration may show any sheet, for it is recorded even where it is refused; this is asked of those that
# have entered. Beyond these bounds squares, lines and dice would take longer to count than anybody waits.

MOST_FEET = 10_000
LARGEST_SPACE_FT = 100
FARTHEST_REACH_FT = 500
FASTEST_FT = 5_000
LARGEST_AREA_FT = 1_000
HIGHEST_SCORE = 100
MOST_TIMES = 10


def beyond_bounds(sheet: Sheet) -> str:
    """Return which number of a sheet no creature in a fight has, in one sentence; "" if there is none."""
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
            yield f"a {name} of {feet} ft. is beyond the {most} ft. that a map has room for"
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


# --- One number that speaks for or against a roll, with the rule it comes from


class Modifier(Struct, frozen=True, gc=False):
    """A typed bonus (positive) or penalty (negative).

    `kind` is the bonus type ("armor", "dodge", "size", ...), `source` what a person calls it,
    `rule` the id of the rule that grants it. `denied` is empty while the modifier counts;
    otherwise it says why it does not (what overruled it, or what takes it away).
    """

    value: Sum
    kind: Words
    source: Words
    rule: Name
    denied: Told = ""


Modifiers = Annotated[tuple[Modifier, ...], Meta(max_length=10_000)]
"""All that speaks for or against one roll, what does not count included."""


# --- Moments of a fight until which something lasts


class Until(Struct, frozen=True, gc=False):
    """When something ends: `when` ("turn-start", "turn-end", "round-end", "rest") of `who`'s turn
    in round `round` or later; `when` "" lasts until something else ends it, "declaration" until the
    declaration is decided for which the game master ruled it.

    With a `count` it ends just before that count of the initiative instead, on which it began.
    """

    when: Name = ""
    who: Name = ""
    round: Count = 0
    count: Sum | UnsetType = UNSET


# --- What the map holds besides its squares: obstacles between them, and what covers them

Row = Annotated[str, Meta(max_length=200)]

MOST_ROWS = 200
Rows = Annotated[tuple[Row, ...], Meta(max_length=MOST_ROWS)]
"""A map: a character for each square."""


class Barrier(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An obstacle between two neighbouring squares that hampers whoever crosses it, both ways.

    `check` names the skill that crossing asks for, against `dc`; "" for none. `cover` is what it gives to
    those behind it: "low" as a low wall, "high" as any other obstacle, "" none. With "total" it is a wall:
    nobody crosses it, and no line of effect or sight does. A wall that has a name under `door` is a door, or
    part of one, and lets everything through while it is `open`.
    """

    here: Place
    there: Place
    check: Name = ""
    dc: Number = 0
    cover: Literal["", "low", "high", "total"] = ""
    door: Name = ""
    open: bool = False


class Ground(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What covers the squares of the map from `here` to `there`, two opposite corners: ice, deep snow."""

    here: Place
    there: Place
    what: Name


Barriers = Annotated[tuple[Barrier, ...], Meta(max_length=10_000)]
Grounds = Annotated[tuple[Ground, ...], Meta(max_length=1000)]


# --- An installed package, as the log records it


class Package(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An installed package that a fight is played with: a dialect, or house rules for one.

    `name` is that of its entry point, `digest` the sha256 over its files, in hexadecimal digits.
    """

    name: Name
    version: Name
    digest: Name


# --- How a combatant has left one fight, as it is brought into another one, and from where

Amounts = Annotated[tuple[tuple[Words, Sum], ...], Meta(max_length=1000)]
"""How much of each, by name, in the order of the names."""


class Origin(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Where a combatant comes from: an event of another log, and what went by since.

    `log` is the digest of the first event of that log, by which it is known wherever it is kept; `fight` the
    name of its encounter. There the combatant is `id` and left after event `seq` of `branch`, whose digest is
    `digest`. `state` is the digest (hex) of sheet and state as they are brought along. `after` are the rounds
    that went by in between, -1 where nobody has said; `renewed` the uses that were renewed meanwhile, "all"
    for every one; `gathered` says that it has picked up what of its own lay about. `together` are those who
    come along by the same command: what each was called there and is called here.
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
    """A condition that goes along: as `ConditionGained`, but `until.round` counts the rounds left."""

    condition: Words
    source: Words
    until: Until = Until()
    level: Sum = 0
    aloft: bool = False


class LastingEffect(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A passing modifier that goes along: as `EffectGained`, but `until.round` counts the rounds left."""

    id: Words
    stat: Words
    modifier: Modifier
    until: Until = Until()
    against: Words = ""
    uses: Sum = 0


class LastingAffliction(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Something that works on: as `AfflictionHeld`, but in `rounds` and `minutes` left (-1: never)."""

    id: Words
    rider: Rider
    by: Words
    dc: Sum
    rounds: Count = -1
    minutes: Count = -1
    treated: Count = -1


class Carried(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The state in which a combatant has left another fight, besides its sheet.

    `items` are what has become of each that is not simply in hand or put away ("dropped", "unloaded", ...),
    `unloaded` those out of hand that want loading when they are taken up again. `losses` are points that
    abilities have lost by damage ("str") or for good ("str drain"). `own_side` is the side that it entered
    on, while it fights for another.
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
