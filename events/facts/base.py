"""What all declarations and facts rest on: how much they may hold, and their roots."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

Number = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
"""Hit points, feet, bonuses, squares: far beyond any creature, far within 64 bits."""

LONGEST_NAME = 200
"""Characters in a name."""

Name = Annotated[str, Meta(max_length=LONGEST_NAME)]
"""An id, or what a thing is called."""

Words = Annotated[str, Meta(max_length=10_000)]
"""What somebody says or rules."""

Names = Annotated[tuple[Name, ...], Meta(max_length=1000)]
Square = tuple[Number, Number]
Path = Annotated[tuple[Square, ...], Meta(max_length=1000)]
Size = Literal["fine", "diminutive", "tiny", "small", "medium", "large", "huge", "gargantuan", "colossal"]
#: A special attack that takes the place of an ordinary one.
Special = Literal["", "trip", "disarm", "sunder", "grapple", "push", "grab"]


COMMON_FIELDS: dict[str, str] = {
    "target": "whom or what it is done to.",
    "targets": "those that it is done to.",
    "weapon": "the weapon that it is done with.",
    "item": "the object that it is about.",
    "spell": "the spell.",
    "feat": "the feat.",
    "path": "the squares entered, in their order.",
}
"""What a field of a declaration is for where the declaration itself says nothing else."""


class Act(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="act"):
    """Root of all declarations."""

    #: Who declares it: a combatant, whom `actor` names; the game master, who leaves `actor` out; or either.
    declared_by: ClassVar[Literal["combatant", "game master", "either"]] = "combatant"

    actor: Name = ""


class Fact(Struct, frozen=True, gc=False, tag_field="type"):
    """Root of all outcomes. `cites` lists the ids of the rules that decided it."""

    cites: tuple[str, ...] = ()
