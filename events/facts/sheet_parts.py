"""What the sheets of combatants are made of: bonuses, ability scores, saves, riders."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from affray.events.facts.base import Name, Number


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
