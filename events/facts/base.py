"""What all declarations and facts rest on: how much they may hold, and their roots.

Every number, text, list and mapping of every fact has one of these bounds (a test goes over all fields).
They are far beyond anything a table plays, and keep what reads a log within bounds of time and memory
whoever wrote it. What is read back must never be narrower than what the rules can write: a bound may be
widened, and is narrowed only where no log can hold more.
"""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct

JsonObject: TypeAlias = dict[str, Any]
"""An object of JSON or a table of TOML, as read: nothing is known yet of what stands in its fields."""

Number = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
"""Hit points, feet, bonuses, squares: far beyond any creature, far within 64 bits."""

LONGEST_NAME = 200
"""Characters in a name."""

Name = Annotated[str, Meta(max_length=LONGEST_NAME)]
"""An id, or what a thing is called."""

Words = Annotated[str, Meta(max_length=10_000)]
"""What somebody says or rules; what is composed of names and ids: the key of a roll."""

Told = Annotated[str, Meta(max_length=1_000_000)]
"""What is composed of many names: why something was refused, the rows of a table as JSON."""

MOST_COMBATANTS = 200
"""The most combatants of one fight."""

Sum = Annotated[int, Meta(ge=-(10**15), le=10**15)]
"""What the rules add up of many numbers: totals, hit points, feet; exact in every reader of JSON."""

Count = Annotated[int, Meta(ge=-1, le=10**15)]
"""A position in the log, a round, a turn, minutes; -1 for never."""

Side = Annotated[int, Meta(ge=0, le=20)]
"""Squares along a side of what a creature takes up: 100 feet at most, 0 for as before."""

Reach = Annotated[int, Meta(ge=0, le=500)]
"""Natural reach in feet."""

Rules = Annotated[tuple[Name, ...], Meta(max_length=10_000)]
"""Ids of rules."""

Ids = Annotated[tuple[Name, ...], Meta(max_length=1000)]
"""Ids of combatants."""

Texts = Annotated[tuple[Words, ...], Meta(max_length=50_000)]
"""Options of a question (every square of a map), what is held, what a ruling changes."""

Readings = Annotated[dict[Name, Name], Meta(max_length=1000)]
"""Options and house rules, each with its reading."""

Tables = Annotated[dict[Name, Told], Meta(max_length=1000)]
"""The rows of tables as JSON, by the id of the rule."""

Face = Annotated[int, Meta(ge=0, le=100_000)]
"""What one die shows, or its place among those thrown."""

Faces = Annotated[tuple[Face, ...], Meta(max_length=100_000)]
"""Dice as they fell, or which of them: as many as a notation of 200 characters can name."""

Times = Annotated[int, Meta(ge=0, le=1000)]
"""How often something is multiplied."""

Place = tuple[Annotated[int, Meta(ge=-200, le=400)], Annotated[int, Meta(ge=-200, le=400)]]
"""A square on the map, which has 200 each way, or as far beyond it."""

Places = Annotated[tuple[Place, ...], Meta(max_length=10_000)]
"""Squares entered, in their order."""


Names = Annotated[tuple[Name, ...], Meta(max_length=1000)]
"""Ids or names that a declaration lists."""

Square = tuple[Number, Number]
"""A square that a declaration names, on the map or not."""

Path = Annotated[tuple[Square, ...], Meta(max_length=1000)]
"""The squares that a declaration enters, in their order."""

Size = Literal["fine", "diminutive", "tiny", "small", "medium", "large", "huge", "gargantuan", "colossal"]
#: How a weapon is held and swung.
Wield = Literal["unarmed", "natural", "light", "one-handed", "two-handed", "projectile"]
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

    cites: Rules = ()
