"""The character sheet: numbers as parts with their bonus types, never only as a total."""

from typing import Literal

from msgspec import Struct, field

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

    value: int
    kind: str
    source: str = ""


class Abilities(Struct, frozen=True, gc=False, forbid_unknown_fields=True, rename={"int_": "int"}):
    """Ability scores; None is a score the creature does not have."""

    str: int | None = 10
    dex: int | None = 10
    con: int | None = 10
    int_: int | None = 10
    wis: int | None = 10
    cha: int | None = 10


class Saves(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Base saving throw bonuses, before ability modifiers."""

    fort: int = 0
    ref: int = 0
    will: int = 0


class ExtraDamage(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Dice beyond the weapon's own, never multiplied: 1d6 fire."""

    dice: str
    kind: str
    source: str = ""


class Weapon(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A weapon as it is wielded.

    `threat` is the lowest natural roll that threatens a critical; `range` the increment in feet
    (0: melee only); `thrown` marks a melee weapon that may be thrown; `reach` a reach weapon;
    `hands` how many hands hold it; `rating` the Strength a composite bow is built for.
    `family` names a group that rules speak of ("bow", "crossbow", "sling", "firearm", "polearm");
    `traits` lists qualities such as "trip", "disarm", "brace", "finesse", "double", "nonlethal".
    """

    name: str
    damage: str
    damage_type: str = "slashing"
    wield: Wield = "one-handed"
    threat: int = 20
    multiplier: int = 2
    range: int = 0
    thrown: bool = False
    reach: bool = False
    hands: int = 1
    rating: int | None = None
    family: str = ""
    proficient: bool = True
    traits: tuple[str, ...] = ()
    attack: tuple[Bonus, ...] = ()
    bonus_damage: tuple[Bonus, ...] = ()
    extra: tuple[ExtraDamage, ...] = ()
    ammunition: int | None = None
    off_hand: bool = False


class Spell(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A spell, power or grenade as numbers.

    `range` in feet (0: touch); `touch` asks for a touch attack; `save` with `dc` and what a success
    does; `area` and `area_feet` give the shape ("burst", "cone", "line"; "" for single targets).
    """

    name: str
    level: int = 0
    casting: Literal["standard", "full-round", "swift", "immediate", "free"] = "standard"
    range: int = 0
    touch: Literal["", "melee", "ranged"] = ""
    area: Literal["", "burst", "cone", "line"] = ""
    area_feet: int = 0
    save: Literal["", "fort", "ref", "will"] = ""
    dc: int = 0
    on_save: Literal["negates", "half", "partial"] = "negates"
    damage: str = ""
    damage_type: str = ""
    condition: str = ""
    rounds: int = 0
    components: tuple[str, ...] = ("verbal", "somatic")
    resistance: bool = True
    uses: int | None = None


class Reduction(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Damage reduction: `amount` off each hit unless the weapon is of a kind in `bypass`."""

    amount: int
    bypass: tuple[str, ...] = ()


class Sheet(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Everything printed about one combatant; speeds and reach in feet.

    `armor` lists the parts of Armor Class by type; `max_dex` is the cap that armor sets;
    `classes` gives class levels by name, `hit_dice` their sum (or a monster's Hit Dice).
    """

    name: str
    hp: int
    size: Size = "medium"
    tall: bool = True
    kind: str = "humanoid"
    hit_dice: int = 1
    classes: dict[str, int] = field(default_factory=dict)
    abilities: Abilities = Abilities()
    base_attack: int = 0
    saves: Saves = Saves()
    save_bonuses: dict[str, tuple[Bonus, ...]] = field(default_factory=dict)
    armor: tuple[Bonus, ...] = ()
    armor_weight: Literal["none", "light", "medium", "heavy"] = "none"
    max_dex: int | None = None
    initiative: tuple[Bonus, ...] = ()
    speed: int = 30
    base_speed: int | None = None
    fly: int = 0
    space: int | None = None
    reach: int | None = None
    legs: int = 2
    weapons: tuple[Weapon, ...] = ()
    spells: tuple[Spell, ...] = ()
    feats: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    skills: dict[str, int] = field(default_factory=dict)
    reductions: tuple[Reduction, ...] = ()
    resistances: dict[str, int] = field(default_factory=dict)
    spell_resistance: int = 0
    concentration: int | None = None
