"""The character sheet: numbers as parts with their bonus types, never only as a total."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from affray.events.facts.base import Name, Number, Size

Wield = Literal["unarmed", "natural", "light", "one-handed", "two-handed", "projectile"]

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
    `traits` lists qualities such as "trip", "disarm+2", "brace", "finesse", "double", "nonlethal".

    `table` names the row of the rulebook's weapon tables that it is: then what is left out here comes from
    there when the combatant enters (`damage` is left empty), and what is given must agree. `size` is the size
    of creature that it is made for ("": its wielder's), `material` what it is made of ("": the usual), `load`
    the kind of loading that it wants ("": none), `ounces` its weight, `far` its own reach in feet where no
    creature's reach decides (a whip), `second` the damage of the other end of a double weapon, with
    its own critical multiplier where it has one.
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

    With `table`, the row of the rulebook's armor table, the figures come from there when the combatant
    enters. `check` is its check penalty (0 or less), `failure` its arcane spell failure in percent,
    `enhancement` its magic; `size`, `material` and `ounces` are as for a weapon.
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


class Grant(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A modifier that a spell gives to `stat` ("attack", "defense", "save.will", "damage", ...)."""

    stat: Name
    value: Number
    kind: Name = "untyped"


class Spell(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A spell, power, special ability, magic item or grenade as numbers.

    `range` in feet (0: touch), or a standard one as `reach`; `touch` asks for a touch attack, `touches`
    on how many creatures; `save` with `dc` and what a success does; `area` and `area_feet` give the shape
    ("burst", "cone", "line"; "" for single targets). Without a printed `dc` the spell's level and the
    caster's `key` ability make it. `condition` lasts for `rounds`, or while the caster keeps up its
    `concentration`; `grants` are modifiers for as long, `ongoing` dice of damage at the start of the target's
    turns. `ability` names the class of a special ability that is no spell, `delivery` how it comes, `item`
    the kind of a magic item that holds the spell; `metamagic` the feats that a `spontaneous` caster applies;
    `dispels` what counters other spells. `healing` are the dice of hit points that it gives back, `temporary`
    those that it lends for its time, `riders` poison and the like that it brings. `works` says when it takes
    effect, where its description says so and the dialect asks.
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


class Reduction(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Damage reduction: `amount` off each hit unless the weapon is of a kind in `bypass`."""

    amount: Number
    bypass: Names = ()


class Thing(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What makes a sheet that of a mere thing: a door, a chest, a wall.

    `table` names its row of the rulebook's tables of things, `substance` and `inches` what it is made of;
    then hardness, hit points and the Strength DC to break it come from there. `caster_level` is its magic.
    """

    table: Name = ""
    substance: Name = ""
    inches: Number = 0
    hardness: Number = 0
    break_dc: Number = 0
    caster_level: Number = 0


class Sheet(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Everything printed about one combatant; speeds and reach in feet.

    `armor` lists the parts of Armor Class by type; `max_dex` is the cap that armor sets;
    `classes` gives class levels by name, `hit_dice` their sum (or a monster's Hit Dice). `speed` is the
    speed as printed, `base_speed` the one without armor. With a `race` the speed is worked out instead, from
    `base_speed` or the race, class, `speed_bonuses`, armor and load. `maneuver` says how a creature flies
    ("perfect" to "clumsy"), `swim` and `climb` are speeds of those modes. `carried` is what it bears, in
    pounds; `check_penalties` are those of armor and shield that the totals in `skills` leave out, `ranks`
    the ranks in a skill where a rule asks for them. `worn` names armor and shields with their own figures,
    which are added to `armor`, the caps, the check penalties and the speed at entry; `spell_failure` is in
    percent. `bare` names the numbers that lack what classes and feats give, where the dialect reckons it:
    "base attack", "hit points". `good_saves` names the good saves of each class, from which the base saves
    follow instead of `saves`. `thing` makes the sheet that of a mere object. `fast_healing` and
    `regeneration` are hit points a round, `lethal` the kinds of damage that a regenerating creature takes in
    full; `poisons` the doses carried for weapons.
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
    good_saves: dict[Name, Names] = field(default_factory=dict)
    worn: Annotated[tuple[Worn, ...], Meta(max_length=200)] = ()
    spell_failure: Number = 0
    thing: Thing | None = None
