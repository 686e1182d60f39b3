"""The base types of all declarations and facts: bounded field types and root classes.

Every number, text, list and mapping of every fact has one of these bounds (a test checks all fields). They
are far beyond anything a table plays, and limit the time and memory for reading a log from any source. A
bound on reading must never be narrower than what the rules can write: a bound may be widened, but narrowed
only if no log can contain more.
"""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object or TOML table as read, before its fields are checked."""

Number = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
"""Hit points, feet, bonuses, squares: far beyond any creature, far within 64 bits."""

LONGEST_NAME = 200
"""Characters in a name."""

Name = Annotated[str, Meta(max_length=LONGEST_NAME)]
"""An id or a name."""

Words = Annotated[str, Meta(max_length=10_000)]
"""Words of a person (speech, rulings), and texts composed of names and ids, such as the key of a roll."""

Told = Annotated[str, Meta(max_length=1_000_000)]
"""Texts composed of many names: the reason of a refusal, the rows of a table as JSON."""

MOST_COMBATANTS = 200
"""The most combatants of one fight."""

Sum = Annotated[int, Meta(ge=-(10**15), le=10**15)]
"""A sum of many numbers: totals, hit points, feet; exact in every JSON reader."""

Count = Annotated[int, Meta(ge=-1, le=10**15)]
"""A position in the log, a round, a turn, minutes; -1 for never."""

Side = Annotated[int, Meta(ge=0, le=20)]
"""The side of a creature's space in squares: 20 (100 feet) at most, 0 for unchanged."""

Reach = Annotated[int, Meta(ge=0, le=500)]
"""Natural reach in feet."""

Rules = Annotated[tuple[Name, ...], Meta(max_length=10_000)]
"""Ids of rules."""

Ids = Annotated[tuple[Name, ...], Meta(max_length=1000)]
"""Ids of combatants."""

Texts = Annotated[tuple[Words, ...], Meta(max_length=50_000)]
"""Options of a question (every square of a map), held items, changes of a ruling."""

Readings = Annotated[dict[Name, Name], Meta(max_length=1000)]
"""Options and house rules, each with its reading."""

Tables = Annotated[dict[Name, Told], Meta(max_length=1000)]
"""The rows of tables as JSON, by the id of the rule."""

Face = Annotated[int, Meta(ge=0, le=100_000)]
"""The face of one die, or its index among the dice rolled."""

Faces = Annotated[tuple[Face, ...], Meta(max_length=100_000)]
"""Faces or indexes of dice: as many as a notation of 200 characters can request."""

Times = Annotated[int, Meta(ge=0, le=1000)]
"""A multiplier."""

Place = tuple[Annotated[int, Meta(ge=-200, le=400)], Annotated[int, Meta(ge=-200, le=400)]]
"""A square on the map, which has 200 by 200, or at most 200 squares outside it."""

Places = Annotated[tuple[Place, ...], Meta(max_length=10_000)]
"""Squares entered, in order."""


Names = Annotated[tuple[Name, ...], Meta(max_length=1000)]
"""Ids or names that a declaration lists."""

Square = tuple[Number, Number]
"""A square that a declaration names, on the map or not."""

Path = Annotated[tuple[Square, ...], Meta(max_length=1000)]
"""The squares that a declaration enters, in order."""

Size = Literal["fine", "diminutive", "tiny", "small", "medium", "large", "huge", "gargantuan", "colossal"]
#: The category of a weapon.
Wield = Literal["unarmed", "natural", "light", "one-handed", "two-handed", "projectile"]
#: A special attack that replaces an ordinary one.
Special = Literal["", "trip", "disarm", "sunder", "grapple", "push", "grab"]


# A pair of fixed length within a union is not decoded reliably (msgspec 0.23).
CustomSquare = Annotated[tuple[Number, ...], Meta(max_length=2)]
"""A square among the values of a dialect's own."""

CustomValue = (
    bool | Number | Words | Annotated[tuple[Number | Words | CustomSquare, ...], Meta(max_length=1000)]
)
"""A value of a dialect's own: of a field of its acts or sheets."""

CustomFields = Annotated[dict[Name, CustomValue], Meta(max_length=100)]
"""Fields of a dialect's own, by name."""


COMMON_FIELDS: dict[str, str] = {
    "target": "the target.",
    "targets": "the targets.",
    "weapon": "the weapon used.",
    "item": "the object used.",
    "spell": "the spell.",
    "feat": "the feat.",
    "path": "the squares entered, in order.",
}
"""The meaning of a field whose declaration does not define it."""


class Act(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="act"):
    """Root of all declarations."""

    #: Who declares it: the combatant that `actor` names, the game master (no `actor`), or either.
    declared_by: ClassVar[Literal["combatant", "game master", "either"]] = "combatant"

    actor: Name = ""


class Fact(Struct, frozen=True, gc=False, tag_field="type"):
    """Root of all outcomes. `cites` lists the ids of the rules that decided it."""

    cites: Rules = ()
