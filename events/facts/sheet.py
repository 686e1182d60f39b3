"""The character sheet: numbers as parts with their bonus types, never only as a total."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from affray.events.facts.limits import Name, Number

Wield = Literal["unarmed", "natural", "light", "one-handed", "two-handed", "projectile"]
Size = Literal["fine", "diminutive", "tiny", "small", "medium", "large", "huge", "gargantuan", "colossal"]

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


class Bonus(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One printed part of a number: armor 4 from a chain shirt."""

    value: Number
    kind: Name
    source: Name = ""


class Abilities(Struct, frozen=True, gc=False, forbid_unknown_fields=True, rename={"int_": "int"}):
    """Ability scores; None is a score the creature does not have."""

    str: Number | None = 10
    dex: Number | None = 10
    con: Number | None = 10
    int_: Number | None = 10
    wis: Number | None = 10
    cha: Number | None = 10


class Saves(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Base saving throw bonuses, before ability modifiers."""

    fort: Number = 0
    ref: Number = 0
    will: Number = 0


Bonuses = Annotated[tuple[Bonus, ...], Meta(max_length=200)]
Names = Annotated[tuple[Name, ...], Meta(max_length=200)]


class ExtraDamage(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Dice beyond the weapon's own, never multiplied: 1d6 fire."""

    dice: Name
    kind: Name
    source: Name = ""


class Rider(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What a hit or a spell brings along besides damage: poison, drain, a condition.

    `effect` is what it does at once: "1d6 str" (ability damage), "1d4 con drain", "2 negative levels" or the
    name of a condition, which lasts `rounds` (0: until something ends it). `save` with `dc` holds it off.
    `delivery` "injury" needs a wound; of poison, `secondary` follows a minute later unless another save
    holds it off.
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


class Weapon(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A weapon as it is wielded.

    `threat` is the lowest natural roll that threatens a critical; `range` the increment in feet
    (0: melee only); `thrown` marks a melee weapon that may be thrown; `reach` a reach weapon;
    `hands` how many hands hold it; `rating` the Strength a composite bow is built for.
    `family` names a group that rules speak of ("bow", "crossbow", "sling", "firearm", "polearm");
    `traits` lists qualities such as "trip", "disarm", "brace", "finesse", "double", "nonlethal".
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
    riders: Riders = ()


class Spell(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A spell, power or grenade as numbers.

    `healing` are the dice of hit points that it gives back, `temporary` those that it lends for its rounds.

    `range` in feet (0: touch); `touch` asks for a touch attack; `save` with `dc` and what a success
    does; `area` and `area_feet` give the shape ("burst", "cone", "line"; "" for single targets).
    """

    name: Name
    level: Number = 0
    casting: Literal["standard", "full-round", "swift", "immediate", "free"] = "standard"
    range: Number = 0
    touch: Literal["", "melee", "ranged"] = ""
    area: Literal["", "burst", "cone", "line"] = ""
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
    riders: Riders = ()
    healing: Name = ""
    temporary: Name = ""


class Reduction(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Damage reduction: `amount` off each hit unless the weapon is of a kind in `bypass`."""

    amount: Number
    bypass: Names = ()


class Sheet(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Everything printed about one combatant; speeds and reach in feet.

    `armor` lists the parts of Armor Class by type; `max_dex` is the cap that armor sets;
    `classes` gives class levels by name, `hit_dice` their sum (or a monster's Hit Dice). `speed` is the
    speed as printed, `base_speed` the one without armor. With a `race` the speed is worked out instead, from
    `base_speed` or the race, class, `speed_bonuses`, armor and load. `maneuver` says how a creature flies
    ("perfect" to "clumsy"), `swim` and `climb` are speeds of those modes. `carried` is what it bears, in
    pounds; `check_penalties` are those of armor and shield that the totals in `skills` leave out, `ranks`
    the ranks in a skill where a rule asks for them. `bare` names the
    numbers that lack what classes and feats give, where the dialect reckons it: "base attack", "hit points".
    `fast_healing` and `regeneration` are hit points a round, `lethal` the kinds of damage that a regenerating
    creature takes in full; `poisons` the doses carried for weapons.
    """

    name: Name
    hp: Number
    size: Size = "medium"
    tall: bool = True
    kind: Name = "humanoid"
    hit_dice: Number = 1
    classes: dict[Name, Number] = field(default_factory=dict)
    abilities: Abilities = Abilities()
    base_attack: Number = 0
    saves: Saves = Saves()
    save_bonuses: dict[Name, Bonuses] = field(default_factory=dict)
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
    skills: dict[Name, Number] = field(default_factory=dict)
    reductions: Annotated[tuple[Reduction, ...], Meta(max_length=200)] = ()
    resistances: dict[Name, Number] = field(default_factory=dict)
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
    ranks: dict[Name, Number] = field(default_factory=dict)
